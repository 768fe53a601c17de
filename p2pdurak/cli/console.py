"""The full-screen console: its settings, its terminal, and the tables it sits down at."""

from __future__ import annotations

import secrets
import shlex
from contextlib import AbstractAsyncContextManager, suppress
from typing import TYPE_CHECKING

import trio

from p2pdurak.cli.games import SavedGame
from p2pdurak.cli.opponents import bot_keys, newcomers, only_latest, opponents, practice_folder
from p2pdurak.cli.output import printer, program
from p2pdurak.cli.side import ConsoleSide
from p2pdurak.cli.speaking import load_settings
from p2pdurak.errors import StorageError
from p2pdurak.net.background import background
from p2pdurak.net.code import CODE_ENTROPY_BYTES, make_code
from p2pdurak.net.known import KnownPlayers
from p2pdurak.net.match import play_match
from p2pdurak.net.mesh import open_mesh
from p2pdurak.net.node import Node
from p2pdurak.net.opener import Opener
from p2pdurak.net.storage import write_whole
from p2pdurak.ui.console.guest import run_guest
from p2pdurak.ui.console.settings import FILE_NAME, Settings, encode_settings
from p2pdurak.ui.console.shell import Shell

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path

    from p2pdurak.errors import Said
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
        self._side: ConsoleSide | None = None
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
        with suppress(OSError):  # the terminal may be gone
            self._part()
        return BY_SIGNAL + self.shell.ended_by if self.shell.ended_by else 0

    def _part(self) -> None:
        """Say on the terminal, which is given back, what has become of the last game."""
        side, say = self._side, self.shell.say
        if side is None:
            return
        if side.left is not None and side.left.exists():
            game = SavedGame(self.profile.folder, side.left, 0.0).id
            text = say.gettext("The game waits for you. Take it up again:")
            line, command = {"event": "left", "game": game}, f"resume {game} --profile {self.profile.name}"
        elif side.kept is not None and side.kept.exists():
            text = say.gettext("The game is kept. Check it:")
            line, command = {"event": "kept", "path": str(side.kept)}, f"verify {shlex.quote(str(side.kept))}"
        else:
            return
        printer(as_json=False)({**line, "text": f"{text}  {program()} {command}"})

    @property
    def trouble(self) -> Said | None:
        """What is wrong with the list of known players, None if nothing is."""
        return self._known.note

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
        self._side = side = ConsoleSide(
            self.shell,
            self.profile.signing_key.public,
            self._known,
            opens=opens,
            at_once=at_once,
            bots=lambda: bot_keys(self.profile.folder),
        )
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
        bots, language = newcomers(number, nickname, folder, mesh.port, code), self.shell.settings.language
        return opponents(bots, folder, pace, language, side.warn)

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
        side.games = games or self.profile.games
        new_practice = games is not None and interrupted is None
        tell = only_latest(self.profile.folder, side.of_game) if new_practice else side.of_game
        side.node = node = Node(lobby, side.games, side.decide, tell)
        await play_match(lobby, node, side.finished, interrupted, side.moved)
        await lobby.linger()
