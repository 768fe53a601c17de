"""A guest's side of a lobby: sitting down, or watching, at somebody else's table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import trio

from p2pdurak.errors import LinkBroken, LinkError, Sentence, StorageError
from p2pdurak.net.addresses import candidates
from p2pdurak.net.approach import Approach
from p2pdurak.net.lobby import GameLeft, Lobby, LobbyEvent, Seated
from p2pdurak.net.mesh import Arrived, Frame, Left, Mesh
from p2pdurak.net.proposal import SatDown, check_table, decode_proposal
from p2pdurak.net.refusals import Reason, refusal, refused
from p2pdurak.net.saved import Header
from p2pdurak.wire.digest import DIGEST_BYTES
from p2pdurak.wire.genesis import Genesis, Seat
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
    from p2pdurak.net.saved import Interrupted
    from p2pdurak.wire.talk import Place
    from p2pdurak.wire.terms import Terms

NEWCOMER = 0
"""The number of the game that a newcomer asks for: whichever is next."""
RETURN_SECONDS = 10.0
"""How long the opener of a table that we sit at may be away before a game."""
MOST_TOLD = 1_000
"""Messages of the end of a game that we were away in; more than a whole game of six has."""
FOREVER = float("inf")
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
        self._way = Approach(mesh, opener, code, self._enter)
        self._lot = b""
        self._number = NEWCOMER
        self._late = self._same = self._doubts = False
        self._ready = ready
        self._over = b""
        self._beginning: Beginning | None = None
        self._closing = FOREVER
        self._lost: set[bytes] = set()
        mesh.want(opener, addresses)

    async def gather(self, beginning: Beginning | None) -> Genesis:
        """Return the genesis of the next game; raises LinkError when the opener refuses us, cheats, or goes away.

        Raises GameLeft with what is kept here of a game that the table is in, or was in without us.
        """
        self._new_nonce()
        self._beginning, self._closing, self._doubts = beginning, FOREVER, False
        self._ready = self.always_ready
        self._number = beginning.number if beginning else NEWCOMER
        # The table may be further than the game that we were away in; between games nobody who was there is late.
        self._late = self.came_late and beginning is not None
        self._look()
        lost: LinkError = LinkBroken("It cannot be reached any more.")
        if self.places and self.opener not in self.mesh.peers():
            self._wait_for_opener()
        while True:
            news: News | None = None
            with trio.move_on_at(self._closing):
                news = await self._next()
            match news:
                case Arrived(self.opener):
                    self._doubts = False
                    self._look()  # whether this is a return, the answer shows
                case Left(self.opener, reason) if self.opener not in self.mesh.peers():  # else there is a newer link
                    lost = reason
                    self._wait_for_opener()
                case None:
                    raise LinkBroken("The table is closed, because its opener has gone: {reason}", reason=lost)
                case Frame() as frame:
                    try:
                        genesis = self._hear(frame)
                    except GameLeft as left:
                        left.interrupted = await self._recall(left)
                        if left.over and left.interrupted is None:
                            continue  # nothing of it can be taken up; we are as new
                        if left.over:
                            await self._hear_out(left.genesis)
                        raise
                    if genesis is not None:
                        self._keep_early()
                        return genesis
                case _:
                    pass

    async def _recall(self, left: GameLeft) -> Interrupted | None:
        """Return what is kept here of a game; raises StorageError if it is damaged, and would be needed."""
        if left.genesis.game_id in self._lost:
            return None
        try:
            return await trio.to_thread.run_sync(self.recall, left.genesis)
        except StorageError as error:
            if not left.over:
                raise
            self._lost.add(left.genesis.game_id)
            self.warn(error)
            return None

    async def _hear_out(self, genesis: Genesis) -> None:
        """Keep what the opener tells of the end of a game: without it, we would be asked for decisions of long ago."""
        told = 0
        while told < MOST_TOLD:
            news: News | None = None
            with trio.move_on_after(RETURN_SECONDS):
                news = await self.mesh.news.receive()
            match news:
                case None:
                    return  # it tells nothing more, and has not said that this was all
                case Left(self.opener):
                    return
                case Frame(self.opener) as frame:
                    match self._talk(frame):
                        case Say(game_id) if game_id == genesis.game_id:
                            self._kept.append(frame)
                            told += 1
                        case Stand():
                            return
                        case _:
                            pass
                case _:
                    pass

    def _wait_for_opener(self) -> None:
        """Tell for whom the table waits, unless that is told, and until when; nobody waits who never sat there."""
        if self._closing < FOREVER:
            return
        seconds = RETURN_SECONDS if self.places else 0.0
        self._closing = trio.current_time() + seconds
        if seconds:
            self.warn(
                Sentence(
                    "{name} has the table and is away; in {seconds} seconds it is closed.",
                    name=self._opener_name(),
                    seconds=round(seconds),
                )
            )

    def _returned(self, stand: Stand) -> None:
        """Take note that the opener answers: at the table of this match, or at a new one, where we are as new.

        A program that was started again has the key of the opener, and knows nothing of the games before.
        """
        waited, self._closing = self._closing < FOREVER, FOREVER
        if waited and self._is_same:
            self.warn(Sentence("{name} is back.", name=self._opener_name()))
        if self.watches and waited:
            self._beginning = None  # nobody tells watchers whether it is the same; they have no seat to lose
        if not self._is_new(stand):
            return
        self.warn(
            Sentence(
                "{name} has opened the table anew: the match is over, and another begins.", name=self._opener_name()
            )
        )
        self._beginning, self._number, self._late, self.terms = None, NEWCOMER, False, None
        self._ready = self.always_ready

    @property
    def _is_same(self) -> bool:
        """Whether, as far as we can tell, this is the table of the match that we are in."""
        return self._same or self._beginning is None or self._beginning.before is None

    def _is_new(self, stand: Stand) -> bool:
        """Tell whether we would be as new at a table that answers so; who plays gives us a seat only in our match."""
        return not (self._is_same or self.watches or stand.playing)

    def _opener_name(self) -> str:
        return next((place.nickname for place in self.places if place.key == self.opener), "?")

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
        self.terms, self.came_late = header.terms, True
        self.places = tuple(replace(place, ready=False) for place in header.places)
        self.watches = self.me not in header.genesis.keys
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
        """Ask how the table stands. First its opener is to show that it knows the game before."""
        self._same, self._over = False, b""
        before = None if self._beginning is None else self._beginning.before
        if before is not None:
            self._way.say(Have(before.state.game_id, before.state.round - 1))
        self._way.look()

    def _come(self, stand: Stand) -> None:
        """Go on to a place at the table that answers; nobody is asked for the code of one where there is none."""
        if self.watches and not stand.terms.watchers:
            raise refused(refusal(Reason.NO_WATCHERS))
        self.came_late = stand.playing and self._number == NEWCOMER
        self._way.come(stand)

    def _enter(self) -> None:
        """Ask for a seat, or to watch."""
        if self.watches:
            self._way.say(Watch())
            return
        self._way.say(Sit(self._number, self._nonce, self.mesh.port))
        if self._late:
            self._way.say(Sit(NEWCOMER, self._nonce, self.mesh.port))
        self.say_ready(self._ready)  # perhaps that was said before there was a seat

    def say_ready(self, ready: bool) -> None:
        """Tell the opener that we are ready for the next game, or not any more."""
        self._ready = ready
        self._way.say(Ready(ready))

    def _welcome(self, peer: bytes, genesis: Genesis) -> None:
        """Ask an opener that is back to be shown the game again; it is for the opener to say which one it is.

        A player who was away asks everybody: any of them may know that the game is over.
        """
        if self.watches and peer == self.opener:
            self._look()
        elif not self.watches and self.came_late and peer in genesis.keys:
            self.mesh.send(peer, encode_talk(Look()))

    def _shown(self, places: tuple[Place, ...]) -> Places:
        """Return how these places are shown to others, during a game."""
        return Places(self._agreed(), self._lot or NO_LOT, places, self.watchers)

    def attend(self, peer: bytes, talk: Talk) -> None:
        """Go on asking to watch; only the opener has seats to give.

        Who of the game asks us knows before we do that we have the table next, or does not know that a game is over.
        """
        if isinstance(talk, Look):
            self.history.tell_end(peer)
            asked = Frame(peer, encode_talk(talk))
            if peer in self.history.names() and asked not in self._kept:
                self.keep(asked)
        if not self.watches or peer != self.opener:
            return
        try:
            match talk:
                case Stand() if not self._way.arrived:
                    self._come(talk)
                case Knock(message):
                    self._way.knocked(message)
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

    def _hear(self, frame: Frame) -> Genesis | None:
        """Take what somebody said; return the genesis if the game begins."""
        talk = self._talk(frame)
        if isinstance(talk, Say | Have):
            self._hear_of_game(frame, talk)
        if frame.peer != self.opener:
            if isinstance(talk, Look):
                self.history.tell_end(frame.peer)
            return None
        beginning = self._beginning
        if isinstance(talk, Say | Have) and beginning is not None and beginning.before is not None:
            self._same = self._same or talk.game_id == beginning.before.state.game_id
        match talk:
            case Have(game_id):
                self._over = game_id
            case Places():
                self._sit_among(talk)
            case Stand() if not self._way.arrived:
                self._same = self._same or talk.lot == self._lot
                if self._is_new(talk) and not self._doubts:
                    self._doubts = True  # it may answer what we asked when we had the table
                    self._look()
                    return None
                self._lot = talk.lot
                self._returned(talk)
                self._come(talk)
            case Knock(message):
                self._way.knocked(message)
            case Refuse() as refuse:
                raise refused(refuse)
            case Begin() if self.watches and self.terms is None:
                pass  # we are taken for the player whose key we have; what we asked for comes next
            case Begin(proposal):
                genesis = decode_proposal(proposal)
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
        check_table(shown, self.opener)
        if not self.watches and self._way.arrived and shown.lot != self._lot:
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
        self.tell(Seated(shown.terms, shown.places, len(shown.watchers), self.came_late))

    def _agree(self, genesis: Genesis, beginning: Beginning | None) -> None:
        """Raise LinkError unless the proposed genesis is what we sat down to, or came to watch."""
        me = next((seat for seat in genesis.seats if seat.key == self.me), None)
        late = beginning is None or (self._late and genesis.number > beginning.number)
        fits = self.terms is not None and self.terms.agree_with(genesis)
        fits = fits and (late or (beginning is not None and beginning.fits(genesis)))
        if not self.watches:
            own = Seat(self.me, self.mesh.nickname, self._nonce)
            fits = fits and SatDown(self.terms, self.places, self.opener, self._lot, own).is_followed_by(genesis)
        if me is not None and me.nonce != self._nonce:
            raise GameLeft(genesis, over=genesis.game_id == self._over)
        if not fits:
            raise LinkError("The opener proposed another game than the one you sat down to.")
