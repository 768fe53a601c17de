"""One simulated game: it is played, written down, and watched.

Whatever a scenario does, these must hold while it is played: nobody is convicted, nobody signs another head, nobody is
hung up on for what it sent; and of each seat and round one message is ever seen on the wires, whoever sent it and
however often its seat has crashed. What must hold at the end is in ``verdict``.
"""

from __future__ import annotations

import tempfile
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, cast

import trio

from p2pdurak.net.attendance import LAST_ROUNDS
from p2pdurak.net.frames import Frame, Kind
from p2pdurak.session.events import Convicted, Event, Heard, OtherHead, Removed, Voted
from p2pdurak.wire.codec import decode
from p2pdurak.wire.messages import LEAVING
from p2pdurak.wire.talk import Say, decode_talk
from tests.faults.machine import Life, simulate
from tests.faults.network import Conditions, Network
from tests.faults.peer import Peer
from tests.faults.scenario import OPENER, Scenario, Trouble, draw
from tests.faults.verdict import problems_between, problems_of

if TYPE_CHECKING:
    from p2pdurak.net.mesh import Mesh
    from p2pdurak.session.session import Session
    from p2pdurak.wire.codec import Value

LONGEST_GAME = 1800.0
"""Virtual seconds after which a game is taken to hang."""


@dataclass(slots=True)
class Report:
    """How a game went: ``problems`` are what did not hold, ``remarks`` what may be worth a look."""

    scenario: Scenario
    log: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    crashes: int = 0
    seconds: float = 0.0
    transcripts: tuple[bytes, ...] = ()

    def __str__(self) -> str:
        outcome = "; ".join(self.problems) or "holds"
        seed = f"{self.scenario.seed}{' --impatient' if self.scenario.impatient else ''}"
        return f"seed {self.scenario.seed}: {outcome} (python -m tests.faults {seed} --log)"


def play(scenario: Scenario | int) -> Report:
    """Play the game of a scenario, or of a seed."""
    scenario = draw(scenario) if isinstance(scenario, int) else scenario
    with tempfile.TemporaryDirectory() as folder:
        game = Game(scenario, Path(folder))
        simulate(game.run, scenario.seed)
    return game.report


class Game:
    """The table, and the witness of all that its programs do."""

    def __init__(self, scenario: Scenario, folder: Path) -> None:
        self.report = Report(scenario)
        self._scenario = scenario
        self._conditions = Conditions(Random(f"network {scenario.seed}"))
        self._conditions.closed = scenario.closed
        self._network = Network(self._conditions, self._said, self._blamed)
        self._folder = folder
        self._peers: list[Peer] = []
        self._playing: set[int] = set()
        self._seen: set[bytes] = set()
        self._messages: dict[tuple[bytes, int, int], bytes] = {}

    async def run(self) -> None:
        """Play until all are through, or nobody gets any further."""
        self._all_play, self._end_begins = trio.Event(), trio.Event()
        self._peers = [
            Peer(seat, self._scenario, self._folder / str(seat), self._network, self)
            for seat in range(self._scenario.players)
        ]
        with trio.move_on_after(LONGEST_GAME):
            async with trio.open_nursery() as troubles:
                troubles.start_soon(self._trouble)
                async with trio.open_nursery() as programs:
                    for peer in self._peers:
                        programs.start_soon(self._live, peer)
                troubles.cancel_scope.cancel()
        self.report.seconds = trio.current_time()
        for problem in (*problems_of(self._peers, self._scenario), *problems_between(self._peers)):
            self.problem(problem)
        self.report.transcripts = tuple(dict.fromkeys(it for peer in self._peers for it in peer.transcripts))
        for peer in self._peers:
            if peer.away:
                self.report.remarks.append(f"{peer.name} was never told that {sorted(peer.away)} are back")

    async def _live(self, peer: Peer) -> None:
        try:
            await peer.live()
        except Exception as error:
            self.problem(f"{peer.name}'s program ends with {error!r}")
            self._write("".join(traceback.format_exception(error)))

    async def _trouble(self) -> None:
        async with trio.open_nursery() as nursery:
            for trouble in self._scenario.troubles:
                nursery.start_soon(self._happen, trouble)

    async def _happen(self, trouble: Trouble) -> None:
        await (self._end_begins if trouble.when.late else self._all_play).wait()
        await trio.sleep(trouble.when.seconds)
        self._write(f"Trouble: {trouble}")
        await trouble.happen(self._network)

    # What the programs do

    def begins(self, peer: Peer) -> None:
        """Have trouble begin when the last has begun; before that, only guests who are in the game may crash."""
        self._playing.add(peer.seat)
        if len(self._playing) == self._scenario.players:
            self._all_play.set()
        for other in self._peers:
            other.life.may_crash |= other.seat in self._playing and (other.seat != OPENER or self._all_play.is_set())

    def tells(self, peer: Peer, what: str) -> None:
        self._write(f"{peer.name} {what}")

    def problem(self, sentence: str) -> None:
        self.report.problems.append(sentence)
        self._write(f"PROBLEM: {sentence}")

    def happens(self, peer: Peer, session: Session, event: Event) -> None:
        match event:
            case Heard(seat, kind, round_):
                if kind in LAST_ROUNDS:
                    self._end_begins.set()
                    peer.life.near_the_end()
                self._write(f"{peer.name} hears {session.genesis.name(seat)}: {kind} in round {round_}")
            case Voted(seat, out, _):
                self._write(f"{peer.name} hears {session.genesis.name(seat)} vote against {out}")
            case Removed(out, _, _):
                self._write(f"{peer.name} goes on without {out}")
            case OtherHead() if self._scenario.impatient:
                pass  # who has not heard yet that the game has ended speaks on the head before
            case Convicted(seats, round_, fault):
                self.problem(f"{peer.name} convicts {seats} in round {round_}: {fault}")
            case OtherHead(seat, round_):
                self.problem(f"{peer.name} hears another head from {session.genesis.name(seat)} in round {round_}")
            case _:
                pass

    def crashes(self, peer: Peer, life: Life) -> None:
        self.report.crashes += 1
        assert life.crash is not None
        self._write(f"{peer.name} {life.crash}")
        self._network.cut_off(life, dark=life.crash.power)

    def _said(self, life: Life, frame: Frame) -> None:
        """See a frame that leaves a program: nobody may be heard to say two things in one round."""
        if frame.kind is not Kind.MESSAGE:
            return
        talk = decode_talk(frame.body)
        if not isinstance(talk, Say) or talk.message in self._seen:
            return
        self._seen.add(talk.message)
        payload, _ = cast("tuple[bytes, bytes]", decode(talk.message))
        _, game, round_, _, seat, kind, _ = cast("tuple[int, bytes, int, bytes, int, str, Value]", decode(payload))
        if kind not in LEAVING and self._messages.setdefault((game, round_, seat), talk.message) != talk.message:
            self.problem(f"seat {seat} says two things in round {round_}")
        if seat == self._seat_of(life):
            life.says()

    def _seat_of(self, life: Life) -> int | None:
        """Return the seat in the game that is played on this machine, which a lot may have chosen."""
        session, key = self._peers[life.seat].session, self._peers[life.seat].key.public
        return None if session is None else session.genesis.keys.index(key)

    def _blamed(self, mesh: Mesh, peer: bytes, reason: str) -> None:
        name = next(other.name for other in self._peers if other.key.public == peer)
        self.problem(f"{mesh.nickname} hangs up on {name}: {reason}")

    def _write(self, line: str) -> None:
        self.report.log.append(f"{trio.current_time():9.3f}  {line}")
