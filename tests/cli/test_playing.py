"""Several terminals of one machine: people host, join and watch, and play by typing."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio

from p2pdurak.session.audit import audit
from tests.cli.typing import Terminal, terminal

pytestmark = pytest.mark.alone


async def play_together(*players: Terminal) -> None:
    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(player.play)


async def test_three_terminals_find_each_other_and_play_a_game_by_typing(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna", seed=1) as anna,
        terminal(tmp_path, "join", "--name", "Boris", seed=2) as boris,
        terminal(tmp_path, "join", "--name", "Clara", seed=3) as clara,
    ):
        await anna.until("seated", 3)
        await boris.type("ready")
        await clara.type("")
        await anna.type("start")
        await play_together(anna, boris, clara)
        paths = [Path(player.said("saved")[0]["path"]) for player in (anna, boris, clara)]
        keys = {player.said("peer")[0]["key"] for player in (anna, boris, clara)}
    assert len(keys) == 3, "each terminal takes an identity of its own"
    transcripts = {path.read_bytes() for path in paths}
    assert len(transcripts) == 1
    report = audit(transcripts.pop())
    assert report.holds
    assert sorted(seat.nickname for seat in report.genesis.seats) == ["Anna", "Boris", "Clara"]


async def test_a_watcher_sees_the_same_game_and_verifies_it(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna", "--games", "1") as anna,
        terminal(tmp_path, "bot", "--join", "Anna's table", "--name", "Boris") as boris,
        terminal(tmp_path, "watch", "--name", "Wanda") as wanda,
    ):
        await anna.until("seated", 2)
        await wanda.until("seated", 2)
        await anna.type("start")
        await play_together(anna, boris, wanda)
        seen, own = (Path(player.said("saved")[0]["path"]).read_bytes() for player in (wanda, anna))
        plays = [[(line["player"], line["action"]) for line in p.said("played")] for p in (anna, boris, wanda)]
    assert seen == own
    assert audit(seen).holds
    assert plays[0] == plays[1] == plays[2]
    assert not wanda.said("asked")


async def test_a_watcher_that_comes_in_the_middle_catches_up(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna", "--games", "1") as anna,
        terminal(tmp_path, "bot", "--name", "Boris") as boris,
    ):
        await anna.until("seated", 2)
        await anna.type("start")
        await anna.until("asked")
        async with terminal(tmp_path, "watch", "--name", "Wanda") as wanda:
            await wanda.until("dealt")
            await play_together(anna, boris, wanda)
            seen, own = (Path(player.said("saved")[0]["path"]).read_bytes() for player in (wanda, anna))
    assert seen == own


async def test_a_wrong_answer_is_explained_and_asked_again(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna", "--games", "1") as anna,
        terminal(tmp_path, "bot", "--name", "Boris"),
    ):
        await anna.until("seated", 2)
        await anna.type("start")
        question = await anna.until("asked")
        for at, (typed, hint) in enumerate(
            [("99", "Type a number from 1 to"), ("0", "Type a number"), ("dance", "Type one of the numbers")], start=1
        ):
            await anna.type(typed)
            assert hint in (await anna.until("refused", at))["reason"]
        await anna.type("cover 6c ac" if "lay" in question["options"][0] else "lead 6c")
        assert (await anna.until("refused", 4))["reason"]
        assert len(anna.said("asked")) == 1, "the question stands until it is answered"


async def test_a_match_goes_on_while_all_are_ready_and_a_new_guest_may_come(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna", "--players", "3") as anna,
        terminal(tmp_path, "bot", "--name", "Boris") as boris,
    ):
        await anna.until("seated", 2)
        await anna.type("start")
        await play_together(anna, boris)
        async with terminal(tmp_path, "bot", "--name", "Clara") as clara:
            await anna.until("seated", 3)
            await anna.type("ready")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(anna.play, 2)
                nursery.start_soon(boris.play, 2)
                nursery.start_soon(clara.play, 1)
            second = audit(Path(clara.said("saved")[0]["path"]).read_bytes())
        first = audit(Path(anna.said("saved")[0]["path"]).read_bytes())
    assert first.holds
    assert second.holds
    assert second.genesis.previous == first.final_head
    assert [seat.nickname for seat in second.genesis.seats] == ["Anna", "Boris", "Clara"]


async def test_leaving_is_told_and_the_opener_leaving_closes_the_table(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna") as anna,
        terminal(tmp_path, "join", "--name", "Boris") as boris,
        terminal(tmp_path, "join", "--name", "Clara") as clara,
    ):
        await anna.until("seated", 3)
        await boris.type("quit")
        await boris.process.wait()
        assert (await anna.until("left"))["player"] == "Boris"
        anna.process.kill()
        await clara.process.wait()
        assert b"opener has gone" in clara.complaints


async def test_tables_come_and_go_in_the_list(tmp_path: Path) -> None:
    async with terminal(tmp_path, "tables") as listing:  # noqa: SIM117 - the host dies inside
        async with terminal(tmp_path, "host", "--name", "Anna", "--table", "kitchen") as anna:
            table = await listing.until("table")
            assert (table["table"], table["host"], table["taken"], table["players"]) == ("kitchen", "Anna", 1, ["Anna"])
            async with terminal(tmp_path, "bot", "--name", "Boris"):
                await anna.until("seated", 2)
                while (await listing.until("table", len(listing.said("table"))))["taken"] != 2:
                    await listing.heard.wait()
                assert listing.said("table")[-1]["players"] == ["Anna", "Boris"]
            anna.process.kill()  # no goodbye: only the link tells
            assert (await listing.until("gone"))["table"] == "kitchen"


async def test_two_tables_must_be_told_apart(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna", "--table", "kitchen") as anna,
        terminal(tmp_path, "host", "--name", "Boris", "--table", "kitchen") as boris,
    ):
        await anna.until("open")
        await boris.until("open")
        async with terminal(tmp_path, "join", "--name", "Clara") as clara:
            await clara.process.wait()
            assert b"Several tables are open" in clara.complaints
        port = boris.said("open")[0]["port"]
        async with terminal(tmp_path, "join", f"127.0.0.1:{port}", "--name", "Clara"):
            assert (await boris.until("seated", 2))["player"] == "Clara"
    assert len(anna.said("seated")) == 1


async def test_an_invite_leads_to_the_table_with_its_code(tmp_path: Path) -> None:
    async with terminal(tmp_path, "host", "--name", "Anna", "--code", "--qr") as anna:
        opened = await anna.until("open")
        assert opened["code"]
        async with terminal(tmp_path, "join", opened["invite"], "--name", "Boris"):
            boris = await anna.until("seated", 2)
            assert boris["acquaintance"] == "new"
        await anna.until("left")
        async with terminal(tmp_path, "join", "--name", "Clara") as clara:
            await clara.process.wait()
            assert b"asks for a code" in clara.complaints
        async with terminal(tmp_path, "join", "--code", "wrong-code-1", "--name", "Clara") as clara:
            await clara.process.wait()
            assert b"not the code of this table" in clara.complaints
        async with terminal(tmp_path, "join", "--code", opened["code"].upper(), "--name", "Clara"):
            assert (await anna.until("seated", 3))["player"] == "Clara"
