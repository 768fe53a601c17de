"""Peers that leave a running game, and a match that goes on without them, over real links on the loopback."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import trio

from p2pdurak.bots import steady
from p2pdurak.net.addresses import Address
from p2pdurak.net.guest import Guest
from p2pdurak.net.lobby import LobbyEvent, Overdue
from p2pdurak.net.match import play_match
from p2pdurak.net.mesh import open_mesh
from p2pdurak.net.node import Node
from p2pdurak.net.opener import Opener
from p2pdurak.session.audit import Report, audit, match_problem
from p2pdurak.session.events import Event, Played, Removed, Voted
from p2pdurak.session.session import Session
from p2pdurak.wire.terms import Terms
from tests.helpers import NAMES, signing_key
from tests.net.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State
    from p2pdurak.net.lobby import Lobby

from p2pdurak.game.ruleset import PRESETS

TERMS = Terms("kitchen", PRESETS["albanian"], seats=3, games=2, grace=0)
Hear = Callable[["Peer", Session, Event], object]


async def decide(view: State) -> Action:
    return steady.choose(view)


class Peer:
    """One peer through a match; ``hear`` is told of each event, and ``gone`` cancelled when it crashes."""

    def __init__(self, at: int, games: Path, terms: Terms, hear: Hear, *, follows: bool = False) -> None:
        self.at, self.terms, self.follows = at, terms, follows
        self.games = games / NAMES[at]
        self.games.mkdir()
        self.gone = trio.CancelScope()
        self.reports: list[Report] = []
        self.events: list[Event] = []
        self.told: set[str] = set()
        """Of whom the person was told that the game waits for them too long."""
        self.node: Node
        self.lobby: Lobby
        self._hear = hear

    async def run(self, *, opener: Address | None = None, task_status: trio.TaskStatus[int]) -> None:
        with self.gone:
            async with open_mesh(signing_key(self.at), NAMES[self.at]) as mesh:
                if opener is None:
                    self.lobby = Opener(mesh, self.terms, self._of_table, ready=True)
                else:
                    await mesh.reach([opener], signing_key(0).public)
                    self.lobby = Guest(mesh, signing_key(0).public, [opener], self._of_table, ready=True)
                self.node = Node(self.lobby, self.games, decide, self._of_game, follows=self.follows)
                task_status.started(mesh.port)
                await play_match(self.lobby, self.node, self._finished)

    def _of_table(self, event: LobbyEvent) -> None:
        if isinstance(event, Overdue):
            self.told.update(event.names)

    def _of_game(self, session: Session, event: Event) -> None:
        self.events.append(event)
        self._hear(self, session, event)

    def _finished(self, _: Session, path: Path) -> None:
        self.reports.append(audit(path.read_bytes()))


async def play(peers: list[Peer], nursery: trio.Nursery) -> None:
    port = await nursery.start(peers[0].run)
    for peer in peers[1:]:
        await nursery.start(
            lambda task_status, peer=peer: peer.run(opener=Address("127.0.0.1", port), task_status=task_status)
        )


async def stands_still(peer: Peer, missed: Peer) -> None:
    """Wait until ``missed`` has crashed, and the person at ``peer`` is told that the game waits for nobody else."""
    await until(lambda: missed.gone.cancel_called)
    name = NAMES[missed.at]
    await until(lambda: name in peer.told and peer.node.overdue() == (name,))


def check_chain(peers: list[Peer], games: int) -> None:
    for game in range(games):
        (head,) = {peer.reports[game].final_head for peer in peers}
        assert head
    for peer in peers:
        assert all(report.holds for report in peer.reports)
        assert len(peer.reports) == games
        assert all(match_problem(*pair) is None for pair in zip(peer.reports, peer.reports[1:], strict=False))


@pytest.mark.parametrize("leaver", [0, 2], ids=["the opener", "a guest"])
async def test_who_resigns_is_the_fool_and_deals_the_next_game(tmp_path: Path, leaver: int) -> None:
    async with trio.open_nursery() as nursery:

        def hear(peer: Peer, session: Session, event: Event) -> None:
            if (
                peer.at == leaver
                and isinstance(event, Played)
                and session.genesis.number == 1
                and len(session.rounds) > 30
            ):
                nursery.start_soon(peer.node.resign)

        peers = [Peer(at, tmp_path, TERMS, hear) for at in range(3)]
        await play(peers, nursery)
    check_chain(peers, games=2)
    removal = peers[0].reports[0].removal
    assert removal is not None
    assert removal.fools == removal.resigned
    first, second = peers[0].reports
    assert second.genesis.keys[second.genesis.opening.dealer or 0] == first.genesis.keys[removal.fools[0]]
    assert second.removal is None


async def test_when_the_opener_is_gone_another_has_the_table(tmp_path: Path) -> None:
    """The second game is opened by who stays in the first seat, and begins as soon as all who are left are ready."""
    async with trio.open_nursery() as nursery:

        def hear(peer: Peer, session: Session, event: Event) -> None:
            if peer.at == 0 and isinstance(event, Played):
                peer.gone.cancel()

        peers = [Peer(at, tmp_path, TERMS, hear) for at in range(3)]
        await play(peers, nursery)
        for peer in peers[1:]:
            await stands_still(peer, peers[0])
        for peer in peers[1:]:
            await peer.node.vote()
    check_chain(peers[1:], games=2)
    first, second = peers[1].reports
    assert first.removal is not None
    assert [first.genesis.name(seat) for seat in first.removal.fools] == ["Anna"]
    assert [seat.nickname for seat in second.genesis.seats] == ["Boris", "Clara"]
    assert isinstance(peers[1].node.lobby, Opener)
    assert isinstance(peers[2].node.lobby, Guest)
    assert peers[2].node.lobby.opener == signing_key(1).public


async def test_an_opener_that_resigns_and_stays_is_a_guest_from_then_on(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:

        def hear(peer: Peer, session: Session, event: Event) -> None:
            first = session.genesis.number == 1 and len(session.rounds) > 30
            if peer.at == 0 and first and isinstance(event, Played):
                nursery.start_soon(peer.node.resign)

        peers = [Peer(at, tmp_path, TERMS, hear) for at in range(3)]
        await play(peers, nursery)
    check_chain(peers, games=2)
    assert isinstance(peers[1].node.lobby, Opener)
    assert isinstance(peers[0].node.lobby, Guest)


async def test_who_is_gone_is_voted_out_and_the_match_goes_on(tmp_path: Path) -> None:
    """Clara's program ends in mid-game. Anna votes, Boris, who is a bot, follows; then two play the second game."""
    async with trio.open_nursery() as nursery:

        def hear(peer: Peer, session: Session, event: Event) -> None:
            if peer.at == 2 and isinstance(event, Played):
                peer.gone.cancel()
            if peer.at == 0 and isinstance(event, Removed):
                assert isinstance(peer.lobby, Opener)
                peer.lobby.say_start()

        peers = [Peer(at, tmp_path, TERMS, hear, follows=at == 1) for at in range(3)]
        await play(peers, nursery)
        await stands_still(peers[0], peers[2])
        await peers[0].node.vote()
    check_chain(peers[:2], games=2)
    first, second = peers[0].reports
    assert first.removal is not None
    assert [first.genesis.name(seat) for seat in first.removal.fools] == ["Clara"]
    assert not first.removal.resigned
    assert second.genesis.players == 2
    assert second.genesis.opening.dealer is None
    assert not peers[1].told  # a bot is told nothing: it has nobody to tell


async def test_of_two_the_one_who_stayed_wins(tmp_path: Path) -> None:
    terms = replace(TERMS, seats=2, games=1)
    async with trio.open_nursery() as nursery:

        def hear(peer: Peer, session: Session, event: Event) -> None:
            if peer.at == 1 and isinstance(event, Played):
                peer.gone.cancel()

        peers = [Peer(at, tmp_path, terms, hear) for at in range(2)]
        await play(peers, nursery)
        await stands_still(peers[0], peers[1])
        await peers[0].node.vote()
    (report,) = peers[0].reports
    assert report.holds
    assert report.removal is not None
    assert report.genesis.name(report.removal.fools[0]) == "Boris"
    assert [event for event in peers[0].events if isinstance(event, Voted)]


async def test_nobody_is_voted_out_before_the_grace_time_is_over(tmp_path: Path) -> None:
    terms = replace(TERMS, games=1, grace=3600)
    tried: list[tuple[str, ...]] = []
    async with trio.open_nursery() as nursery:

        def hear(peer: Peer, session: Session, event: Event) -> None:
            if isinstance(event, Played):
                tried.append(peer.node.overdue())
                nursery.start_soon(peer.node.vote)

        peers = [Peer(at, tmp_path, terms, hear) for at in range(3)]
        await play(peers, nursery)
    assert set(tried) == {()}
    check_chain(peers, games=1)
    assert peers[0].reports[0].outcome is not None
