"""In lines: for whom the game waits, what may be voted, who is out already, and a disk without room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import trio

from p2pdurak.cli.players import HELP, NOBODY_OVERDUE, NOTHING_TO_END, NOTHING_TO_RESIGN, OUT, Typist
from p2pdurak.cli.telling import SILENCE_SECONDS, Teller
from p2pdurak.errors import StorageError
from p2pdurak.net.known import KnownPlayers
from p2pdurak.net.storage import ensure_room
from p2pdurak.ui.console.model import TableModel
from p2pdurak.ui.language import catalogue
from p2pdurak.wire.messages import Kind
from tests.cli.typing import terminal
from tests.helpers import make_genesis, signing_key
from tests.ui.console.scenes import SeenTable

if TYPE_CHECKING:
    from pathlib import Path


async def test_of_a_long_wait_it_is_told_once_for_whom_it_is(tmp_path: Path, autojump_clock: object) -> None:
    lines: list[dict[str, Any]] = []
    teller = Teller(lines.append, signing_key(0).public, KnownPlayers.open(tmp_path), catalogue("en"))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(teller.tell_silence)
        await trio.sleep(2 * SILENCE_SECONDS)
        assert lines == []
        teller.table = table = TableModel(make_genesis(2), 0)
        table.kind, table.waiting, table.since = Kind.SHUFFLE, (0,), trio.current_time()
        await trio.sleep(2 * SILENCE_SECONDS)
        assert lines == [], "for us, and we know"
        table.waiting, table.since = (1,), trio.current_time()
        await trio.sleep(5 * SILENCE_SECONDS)
        table.since = trio.current_time()
        await trio.sleep(SILENCE_SECONDS / 2)
        assert [line["text"] for line in lines] == [
            f"  The game waits: shuffling the deck: waiting for {table.names[1]}."
        ]
        nursery.cancel_scope.cancel()


async def test_out_of_turn_the_one_who_is_waited_for_is_named_and_nobody_can_be_voted_out(tmp_path: Path) -> None:
    async with terminal(tmp_path, "host", "--name", "Anna", "--players", "2", "--code", "red-fox-12") as anna:
        opened = await anna.until("open")
        for at, (typed, told) in enumerate((("vote", NOTHING_TO_END), ("resign", NOTHING_TO_RESIGN)), start=1):
            await anna.type(typed)
            assert (await anna.until("refused", at))["reason"] == told
        async with terminal(tmp_path, "bot", opened["invite"], "--name", "Boris", "--pace", "60"):
            await anna.until("seated", 2)
            await anna.type("ready")
            turn = 1
            while (await anna.until("turn", turn))["player"] == "Anna":
                await anna.answer()
                turn += 1
            for at, typed in enumerate(("", "nonsense"), start=3):
                await anna.type(typed)
                text = (await anna.until("refused", at))["text"]
                assert text.startswith("  It is not your turn: Boris "), text
            await anna.type("vote")
            assert (await anna.until("refused", 5))["reason"] == NOBODY_OVERDUE


def test_who_is_out_is_told_so_and_not_to_wait_for_a_turn(tmp_path: Path) -> None:
    played = SeenTable(6, seed=7)
    table = played.screen.table
    played.run(until=lambda _: bool(table.view and table.view.places and table.playing and len(table.waiting) == 1))
    assert table.view is not None
    lines: list[dict[str, Any]] = []
    say = catalogue("en")
    typist = Typist(lines.append, say, tmp_path)
    typist.teller = Teller(lines.append, signing_key(0).public, KnownPlayers.open(tmp_path), say)
    typist.teller.table = table
    table.me = table.view.places[0]
    typist._not_your_turn(HELP, running=True)
    name = table.names[table.waiting[0]]
    assert lines[-1]["text"].startswith(f"  You are out of this game: {name} "), lines
    assert lines[-1]["reason"].startswith(OUT)
    table.me = next(seat for seat in range(6) if seat not in (*table.waiting, *table.view.places))
    typist._not_your_turn(HELP, running=True)
    assert lines[-1]["text"].startswith("  It is not your turn: ")


def test_room_for_a_game_is_tried_out_and_nothing_stays(tmp_path: Path) -> None:
    ensure_room(tmp_path)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StorageError, match=r"no room here for a game.*Free some space"):
        ensure_room(tmp_path / "missing")
