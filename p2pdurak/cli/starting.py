"""From the start screen to a table and back: what ``p2pdurak`` does without a command."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import trio

from p2pdurak.cli.console import Console
from p2pdurak.cli.kept import left_games
from p2pdurak.cli.output import printer
from p2pdurak.cli.speaking import spoken
from p2pdurak.cli.terminal import Terminal, no_screen, terminal
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.errors import DurakError, LinkError, NotationError, Sentence
from p2pdurak.game.ruleset import parse_ruleset
from p2pdurak.net.background import background
from p2pdurak.net.profile import Profile
from p2pdurak.ui.console.choices import Choice, Join, OpenTable, Quit
from p2pdurak.ui.console.start_screen import StartScreen
from p2pdurak.ui.language import told

if TYPE_CHECKING:
    import argparse

    from p2pdurak.errors import Said

Value = TypeVar("Value")

ANSWERED_SECONDS = 3.0
"""After this time all tables that are there have answered."""


def run(args: argparse.Namespace) -> int:
    """Open the console at its start screen; on a terminal that has none, play with bots by typing."""
    why = no_screen()
    if why is not None and terminal() is Terminal.NONE:
        raise NotationError(
            "The console cannot be shown: {why} Say p2pdurak COMMAND instead: p2pdurak play --lines plays by typing, "
            "p2pdurak join goes to a table, and p2pdurak --help lists all of them.",
            why=why,
        )
    if why is not None:
        return _play_by_typing(args, why)
    with Profile.open(args.profile, resumes=True) as profile:
        return Console(profile, language=args.lang).run(from_start)


def _play_by_typing(args: argparse.Namespace, why: Sentence) -> int:
    """Say why, and what else there is, and do what ``p2pdurak play`` does."""
    from p2pdurak.cli.main import main  # which has imported us

    instead = Sentence(
        "The console cannot be shown: {why} So here is a game with bots, played by typing. To play with people: "
        "p2pdurak host opens a table, p2pdurak join goes to one; p2pdurak --help lists all commands.",
        why=why,
    )
    printer(as_json=False)({"event": "lines", "text": told(spoken(args), instead)})
    options = {"--profile": args.profile, "--lang": args.lang}
    return main([*(word for option, value in options.items() if value for word in (option, value)), "play"])


async def from_start(console: Console, note: Said | str = "", barred: Join | None = None) -> None:
    """Show the start screen, and after each table again, until the person quits.

    ``note`` is told first, and the code asked for of a table that has ``barred`` us.
    """
    note = note or console.trouble or ""
    if not (note or console.profile.is_first):
        note = Sentence("You play in the profile {name}.", name=console.profile.name)
    while True:
        choice = await _choose(console, note, barred)
        if isinstance(choice, Quit):
            return
        from p2pdurak.cli.chosen import follow, wanted_code  # the first screen does not wait for that

        barred = None
        try:
            note = await follow(console, choice)
        except DurakError as error:
            note = error
            if isinstance(choice, Join) and (trouble := wanted_code(error)) is not None:
                note, barred = trouble, choice


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


async def _choose(console: Console, note: Said | str, barred: Join | None) -> Choice:
    """Show the start screen with the tables of this network, until something is chosen.

    For a table that has ``barred`` us its code is asked for first.
    """
    shell, answer = console.shell, Answer[Choice]()
    screen = StartScreen(
        shell.settings,
        console.nickname,
        fingerprint_words(console.profile.signing_key.public),
        chosen=answer.give,
        named=lambda name: shell.change(replace(shell.settings, name=name)),
    )
    screen.tables = console.tables.in_order()
    if barred is not None:
        screen.ask_code(barred)
    screen.note = note
    screen.left = await trio.to_thread.run_sync(left_games, console.profile, trio.current_time())
    shell.rules = None
    shell.show(screen)
    async with background() as tasks:
        tasks.start_soon(_list_tables, console, screen)
        return await answer.wait()


async def _list_tables(console: Console, screen: StartScreen) -> None:
    """Keep the list of tables; those of last time stay until it is clear whether they are there."""
    # The screen is not to wait for what finds tables.
    await trio.to_thread.run_sync(import_module, "p2pdurak.cli.tables")
    from p2pdurak.cli.tables import Listing

    tables = console.tables
    tables.ask_anew()

    def refresh() -> None:
        screen.tables = tables.in_order()
        console.shell.refresh()

    def show(line: dict[str, Any]) -> None:
        key = bytes.fromhex(line["key"])
        if line["event"] == "table":
            tables.put(_open_table(key, line))
        else:
            tables.remove(key)
        refresh()

    async def settle() -> None:
        await trio.sleep(ANSWERED_SECONDS)
        tables.settle()
        refresh()

    async with background() as tasks:
        tasks.start_soon(settle)
        try:
            listing = Listing(console.profile.signing_key, console.nickname, show, console.shell.say)
            await listing.run(float("inf"))
        except LinkError as error:
            screen.note = error
            tables.settle()
            refresh()


def _open_table(key: bytes, line: dict[str, Any]) -> OpenTable:
    return OpenTable(
        key=key,
        address=line["address"],
        name=line["table"],
        host=line["host"],
        rules=parse_ruleset(line["options"]),
        pack=line["pack"],
        seats=line["seats"],
        taken=line["taken"],
        playing=line["playing"],
        code=line["code"],
        players=tuple(line["players"]),
    )
