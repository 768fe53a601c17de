"""From the start screen to a table and back: what ``p2pdurak`` does without a command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import trio

from p2pdurak.cli.console import Console, new_code
from p2pdurak.cli.finding import Opened, find
from p2pdurak.cli.invitation import invitation, table_name
from p2pdurak.cli.opponents import TABLE
from p2pdurak.cli.options import PACE_SECONDS
from p2pdurak.cli.presence import Presence
from p2pdurak.cli.resume import give_up, left_games, take_up_here
from p2pdurak.cli.tables import Listing
from p2pdurak.cli.waiting import own_game
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.errors import DurakError, LinkError, Sentence
from p2pdurak.game.ruleset import DEFAULT, parse_ruleset
from p2pdurak.net.addresses import parse_address
from p2pdurak.net.background import background
from p2pdurak.net.code import clean_code
from p2pdurak.net.guest import Guest
from p2pdurak.net.opener import Opener
from p2pdurak.ui.console.choices import Choice, GiveUp, Join, OpenNew, OpenTable, PlayBots, Quit, TakeUp
from p2pdurak.ui.console.new_table_screen import NewTableScreen, Plan
from p2pdurak.ui.console.start_screen import StartScreen
from p2pdurak.wire.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from p2pdurak.errors import Said
    from p2pdurak.net.mesh import Mesh

Value = TypeVar("Value")

BOTS_TERMS = Terms(TABLE, DEFAULT, 36, 4, watchers=False, code=True)
"""What is played with bots where nothing else was asked for."""


async def from_start(console: Console) -> None:
    """Show the start screen, and after each table again, until the person quits."""
    note: Said | str = console.trouble or ""
    if not (note or console.profile.is_first):
        note = Sentence("You play in the profile {name}.", name=console.profile.name)
    while True:
        choice = await _choose(console, note)
        note = ""
        try:
            match choice:
                case Quit():
                    return
                case TakeUp(path):
                    await take_up_here(console, Path(path))
                case GiveUp(path):
                    give_up(console.profile.folder, Path(path))
                    note = Sentence("The game is given up.")
                case PlayBots():
                    await console.against_bots(BOTS_TERMS, PACE_SECONDS)
                case OpenNew():
                    await _open_new(console)
                case Join() as join:
                    await _join(console, join)
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


async def _open_new(console: Console) -> None:
    """Let the person describe a table, and open it."""
    answer = Answer[Plan | None]()
    say, public = console.shell.say, console.profile.signing_key.public
    name = table_name(say, console.nickname, public, code=False)
    console.shell.show(
        NewTableScreen(
            console.shell.settings,
            name,
            opened=answer.give,
            back=lambda: answer.give(None),
        )
    )
    plan = await answer.wait()
    if plan is None:
        return
    terms = plan.terms
    if terms.code and terms.table == name:
        terms = replace(terms, table=table_name(say, console.nickname, public, code=True))
    await open_table(console, terms, new_code() if terms.code else None, bots=plan.bots)


async def open_table(
    console: Console,
    terms: Terms,
    code: str | None,
    *,
    bots: int = 0,
    port: int | None = None,
    note: Said | None = None,
) -> None:
    """Open a table, with bots at so many of its seats, and stay until the person leaves; ``note`` is told first."""
    side = console.side(opens=True)
    if note is not None:
        side.warn(note)
    async with console.mesh(console.nickname, port) as mesh, background() as tasks:
        side.lobby = lobby = Opener(mesh, terms, side.at_table, code=code)
        side.lobby_screen.invitation = invitation(mesh, terms, code)
        side.presence = presence = Presence(tasks, side.warn)
        tasks.start_soon(presence.begin, lobby)
        async with console.bots(bots, console.nickname, mesh, code, PACE_SECONDS, side):
            await console.sit(side, lobby)


async def join_table(
    console: Console,
    reach: Callable[[Mesh], Awaitable[Opened]],
    code: str | None,
    *,
    watch: bool = False,
    port: int | None = None,
    note: Said | None = None,
) -> None:
    """Go to the table that ``reach`` finds, and stay until the person leaves; raises DurakError if that fails.

    ``note`` is told first.
    """
    side = console.side(opens=False)
    if note is not None:
        side.warn(note)
    async with console.mesh(console.nickname, port) as mesh, background() as tasks:
        with trio.CancelScope() as leave:
            tasks.start_soon(side.attend, leave)
            opened = await reach(mesh)
            side.lobby = lobby = Guest(
                mesh, opened.opener, opened.addresses, side.at_table, watches=watch, code=code or opened.code
            )
            side.presence = Presence(tasks, side.warn)
            await side.presence.begin(lobby)
            await console.play(side, lobby)


async def _join(console: Console, join: Join) -> None:
    """Go to the table that was chosen on the start screen; to our own where that was left in a game."""
    waiting = None if join.key or join.watch else own_game(console.profile, join.target)
    if waiting is not None:
        await take_up_here(console, waiting.game.path, waiting.taken_up)
        return

    async def reach(mesh: Mesh) -> Opened:
        if not join.key:
            return await find(join.target, mesh)
        addresses = parse_address(join.target)
        return Opened(await mesh.reach(addresses, join.key), addresses)

    await join_table(console, reach, clean_code(join.code) if join.code else None, watch=join.watch)
