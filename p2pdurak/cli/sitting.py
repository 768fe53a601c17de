"""The tables that the console sits down at: opened, joined, taken up again, or played at with bots."""

from __future__ import annotations

import secrets
import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import trio

from p2pdurak.cli.invitation import ways_to
from p2pdurak.cli.kept import SavedGame, practice_folder
from p2pdurak.cli.opponents import bot_keys, newcomers, only_latest, opponents
from p2pdurak.cli.options import PACE_SECONDS
from p2pdurak.cli.output import program
from p2pdurak.cli.presence import Presence
from p2pdurak.cli.resume import back
from p2pdurak.cli.side import ConsoleSide
from p2pdurak.cli.waiting import better, left_behind
from p2pdurak.errors import Sentence
from p2pdurak.net.background import background
from p2pdurak.net.code import CODE_ENTROPY_BYTES, make_code
from p2pdurak.net.guest import Guest
from p2pdurak.net.match import play_match
from p2pdurak.net.mesh import open_mesh
from p2pdurak.net.node import Node
from p2pdurak.net.opener import Opener
from p2pdurak.net.refusals import Refused
from p2pdurak.net.resuming import take_up_game
from p2pdurak.ui.console.invite_screen import Invitation

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from p2pdurak.cli.console import Console
    from p2pdurak.cli.finding import Opened
    from p2pdurak.errors import Said
    from p2pdurak.net.addresses import Address
    from p2pdurak.net.lobby import Lobby
    from p2pdurak.net.mesh import Mesh
    from p2pdurak.net.saved import Interrupted
    from p2pdurak.wire.terms import Terms


def new_code() -> str:
    """Return a fresh code for a table."""
    return make_code(secrets.token_bytes(CODE_ENTROPY_BYTES))


def invitation(mesh: Mesh, terms: Terms, code: str | None) -> Invitation:
    """Return what others can be told, who are to come to our table."""
    ways = ways_to(mesh, terms, code)
    addresses = tuple(f"{way} (VPN)" if way in ways.over_vpn else str(way) for way in ways.addresses)
    return Invitation(code or "", addresses, ways.invite or "")


def mesh_of(console: Console, nickname: str, *, loopback: bool = False) -> AbstractAsyncContextManager[Mesh]:
    """Listen, and keep links while the body runs, with ``loopback`` on this machine only; remember our name."""
    console.profile.called(nickname)
    return open_mesh(console.profile.signing_key, nickname, port=console.port, loopback=loopback)


def side_of(console: Console, *, opens: bool, at_once: bool = False) -> ConsoleSide:
    """Return our side of a table, with its lobby on the screen."""
    side = ConsoleSide(
        console.shell,
        console.profile.signing_key.public,
        console.known,
        opens=opens,
        at_once=at_once,
        bots=lambda: bot_keys(console.profile.folder),
    )
    console.parting = lambda: _parting(console, side)
    console.shell.show(side.lobby_screen)
    return side


def _parting(console: Console, side: ConsoleSide) -> dict[str, Any] | None:
    """Return what has become of the last game, for the terminal that is given back."""
    say = console.shell.say
    if side.left is not None and side.left.exists():
        return left_behind(side.left, say)
    if side.kept is not None and side.kept.exists():
        text, command = say.gettext("The game is kept. Check it:"), f"verify {shlex.quote(str(side.kept))}"
        return {"event": "kept", "path": str(side.kept), "text": f"{text}  {program()} {command}"}
    return None


async def play_bots(console: Console, terms: Terms, pace: float) -> None:
    """Sit at a table with as many bots as its terms leave seats, until the person leaves."""
    terms = replace(terms, table=console.shell.say.gettext(terms.table))
    code, nickname = new_code(), console.nickname
    side = side_of(console, opens=True, at_once=True)
    async with mesh_of(console, nickname, loopback=True) as mesh:  # nobody else is meant to come
        side.lobby = lobby = Opener(mesh, terms, side.at_table, code=code)
        async with bots_for(console, terms.seats - 1, nickname, mesh, code, pace, side):
            await sit(console, side, lobby, practice_folder(console.profile.folder))


def bots_for(
    console: Console, number: int, nickname: str, mesh: Mesh, code: str | None, pace: float, side: ConsoleSide
) -> AbstractAsyncContextManager[None]:
    """Have so many bots come to our table while the body runs."""
    side.lobby_screen.bots = number
    folder = console.profile.folder
    invited = newcomers(number, nickname, folder, mesh.port, code, console.shell.say)
    return opponents(invited, folder, pace, console.shell.settings.language, side.warn)


async def sit(
    console: Console, side: ConsoleSide, lobby: Lobby, games: Path | None = None, interrupted: Interrupted | None = None
) -> None:
    """Be at a table until the person leaves; ``games`` is where they are kept, if not in the profile.

    An ``interrupted`` game is taken up first.
    """
    async with background() as tasks:
        with trio.CancelScope() as leave:
            tasks.start_soon(side.attend, leave)
            await play(console, side, lobby, games, interrupted)


async def play(
    console: Console, side: ConsoleSide, lobby: Lobby, games: Path | None = None, interrupted: Interrupted | None = None
) -> None:
    """Play the match; its result stays until this is cancelled, because the person leaves."""
    side.games = games or console.profile.games
    new_practice = games is not None and interrupted is None
    tell = only_latest(console.profile.folder, side.of_game) if new_practice else side.of_game
    side.node = node = Node(lobby, side.games, side.decide, tell)
    try:
        await play_match(lobby, node, side.finished, interrupted, side.moved)
    except Refused as error:
        raise side.last_word(error) from error
    await lobby.linger()


async def open_table(
    console: Console,
    terms: Terms,
    code: str | None,
    *,
    bots: int = 0,
    note: Said | None = None,
) -> None:
    """Open a table, with bots at so many of its seats, and stay until the person leaves; ``note`` is told first."""
    side = side_of(console, opens=True)
    if note is not None:
        side.warn(note)
    async with mesh_of(console, console.nickname) as mesh, background() as tasks:
        side.lobby = lobby = Opener(mesh, terms, side.at_table, code=code)
        side.lobby_screen.invitation = invitation(mesh, terms, code)
        side.presence = presence = Presence(tasks, side.warn)
        tasks.start_soon(presence.begin, lobby)
        async with bots_for(console, bots, console.nickname, mesh, code, PACE_SECONDS, side):
            await sit(console, side, lobby)


async def join_table(
    console: Console,
    reach: Callable[[Mesh, Callable[[Said], object]], Awaitable[Opened]],
    code: str | None,
    *,
    watch: bool = False,
    note: Said | None = None,
) -> None:
    """Go to the table that ``reach`` finds, and stay until the person leaves; raises DurakError if that fails.

    ``reach`` says what it tries, for whoever waits; ``note`` is told first.
    """
    side = side_of(console, opens=False)
    if note is not None:
        side.warn(note)
    async with mesh_of(console, console.nickname) as mesh, background() as tasks:
        with trio.CancelScope() as leave:
            tasks.start_soon(side.attend, leave)
            opened = await reach(mesh, side.comes)
            side.comes(Sentence("Waiting for the table's answer"))
            side.lobby = lobby = Guest(
                mesh, opened.opener, opened.addresses, side.at_table, watches=watch, code=code or opened.code
            )
            side.presence = Presence(tasks, side.warn)
            await side.presence.begin(lobby)
            try:
                await play(console, side, lobby)
            except Refused as error:
                raise better(error, console.profile, lobby) from None


async def sit_again(
    console: Console, game: SavedGame, interrupted: Interrupted, note: Said | None = None, at: Sequence[Address] = ()
) -> None:
    """Play on in the console, until the person leaves; raises DurakError if that cannot be.

    ``note`` is something to be told there first, ``at`` where the opener may be besides.
    """
    profile, header = console.profile, interrupted.header
    side = side_of(console, opens=header.opener == profile.signing_key.public)
    if note is not None:
        side.warn(note)
    name, language = console.nickname, console.shell.settings.language
    table = back(profile, game, header, name, PACE_SECONDS, language, side.at_table, side.warn, ready=False, at=at)
    async with table as (lobby, presence):
        side.lobby, side.presence = lobby, presence
        if isinstance(lobby, Opener) and not game.practice:
            side.lobby_screen.invitation = invitation(lobby.mesh, header.terms, header.code)
        await sit(console, side, lobby, game.path.parent, interrupted)


async def take_up_here(console: Console, path: Path, note: Said | None = None) -> None:
    """Take up a game of the console's profile; raises StorageError if it is damaged, and as ``sit_again`` does."""
    interrupted = await trio.to_thread.run_sync(take_up_game, path, console.profile.signing_key.public)
    with interrupted.journal:
        await sit_again(console, SavedGame(console.profile.folder, path, path.stat().st_mtime), interrupted, note)
