"""The opener's side of a lobby: who gets a seat, who may watch, and when the game begins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from p2pdurak.net.lobby import Beginning, Lobby, LobbyEvent, Seated, lot_of, seating
from p2pdurak.net.mesh import Arrived, Frame, Left, Mesh
from p2pdurak.wire.genesis import MIN_PLAYERS, Genesis, Seat
from p2pdurak.wire.talk import (
    MAX_WATCHERS,
    Begin,
    Have,
    Look,
    Place,
    Places,
    Ready,
    Refuse,
    Say,
    Sit,
    Stand,
    Talk,
    Watch,
    encode_talk,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.wire.terms import Terms

FULL = "All seats of this table are taken."
PLAYING = "A game is going on; a seat may be free after it."
NO_WATCHERS = "This table is not to be watched."


class Opener(Lobby):
    """The peer that has opened the table."""

    def __init__(
        self, mesh: Mesh, terms: Terms, tell: Callable[[LobbyEvent], object], *, ready: bool, waits_for_all: bool
    ) -> None:
        super().__init__(mesh, tell, ready=ready)
        self.terms: Terms = terms
        self._waits_for_all = waits_for_all
        self._started = False
        self._playing = False
        self._nonces: dict[bytes, bytes] = {}
        self.places = (Place(self.me, mesh.nickname, "", mesh.port, ready),)

    async def gather(self, beginning: Beginning | None) -> Genesis:
        """Return the genesis of the next game, once all sit and are ready."""
        beginning = beginning or Beginning()
        self._playing = self._started = False
        self._new_nonce()
        self._nonces = {self.me: self._nonce}
        here = {self.me, *self.mesh.peers()}
        self._seat(
            replace(place, ready=place.key == self.me and self._always_ready)
            for place in self.places
            if place.key in here
        )
        self.watchers = tuple(watcher for watcher in self.watchers if watcher in here)
        self._show()
        while not self._complete():
            match await self._next():
                case Left(peer, _):
                    self._stand_up(peer)
                case Frame() as frame:
                    self._hear(frame, beginning)
                case _:
                    pass
        genesis = self._compose(beginning)
        self._playing = True
        for peer in self.hears(genesis):
            self.mesh.send(peer, encode_talk(Begin(genesis.encode())))
        self._keep_early()
        return genesis
