"""The full-screen console: its settings, its terminal, and the tables it sits down at."""

from __future__ import annotations

import secrets
from contextlib import AbstractAsyncContextManager, suppress
from typing import TYPE_CHECKING

import trio

from p2pdurak.cli.opponents import newcomers, opponents, practice_folder
from p2pdurak.cli.side import ConsoleSide
from p2pdurak.cli.speaking import load_settings
from p2pdurak.errors import StorageError
from p2pdurak.net.background import background
from p2pdurak.net.code import CODE_ENTROPY_BYTES, make_code
from p2pdurak.net.known import KnownPlayers
from p2pdurak.net.mesh import open_mesh
from p2pdurak.net.node import Node, play_match
from p2pdurak.net.opener import Opener
from p2pdurak.net.storage import write_whole
from p2pdurak.ui.console.guest import run_guest
from p2pdurak.ui.console.settings import FILE_NAME, Settings, encode_settings
from p2pdurak.ui.console.shell import Shell

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from p2pdurak.net.lobby import Lobby
    from p2pdurak.net.mesh import Mesh
    from p2pdurak.net.profile import Profile
    from p2pdurak.net.saved import Interrupted
    from p2pdurak.wire.terms import Terms

BY_SIGNAL = 128
"""What a shell adds to the number of the signal that ended a program, for its exit status."""


def new_code() -> str:
    """Return a fresh code for a table."""
    return make_code(secrets.token_bytes(CODE_ENTROPY_BYTES))


class Console:
    """The console of one profile; ``nickname`` and ``language`` are for this run only, in place of what is set."""

    def __init__(self, profile: Profile, nickname: str | None = None, language: str | None = None) -> None:
        self.profile = profile
        self._nickname = nickname
        self._known = KnownPlayers.open(profile.folder)
        self.shell = Shell(load_settings(profile, language), self._keep)

    def _keep(self, settings: Settings) -> None:
        # Settings that cannot be kept are no reason to stop playing.
        with suppress(StorageError):
            write_whole(self.profile.folder / FILE_NAME, encode_settings(settings))

    def run(self, program: Callable[[Console], Awaitable[object]]) -> int:
        """Run ``program`` with the terminal; return the exit status."""

        async def main() -> None:
            await self.shell.run(lambda: program(self))

        run_guest(main)
        return BY_SIGNAL + self.shell.ended_by if self.shell.ended_by else 0

    @property
    def nickname(self) -> str:
        """What we are called."""
        return self._nickname or self.shell.settings.name or self.profile.name

    def mesh(self, nickname: str, port: int | None = None) -> AbstractAsyncContextManager[Mesh]:
        """Listen, and keep links while the body runs; remember what we are called."""
        if nickname != self.profile.name:
            self.profile.called(nickname)
        return open_mesh(self.profile.signing_key, nickname, port=port)

    def side(self, *, opens: bool, at_once: bool = False) -> ConsoleSide:
        """Return our side of a table, with its lobby on the screen."""
        side = ConsoleSide(self.shell, self.profile.signing_key.public, self._known, opens=opens, at_once=at_once)
        self.shell.show(side.lobby_screen)
        return side

    async def against_bots(self, terms: Terms, pace: float) -> None:
        """Sit at a table with as many bots as its terms leave seats, until the person leaves."""
        code, nickname = new_code(), self.nickname
        side = self.side(opens=True, at_once=True)
        async with self.mesh(nickname) as mesh:
            side.lobby = lobby = Opener(mesh, terms, side.at_table, code=code)
            async with self.bots(terms.seats - 1, nickname, mesh, code, pace, side):
                await self.sit(side, lobby, practice_folder(self.profile.folder))

    def bots(
        self, number: int, nickname: str, mesh: Mesh, code: str | None, pace: float, side: ConsoleSide
    ) -> AbstractAsyncContextManager[None]:
        """Have so many bots come to our table while the body runs."""
        side.lobby_screen.bots = number
        folder = self.profile.folder
        return opponents(newcomers(number, nickname, folder, mesh.port, code), folder, pace, side.warn)

    async def sit(
        self, side: ConsoleSide, lobby: Lobby, games: Path | None = None, interrupted: Interrupted | None = None
    ) -> None:
        """Be at a table until the person leaves; ``games`` is where they are kept, if not in the profile.

        An ``interrupted`` game is taken up first.
        """
        async with background() as tasks:
            with trio.CancelScope() as leave:
                tasks.start_soon(side.attend, leave)
                await self.play(side, lobby, games, interrupted)

    async def play(
        self, side: ConsoleSide, lobby: Lobby, games: Path | None = None, interrupted: Interrupted | None = None
    ) -> None:
        """Play the match; its result stays until this is cancelled, because the person leaves."""
        side.node = node = Node(lobby, games or self.profile.games, side.decide, side.of_game)
        await play_match(lobby, node, side.finished, interrupted, side.moved)
        await lobby.linger()
