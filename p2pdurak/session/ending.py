"""Rounds at the end: everybody signs the final head, and then opens the books.

Normative text: ``protocol/rounds.md``, "The end".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from p2pdurak.errors import VerificationError
from p2pdurak.session.opening import secret_commitment
from p2pdurak.session.round import Round
from p2pdurak.wire.messages import Books, Kind, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from p2pdurak.session.events import Event
    from p2pdurak.session.player import Player
    from p2pdurak.session.public import PublicState


class ResultRound(Round[Result]):
    """Everybody signs the final head; a game that follows builds on it."""

    kind = Kind.RESULT

    def speakers(self, state: PublicState) -> tuple[int, ...]:
        return state.staying()

    def verify(self, state: PublicState, seat: int, body: Result) -> None:
        """Accept: the signature on the head was all there is to check."""

    def complete(self, state: PublicState, bodies: Mapping[int, Result]) -> tuple[PublicState, list[Event]]:
        return replace(state, final_head=state.head), []

    def speak(self, state: PublicState, player: Player) -> Result:
        return Result()


class BooksRound(Round[Books]):
    """Everybody reveals the game secret, so that all they did can be computed again."""

    kind = Kind.BOOKS

    def speakers(self, state: PublicState) -> tuple[int, ...]:
        return state.staying()

    def verify(self, state: PublicState, seat: int, body: Books) -> None:
        if secret_commitment(state.game_id, seat, body.secret) != state.commits[seat].secret:
            raise VerificationError("The game secret is not the one committed to.")

    def complete(self, state: PublicState, bodies: Mapping[int, Books]) -> tuple[PublicState, list[Event]]:
        books = tuple(bodies[seat].secret if seat in bodies else None for seat in state.everybody())
        return replace(state, books=books), []

    def speak(self, state: PublicState, player: Player) -> Books:
        return Books(player.game_secret)
