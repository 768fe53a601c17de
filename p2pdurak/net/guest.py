"""A guest's side of a lobby: sitting down, or watching, at somebody else's table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import trio

from p2pdurak.errors import LinkBroken, LinkError, MalformedMessage
from p2pdurak.net.addresses import candidates
from p2pdurak.net.code import CodeAsker
from p2pdurak.net.lobby import GameLeft, Lobby, LobbyEvent, Seated, lot_of, seating
from p2pdurak.net.mesh import Arrived, Frame, Left, Mesh
from p2pdurak.net.refusals import Reason, refusal, refused
from p2pdurak.net.saved import Header
from p2pdurak.wire.digest import DIGEST_BYTES
from p2pdurak.wire.genesis import Genesis, decode_genesis
from p2pdurak.wire.talk import (
    Begin,
    Have,
    Knock,
    Look,
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
    from collections.abc import Callable, Sequence

    from p2pdurak.net.addresses import Address
    from p2pdurak.net.history import Beginning
    from p2pdurak.net.mesh import News
    from p2pdurak.wire.talk import Place
    from p2pdurak.wire.terms import Terms

NEWCOMER = 0
"""The number of the game that a newcomer asks for: whichever is next."""
RETURN_SECONDS = 10.0
"""How long the opener may be away between the games of a match."""
NO_LOT = bytes(DIGEST_BYTES)
"""Said during a game, when nothing depends on it."""


class Guest(Lobby):
    """A peer at the table of ``opener``; with ``watches`` it takes no seat."""

    def __init__(
        self,
        mesh: Mesh,
        opener: bytes,
        addresses: Sequence[Address],
        tell: Callable[[LobbyEvent], object],
        *,
        ready: bool = False,
        watches: bool = False,
        code: str | None = None,
    ) -> None:
        super().__init__(mesh, tell, ready=ready)
        self.opener = opener
        self.watches = watches
        self.code = code
        self._addresses = tuple(addresses)
        self._asker: CodeAsker | None = None
        self._lot = b""
        self._number = NEWCOMER
        self._came = False
        mesh.want(opener, addresses)

    async def gather(self, beginning: Beginning | None) -> Genesis:
        """Return the genesis of the next game; raises LinkError when the opener refuses us, cheats, or goes away."""
        self._new_nonce()
        self._number = beginning.number if beginning else NEWCOMER
        self._look()
        patience = RETURN_SECONDS if beginning else 0.0
        lost: LinkError = LinkBroken("It cannot be reached any more.")
        away = beginning is not None and self.opener not in self.mesh.peers()
        closing = trio.current_time() + patience if away else float("inf")
        while True:
            news: News | None = None
            with trio.move_on_at(closing):
                news = await self._next()
            match news:
                case Arrived(self.opener):
                    closing = float("inf")
                    self._look()
                case Left(self.opener, reason):
                    closing, lost = trio.current_time() + patience, reason
                case None:
                    raise LinkBroken("The table is closed, because its opener has gone: {reason}", reason=lost)
                case Frame() as frame:
                    genesis = self._hear(frame, beginning)
                    if genesis is not None:
                        self._keep_early()
                        return genesis
                case _:
                    pass

    def saved(self, genesis: Genesis) -> Header:
        """Return what a guest needs to take up the game again, with the address of the opener as we know it."""
        places = self.places
        if self._addresses:
            host, port = self._addresses[0]
            places = tuple(
                replace(place, host=host.partition("%")[0], port=port) if place.key == self.opener else place
                for place in places
            )
        return Header(genesis, self._agreed(), places, self.opener, self.code, self.mesh.port)

    def take_up(self, header: Header) -> None:
        """Be in the midst of a game again."""
        self.terms, self.places, self.came_late = header.terms, header.places, True
        self.watches = self.me not in header.genesis.keys
        if not self.watches:
            self.mesh.nickname = header.genesis.seats[header.genesis.keys.index(self.me)].nickname
        self._befriend()

    def inherit(self, old: Lobby) -> None:
        """Be a guest of somebody else from now on, on the same terms."""
        super().inherit(old)
        self.terms = old.terms

    def _agreed(self) -> Terms:
        if self.terms is None:
            raise LinkError("The opener has not said what the table plays.")
        return self.terms

    def _look(self) -> None:
        """Ask how the table stands; the answer leads on."""
        self._came = False
        self._say(Look())

    def _come(self, stand: Stand) -> None:
        """Give the code if the table asks for one; else ask for a seat, or to watch."""
        self.came_late = stand.playing and self._number == NEWCOMER
        if stand.terms.code and self.code is None:
            raise refused(refusal(Reason.CODE_WANTED))
        if stand.terms.code and self.code is not None:
            self._asker = CodeAsker(self.code, self.mesh.binding_of(self.opener))
            self._say(Knock(self._asker.first()))
        else:
            self._enter()

    def _knocked(self, message: bytes) -> None:
        """Go on proving that we know the code; raises LinkError if the opener does not."""
        if self._asker is None:
            return
        reply = self._asker.answer(message)
        if reply is not None:
            self._say(Knock(reply))
        else:
            self._asker = None
            self._enter()

    def _enter(self) -> None:
        if self.watches:
            self._say(Watch())
            return
        self._say(Sit(self._number, self._nonce, self.mesh.port))
        self._say(Ready(self.always_ready))

    def say_ready(self, ready: bool) -> None:
        """Tell the opener that we are ready for the next game, or not any more."""
        self._say(Ready(ready))

    def _say(self, talk: Talk) -> None:
        self.mesh.send(self.opener, encode_talk(talk))

    def _welcome(self, peer: bytes, genesis: Genesis) -> None:
        """Ask an opener that is back to be shown the game again; it is for the opener to say which one it is."""
        del genesis
        if self.watches and peer == self.opener:
            self._look()

    def _shown(self, places: tuple[Place, ...]) -> Places:
        """Return how these places are shown to others, during a game."""
        return Places(self._agreed(), self._lot or NO_LOT, places, self.watchers)

    def attend(self, peer: bytes, talk: Talk) -> None:
        """Go on asking to watch; only the opener has seats to give.

        Who of the game asks us knows before we do that we have the table next.
        """
        if isinstance(talk, Look) and peer in self.history.names():
            self.keep(Frame(peer, encode_talk(talk)))
        if not self.watches or peer != self.opener:
            return
        try:
            match talk:
                case Stand() if not self._came:
                    self._came = True
                    self._come(talk)
                case Knock(message):
                    self._knocked(message)
                case _:
                    pass
        except LinkError as error:
            self.warn(error)

    def learn(self, peer: bytes, shown: Places) -> None:
        """Take a seat's word on where the others are, and the opener's on who watches."""
        self._whereabouts.learn(peer, shown.places)
        if peer == self.opener:
            self.watchers = shown.watchers
            self._befriend()

    def _hear(self, frame: Frame, beginning: Beginning | None) -> Genesis | None:
        """Take what somebody said; return the genesis if the game begins."""
        talk = self._talk(frame)
        if isinstance(talk, Say | Have):
            self._hear_of_game(frame, talk)
        if frame.peer != self.opener:
            return None
        match talk:
            case Places():
                self._sit_among(talk)
            case Stand() if not self._came:
                self._came, self._lot = True, talk.lot
                self._come(talk)
            case Knock(message):
                self._knocked(message)
            case Refuse() as refuse:
                raise refused(refuse)
            case Begin() if self.watches and self.terms is None:
                pass  # we are taken for the player whose key we have; what we asked for comes next
            case Begin(proposal):
                genesis = _decode(proposal)
                # One of a game that is over here has come late, and is nothing new.
                if beginning is None or genesis.number >= beginning.number:
                    self._agree(genesis, beginning)
                    return genesis
            case _:
                pass
        return None

    def _sit_among(self, shown: Places) -> None:
        """Take the opener's word on who sits, and keep links to all of them."""
        if self.terms not in (None, shown.terms):
            raise LinkError("The opener has changed the terms of the table; sit down again if you agree.")
        keys = {place.key for place in shown.places}
        if len(keys) > shown.terms.seats or len(keys) < len(shown.places) or self.opener not in keys:
            raise LinkError("The opener shows a table that cannot be.")
        if not self.watches and self._came and shown.lot != self._lot:
            raise LinkError("The opener has changed its part of the lot for the seats.")
        for place in self.places:
            if place.key not in keys:
                self.mesh.forget(place.key)
        self.terms, self.places, self.watchers = shown.terms, shown.places, shown.watchers
        self._befriend()
        self.chat.at(shown.lot)
        for place in shown.places:
            self.mesh.call(place.key, place.nickname)
            if place.key not in (self.me, self.opener):
                self.mesh.want(place.key, candidates(place.host, place.port))
        self.tell(Seated(shown.terms, shown.places, len(shown.watchers)))

    def _agree(self, genesis: Genesis, beginning: Beginning | None) -> None:
        """Raise LinkError unless the proposed genesis is what we sat down to, or came to watch."""
        nonces = {seat.key: seat.nonce for seat in genesis.seats}
        fits = self.terms is not None and self.terms.agree_with(genesis)
        fits = fits and (beginning is None or beginning.fits(genesis))
        if not self.watches:
            keys = [place.key for place in self.places]
            fits = (
                fits
                and set(keys) == set(nonces)
                and lot_of(nonces.get(self.opener, b"")) == self._lot
                and list(genesis.keys) == seating(keys, nonces, self.terms is not None and self.terms.by_lot)
                and nonces.get(self.me) == self._nonce
                and genesis.seats[genesis.keys.index(self.me)].nickname == self.mesh.nickname
            )
        if nonces.get(self.me, self._nonce) != self._nonce:
            raise GameLeft(genesis)
        if not fits:
            raise LinkError("The opener proposed another game than the one you sat down to.")


def _decode(proposal: bytes) -> Genesis:
    try:
        return decode_genesis(proposal)
    except MalformedMessage as error:
        raise LinkError("The opener proposed a game that cannot be played: {error}", error=error) from error
