"""Coming back when the table plays its next game already: how the last one ended is told, and no seat is promised."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import trio
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from p2pdurak.cli.lines import NO_SEAT, play_in_lines
from p2pdurak.cli.players import Bot
from p2pdurak.cli.side import ConsoleSide
from p2pdurak.cli.telling import Teller
from p2pdurak.net.game_files import interrupted_games
from p2pdurak.net.known import KnownPlayers
from p2pdurak.net.refusals import Reason, refusal, refused
from p2pdurak.net.resuming import reopen_mesh, restore_lobby
from p2pdurak.net.saved import take_up
from p2pdurak.ui.console.settings import Settings
from p2pdurak.ui.console.shell import Shell
from p2pdurak.ui.language import catalogue
from tests.helpers import signing_key
from tests.net.test_resuming import Company
from tests.net.waiting import until
from tests.session.kitchen import kitchen

if TYPE_CHECKING:
    from pathlib import Path


async def test_in_lines_that_is_no_failure_and_nobody_is_asked_to_be_ready(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        company = Company(tmp_path, nursery, crashes=2, goes_on=True)
        await company.play_until_voted_out()
        await until(lambda: company.lives[0].lobby.history.running)
        (journal,) = interrupted_games(tmp_path / "Clara")
        interrupted = take_up(journal)
        lines: list[dict[str, Any]] = []
        teller = Teller(lines.append, signing_key(2).public, KnownPlayers.open(tmp_path), catalogue("en"))
        teller.asks = True
        async with reopen_mesh(signing_key(2), interrupted.header, "") as mesh:
            lobby = restore_lobby(mesh, interrupted.header, teller.at_table, ready=False)
            assert await play_in_lines(lobby, Bot(), teller, journal.parent, None, interrupted) == 0
        nursery.cancel_scope.cancel()
    events = [line["event"] for line in lines]
    assert "saved" in events
    assert "next" not in events
    assert [line["reason"] for line in lines[-2:]] == [
        "A game is going on; a seat may be free after it.",
        str(NO_SEAT),
    ]


async def test_the_start_screen_tells_how_the_game_ended(tmp_path: Path) -> None:
    table = kitchen().leave(2)
    for seat in (0, 1, 3):
        table.vote(seat, 2)
    table.go_on().come_back(2).go_on()
    shell = Shell(Settings(), lambda _: None, input_=DummyInput(), output=DummyOutput())
    for me, ended in ((2, "you are the fool"), (0, "who is the fool")):
        key = table.genesis.keys[me]
        side = ConsoleSide(shell, key, KnownPlayers.open(tmp_path), opens=False)
        why = refused(refusal(Reason.PLAYING))
        assert side.last_word(why) is why, "nothing has ended yet"
        side.of_game(table.sessions[me], table.events[me][-1])
        side.finished(table.sessions[me], tmp_path / "game.p2pdurak")
        said = str(side.last_word(why))
        assert ended in said
        assert said.endswith("'p2pdurak games' lists it. A game is going on; a seat may be free after it.")
