"""Why a key did nothing, in the person's language: the rule in its own words, then what can be done instead.

The engine says a rule in English; the same sentences stand here for the catalogues, and a test compares them with the
engine's. What is possible instead is said in terms of the hand, since that is what the person looks at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pdurak.cards import cards_in
from p2pdurak.game.state import Decision
from p2pdurak.ui.console.saying import cards_text, waited_for
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.line import sorted_hand

if TYPE_CHECKING:
    from gettext import NullTranslations

    from p2pdurak.errors import IllegalAction
    from p2pdurak.ui.console.choosing import Chooser
    from p2pdurak.ui.console.model import TableModel

RULES: Final = (
    _("Only the seat that is asked acts, and only on what it is asked"),
    _("A player plays only cards that they hold, each once"),
    _("A bout is opened with a single card"),
    _("A bout is opened with one card or several of one rank"),
    _("Never more attack cards lie unbeaten than the defender holds cards"),
    _("The attack cards of a bout are at most {bout_cap} in all"),
    _("Until a bout of the game has been beaten, the attack cards of a bout are at most {first_bout_cap}"),
    _("A card is beaten by a higher card of the same suit, and a card that is not trump also by any trump"),
    _("The defender beats one unbeaten card at a time, in any order, and a beaten card stays beaten"),
    _("Cards thrown in or added have a rank that lay on the table before"),
    _("An attack is never transferred"),
    _("An attack is transferred only while nothing on the table is beaten"),
    _("A transfer needs a card of the one rank that all unbeaten cards share"),
    _("An attack is transferred only to another player, and only if it fits that player's hand and the bout"),
    _("Nothing is transferred in the first bout of a game"),
    _("A card that transfers is laid, not shown"),
    _("Only a trump is shown, only before anything is beaten, and each only once a bout"),
)


def refused(say: NullTranslations, chooser: Chooser, error: IllegalAction) -> str:
    """Return the rule that forbids it, and what is possible instead."""
    view = chooser.view
    if view is None:
        return str(error)
    limits = {"bout_cap": view.rules.bout_cap, "first_bout_cap": view.rules.first_bout_cap}
    rule = next((rule for rule in RULES if str(error).startswith(rule.format(**limits))), None)
    sentence = str(error).partition(":")[0] if rule is None else say.gettext(rule).format(**limits)
    return f"{sentence}. {_instead(say, chooser)}"


def _instead(say: NullTranslations, chooser: Chooser) -> str:
    assert chooser.view is not None  # noqa: S101 - refused has seen to it
    playable = cards_text(sorted_hand(cards_in(chooser.playable()), chooser.view.trump))
    match chooser.view.decision, bool(playable):
        case Decision.DEFEND, True:
            return say.gettext("Possible now: {cards}, or take.").format(cards=playable)
        case Decision.DEFEND, False:
            return say.gettext("You can only take.")
        case Decision.LEAD, _:
            return say.gettext("Possible now: {cards}.").format(cards=playable)
        case _, True:
            return say.gettext("Possible now: {cards}, or pass.").format(cards=playable)
        case _:
            return say.gettext("You can only pass.")


def not_asked(say: NullTranslations, table: TableModel) -> str:
    """Return why nothing can be decided now."""
    waiting = waited_for(say, table)
    if not waiting:
        return say.gettext("Just a moment: nothing is to be decided now.")
    return say.gettext("It is not your turn: {waiting}.").format(waiting=waiting)
