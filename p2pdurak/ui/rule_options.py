"""What each option of the rules means to a player: one sentence for each value, and one line for each preset.

A sentence stands by itself, because it is read in two places: where a game is explained, and where two games are
compared. Only limits are numbers and have plurals. Numbered rules are those of ``protocol/rules.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pdurak.ui.language import marked as _
from p2pdurak.ui.option_words import in_words

if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import NullTranslations

    from p2pdurak.game.ruleset import Ruleset

SUMMARIES: Final[Mapping[str, str]] = {
    "prostoy": _("simple: one card attacks, and is beaten or taken; no throwing in, no transfer"),
    "albanian": _("one card attacks; when it is beaten, all others may throw in"),
    "perevodnoy": _("one card attacks, all others may throw in; while nothing is beaten, it may be transferred"),
    "perevodnoy-2": _("one card attacks, all others may throw in; a card that is not beaten may be transferred"),
    "podkidnoy": _("several cards may attack at once, others add to what is taken, the defender draws last"),
    "perevodnoy-apps": _(
        "several cards may attack at once, others add to what is taken; while nothing is beaten, transfers"
    ),
}
"""Each preset in one line."""

MEANINGS: Final[Mapping[str, str]] = {
    "lead": _("what opens a bout"),
    "throwers": _("who throws in"),
    "throw_after_take": _("whether others add cards after “take”"),
    "bout_cap": _("most attack cards in a bout"),
    "first_bout_cap": _("most attack cards until a bout has been beaten"),
    "transfer": _("when an attack may be transferred"),
    "transfer_first_bout": _("whether attacks are transferred in the first bout of a game"),
    "transfer_by_showing": _("whether showing a trump transfers an attack"),
    "draw_order": _("who draws when"),
    "draws": _("what it means when nobody holds a card at the end"),
    "no_trump_lead": _("who leads first if nobody holds a trump"),
    "next_lead": _("who leads first in later games"),
}
"""What each option decides."""

SENTENCES: Final[Mapping[str, Mapping[str, str]]] = {
    "lead": {
        "one": _("A bout is opened with one card, whichever the leader likes."),
        "same-rank": _("A bout is opened with one card, whichever the leader likes, or with several of one rank."),
    },
    "throwers": {
        "all": _("Once everything on the table is beaten, all but the defender may throw in more cards."),
        "neighbours": _(
            "Once everything on the table is beaten, the defender's neighbours may throw in more cards: the next "
            "players still in on either side."
        ),
        "leader": _(
            "Once everything on the table is beaten, only whoever led the bout may throw in more cards; nobody does "
            "if they are out."
        ),
        "none": _("Nobody throws in: the bout is over when its attack is beaten or taken."),
    },
    "throw_after_take": {
        "true": _(
            "After “take”, whoever may throw in is asked once, also after having passed, and may add cards to what is "
            "taken, within the same limits."
        ),
        "false": _("After “take”, nobody adds any cards."),
    },
    "bout_cap": {"none": _("A bout may have any number of attack cards, as long as the defender's hand allows them.")},
    "first_bout_cap": {"none": _("The first bouts of a game have the same limit as all others.")},
    "transfer": {
        "none": _("Nothing is transferred: whoever is attacked beats or takes."),
        "before-beat": _(
            "As long as nothing on the table is beaten, the defender may transfer the attack instead of beating it."
        ),
        "any": _(
            "As long as a card is unbeaten, the defender may transfer the attack instead of beating it, also after "
            "having beaten something. Beaten cards stay on the table and go along."
        ),
    },
    "transfer_first_bout": {
        "true": _("Attacks may be transferred in the first bout of a game as in any other."),
        "false": _("In the first bout of a game nothing is transferred."),
    },
    "transfer_by_showing": {
        "true": _(
            "Before anything is beaten, the defender may transfer by showing the trump of the attack's rank, once a "
            "bout: the attack goes on as it is, and the card stays in the hand, known to all."
        ),
        "false": _("A transfer costs a card: to show a trump is not enough."),
    },
    "draw_order": {
        "clockwise": _(
            "Whoever led the bout draws first, then all others clockwise, the defender when it comes to them."
        ),
        "defender-last": _(
            "Whoever led the bout draws first, then the others clockwise; the last defender draws after all of them, "
            "even if they led the bout."
        ),
    },
    "draws": {
        "true": _("If nobody holds a card at the end, the game is a draw."),
        "defender-loses": _("If nobody holds a card at the end, the last defender is the fool."),
    },
    "no_trump_lead": {
        "lowest-card": _("If nobody holds a trump, whoever has the lowest card leads; between equals the lot decides."),
        "lot": _("If nobody holds a trump, the lot decides who leads."),
    },
    "next_lead": {
        "under": _(
            "In later games, the player to the fool's right leads, and so attacks the fool (“under the fool”, pod "
            "duraka)."
        ),
        "from-under": _("In later games, the player to the fool's left leads (“from under the fool”, iz-pod duraka)."),
        "lowest-trump": _("In later games too, whoever holds the lowest trump leads."),
    },
}
"""A sentence for each value; those of limits that are numbers are made by ``option_sentence``."""


def summary(say: NullTranslations, rules: Ruleset, named: str = "") -> str:
    """Return a line about the rules: what a preset is, or from which one others differ by what.

    Of several that are as near it is the one that was ``named``.
    """
    if rules.name in SUMMARIES:
        return say.gettext(SUMMARIES[rules.name])
    name, changes = rules.nearest(named)
    text = say.gettext(_("as {rules}, but {changes}"))
    told = (f"{say.gettext(MEANINGS[option])}: {in_words(say, option, value)}" for option, value in changes.items())
    return text.format(rules=name, changes="; ".join(told))


def in_short(say: NullTranslations, rules: Ruleset) -> str:
    """Return the preset, or the nearest one and how many options differ, where there is no room for more."""
    name, changes = rules.nearest()
    words = say.ngettext("{rules} with {number} change", "{rules} with {number} changes", len(changes))
    return words.format(rules=name, number=len(changes)) if changes else name


LIMITS: Final = ("bout_cap", "first_bout_cap")
_ANY_LIMIT: Final = _("1 to 52, none")


def written(rules: Ruleset) -> Mapping[str, str]:
    """Return the values of all options as they are written after ``--set``, in the order of the options."""
    return dict(word.split("=") for word in str(rules).split())


def option_sentence(say: NullTranslations, option: str, value: str) -> str:
    """Return what the option's value means, as a sentence."""
    if option not in LIMITS or value == "none":
        return say.gettext(SENTENCES[option][value])
    number = int(value)
    if option == "bout_cap":
        sentence = say.ngettext(
            "A bout has {number} attack card at most.", "A bout has {number} attack cards at most.", number
        )
    else:
        sentence = say.ngettext(
            "Until a bout of the game has been beaten, a bout has {number} attack card at most; bouts that were taken "
            "do not count.",
            "Until a bout of the game has been beaten, a bout has {number} attack cards at most; bouts that were taken "
            "do not count.",
            number,
        )
    return sentence.format(number=number)


def possible_values(say: NullTranslations, option: str) -> str:
    """Return what the option may be set to, in a few words."""
    return say.gettext(_ANY_LIMIT) if option in LIMITS else ", ".join(SENTENCES[option])
