"""Who is told as away, and as back: who is out of reach for a while, not who flickers."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import trio

from p2pdurak.errors import MalformedMessage
from p2pdurak.game.ruleset import PRESETS
from p2pdurak.net.addresses import LOOPBACK_ADDRESS, Address
from p2pdurak.net.attendance import ALONE_SECONDS, AWAY_SECONDS, COMING_SECONDS, NOTICE_SECONDS, Attendance
from p2pdurak.net.background import background
from p2pdurak.net.lobby import LobbyEvent, Warned
from p2pdurak.net.mesh import Arrived, Left, open_mesh
from p2pdurak.net.node import Node
from p2pdurak.net.opener import Opener
from p2pdurak.wire.terms import Terms
from tests.helpers import NAMES, Table, eager, make_genesis, signing_key

if TYPE_CHECKING:
    from pathlib import Path

    from p2pdurak.game.state import State

TERMS = Terms("kitchen", PRESETS["albanian"], seats=3)
AWAY = "Clara is away; the game waits where it needs them."


class Seen:
    """Anna's view of a game of three, in which Boris tells of Clara; ``told`` is what she hears of both."""

    def __init__(self, tasks: trio.Nursery, lobby: Opener) -> None:
        self.session = Table(make_genesis(3, seed=5), seed=5).sessions[0]
        self.session.start()
        self._mesh = lobby.mesh
        self.attendance = Attendance(lobby, self.session.genesis)
        self.boris, self.clara = self.session.genesis.keys[1:]
        tasks.start_soon(self._look)
        tasks.start_soon(self.attendance.notice)

    async def _look(self) -> None:
        async for _ in self._mesh.news:
            self.attendance.look(self.session)

    async def boris_is_linked_to(self, *seats: int, seconds: float) -> None:
        self.attendance._reach.hears(self.boris, seats)
        self.attendance.look(self.session)
        await trio.sleep(seconds)


async def never(_: State) -> NoReturn:
    await trio.sleep_forever()


async def test_only_who_stays_out_of_reach_is_told_as_away_and_then_as_back(autojump_clock: object) -> None:
    told: list[str] = []

    def tell(event: LobbyEvent) -> None:
        told.extend([str(event.said)] if isinstance(event, Warned) else [])

    async with open_mesh(signing_key(0), NAMES[0]) as mesh, background() as tasks:
        seen = Seen(tasks, Opener(mesh, TERMS, tell))
        for _ in range(20):
            await seen.boris_is_linked_to(0, 2, seconds=AWAY_SECONDS / 4)
            await seen.boris_is_linked_to(0, seconds=AWAY_SECONDS / 4 * 3)
        assert told == []
        await seen.boris_is_linked_to(0, seconds=AWAY_SECONDS + NOTICE_SECONDS)
        assert told == [AWAY]
        for _ in range(2):
            await seen.boris_is_linked_to(0, 2, seconds=1)
        assert told == [AWAY, "Clara is back."]


async def test_who_talks_nonsense_is_told_of_once(autojump_clock: object) -> None:
    told: list[str] = []

    def tell(event: LobbyEvent) -> None:
        told.extend([str(event.said)] if isinstance(event, Warned) else [])

    async with open_mesh(signing_key(0), NAMES[0]) as mesh, background() as tasks:
        seen = Seen(tasks, Opener(mesh, TERMS, tell))
        for _ in range(3):
            seen.attendance.talks_nonsense(seen.clara, MalformedMessage("talk", "This is no talk."))
    assert told == ["Clara says what nobody may say, and loses the link to us for a while: This is no talk."]


async def test_who_comes_back_and_meets_nobody_is_told_that_the_game_may_be_over(autojump_clock: object) -> None:
    told: list[str] = []

    def tell(event: LobbyEvent) -> None:
        told.extend([str(event.said)] if isinstance(event, Warned) else [])

    async with open_mesh(signing_key(0), NAMES[0]) as mesh, background() as tasks:
        opener = Opener(mesh, TERMS, tell)
        opener.came_late = True
        Seen(tasks, opener)
        await trio.sleep(COMING_SECONDS + NOTICE_SECONDS)
        assert [line.partition(" ")[0] for line in told] == ["Boris", "Clara"]
        await trio.sleep(2 * ALONE_SECONDS)
    assert [line.partition(";")[0] for line in told[2:]] == [
        "Nobody of this game has been found for 30 seconds. It may be over: then nobody comes, and you can leave"
    ]


async def test_after_a_game_a_link_is_enough_to_be_in_reach(tmp_path: Path) -> None:
    """Boris has a link, but says nothing of the game: while it goes on that may be a program that only looks about."""
    async with (
        open_mesh(signing_key(0), NAMES[0], port=0) as anna,
        open_mesh(signing_key(1), NAMES[1], port=0) as boris,
    ):
        node = Node(Opener(anna, TERMS, lambda _: None), tmp_path, never, lambda *_: None)
        assert node.in_reach() == ()
        session = Table(make_genesis(2, seed=5), seed=5).sessions[0]
        session.start()
        node.lobby.begin(session)
        node._attendance = Attendance(node.lobby, session.genesis)
        await boris.reach([Address(LOOPBACK_ADDRESS, anna.port)])
        assert isinstance(await anna.news.receive(), Arrived)
        assert node.in_reach() == (signing_key(0).public,)
        node.lobby.history.add(Table(session.genesis, seed=5, choose=lambda _: eager).run().sessions[0])
        assert not node.lobby.history.running
        assert node.in_reach() == (signing_key(0).public, signing_key(1).public)
        await boris.hang_up()
        while not isinstance(await anna.news.receive(), Left):
            pass
        assert node.in_reach() == (signing_key(0).public,)
