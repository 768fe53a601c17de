"""Why a key did nothing, in the person's language: the rule in its own words, then what can be done instead.

What is possible instead is said in terms of the hand, since that is what the person looks at; the engine's own advice,
which knows only the table, is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pdurak.cards import cards_in
from p2pdurak.errors import Sentence
from p2pdurak.game.state import Decision
from p2pdurak.ui.console.keys import CARD_KEYS
from p2pdurak.ui.console.saying import cards_text
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.language import told
from p2pdurak.ui.line import sorted_hand

if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import NullTranslations

    from p2pdurak.errors import IllegalAction
    from p2pdurak.ui.console.choosing import Chooser


ONLY_WHAT_IS_ASKED: Final = "R11"
"""The rule against decisions that are not to be made."""

# What is to be decided, for whoever decides something else.
TIMES: Final[Mapping[Decision, str]] = {
    Decision.LEAD: _("You are to lead: there is nothing to take or to pass now."),
    Decision.DEFEND: _("You are attacked: a defender cannot pass."),
    Decision.THROW_IN: _("All is beaten, and not by you: there is nothing for you to take."),
    Decision.ADD: _("Somebody else takes; you may add cards."),
}


def refused(say: NullTranslations, chooser: Chooser, error: IllegalAction) -> str:
    """Return the rule that forbids it, and what is possible instead."""
    why = error.values.get("why")
    if chooser.view is None or chooser.view.decision is None or not isinstance(why, Sentence):
        return told(say, error)
    if error.rule == ONLY_WHAT_IS_ASKED:  # that we are asked, we know: what about, is the matter
        return f"{say.gettext(TIMES[chooser.view.decision])} {_instead(say, chooser)}"
    return f"{told(say, why)}. {_instead(say, chooser)}"


def meaningless(chooser: Chooser, key: str, written: str) -> Sentence | None:
    """Return why a key does nothing while we are asked, if it does nothing; ``written`` is what stands on it."""
    if key == " " and not chooser.options and not chooser.may_mark:
        return Sentence("Only one card at a time can be laid now: press its key, or Enter.")
    if len(key) > 1 or key == " " or chooser.means(key):
        return None
    if key in tuple("1234567890") and not chooser.options:
        return Sentence("You hold no card number {number}.", number=CARD_KEYS.index(key) + 1)
    return Sentence("{key} does nothing now; the lowest lines tell which keys do, and F1 tells all.", key=written)


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
