"""One player of a simulated table: a program that is started again after each crash, from what its disk has kept."""

from __future__ import annotations

import random
from functools import partial
from typing import TYPE_CHECKING, Protocol

import trio

from p2pdurak.game.rules import legal_actions
from p2pdurak.net.addresses import Address
from p2pdurak.net.background import background
from p2pdurak.net.game_files import interrupted_games
from p2pdurak.net.guest import Guest
from p2pdurak.net.lobby import LobbyEvent, Overdue, Warned
from p2pdurak.net.match import play_match
from p2pdurak.net.node import Node
from p2pdurak.net.opener import Opener
from p2pdurak.net.resuming import restore_lobby
from p2pdurak.net.saved import take_up
from p2pdurak.wire.gamefile import SUFFIX
from tests.faults.machine import HERE, Life
from tests.faults.network import PORT, Host, Network, VirtualMesh
from tests.faults.scenario import OPENER
from tests.helpers import NAMES, eager, signing_key

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State
    from p2pdurak.net.lobby import Lobby
    from p2pdurak.session.events import Event
    from p2pdurak.session.session import Session
    from tests.faults.scenario import Scenario

WHIM = 0.15
"""How often a player does something else than the quickest."""

HESITATION = 2.0
"""Seconds for which an impatient player hesitates at most before voting."""


class Witness(Protocol):
    """Hears what the programs do."""

    def begins(self, peer: Peer) -> None:
        """Hear that a peer is in the game for the first time."""

    def tells(self, peer: Peer, what: str) -> None:
        """Hear what is worth a line."""

    def problem(self, sentence: str) -> None:
        """Hear what does not hold."""

    def happens(self, peer: Peer, session: Session, event: Event) -> None:
        """Hear an event of the game."""

    def crashes(self, peer: Peer, life: Life) -> None:
        """Hear that a program has stopped, at the instant."""


class Peer:
    """One player; ``transcripts`` are those of the games that are over for it."""

    def __init__(self, seat: int, scenario: Scenario, folder: Path, network: Network, witness: Witness) -> None:
        self.seat = seat
        self.name = NAMES[seat]
        self.key = signing_key(scenario.identities[seat])
        self.session: Session | None = None
        self.transcripts: list[bytes] = []
        self.away: set[str] = set()
        self._scenario = scenario
        self._opener = signing_key(scenario.identities[OPENER]).public
        self._folder = folder
        self._network = network
        self._witness = witness
        self._chance = random.Random(f"peer {scenario.seed} {seat}")
        self.ended = False
        self._hasty = False
        self._vote: Callable[[], object] | None = None
        self._give_up: Callable[[], object] | None = None
        self.life = self._born(0)

    async def live(self) -> None:
        """Start the program, and again after each crash, until the game is over."""
        while True:
            life = self.life
            HERE.set(life)
            with life.scope:
                await self._program(life)
            if life.alive:
                self.ended = True
                return
            assert life.crash is not None
            await trio.sleep(life.crash.down)
            self.life = self._born(life.number + 1)
            self.life.may_crash = self._hasty = True
            self.away.clear()

    def _born(self, number: int) -> Life:
        folder = self._folder / f"life {number}"
        folder.mkdir(parents=True, exist_ok=True)
        crashes = self._scenario.crashes[self.seat]
        crash = crashes[number] if number < len(crashes) else None
        return Life(self.seat, number, folder, crash, self._died)

    def _died(self, life: Life) -> None:
        life.remains(self._folder / f"life {life.number + 1}", self._chance)
        self._witness.crashes(self, life)

    async def _program(self, life: Life) -> None:
        """Do what ``p2pdurak`` does from its start to its end, or what it does when it resumes."""
        journals = interrupted_games(life.folder)
        if life.number and not journals:
            self.transcripts = [path.read_bytes() for path in life.folder.glob(f"*{SUFFIX}")]
            return
        interrupted = take_up(journals[0]) if journals else None
        if interrupted is not None:
            self._witness.tells(self, f"takes up the game after {len(interrupted.messages)} messages")
        async with background() as tasks:
            mesh = VirtualMesh(self.key, self.name, tasks, self._network)
            tell = _while_alive(life, self._hear_of_table)
            if interrupted is None:
                lobby = self._arrive(mesh, tell)
            else:
                lobby = restore_lobby(mesh, interrupted.header, tell, ready=True)
            async with self._network.listening(Host(life, mesh)):
                node = Node(lobby, life.folder, self._decide, _while_alive(life, self._hear_of_game))
                self._vote = partial(tasks.start_soon, self._later, life, node.vote)
                self._give_up = partial(tasks.start_soon, self._later, life, node.resign)
                await play_match(lobby, node, _while_alive(life, self._finish), interrupted)
                await mesh.hang_up()

    def _arrive(self, mesh: VirtualMesh, tell: Callable[[LobbyEvent], object]) -> Lobby:
        if self.seat == OPENER:
            return Opener(mesh, self._scenario.terms, tell, ready=True)
        where = Address(self._network.host_of(OPENER), PORT)
        return Guest(mesh, self._opener, [where], tell, ready=True)

    async def _decide(self, view: State) -> Action:
        # Who has just come back decides at once, before hearing of anybody, and not as before: if the program let it
        # decide again what it had decided, it would say two things.
        hasty, self._hasty = self._hasty, False
        if not hasty:
            await trio.sleep(self._chance.uniform(0, 0.2))
        if hasty or self._chance.random() < WHIM:
            return self._chance.choice(legal_actions(view))
        return eager(view)

    async def _later(self, life: Life, do: Callable[[], Awaitable[None]]) -> None:
        await trio.sleep(self._chance.uniform(0, HESITATION))
        if life.alive:
            await do()

    def _hear_of_table(self, event: LobbyEvent) -> None:
        if isinstance(event, Overdue) and self._scenario.impatient and self._vote is not None:
            self._witness.tells(self, f"loses patience with {', '.join(event.names)}")
            self._vote()
        if isinstance(event, Warned):
            sentence = str(event.said)
            self._witness.tells(self, f"is told: {sentence}")
            if sentence.startswith("The votes contradict") and self.name in sentence and self._give_up is not None:
                self._give_up()
            for name in NAMES:
                if sentence.startswith(f"{name} is away"):
                    if name in self.away:
                        self._witness.problem(f"{self.name} is told twice that {name} is away")
                    self.away.add(name)
                elif sentence.startswith(f"{name} is back"):
                    self.away.discard(name)

    def _hear_of_game(self, session: Session, event: Event) -> None:
        if self.session is None:
            self._witness.begins(self)
        self.session = session
        self._witness.happens(self, session, event)

    def _finish(self, session: Session, path: Path) -> None:
        transcript = path.read_bytes()
        if transcript not in self.transcripts:  # the same again after a crash at the end
            self.transcripts.append(transcript)
        self._witness.tells(self, f"has the transcript of {len(session.rounds)} rounds")


def _while_alive(life: Life, hear: Callable[..., object]) -> Callable[..., None]:
    """Return ``hear``, deaf to what a crashed program still does."""

    def heard(*what: object) -> None:
        if life.alive:
            hear(*what)

    return heard
