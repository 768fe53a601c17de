"""Games that were interrupted and are taken up again: real processes, killed without a warning and started anew."""

from __future__ import annotations

import random
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import trio

from p2pdurak.session.audit import audit
from tests.cli.person import Person
from tests.cli.typing import Terminal, terminal

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMES = ("Anna", "Boris", "Clara", "Dmitri")
CODE = ("--code", "red-fox-12")
PACE = ("--pace", "0.04")


class Company:
    """Bots at one table, by name, each in a profile of that name."""

    def __init__(self, home: Path, stack: AsyncExitStack) -> None:
        self._home = home
        self._stack = stack
        self.at: dict[str, Terminal] = {}

    async def run(self, name: str, *words: str) -> Terminal:
        pace = PACE if words[0] not in ("watch", "host") else ()
        self.at[name] = there = await self._stack.enter_async_context(
            terminal(self._home, *words, "--profile", name, *pace)
        )
        return there

    async def meet(self, *words: str, players: int = 2, watcher: str | None = None) -> dict[str, Any]:
        """Sit down at a new table, which Anna opens with these ``words``; return what she says of it.

        It has a code, so that nobody else who is about comes to it.
        """
        anna = await self.run("Anna", "bot", "--open", "--players", str(players), "--name", "Anna", *CODE, *words)
        opened = await anna.until("open")
        if watcher is not None:
            watching = await self.run(watcher, "watch", opened["invite"], "--name", watcher)
            await watching.until("seated")
        for name in NAMES[1:players]:
            await self.run(name, "bot", opened["invite"], "--name", name)
        return opened

    async def kill(self, *names: str) -> None:
        for name in names:
            self.at[name].process.kill()
        for name in names:
            await self.at[name].process.wait()

    async def resume(self, *names: str) -> None:
        for name in names:
            await self.run(name, "resume", "--bot")

    @property
    def over(self) -> bool:
        """Whether somebody has seen the end of the game."""
        return any(there.said("finished") for there in self.at.values())

    async def heard_more(self, messages: int) -> None:
        """Wait until somebody has heard so many messages more, or the end of the game."""
        goal = messages + max(len(there.said("heard")) for there in self.at.values())
        async with trio.open_nursery() as nursery:

            async def wait(there: Terminal) -> None:
                while len(there.said("heard")) < goal and not there.ended and not self.over:
                    await there.heard.wait()
                nursery.cancel_scope.cancel()

            for there in self.at.values():
                nursery.start_soon(wait, there)

    async def transcripts(self) -> set[bytes]:
        """Wait for the end of the game; return what each has saved."""
        lines = [await there.until("saved") for there in self.at.values()]
        return {Path(line["path"]).read_bytes() for line in lines}


OF_THREE = [pytest.param(3, names, marks=pytest.mark.soak) for names in (("Boris",), ("Anna",), NAMES[:3])]


@pytest.mark.parametrize(
    ("players", "victims"), [*OF_THREE, (2, NAMES[:2])], ids=["a guest", "the opener", "all three", "both"]
)
async def test_who_was_killed_resumes_and_the_game_is_played_to_its_end(
    tmp_path: Path, players: int, victims: tuple[str, ...]
) -> None:
    async with AsyncExitStack() as stack:
        company = Company(tmp_path, stack)
        await company.meet(players=players)
        await company.at["Boris"].until("played", 8)
        await company.kill(*victims)
        await company.resume(*victims)
        for name in victims:
            assert (await company.at[name].until("resumed"))["player"] == name
        (transcript,) = await company.transcripts()
        told = [[line["action"] for line in there.said("played")] for there in company.at.values()]
    assert audit(transcript).holds
    assert len(told) == players
    assert all(each == told[0] for each in told), "who comes back is told all that happened before"


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(10))
async def test_whoever_is_killed_whenever_the_game_goes_on(tmp_path: Path, seed: int) -> None:
    """Five kills in a game of four, at instants that nobody has chosen; fewer if the game is over before."""
    chance = random.Random(seed)
    async with AsyncExitStack() as stack:
        company = Company(tmp_path, stack)
        await company.meet(players=4)
        for _ in range(5):
            await company.heard_more(chance.randrange(1, 50))
            victim = chance.choice(NAMES)
            if company.over:
                break
            await company.kill(victim)
            await company.resume(victim)
            await company.at[victim].until("resumed")
        (transcript,) = await company.transcripts()
    assert audit(transcript).holds


async def test_who_plays_is_not_told_as_sitting_down_and_all_hear_who_is_missed_and_who_is_back(tmp_path: Path) -> None:
    """A watcher comes while Boris is away, so that the opener, who was away too, tells who has seats."""
    async with AsyncExitStack() as stack:
        company = Company(tmp_path, stack)
        opened = await company.meet(players=3)
        await company.at["Clara"].until("played", 5)
        await company.kill("Anna", "Boris")
        await company.resume("Anna")
        anna = company.at["Anna"]
        assert "Boris is away" in (await anna.until("warning"))["reason"]
        wanda = await company.run("Wanda", "watch", opened["invite"], "--name", "Wanda")
        assert "Boris is away" in (await wanda.until("warning"))["reason"]
        await company.resume("Boris")
        for there in (anna, wanda):
            assert (await there.until("warning", 2))["reason"] == "Boris is back."
        assert not anna.said("seated")
    assert all(line["text"].startswith(f"{line['player']} plays here; ") for line in wanda.said("seated"))
    assert not wanda.said("ready-to-play")


async def test_joining_the_table_of_a_game_that_was_left_takes_it_up_and_a_watcher_resumes_too(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        company = Company(tmp_path, stack)
        opened = await company.meet(watcher="Wanda")
        for name in ("Boris", "Wanda"):
            await company.at[name].until("played", 5)
        await company.kill("Boris", "Wanda")
        await company.run("Wanda", "resume")
        journal = next((tmp_path / "profiles" / "Boris" / "games").glob("*.journal"))
        kept = {path: path.read_bytes() for path in (journal, journal.with_suffix(".secret"))}
        journal.unlink()
        boris = await company.run("Boris", "bot", opened["invite"], "--name", "Robert")
        await boris.process.wait()
        while not boris.complaints:
            await trio.lowlevel.checkpoint()
        assert b"You have left the game that this table is in" in boris.complaints
        for path, data in kept.items():
            path.write_bytes(data)
        await company.run("Boris", "bot", opened["invite"], "--name", "Robert")
        (transcript,) = await company.transcripts()
    assert audit(transcript).holds


async def test_the_opener_who_joins_is_taken_back_to_the_own_table_where_a_watcher_goes_on(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        company = Company(tmp_path, stack)
        await company.meet(watcher="Wanda")
        await company.at["Wanda"].until("played", 5)
        await company.kill("Anna")
        anna = await company.run("Anna", "bot")
        assert "You have opened the table" in (await anna.until("warning"))["reason"]
        await anna.until("resumed")
        (transcript,) = await company.transcripts()
    assert audit(transcript).holds


async def test_whoever_opens_another_table_hears_of_the_game_that_waits(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        company = Company(tmp_path, stack)
        await company.meet()
        await company.at["Boris"].until("played", 5)
        await company.kill("Anna", "Boris")
        for name, other in (("Anna", "Boris"), ("Boris", "Anna")):
            host = await company.run(name, "host", *CODE)
            warning = (await host.until("warning"))["reason"]
            assert warning.startswith(f"An interrupted game with {other} waits for you: p2pdurak resume ")
            await host.until("open")


def test_the_start_screen_offers_the_game_and_goes_on_with_it(tmp_path: Path) -> None:
    """Killed on the screen, taken up from the start screen, left, resumed by the command, left, and given up."""
    with closing_person(tmp_path, "play", "--bots", "1", "--pace", "0", "--name", "Zoe") as zoe:
        zoe.until("trump", "talon")
    with closing_person(tmp_path) as zoe:
        zoe.until("Interrupted games", "with Anna, left just now")
        zoe.press("1")
        zoe.until("trump", "talon", "Zoe")
        zoe.press("q")
        zoe.until("stay")
        zoe.press("\r")
        zoe.until("Interrupted games", "with Anna")
        zoe.press("q")
        assert zoe.ended() == 0
    with closing_person(tmp_path, "resume") as zoe:
        zoe.until("trump", "talon", "Zoe")
        zoe.press("q")
        zoe.until("stay")
        zoe.press("\r")
        assert zoe.ended() == 0
    with closing_person(tmp_path) as zoe:
        zoe.until("Interrupted games")
        zoe.press("x")
        zoe.until("until they vote you out")
        zoe.press("x")
        zoe.until("The game is given up.", "None yet.")
        assert "Interrupted games" not in zoe.text()
    assert not [*tmp_path.glob("**/*.journal"), *tmp_path.glob("**/*.secret")]


@contextmanager
def closing_person(home: Path, *words: str) -> Iterator[Person]:
    """A person whose program is killed at the end, if it runs then."""
    person = Person(home, *words)
    try:
        yield person
    finally:
        person.kill()


async def test_a_game_against_bots_is_taken_up_with_all_of_them(tmp_path: Path) -> None:
    words = ("--profile", "zoe", *PACE)
    folder = tmp_path / "profiles" / "zoe"
    async with terminal(tmp_path, "play", "--bots", "2", "--games", "1", *words[:2]) as zoe:
        await zoe.until("played", 5)
        zoe.process.kill()
        await zoe.process.wait()
    async with terminal(tmp_path, "resume", "--bot", *words) as zoe:
        saved = await zoe.until("saved")
        await zoe.process.wait()
    assert audit(Path(saved["path"]).read_bytes()).holds
    assert Path(saved["path"]).parent == folder / "practice"
    assert not [*folder.glob("**/*.journal"), *folder.glob("**/*.secret")]
    assert [*folder.glob("**/*.durak")] == [Path(saved["path"])], "bots keep nothing of a game that is over"
