"""Gathering a table: what opener and guests have in common. The two sides are ``opener`` and ``guest``.

The opener is special only here: it keeps the list of seats and proposes the genesis. Everybody checks the proposal
against the terms they sat down to and against the game before, and nobody else can be made to play anything: a
message counts only in the game whose id, the hash of the genesis, it carries. Normative text: ``protocol/lobby.md``.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import trio

from p2pdurak.errors import LinkError, MalformedMessage, Sentence
from p2pdurak.net.chat import ChatEvent, ChatRoom, Circle
from p2pdurak.net.history import History
from p2pdurak.net.mesh import Arrived, Frame
from p2pdurak.net.whereabouts import Whereabouts
from p2pdurak.wire.digest import digest
from p2pdurak.wire.genesis import NONCE_BYTES
from p2pdurak.wire.talk import Chat, Have, Look, Place, Places, Say, Talk, decode_talk, encode_talk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from p2pdurak.errors import Said
    from p2pdurak.net.history import Beginning
    from p2pdurak.net.mesh import Mesh, News
    from p2pdurak.net.saved import Header, Interrupted
    from p2pdurak.session.session import Session
    from p2pdurak.wire.genesis import Genesis
    from p2pdurak.wire.terms import Terms

SILENT_SECONDS = 2.0
"""After how long without any news the person is told that somebody is still to hear of the end of the game."""

KEPT_PER_PEER = 64
"""Frames of one peer that are kept until their time comes; what is dropped comes again by catching up."""


@dataclass(frozen=True, slots=True)
class Seated:
    """For the person: who sits at the table now, in the order of coming, and on what terms.

    ``playing`` tells that a game goes on: then these are its seats, there or away, and nobody is ready for another.
    """

    terms: Terms
    places: tuple[Place, ...]
    watchers: int
    playing: bool = False


@dataclass(frozen=True, slots=True)
class Warned:
    """For the person: something that went wrong with somebody else."""

    said: Said


@dataclass(frozen=True, slots=True)
class Overdue:
    """For the person: these have been waited for longer than the grace time; a vote can end the game without them."""

    names: tuple[str, ...]


LobbyEvent: TypeAlias = Seated | Warned | Overdue | ChatEvent


class GameLeft(LinkError):
    """The table is in a game in which we have a seat, and which this program is not in; or was, if that is ``over``.

    ``interrupted`` is what is kept of it here.
    """

    def __init__(self, genesis: Genesis, *, over: bool = False) -> None:
        """Remember which game it is: who has its journal can take it up."""
        super().__init__(
            "You have left the game that this table is in, and what you said in it is not kept here; so you cannot go "
            "on with it. There is a seat again after it, and another profile (--profile) may watch it now."
        )
        self.genesis = genesis
        self.over = over
        self.interrupted: Interrupted | None = None


def lot_of(nonce: bytes) -> bytes:
    """Return the hash by which the opener is bound to its nonce before it sees the others'."""
    return digest("opener nonce", nonce)


def seating(keys: Sequence[bytes], nonces: Mapping[bytes, bytes], by_lot: bool) -> list[bytes]:
    """Return the keys in the order of seats: as they came, or by the lot that all nonces make together."""
    if not by_lot:
        return list(keys)
    together = digest("seating", *(nonces[key] for key in sorted(keys)))
    return sorted(keys, key=lambda key: digest("seat", together, key))


class Lobby(ABC):
    """One peer between games.

    ``places`` and ``watchers`` are those that the opener has shown, whose key ``opener`` is; ``terms`` is None until a
    guest has heard them. ``code`` is the table's, if it has one and we know it. ``came_late`` tells that the game had
    begun before we came, or came back. ``chat`` is what is said at the table. ``recall`` returns what is kept here of a
    game that we have left, None if nothing is; it blocks, and raises StorageError if that is damaged.
    """

    opener: bytes

    def __init__(self, mesh: Mesh, tell: Callable[[LobbyEvent], object], *, ready: bool) -> None:
        self.mesh = mesh
        self.terms: Terms | None = None
        self.places: tuple[Place, ...] = ()
        self.watchers: tuple[bytes, ...] = ()
        self.code: str | None = None
        self.came_late = False
        self.history = History(mesh)
        self.chat = ChatRoom(mesh, self._circle, tell)
        self._whereabouts = Whereabouts(mesh)
        self.always_ready = ready
        self.tell = tell
        self.recall: Callable[[Genesis], Interrupted | None] = lambda _: None
        self._kept: list[Frame] = []
        self._early: list[Frame] = []
        self._nonce = b""

    @property
    def me(self) -> bytes:
        """Our own key."""
        return self.mesh.identity.public

    @abstractmethod
    async def gather(self, beginning: Beginning | None) -> Genesis:
        """Return the genesis of the next game, once all sit and are ready; raises LinkError when nothing comes of it.

        ``beginning`` is what the game has to build on; None for who has just come and cannot know.
        """

    def returns(self, peer: bytes, genesis: Genesis) -> None:
        """Help a peer that turns up during the game ``genesis``, and the others to find it where it is now."""
        self._welcome(peer, genesis)
        if self.me in genesis.keys and peer in genesis.keys:
            news = self._whereabouts.arrives(peer)
            if self._whereabouts.known():
                shown = self._shown(self._whereabouts.now(self.places))
                self.mesh.broadcast(encode_talk(shown), genesis.keys if news else (peer,))

    @abstractmethod
    def _welcome(self, peer: bytes, genesis: Genesis) -> None:
        """Tell a peer that turns up during the game ``genesis`` what it has to know."""

    @abstractmethod
    def _shown(self, places: tuple[Place, ...]) -> Places:
        """Return how these places are shown to others."""

    @abstractmethod
    def attend(self, peer: bytes, talk: Talk) -> None:
        """Answer somebody who is not of the game while it lasts."""

    @abstractmethod
    def learn(self, peer: bytes, shown: Places) -> None:
        """Take note, during a game, of where the others are, and of who watches."""

    @abstractmethod
    def say_ready(self, ready: bool) -> None:
        """Tell the table that we are ready for the next game, or not any more."""

    @abstractmethod
    def saved(self, genesis: Genesis) -> Header:
        """Return what a peer needs to take up the game ``genesis`` again."""

    @abstractmethod
    def take_up(self, header: Header) -> None:
        """Be in the midst of a game again."""

    @abstractmethod
    def inherit(self, old: Lobby) -> None:
        """Go on where our lobby ``old`` was when the table passed on.

        Whoever is still linked keeps the seat, the former opener too.
        """
        self.places, self.watchers, self.history = old.places, old.watchers, old.history
        self.chat, self.recall = old.chat, old.recall
        self.chat.move(self._circle)
        self._whereabouts, self._kept, self._early = old._whereabouts, old._kept, old._early
        self._befriend()

    def begin(self, session: Session) -> None:
        """Take note that a game has begun."""
        self.history.add(session)
        self._whereabouts.begin(self.places, session.genesis.keys)
        nonces = {seat.key: seat.nonce for seat in session.genesis.seats}
        if self.opener in nonces:
            self.chat.at(lot_of(nonces[self.opener]))

    async def see_off(self, session: Session) -> None:
        """Help the other players of a finished game until they have all of it.

        What somebody has missed of its last rounds, perhaps nobody but we can tell. Rejected: leaving whoever is not
        linked to us to somebody who was; two who have lost the same link each leave it to the other.
        """
        told = False
        while behind := self.history.behind(session):
            with trio.move_on_after(SILENT_SECONDS) as patience:
                await self._help(session)
            if patience.cancelled_caught and not told:
                told = True
                names = ", ".join(session.genesis.name(session.genesis.keys.index(key)) for key in behind)
                self.warn(Sentence("The game is over; its end has still to reach: {names}.", names=names))

    async def linger(self) -> NoReturn:
        """When the match is over: hear what is still said, and help who is still in the last game, until cancelled."""
        while True:
            await self._help(None)

    async def _help(self, session: Session | None) -> None:
        """Take one piece of news after the end of ``session``; what was kept for a next game has no use any more."""
        match await self.mesh.news.receive():
            case Frame() as frame:
                match talk := self._talk(frame):
                    case Say() | Have():
                        self._hear_of_game(frame, talk)
                    case Look():
                        self.attend(frame.peer, talk)
                    case _:
                        pass
            case Arrived(peer) if session is not None and peer in session.genesis.keys:
                self.mesh.send(peer, encode_talk(Have(session.state.game_id, session.state.round)))
            case _:
                pass

    def _circle(self) -> Circle:
        """Return who may speak at the table."""
        return Circle({**self.history.names(), **{place.key: place.nickname for place in self.places}}, self.watchers)

    def hears(self, genesis: Genesis) -> tuple[bytes, ...]:
        """Return who is to hear the messages of a game: its seats, and the watchers."""
        return (*genesis.keys, *self.watchers)

    def _befriend(self) -> None:
        """Let the links know who is no stranger."""
        self.mesh.friends = frozenset((*self.watchers, *(place.key for place in self.places)))

    def warn(self, said: Said) -> None:
        """Tell the person of something that concerns somebody else."""
        self.tell(Warned(said))

    def overdue(self, names: tuple[str, ...]) -> None:
        """Tell the person whom the game has waited for too long."""
        self.tell(Overdue(names))

    def keep(self, frame: Frame) -> None:
        """Keep a frame whose time has not come: talk of the next game, or of a seat in it."""
        if sum(kept.peer == frame.peer for kept in self._kept) < KEPT_PER_PEER:
            self._kept.append(frame)

    def take_kept(self) -> list[Frame]:
        """Return the frames that came too early, and keep them no longer."""
        kept, self._kept = self._kept, []
        return kept

    def _new_nonce(self) -> None:
        self._nonce = secrets.token_bytes(NONCE_BYTES)

    async def _next(self) -> News:
        """Return what was kept for now, or else the next news."""
        return self._kept.pop(0) if self._kept else await self.mesh.news.receive()

    def _talk(self, frame: Frame) -> Talk | None:
        """Return what a frame says, None if it must not say that; words of a person are dealt with here."""
        try:
            talk = decode_talk(frame.data)
            if isinstance(talk, Chat):
                self.chat.hear(frame.peer, talk)
            return talk
        except MalformedMessage as error:
            self.mesh.drop(frame.peer, error)
            return None

    def _hear_of_game(self, frame: Frame, talk: Say | Have) -> None:
        """Help a peer that is still in a game that is over here; keep what belongs to one that has not begun."""
        known = {*self.watchers, *(place.key for place in self.places), *self.history.names()}
        if frame.peer not in known and not self.history.has_seat(frame.peer, talk.game_id):
            return
        if talk.game_id not in self.history:
            if sum(early.peer == frame.peer for early in self._early) < KEPT_PER_PEER:
                self._early.append(frame)
        elif isinstance(talk, Have):
            self.history.answer(frame.peer, talk)

    def _keep_early(self) -> None:
        """Keep for the game what came for it while we gathered."""
        for frame in self._early:
            self.keep(frame)
        self._early = []
