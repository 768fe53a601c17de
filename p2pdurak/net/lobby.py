"""Gathering a table, and agreeing on the genesis of each game of a match.

The opener is special only here: it keeps the list of seats and proposes the genesis. Everybody checks the proposal
against what they sat down to and against the game before, and nobody else can be made to play anything: a message
counts only in the game whose id, the hash of the genesis, it carries. Normative text: ``protocol/lobby.md``.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2pdurak.errors import LinkBroken, LinkError, MalformedMessage, NotationError
from p2pdurak.game.opening import FIRST, Opening
from p2pdurak.game.ruleset import Ruleset, parse_ruleset
from p2pdurak.net.addresses import Address
from p2pdurak.net.mesh import Arrived, Frame, Left, Mesh, News
from p2pdurak.wire.genesis import NO_PREVIOUS, NONCE_BYTES, Genesis, Seat, decode_genesis
from p2pdurak.wire.talk import Begin, Have, Place, Places, Refuse, Say, Sit, Talk, decode_talk, encode_talk

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.session.session import Session

KEPT_PER_PEER = 64
"""Frames of one peer that are kept until their time comes; what is dropped comes again by catching up."""


@dataclass(frozen=True, slots=True)
class Offer:
    """What a table plays: its name, rules, pack, seats, whether books are opened, and how many games."""

    table: str
    rules: Ruleset
    pack_size: int = 36
    seats: int = 4
    open_books: bool = True
    games: int = 1


@dataclass(frozen=True, slots=True)
class Next:
    """What the next game builds on: its number, its opening, and the final head before it."""

    number: int = 1
    opening: Opening = FIRST
    previous: bytes = NO_PREVIOUS


@dataclass(frozen=True, slots=True)
class SatDown:
    """For the person: somebody has taken a seat; ``taken`` of ``seats`` are taken."""

    nickname: str
    key: bytes
    taken: int
    seats: int


@dataclass(frozen=True, slots=True)
class StoodUp:
    """For the person: somebody has left before the game began, and the seat is free again."""

    nickname: str
    key: bytes


LobbyEvent = SatDown | StoodUp

FULL = "All seats of this table are taken."


class History:
    """The sessions of this match so far, for peers that have missed something of one."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self._sessions: dict[bytes, Session] = {}

    def __contains__(self, game_id: bytes) -> bool:
        return game_id in self._sessions

    def add(self, session: Session) -> None:
        """Remember a game, from its beginning on; of those before it only the last is kept."""
        self._sessions = {**dict(list(self._sessions.items())[-1:]), session.state.game_id: session}

    def answer(self, peer: bytes, have: Have) -> None:
        """Send ``peer`` all we have heard from the round on that it is in."""
        for message in self._sessions[have.game_id].messages_from(have.round):
            self._mesh.send(peer, encode_talk(Say(have.game_id, message)))


class Lobby:
    """A gathering peer: the opener where ``opener`` is our own key, else somebody who sits down at its table."""

    def __init__(self, mesh: Mesh, opener: bytes, offer: Offer | None, tell: Callable[[LobbyEvent], object]) -> None:
        self.mesh = mesh
        self.opener = opener
        self.offer = offer
        self.places: tuple[Place, ...] = ()
        self.history = History(mesh)
        self._kept: list[Frame] = []
        self._tell = tell
        self._nonce = b""
        self._nonces: dict[bytes, bytes] = {}
        self._nicknames: dict[bytes, str] = {}

    @property
    def opens(self) -> bool:
        """Whether this peer is the opener."""
        return self.opener == self._mine

    @property
    def _mine(self) -> bytes:
        return self.mesh.identity.public

    async def gather(self, after: Next) -> Genesis:
        """Return the genesis of the next game, once all sit and want it.

        Raises LinkError when the opener refuses us, proposes something else than it offered, or goes away.
        """
        self._nonce = secrets.token_bytes(NONCE_BYTES)
        early: list[Frame] = []
        if self.opens:
            genesis = await self._open(after, early)
        else:
            self._sit(after)
            genesis = await self._join(after, early)
        for frame in early:
            self.keep(frame)
        return genesis

    # As the opener

    async def _open(self, after: Next, early: list[Frame]) -> Genesis:
        offer = self._offered()
        if not self.places:
            self._take_place(Place(self._mine, "", self.mesh.port), self.mesh.nickname)
        self._nonces[self._mine] = self._nonce
        while len(self._nonces) < offer.seats:
            match await self._next():
                case Left(peer, _) if after.number == 1:
                    self._free_place(peer)
                case Left(peer, _):
                    self._nonces.pop(peer, None)
                case Frame() as frame:
                    self._hear_as_opener(frame, after, early)
                case _:
                    pass
        genesis = self._compose(after)
        self.mesh.broadcast(encode_talk(Begin(genesis.encode())), genesis.keys)
        self._nonces = {}
        return genesis

    def _hear_as_opener(self, frame: Frame, after: Next, early: list[Frame]) -> None:
        peer = frame.peer
        match self._talk(frame):
            case Sit(number, nonce, port) if number == after.number:
                if peer not in self._nicknames and len(self.places) == self._offered().seats:
                    self.mesh.send(peer, encode_talk(Refuse(FULL)))
                    return
                self._nonces[peer] = nonce
                if peer not in self._nicknames:
                    host = self.mesh.address_of(peer).rpartition(":")[0].strip("[]")
                    self._take_place(Place(peer, host, port), self.mesh.nickname_of(peer))
            case Say() | Have() as talk:
                self._hear_of_game(frame, talk, early)
            case _:
                pass

    def _take_place(self, place: Place, nickname: str) -> None:
        self.places = (*self.places, place)
        self._nicknames[place.key] = nickname
        self._tell(SatDown(nickname, place.key, len(self.places), self._offered().seats))
        self._show_places()

    def _free_place(self, peer: bytes) -> None:
        self.places = tuple(place for place in self.places if place.key != peer)
        self._nonces.pop(peer, None)
        nickname = self._nicknames.pop(peer, None)
        if nickname is not None:
            self._tell(StoodUp(nickname, peer))
            self._show_places()

    def _show_places(self) -> None:
        offer = self._offered()
        shown = Places(
            offer.table, str(offer.rules), offer.pack_size, offer.open_books, offer.seats, offer.games, self.places
        )
        self.mesh.broadcast(encode_talk(shown), [place.key for place in self.places])

    def _compose(self, after: Next) -> Genesis:
        offer = self._offered()
        seats = tuple(Seat(place.key, self._nicknames[place.key], self._nonces[place.key]) for place in self.places)
        return Genesis(
            offer.table,
            offer.rules,
            offer.pack_size,
            offer.open_books,
            after.number,
            after.opening,
            after.previous,
            seats,
        )

    # As one who sits down

    async def _join(self, after: Next, early: list[Frame]) -> Genesis:
        while True:
            match await self._next():
                case Arrived(self.opener):
                    self._sit(after)
                case Left(self.opener, reason) if after.number == 1:
                    raise LinkBroken(f"The table is closed, because its opener has gone: {reason}")
                case Frame(peer) as frame:
                    match self._talk(frame):
                        case Places() as shown if peer == self.opener:
                            self._sit_among(shown)
                        case Refuse(reason) if peer == self.opener:
                            raise LinkError(f"There is no seat at this table: {reason}")
                        case Begin(proposal) if peer == self.opener:
                            genesis = _decode(proposal)
                            if genesis.number >= after.number:  # else it is late, of a game that is over here
                                self._agree(genesis, after)
                                return genesis
                        case Say() | Have() as talk:
                            self._hear_of_game(frame, talk, early)
                        case _:
                            pass
                case _:
                    pass

    def _sit(self, after: Next) -> None:
        self.mesh.send(self.opener, encode_talk(Sit(after.number, self._nonce, self.mesh.port)))

    def _sit_among(self, shown: Places) -> None:
        """Take the opener's word on who sits, and keep links to all of them."""
        try:
            offer = Offer(
                shown.table, parse_ruleset(shown.rules), shown.pack_size, shown.seats, shown.open_books, shown.games
            )
        except NotationError as error:
            raise LinkError(f"This table plays what this program does not know: {error}") from error
        if self.offer not in (None, offer):
            raise LinkError("The opener has changed what the table plays; sit down again if you agree.")
        known = {place.key for place in self.places}
        self.offer, self.places = offer, shown.places
        for place in shown.places:
            if place.key not in known:
                self._tell(SatDown(self.mesh.nickname_of(place.key), place.key, len(shown.places), shown.seats))
            if place.key not in (self._mine, self.opener):
                self.mesh.want(place.key, [Address(place.host, place.port)])

    def _agree(self, genesis: Genesis, after: Next) -> None:
        """Raise LinkError unless the proposed genesis is what we sat down to."""
        offer = self._offered()
        own = [seat for seat in genesis.seats if seat.key == self._mine]
        agreed = Offer(
            genesis.table, genesis.rules, genesis.pack_size, genesis.players, genesis.open_books, offer.games
        )
        fits = (
            agreed == offer
            and [seat.key for seat in genesis.seats] == [place.key for place in self.places]
            and [seat.nonce for seat in own] == [self._nonce]
            and own[0].nickname == self.mesh.nickname
            and Next(genesis.number, genesis.opening, genesis.previous) == after
        )
        if not fits:
            raise LinkError("The opener proposed another game than the one you sat down to.")

    # Both

    def _offered(self) -> Offer:
        if self.offer is None:
            raise LinkError("The opener has not said what the table plays.")
        return self.offer

    def _talk(self, frame: Frame) -> Talk | None:
        try:
            return decode_talk(frame.data)
        except MalformedMessage as error:
            self.mesh.drop(frame.peer, str(error))
            return None

    async def _next(self) -> News:
        """Return what was kept for now, or else the next news."""
        return self._kept.pop(0) if self._kept else await self.mesh.news.receive()

    def _hear_of_game(self, frame: Frame, talk: Say | Have, early: list[Frame]) -> None:
        """Help a peer that is still in a game that is over here; keep what belongs to one that has not begun."""
        if frame.peer not in {place.key for place in self.places}:
            return
        if talk.game_id not in self.history:
            early.append(frame)
        elif isinstance(talk, Have):
            self.history.answer(frame.peer, talk)

    def keep(self, frame: Frame) -> None:
        """Keep a frame whose time has not come: talk of the next game, or of a seat in it."""
        if sum(kept.peer == frame.peer for kept in self._kept) < KEPT_PER_PEER:
            self._kept.append(frame)

    def take_kept(self) -> list[Frame]:
        """Return the frames that came too early, and keep them no longer."""
        kept, self._kept = self._kept, []
        return kept


def _decode(proposal: bytes) -> Genesis:
    try:
        return decode_genesis(proposal)
    except MalformedMessage as error:
        raise LinkError(f"The opener proposed a game that cannot be played: {error}") from error
