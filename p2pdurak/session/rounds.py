"""Who may speak when: the one table of rounds.

The next round is the first line of the table that applies to the public state. Nothing else decides who speaks, so a
player, a spectator and a verifier cannot differ about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from p2pdurak.session.dealing import ConfirmRound, DealRound, DrawRound, RearrangeRound
from p2pdurak.session.ending import BooksRound, ResultRound
from p2pdurak.session.lead import CallRound
from p2pdurak.session.opening import CommitRound, RevealRound, ShuffleRound
from p2pdurak.session.playing import PlayRound

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.session.public import PublicState
    from p2pdurak.session.round import Round


PLAY = PlayRound()

TABLE: tuple[tuple[Callable[[PublicState], bool], Round[Any] | None], ...] = (
    (lambda state: state.over and not state.final_head, ResultRound()),
    (lambda state: state.over and state.opens_books and not state.books, BooksRound()),
    (lambda state: state.over, None),
    (lambda state: not state.commits, CommitRound()),
    (lambda state: state.deck is None, RevealRound()),
    (lambda state: state.shuffled < state.players, ShuffleRound()),
    (lambda state: bool(state.dues) and not state.confirmed, ConfirmRound()),
    (lambda state: bool(state.dues) and state.game is None, DealRound()),
    (lambda state: bool(state.dues), DrawRound()),
    (lambda state: bool(state.cards.rearranging()), RearrangeRound()),
    (lambda state: state.game is None, CallRound()),
    (lambda state: not state.over, PLAY),
)


def current(state: PublicState) -> Round[Any] | None:
    """Return the round in which ``state`` is; None when everything is said."""
    return next(round_ for applies, round_ in TABLE if applies(state))
