"""Several terminals of one machine: people host, join and watch, and play by typing."""

from __future__ import annotations

import json
import re
import secrets
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import trio

from p2pdurak.net.announcement import Announcement
from p2pdurak.net.discovery import announce
from p2pdurak.session.audit import audit
from tests.cli.typing import Terminal, terminal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


async def play_together(*players: Terminal) -> None:
    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(player.play)


async def test_three_terminals_find_each_other_and_play_a_game_by_typing(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna") as anna,
        terminal(tmp_path, "join", "--name", "Boris") as boris,
        terminal(tmp_path, "join", "--name", "Clara") as clara,
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


async def test_watchers_see_the_same_game_and_verify_it_and_who_comes_in_the_middle_catches_up(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna", "--games", "1") as anna,
        terminal(tmp_path, "bot", "--join", "Anna's table", "--name", "Boris") as boris,
        terminal(tmp_path, "watch", "--name", "Wanda") as wanda,
    ):
        await anna.until("seated", 2)
        await wanda.until("seated", 2)
        await anna.type("start")
        await anna.until("asked")
        async with terminal(tmp_path, "watch", "--name", "Xenia") as xenia:
            await xenia.until("dealt")
            all_of_them = (anna, boris, wanda, xenia)
            await play_together(*all_of_them)
            (seen,) = {Path(player.said("saved")[0]["path"]).read_bytes() for player in all_of_them}
            plays = [[(line["player"], line["action"]) for line in player.said("played")] for player in all_of_them]
    assert audit(seen).holds
    assert all(each == plays[0] for each in plays)
    assert not wanda.said("asked")
    assert xenia.said("ready")[0]["seconds"] is None, "catching up is not how long the deck took"
    assert all(player.said("ready")[0]["seconds"] > 0 for player in (anna, boris, wanda))


async def test_a_watcher_is_told_what_there_is_to_type_and_may_leave(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna"),
        terminal(tmp_path, "watch", "--name", "Wanda") as wanda,
    ):
        greeting = (await wanda.until("peer"))["text"]
        assert greeting.startswith("You are Wanda, in the profile player-")
        assert "nothing is asked of you" in greeting
        assert "number of your choice" not in greeting
        await wanda.until("seated")
        await wanda.type("start")
        assert "nothing is asked of you" in (await wanda.until("help"))["text"]
        await wanda.type("quit")
        assert await wanda.process.wait() == 0


@pytest.mark.parametrize("words", [("host",), ("join",)], ids=["host", "join"])
async def test_when_nothing_more_can_be_typed_that_is_why_one_leaves(tmp_path: Path, words: tuple[str, ...]) -> None:
    async with terminal(tmp_path, "bot", "--open", "--table", "kitchen", "--name", "Boris") as boris:
        await boris.until("open")
        target = ("kitchen",) if words == ("join",) else ()
        async with terminal(tmp_path, *words, *target, "--name", "Anna") as anna:
            await anna.until("seated")
            assert anna.process.stdin is not None
            await anna.process.stdin.aclose()
            assert "Standard input has ended" in (await anna.until("input-ended"))["text"]
            assert await anna.process.wait() == 2


async def test_whoever_is_called_by_the_login_is_found_again_by_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "anna")
    async with terminal(tmp_path, "host") as first:
        await first.until("open")
        async with terminal(tmp_path, "host") as second:
            introduced = await second.until("peer")
            assert (introduced["player"], introduced["profile"]) == ("anna-2", "player-2")
            await second.until("open")
    async with terminal(tmp_path, "host", "--name", "anna-2") as again:
        assert (await again.until("peer"))["profile"] == "player-2"


async def test_whoever_sits_down_is_counted(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna", "--players", "4") as anna,
        terminal(tmp_path, "bot", "--name", "Boris"),
    ):
        await anna.until("seated", 2)
        async with terminal(tmp_path, "join", "--name", "Clara") as clara:
            await clara.until("seated", 3)
            counts = [line["text"].partition(";")[0] for line in clara.said("seated")]
    assert counts == ["Anna sits down (1 of 4)", "Boris sits down (2 of 4)", "Clara sits down (3 of 4)"]


async def test_a_profile_whose_game_was_interrupted_waits_for_its_player(tmp_path: Path) -> None:
    async with terminal(tmp_path, "host", "--name", "Anna", "--games", "1") as anna:
        await anna.until("open")
        async with terminal(tmp_path, "bot", "--name", "Boris") as boris:
            await anna.until("seated", 2)
            await anna.type("start")
            await anna.until("asked")
            (first,) = boris.said("peer")
            boris.process.kill()
        assert first["profile"] == "player-2"
        async with terminal(tmp_path, "bot", "no such table", "--name", "Clara") as clara:
            other = await clara.until("peer")
        assert other["profile"] == "player-3"
        async with terminal(tmp_path, "bot", "no such table", "--name", "Boris") as boris:
            again = await boris.until("peer")
        assert (again["profile"], again["key"]) == (first["profile"], first["key"])


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
            await anna.until("turn", len(anna.said("turn")) + 1)
            await anna.resign(2)
            await clara.until("saved")
            second = audit(Path(clara.said("saved")[0]["path"]).read_bytes())
        first = audit(Path(anna.said("saved")[0]["path"]).read_bytes())
    assert first.holds
    assert second.holds
    assert second.genesis.previous == first.final_head
    assert [seat.nickname for seat in second.genesis.seats] == ["Anna", "Boris", "Clara"]


async def test_leaving_is_told(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna") as anna,
        terminal(tmp_path, "join", "--name", "Boris") as boris,
    ):
        await anna.until("seated", 2)
        await boris.type("quit")
        assert await boris.process.wait() == 0
        assert (await anna.until("left"))["player"] == "Boris"


@pytest.mark.soak  # the opener is waited for first
async def test_the_opener_leaving_closes_the_table(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna") as anna,
        terminal(tmp_path, "join", "--name", "Clara") as clara,
    ):
        await anna.until("seated", 2)
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
            assert b"Several tables of one name are open: kitchen (" in clara.complaints
            assert b"(Anna, 127.0.0.1:" in clara.complaints
            assert b"(Boris, 127.0.0.1:" in clara.complaints
            assert b"by its address: p2pdurak join 127.0.0.1:" in clara.complaints
        port = boris.said("open")[0]["port"]
        async with terminal(tmp_path, "join", f"127.0.0.1:{port}", "--name", "Clara"):
            assert (await boris.until("seated", 2))["player"] == "Clara"
    assert len(anna.said("seated")) == 1


@pytest.mark.parametrize("name", ["rev. 2.0", "localhost:47999"])
async def test_a_name_that_looks_like_an_address_is_a_name_if_a_table_has_it(tmp_path: Path, name: str) -> None:
    async with terminal(tmp_path, "host", "--name", "Anna", "--table", name) as anna:
        await anna.until("open")
        async with terminal(tmp_path, "bot", "--join", name, "--name", "Boris"):
            await anna.until("seated", 2)
        port = anna.said("open")[0]["port"]
        async with terminal(tmp_path, "bot", "--join", f"localhost:{port}", "--name", "Clara"):
            await anna.until("seated", 3)


async def test_a_table_that_is_announced_and_cannot_be_reached_is_told(tmp_path: Path) -> None:
    async with open_nobody() as port:
        announcement = Announcement("attic", secrets.token_bytes(32), "perevodnoy-2", 36, 4, port)
        async with announce(announcement), terminal(tmp_path, "tables", "--once") as listing:
            await listing.process.wait()
            while not listing.ended:
                await listing.heard.wait()
            (line,) = [line for line in listing.lines if line.get("table") == "attic"]
    assert line["event"] == "unreachable"
    assert line["addresses"] == [f"127.0.0.1:{port}"]
    assert line["text"].startswith("? attic is announced at 127.0.0.1:")
    assert not listing.said("none")


@asynccontextmanager
async def open_nobody() -> AsyncIterator[int]:
    """A port on which connections are never accepted, as behind a firewall."""
    with trio.socket.socket() as silent:
        await silent.bind(("127.0.0.1", 0))
        yield silent.getsockname()[1]


async def test_the_name_of_a_table_with_a_code_does_not_tell_who_opened_it(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna", "--code") as anna,
        terminal(tmp_path, "tables") as listing,
    ):
        opened, table = await anna.until("open"), await listing.until("table")
    assert re.fullmatch(r"closed table [1-9]\d\d", opened["table"])
    assert table["table"] == opened["table"]
    assert table["players"] == []
    assert "Anna" not in json.dumps(listing.lines)


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
