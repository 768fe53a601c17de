"""Gathering a table: what opener and guests have in common. The two sides are ``opener`` and ``guest``.

The opener is special only here: it keeps the list of seats and proposes the genesis. Everybody checks the proposal
against the terms they sat down to and against the game before, and nobody else can be made to play anything: a
message counts only in the game whose id, the hash of the genesis, it carries. Normative text: ``protocol/lobby.md``.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from p2pdurak.errors import MalformedMessage
from p2pdurak.game.opening import FIRST, Opening, next_opening
from p2pdurak.game.rules import outcome
from p2pdurak.wire.digest import digest
from p2pdurak.wire.genesis import NO_PREVIOUS, NONCE_BYTES
from p2pdurak.wire.talk import Have, Place, Places, Say, Talk, decode_talk, encode_talk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from p2pdurak.net.mesh import Frame, Mesh, News
    from p2pdurak.net.saved import Header
    from p2pdurak.session.session import Session
    from p2pdurak.wire.genesis import Genesis
    from p2pdurak.wire.terms import Terms

KEPT_PER_PEER = 64
"""Frames of one peer that are kept until their time comes; what is dropped comes again by catching up."""


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
        over = None if self.before is None else outcome(self.before.state.play)
        if self.before is None or over is None:
            return FIRST
        old = self.before.genesis
        seats = [keys.index(key) if key in keys else None for key in old.keys]
        return next_opening(old.rules, over, self.before.state.dealer, len(keys), seats)

    def fits(self, genesis: Genesis) -> bool:
        """Tell whether ``genesis`` is that game."""
        expected = (self.number, self.previous, self.opening(genesis.keys))
        return (genesis.number, genesis.previous, genesis.opening) == expected


@dataclass(frozen=True, slots=True)
class Seated:
    """For the person: who sits at the table now, in the order of coming, and on what terms."""

    terms: Terms
    places: tuple[Place, ...]
    watchers: int


@dataclass(frozen=True, slots=True)
class Warned:
    """For the person: a sentence about something that went wrong with somebody else."""

    sentence: str


LobbyEvent: TypeAlias = Seated | Warned


def lot_of(nonce: bytes) -> bytes:
    """Return the hash by which the opener is bound to its nonce before it sees the others'."""
    return digest("opener nonce", nonce)


def seating(keys: Sequence[bytes], nonces: Mapping[bytes, bytes], by_lot: bool) -> list[bytes]:
    """Return the keys in the order of seats: as they came, or by the lot that all nonces make together."""
    if not by_lot:
        return list(keys)
    together = digest("seating", *(nonces[key] for key in sorted(keys)))
    return sorted(keys, key=lambda key: digest("seat", together, key))


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

    @property
    def running(self) -> bool:
        """Whether a game is going on."""
        return any(session.kind is not None for session in self._sessions.values())

    def answer(self, peer: bytes, have: Have) -> None:
        """Send ``peer`` all we have heard from the round on that it is in."""
        for message in self._sessions[have.game_id].messages_from(have.round):
            self._mesh.send(peer, encode_talk(Say(have.game_id, message)))


class Lobby(ABC):
    """One peer between games.

    ``places`` and ``watchers`` are those that the opener has shown; ``terms`` is None until a guest has heard them.
    """

    def __init__(self, mesh: Mesh, tell: Callable[[LobbyEvent], object], *, ready: bool) -> None:
        self.mesh = mesh
        self.terms: Terms | None = None
        self.places: tuple[Place, ...] = ()
        self.watchers: tuple[bytes, ...] = ()
        self.history = History(mesh)
        self._always_ready = ready
        self._tell = tell
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

    @abstractmethod
    def returns(self, peer: bytes, genesis: Genesis) -> None:
        """Help a peer that turns up during the game ``genesis``."""

    @abstractmethod
    def attend(self, peer: bytes, talk: Talk) -> None:
        """Answer somebody who is not of the game while it lasts."""

    @abstractmethod
    def learn(self, peer: bytes, shown: Places) -> None:
        """Take note, during a game, of who watches."""

    @abstractmethod
    def say_ready(self, ready: bool) -> None:
        """Tell the table that we are ready for the next game, or not any more."""

    @abstractmethod
    def saved(self, genesis: Genesis) -> Header:
        """Return what a peer needs to take up the game ``genesis`` again."""

    def hears(self, genesis: Genesis) -> tuple[bytes, ...]:
        """Return who is to hear the messages of a game: its seats, and the watchers."""
        return (*genesis.keys, *self.watchers)

    def _befriend(self) -> None:
        """Let the links know who is no stranger."""
        self.mesh.friends = frozenset((*self.watchers, *(place.key for place in self.places)))

    def warn(self, sentence: str) -> None:
        """Tell the person of something that concerns somebody else."""
        self._tell(Warned(sentence))

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
        try:
            return decode_talk(frame.data)
        except MalformedMessage as error:
            self.mesh.drop(frame.peer, str(error))
            return None

    def _hear_of_game(self, frame: Frame, talk: Say | Have) -> None:
        """Help a peer that is still in a game that is over here; keep what belongs to one that has not begun."""
        if frame.peer not in {*self.watchers, *(place.key for place in self.places)}:
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
