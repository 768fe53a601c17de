"""Why a key did nothing, in the person's language: the rule in its own words, then what can be done instead.

What is possible instead is said in terms of the hand, since that is what the person looks at; the engine's own advice,
which knows only the table, is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.cards import cards_in
from p2pdurak.errors import Sentence
from p2pdurak.game.state import Decision
from p2pdurak.ui.console.saying import cards_text, waited_for
from p2pdurak.ui.language import told
from p2pdurak.ui.line import sorted_hand

if TYPE_CHECKING:
    from gettext import NullTranslations

    from p2pdurak.errors import IllegalAction
    from p2pdurak.ui.console.choosing import Chooser
    from p2pdurak.ui.console.model import TableModel


def refused(say: NullTranslations, chooser: Chooser, error: IllegalAction) -> str:
    """Return the rule that forbids it, and what is possible instead."""
    why = error.values.get("why")
    if chooser.view is None or not isinstance(why, Sentence):
        return told(say, error)
    return f"{told(say, why)}. {_instead(say, chooser)}"


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
