"""A table in memory: n sessions on a wire that can drop, delay, reorder, duplicate and forge, driven by one seed."""

from __future__ import annotations

import copy
import hashlib
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from p2pdurak.crypto.identity import SigningKey
from p2pdurak.errors import MalformedMessage
from p2pdurak.game.actions import Action, Cover, Lead, Pass, Take, ThrowIn
from p2pdurak.game.opening import FIRST, Opening
from p2pdurak.game.rules import legal_actions
from p2pdurak.game.ruleset import DEFAULT, Ruleset
from p2pdurak.game.state import State
from p2pdurak.session.audit import audit
from p2pdurak.session.events import Convicted, Event, OtherHead, Send
from p2pdurak.session.heard import HeardMessages
from p2pdurak.session.rounds import current
from p2pdurak.session.session import Session
from p2pdurak.wire.codec import VERSION, Value, encode
from p2pdurak.wire.envelope import SIGNATURE_DOMAIN, open_envelope, seal
from p2pdurak.wire.genesis import NO_PREVIOUS, Genesis, Seat
from p2pdurak.wire.messages import Body, Kind

if TYPE_CHECKING:
    from p2pdurak.session.player import Player

Choose = Callable[[State], Action]
NAMES = ("Anna", "Boris", "Clara", "Dmitri", "Elena", "Fyodor")


def entropy(*parts: object) -> bytes:
    """Return 32 bytes that depend on ``parts`` alone."""
    return hashlib.sha256(repr(parts).encode()).digest()


def signing_key(seat: int) -> SigningKey:
    return SigningKey(entropy("signing key", seat))


def make_genesis(
    players: int,
    *,
    rules: Ruleset = DEFAULT,
    pack_size: int = 36,
    seed: int = 0,
    open_books: bool = True,
    number: int = 1,
    opening: Opening = FIRST,
    previous: bytes = NO_PREVIOUS,
) -> Genesis:
    seats = tuple(Seat(signing_key(i).public, NAMES[i], entropy("nonce", seed, number, i)) for i in range(players))
    return Genesis("kitchen", rules, pack_size, open_books, number, opening, previous, seats)


def random_player(seed: object) -> Choose:
    """Return a chooser that takes any legal action, in the same view the same one."""
    return lambda view: random.Random(f"{seed} {view}").choice(legal_actions(view))


def eager(view: State) -> Action:
    """Beat with the lowest card that does, throw in all that fits: games of two are over after some 130 rounds."""

    def worth(action: Action) -> tuple[int, int]:
        match action:
            case Cover(_, card):
                return 0, -card
            case Lead(cards) | ThrowIn(cards):
                return 1, -len(cards)
            case Take() | Pass():
                return 2, 0
            case _:
                return 3, 0

    return min(legal_actions(view), key=worth)


@dataclass(frozen=True)
class Faults:
    """Probabilities for each delivery; a wire with ``reorder`` delivers in any order."""

    drop: float = 0.0
    duplicate: float = 0.0
    reorder: bool = False


RELIABLE = Faults()
ROUGH = Faults(drop=0.1, duplicate=0.2, reorder=True)


@dataclass(frozen=True)
class SendTo:
    """A message that a dishonest session sends to one seat only."""

    message: bytes
    to: int


Instead: TypeAlias = "Sequence[Send | SendTo] | Body | None"
"""What a dishonest seat does in place of saying an honest body.

None says the honest one. A body is said and believed by the dishonest session itself, which so goes on with it. Sends
go out while the session itself believes that it was honest.
"""

Tamper = Callable[["Dishonest", Kind, Any], Instead]


class Dishonest(Session):
    """A session of a seat that cheats: ``tamper`` sees every message before it is said."""

    tamper: Tamper

    def sealed(self, kind: Kind, body: Body, **changes: Any) -> bytes:
        """Return ``body`` signed in the open round, with some fields of the envelope changed."""
        assert self.player is not None
        assert self._key is not None
        state = self.state
        fields = {"game_id": state.game_id, "round_": state.round, "head": state.head, "seat": self.player.seat}
        return seal(self._key, kind=kind, body=body, **{**fields, **changes})

    def sealed_fields(self, kind: str, fields: Value, **changes: Any) -> bytes:
        """Return a signed message of any kind and with any fields, also such as no form allows."""
        assert self.player is not None
        assert self._key is not None
        state = self.state
        given = {"version": VERSION, "game_id": state.game_id, "round_": state.round, "head": state.head}
        outside = {**given, "seat": self.player.seat, **changes}
        payload = encode((*outside.values(), kind, fields))
        return encode((payload, self._key.sign(SIGNATURE_DOMAIN, payload)))

    @property
    def me(self) -> Player:
        """The private side of the seat."""
        assert self.player is not None
        return self.player

    def instead(self, kind: Kind, body: Body, **changes: Any) -> list[Send]:
        """Return what sends this body to everybody."""
        return [Send(self.sealed(kind, body, **changes), own=True)]

    def each(self, kind: Kind, bodies: Mapping[int, Body], **changes: Any) -> list[SendTo]:
        """Return what sends to each seat of ``bodies`` another body."""
        return [SendTo(self.sealed(kind, body, **changes), to) for to, body in bodies.items()]

    def receive(self, data: bytes) -> list[Event]:
        # It does not listen to what it said itself, which the honest session inside would take for a fork or a crime.
        if open_envelope(data, self.state.game_id, self.genesis.keys).seat == self.me.seat:
            return []
        return super().receive(data)

    def _say(self, body: Body) -> list[Event]:
        round_ = current(self.state)
        assert round_ is not None
        instead = self.tamper(self, round_.kind, body)
        if instead is None or not isinstance(instead, Sequence):
            return super()._say(instead or body)
        return [*cast("Sequence[Event]", instead), *super()._say(body)[1:]]


def forging(kind: Kind, forge: Callable[[Dishonest, Any], Body]) -> Tamper:
    """Return a tamper that says ``forge(session, body)`` to everybody in the first round of ``kind``."""
    return replacing(kind, lambda session, body: session.instead(kind, forge(session, body)))


def replacing(kind: Kind, cheat: Callable[[Dishonest, Any], Instead]) -> Tamper:
    """Return a tamper that does ``cheat(session, body)`` in the first round of ``kind`` for which that is not None."""
    done: list[bool] = []

    def tamper(session: Dishonest, said: Kind, body: Any) -> Instead:
        instead = cheat(session, body) if said is kind and not done else None
        if instead is not None:
            done.append(True)
        return instead

    return tamper


def forked(session: Session, tamper: Tamper | None = None) -> Session:
    """Return an independent session in the same state; with ``tamper`` it is dishonest from now on."""
    twin = copy.copy(session)
    twin.rounds, twin._evidence = list(session.rounds), list(session._evidence)
    twin._heard = HeardMessages()
    twin._heard._by_slot = dict(session._heard._by_slot)
    twin._spoken = dict(session._spoken)
    twin.leaving = copy.deepcopy(session.leaving, {id(session.genesis): session.genesis})  # which nobody changes
    if tamper is not None:
        twin.__class__ = Dishonest
        cast("Dishonest", twin).tamper = tamper
    return twin


class Table:
    """n sessions joined in memory; everything that happens follows from ``seed``."""

    def __init__(
        self,
        genesis: Genesis,
        *,
        seed: int = 0,
        choose: Callable[[int], Choose] | None = None,
        faults: Faults = RELIABLE,
        cheats: Mapping[int, Tamper] | None = None,
        watchers: int = 0,
    ) -> None:
        self.genesis = genesis
        self.faults = faults
        self.chance = random.Random(seed)
        self.sessions: list[Session] = []
        for seat in range(genesis.players):
            session = (Dishonest if cheats and seat in cheats else Session)(
                genesis, seat=seat, key=signing_key(seat), secret=entropy("game secret", seed, genesis.number, seat)
            )
            if isinstance(session, Dishonest):
                session.tamper = (cheats or {})[seat]
            self.sessions.append(session)
        self.sessions += [Session(genesis) for _ in range(watchers)]
        self.honest = [at for at in range(len(self.sessions)) if not cheats or at not in cheats]
        """The places of the honest seats and the watchers."""
        choose = choose or (lambda seat: random_player((seed, seat)))
        self.choosers = [choose(seat) for seat in range(genesis.players)]
        self.events: list[list[Event]] = [[] for _ in self.sessions]
        self.journals: list[list[bytes]] = [[] for _ in self.sessions]
        """What each heard and said, in order."""
        self.wire: list[tuple[int, int, bytes]] = []
        self._heard: list[int] = []
        self._idle = 0
        self.refused: list[tuple[int, int, MalformedMessage]] = []

    def fork(self, cheats: Mapping[int, Tamper] | None = None) -> Table:
        """Return an independent table at the same moment of the game, from which on these seats cheat."""
        twin = copy.copy(self)
        twin.sessions = [forked(session, (cheats or {}).get(at)) for at, session in enumerate(self.sessions)]
        twin.honest = [at for at, session in enumerate(twin.sessions) if not isinstance(session, Dishonest)]
        twin.chance = random.Random()
        twin.chance.setstate(self.chance.getstate())
        twin.events = [list(events) for events in self.events]
        twin.journals = [list(journal) for journal in self.journals]
        twin.wire, twin.refused = list(self.wire), list(self.refused)
        return twin

    def run(self, until: Callable[[Table], bool] = lambda table: False) -> Table:
        """Play until nothing happens any more, or ``until`` holds."""
        for at, session in enumerate(self.sessions):
            self.happen(at, session.start())  # on a second run nobody has anything more to say by itself
        while not until(self) and (self._deliver() or self._decide() or self._catch_up()):
            pass
        return self

    def happen(self, at: int, events: Sequence[Event]) -> None:
        """Note the events of a session and put what it sends on the wire."""
        for event in events:
            match event:
                case Send(message):
                    self.journals[at].append(message)
                    for to in range(len(self.sessions)):
                        self.put(at, to, message)
                case SendTo(message, to):
                    self.wire.append((at, to, message))  # a cheat sees to it that this arrives
            self.events[at].append(event)

    def put(self, sender: int, to: int, message: bytes) -> None:
        if to == sender or self.chance.random() < self.faults.drop:
            return
        self.wire.append((sender, to, message))
        if self.chance.random() < self.faults.duplicate:
            self.wire.append((sender, to, message))

    def _deliver(self) -> bool:
        if not self.wire:
            return False
        at = self.chance.randrange(len(self.wire)) if self.faults.reorder else 0
        sender, to, message = self.wire.pop(at)
        try:
            self.happen(to, self.sessions[to].receive(message))
        except MalformedMessage as error:
            self.refused.append((to, sender, error))
        return True

    def _decide(self) -> bool:
        for seat, choose in enumerate(self.choosers):
            session = self.sessions[seat]
            if session.my_decision:
                self.happen(seat, session.act(choose(session.view())))
                return True
        return False

    def _catch_up(self) -> bool:
        """Let everybody send what the others may have missed, as peers do that find each other again."""
        if not self.faults.drop or all(self.sessions[at].kind is None for at in self.honest):
            return False
        heard = [len(journal) for journal in self.journals]
        self._idle = 0 if heard != self._heard else self._idle + 1
        self._heard = heard
        if self._idle > 20:  # somebody is silent for good
            return False
        # Who met a head that is not its own asks for everything: the fork lies somewhere before.
        apart = any(isinstance(event, OtherHead) for at in self.honest for event in self.events[at])
        oldest = 0 if apart else min(session.state.round for session in self.sessions)
        for at, session in enumerate(self.sessions):
            for message in session.messages_from(oldest):
                for to in range(len(self.sessions)):
                    self.put(at, to, message)
        return True

    def transcripts(self) -> set[bytes]:
        """Return the different transcripts that honest seats and watchers hold."""
        return {self.sessions[at].transcript() for at in self.honest}

    def assert_caught(self, *seats: int, codes: Iterable[str] = ()) -> None:
        """Assert that every honest seat and watcher convicted exactly ``seats``, and that its transcript proves it."""
        for at in self.honest:
            verdicts = [event for event in self.events[at] if isinstance(event, Convicted)]
            assert [verdict.seats for verdict in verdicts] == [seats], f"{at} convicted {verdicts}"
            assert not codes or verdicts[0].fault.code in codes
        for transcript in self.transcripts():
            report = audit(transcript)
            assert [problem.seats for problem in report.problems if problem.convicts] == [seats]

    def assert_nobody_convicted(self) -> None:
        """Assert that no honest seat or watcher has convicted anybody."""
        assert not [self.sessions[at].convicted for at in self.honest if self.sessions[at].convicted]
