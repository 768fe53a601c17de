"""From the start screen to a table and back: what ``p2pdurak`` does without a command."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import trio

from p2pdurak.cli.console import Console
from p2pdurak.cli.kept import left_games
from p2pdurak.cli.tables import Listing
from p2pdurak.cli.terminal import no_screen
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.errors import DurakError, LinkError, NotationError, Sentence
from p2pdurak.game.ruleset import parse_ruleset
from p2pdurak.net.background import background
from p2pdurak.net.profile import Profile
from p2pdurak.ui.console.choices import Choice, OpenTable, Quit
from p2pdurak.ui.console.start_screen import StartScreen

if TYPE_CHECKING:
    import argparse

    from p2pdurak.errors import Said

Value = TypeVar("Value")


def run(args: argparse.Namespace) -> int:
    """Open the console at its start screen, which is what the program does without a command."""
    why = no_screen()
    if why is not None:
        raise NotationError(
            "The console cannot be shown: {why} Say p2pdurak COMMAND instead: p2pdurak play --lines plays by typing, "
            "p2pdurak join goes to a table, and p2pdurak --help lists all of them.",
            why=why,
        )
    with Profile.open(args.profile, resumes=True) as profile:
        return Console(profile, language=args.lang).run(from_start)


async def from_start(console: Console) -> None:
    """Show the start screen, and after each table again, until the person quits."""
    note: Said | str = console.trouble or ""
    if not (note or console.profile.is_first):
        note = Sentence("You play in the profile {name}.", name=console.profile.name)
    while True:
        choice = await _choose(console, note)
        if isinstance(choice, Quit):
            return
        from p2pdurak.cli.chosen import follow  # the first screen does not wait for that

        try:
            note = await follow(console, choice)
        except DurakError as error:
            note = error


class Answer(Generic[Value]):
    """What a screen is asked for."""

    def __init__(self) -> None:
        self._given: list[Value] = []
        self._there = trio.Event()

    def give(self, value: Value) -> None:
        """Answer; only the first answer counts."""
        self._given.append(value)
        self._there.set()

    async def wait(self) -> Value:
        """Return the answer when it is there."""
        await self._there.wait()
        return self._given[0]


async def _choose(console: Console, note: Said | str) -> Choice:
    """Show the start screen with the tables of this network, until something is chosen."""
    shell, answer = console.shell, Answer[Choice]()
    screen = StartScreen(
        shell.settings,
        console.nickname,
        fingerprint_words(console.profile.signing_key.public),
        chosen=answer.give,
        named=lambda name: shell.change(replace(shell.settings, name=name)),
    )
    screen.note = note
    screen.left = await trio.to_thread.run_sync(left_games, console.profile, trio.current_time())
    shell.rules = None
    shell.show(screen)
    async with background() as tasks:
        tasks.start_soon(_list_tables, console, screen)
        return await answer.wait()


async def _list_tables(console: Console, screen: StartScreen) -> None:
    def show(line: dict[str, Any]) -> None:
        key = bytes.fromhex(line["key"])
        if line["event"] == "table":
            screen.tables[key] = _open_table(key, line)
        else:
            screen.tables.pop(key, None)
        console.shell.refresh()

    try:
        listing = Listing(console.profile.signing_key, console.nickname, show, console.shell.say)
        await listing.run(float("inf"))
    except LinkError as error:
        screen.note = error
        console.shell.refresh()


def _open_table(key: bytes, line: dict[str, Any]) -> OpenTable:
    return OpenTable(
        key=key,
        address=line["address"],
        name=line["table"],
        host=line["host"],
        rules=parse_ruleset(line["options"]).title,
        pack=line["pack"],
        seats=line["seats"],
        taken=line["taken"],
        playing=line["playing"],
        code=line["code"],
        players=tuple(line["players"]),
    )
