"""The opener's side of a lobby: who gets a seat, who may watch, and when the game begins."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import trio

from p2pdurak.errors import LinkError, MalformedMessage, Sentence
from p2pdurak.net.code import WrongCode
from p2pdurak.net.gate import Gate
from p2pdurak.net.history import Beginning
from p2pdurak.net.lobby import Lobby, LobbyEvent, Seated, lot_of, seating
from p2pdurak.net.mesh import Frame, Left, Mesh
from p2pdurak.net.refusals import Reason, refusal, refusal_of_code
from p2pdurak.net.saved import Header
from p2pdurak.wire.genesis import MIN_PLAYERS, Genesis, Seat
from p2pdurak.wire.talk import (
    MAX_WATCHERS,
    Begin,
    Have,
    Knock,
    Look,
    Place,
    Places,
    Ready,
    Say,
    Sit,
    Stand,
    Talk,
    Watch,
    encode_talk,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from p2pdurak.wire.terms import Terms


NOBODY = "?"
"""What the opener of a table with a code is called by whoever connects: who plays is for guests to know."""


class Opener(Lobby):
    """The peer that has opened the table."""

    def __init__(
        self,
        mesh: Mesh,
        terms: Terms,
        tell: Callable[[LobbyEvent], object],
        *,
        ready: bool = False,
        code: str | None = None,
    ) -> None:
        super().__init__(mesh, tell, ready=ready)
        self.terms: Terms = terms
        self.opener = self.me
        self.code = code
        self._gate = None if code is None else Gate(code)
        if code is not None:
            mesh.doorplate = NOBODY
        self._started = False
        self._playing = False
        self._nonces: dict[bytes, bytes] = {}
        self._new_nonce()
        self.places = (Place(self.me, mesh.nickname, "", mesh.port, ready),)

    async def gather(self, beginning: Beginning | None) -> Genesis:
        """Return the genesis of the next game, once all sit and are ready."""
        beginning = beginning or Beginning()
        self._playing = self.came_late = False
        self._nonces = {self.me: self._nonce}
        self.chat.at(lot_of(self._nonce))
        here = {self.me, *self.mesh.peers()}
        self._seat(
            replace(place, host=self._whereabouts.of(place.key), ready=place.key == self.me and self.always_ready)
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
        self._seat(replace(place, ready=False) for place in self.places)
        self._new_nonce()  # for the game after: whoever asks is told its hash before saying a nonce of its own
        self._playing = True
        for peer in self.hears(genesis):
            self.mesh.send(peer, encode_talk(Begin(genesis.encode())))
        self._keep_early()
        return genesis

    def saved(self, genesis: Genesis) -> Header:
        """Return what the opener needs to take up the game again."""
        return Header(genesis, self.terms, self.places, self.me, self.code, self.mesh.port)

    def take_up(self, header: Header) -> None:
        """Be in the midst of a game again: those who play need no code."""
        self._seat(replace(place, ready=False) for place in header.places)
        self._playing = self.came_late = True
        self._started = header.genesis.players < self.terms.seats  # then the word to start was given
        self._befriend()
        if self._gate is not None:
            self._gate.admitted |= {place.key for place in header.places}

    def inherit(self, old: Lobby) -> None:
        """Have the table from now on. It plays on as soon as all who sit are ready: its start is long past."""
        super().inherit(old)
        self.places = tuple(replace(place, host="") if place.key == self.me else place for place in self.places)
        self._started = True
        if self._gate is not None:
            self._gate.admitted |= {*(place.key for place in self.places), *self.watchers}

    # What comes in

    def _hear(self, frame: Frame, beginning: Beginning) -> None:
        peer = frame.peer
        match talk := self._talk(frame):
            case Sit(number, nonce, port) if number in (0, beginning.number) and self._may_enter(peer):
                self._sit_down(peer, nonce, port)
            case Ready(ready):
                self._seat(replace(place, ready=ready) if place.key == peer else place for place in self.places)
                self._show()
            case Say() | Have():
                self._hear_of_game(frame, talk)
            case Look() | Watch() | Knock():
                self.attend(peer, talk)
            case _:
                pass

    def attend(self, peer: bytes, talk: Talk) -> None:
        """Answer somebody who has no seat: what the table is, whether it may be watched, that there is no seat."""
        match talk:
            case Look():
                if self._gate is not None:
                    self._gate.left(peer)  # whoever comes anew proves anew
                names = () if self.terms.code else tuple(place.nickname for place in self.places)
                self.history.tell_end(peer)
                self._answer(peer, Stand(self.terms, lot_of(self._nonce), self._playing, len(self.places), names))
            case Knock(message) if self._gate is not None:
                self._answer_knock(self._gate, peer, message)
            case Watch() if not self._may_enter(peer):
                pass
            case Watch() if peer not in self.mesh.peers():
                pass
            case Watch() if self.terms.watchers and len(self.watchers) >= MAX_WATCHERS:
                self._answer(peer, refusal(Reason.WATCHED))
            case Watch() if self.terms.watchers:
                self.watchers = (*(watcher for watcher in self.watchers if watcher != peer), peer)
                self._show()
            case Watch():
                self._answer(peer, refusal(Reason.NO_WATCHERS))
            case Sit():
                self._answer(peer, refusal(Reason.PLAYING))
            case _:
                pass

    def _may_enter(self, peer: bytes) -> bool:
        """Tell whether ``peer`` has given the code, if there is one; tell it to, if not."""
        if self._gate is None or peer in self._gate.admitted:
            return True
        self._answer(peer, refusal(Reason.CODE_WANTED))
        return False

    def _answer_knock(self, gate: Gate, peer: bytes, message: bytes) -> None:
        try:
            bound, host = self.mesh.binding_of(peer), self._whereabouts.of(peer)
            self._answer(peer, Knock(gate.answer(peer, bound, host, message, trio.current_time())))
        except MalformedMessage as error:
            self.mesh.drop(peer, error)
        except LinkError as error:
            self._answer(peer, refusal_of_code(error))
            if isinstance(error, WrongCode):  # who only has to wait can ask as often as they like
                self.warn(Sentence("{name} was not let in: {error}", name=self.mesh.nickname_of(peer), error=error))

    def _welcome(self, peer: bytes, genesis: Genesis) -> None:
        """Tell a player or watcher that turns up during a game which one it is.

        Once we were away ourselves, any of them may know that the game is over, and tells it to whoever looks.
        """
        if peer in self.hears(genesis):
            self._answer(peer, Begin(genesis.encode()))
        if self.came_late and peer in genesis.keys:
            self._answer(peer, Look())

    def _shown(self, places: tuple[Place, ...]) -> Places:
        """Return how these places are shown to others."""
        return Places(self.terms, lot_of(self._nonce), places, self.watchers)

    def learn(self, peer: bytes, shown: Places) -> None:
        """Take a seat's word on where the others are; on who watches it is the opener who knows."""
        self._whereabouts.learn(peer, shown.places)

    # What the person says

    def say_ready(self, ready: bool) -> None:
        """Be ready for the next game, or not any more."""
        self._seat(replace(place, ready=ready) if place.key == self.me else place for place in self.places)
        self._show()

    def say_start(self) -> None:
        """Begin this and every later game as soon as all who sit are ready, though seats are free."""
        self._started = True
        self.say_ready(True)

    # What follows

    def _complete(self) -> bool:
        ready = all(place.ready and place.key in self._nonces for place in self.places)
        full = len(self.places) == self.terms.seats
        return ready and len(self.places) >= MIN_PLAYERS and (full or self._started)

    def _sit_down(self, peer: bytes, nonce: bytes, port: int) -> None:
        if peer not in self.mesh.peers():
            return  # it has gone again since
        known = peer in {place.key for place in self.places}
        if not known and len(self.places) == self.terms.seats:
            self._answer(peer, refusal(Reason.FULL))
            return
        self._nonces[peer], nickname = nonce, self.mesh.nickname_of(peer)
        if known and nickname != NOBODY:  # its program may have been started anew, under another name
            self._seat(replace(one, nickname=nickname) if one.key == peer else one for one in self.places)
        elif not known:
            self.places = (*self.places, Place(peer, nickname, self._whereabouts.of(peer), port))
        self._show()

    def _stand_up(self, peer: bytes) -> None:
        self._nonces.pop(peer, None)
        if self._gate is not None:
            self._gate.left(peer)
        self.watchers = tuple(watcher for watcher in self.watchers if watcher != peer)
        self._seat(place for place in self.places if place.key != peer)
        self._show()

    def _seat(self, places: Iterable[Place]) -> None:
        self.places = tuple(places)

    def _show(self) -> None:
        """Show all at the table who sits and who watches."""
        self._befriend()
        self.mesh.broadcast(
            encode_talk(self._shown(self.places)), (*(place.key for place in self.places), *self.watchers)
        )
        self.tell(Seated(self.terms, self.places, len(self.watchers), self._playing))

    def _compose(self, beginning: Beginning) -> Genesis:
        terms = self.terms
        names = {place.key: place.nickname for place in self.places}
        keys = seating([place.key for place in self.places], self._nonces, terms.by_lot)
        return Genesis(
            terms.table,
            terms.rules,
            terms.pack_size,
            terms.open_books,
            beginning.number,
            beginning.opening(keys),
            beginning.previous,
            tuple(Seat(key, names[key], self._nonces[key]) for key in keys),
        )

    def _answer(self, peer: bytes, talk: Talk) -> None:
        self.mesh.send(peer, encode_talk(talk))
