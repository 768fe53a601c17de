"""The games of a match so far: what the next one builds on, and what peers may have missed of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2pdurak.game.opening import FIRST, Opening
from p2pdurak.wire.genesis import NO_PREVIOUS
from p2pdurak.wire.talk import Begin, Have, Say, encode_talk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from p2pdurak.net.mesh import Mesh
    from p2pdurak.session.session import Session
    from p2pdurak.wire.genesis import Genesis

KEPT_GAMES = 8
"""Of so many games peers are helped to the end; whoever was away in one may come back when others are over."""


@dataclass(frozen=True, slots=True)
class Beginning:
    """What the next game builds on: its number, its opening for given seats, and the final head before it."""

    number: int = 1
    previous: bytes = NO_PREVIOUS
    before: Session | None = None

    @classmethod
    def after(cls, session: Session) -> Beginning:
        """Return what follows on a finished game."""
        return cls(session.genesis.number + 1, session.state.final_head, session)

    def opening(self, keys: Sequence[bytes]) -> Opening:
        """Return who deals and leads when ``keys`` sit at the table (R8 to R10)."""
        if self.before is None:
            return FIRST
        seats = [keys.index(key) if key in keys else None for key in self.before.genesis.keys]
        return self.before.state.next_opening(len(keys), seats)

    def fits(self, genesis: Genesis) -> bool:
        """Tell whether ``genesis`` is that game."""
        expected = (self.number, self.previous, self.opening(genesis.keys))
        return (genesis.number, genesis.previous, genesis.opening) == expected


class History:
    """The sessions of this match so far, for peers that have missed something of one."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self._sessions: dict[bytes, Session] = {}
        self._had: dict[tuple[bytes, bytes], int] = {}

    def __contains__(self, game_id: bytes) -> bool:
        return game_id in self._sessions

    def has_seat(self, peer: bytes, game_id: bytes) -> bool:
        """Tell whether this is a game of ours in which ``peer`` has a seat, be it the latest or one before."""
        return game_id in self._sessions and peer in self._sessions[game_id].genesis.keys

    def add(self, session: Session) -> None:
        """Remember a game, from its beginning on; of those before it only the latest are kept."""
        before = [one for one in self._sessions.values() if one.state.game_id != session.state.game_id]
        self._sessions = {one.state.game_id: one for one in (*before[1 - KEPT_GAMES :], session)}
        self._had = {key: round_ for key, round_ in self._had.items() if key[0] in self._sessions}

    def names(self) -> dict[bytes, str]:
        """Return the nicknames, by key, of those who play or have just played."""
        latest = list(self._sessions.values())[-1:]
        return {seat.key: seat.nickname for session in latest for seat in session.genesis.seats}

    @property
    def running(self) -> bool:
        """Whether a game is going on."""
        return any(session.kind is not None for session in self._sessions.values())

    def answer(self, peer: bytes, have: Have) -> None:
        """Send ``peer`` all we have heard from the round on that it is in."""
        key = have.game_id, peer
        self._had[key] = max(have.round, self._had.get(key, 0))
        for message in self._sessions[have.game_id].messages_from(have.round):
            self._mesh.send(peer, encode_talk(Say(have.game_id, message)))

    def tell_end(self, peer: bytes) -> None:
        """Tell ``peer`` of each game that has ended here while it was away: which one it is, and what it has missed.

        By the `have` before the `begin` it knows that the game is over. It has all that was said before it last spoke.
        """
        for session in self._missed_by(peer):
            state, seat = session.state, session.genesis.keys.index(peer)
            spoke = (
                at for at, round_ in enumerate(session.rounds) if seat in {said.envelope.seat for said in round_.spoken}
            )
            self._mesh.send(peer, encode_talk(Have(state.game_id, state.round)))
            self._mesh.send(peer, encode_talk(Begin(session.genesis.encode())))
            for message in session.messages_from(max(spoke, default=0)):
                self._mesh.send(peer, encode_talk(Say(state.game_id, message)))

    def _missed_by(self, peer: bytes) -> Iterator[Session]:
        for game_id, session in self._sessions.items():
            knows = self._had.get((game_id, peer), 0) >= session.state.round
            if session.finished and peer in session.genesis.keys and not knows:
                yield session

    def behind(self, session: Session) -> tuple[bytes, ...]:
        """Return the other players of a finished game who have not said yet that they miss nothing of it."""
        state, me = session.state, self._mesh.identity.public
        staying = [session.genesis.keys[seat] for seat in state.staying()]
        return tuple(key for key in staying if key != me and self._had.get((state.game_id, key), 0) < state.round)
