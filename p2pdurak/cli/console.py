"""The full-screen console of one profile: its settings and its terminal.

What it takes to sit at a table is ``sitting``, apart, since the first screen must not wait for that to be imported.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from p2pdurak.cli.output import printer
from p2pdurak.cli.speaking import load_settings
from p2pdurak.cli.terminal import BY_SIGNAL
from p2pdurak.errors import StorageError
from p2pdurak.net.known import KnownPlayers
from p2pdurak.net.storage import write_whole
from p2pdurak.ui.console.guest import run_guest
from p2pdurak.ui.console.open_tables import OpenTables
from p2pdurak.ui.console.settings import FILE_NAME, Settings, encode_settings
from p2pdurak.ui.console.shell import Shell

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from p2pdurak.errors import Said
    from p2pdurak.net.profile import Profile


class Console:
    """The console of one profile.

    ``nickname`` and ``language`` are for this run only, in place of what is set; ``port`` is where others call us.
    """

    def __init__(
        self,
        profile: Profile,
        nickname: str | None = None,
        language: str | None = None,
        port: int | None = None,
    ) -> None:
        self.profile = profile
        self.port = port
        self._nickname = nickname
        self.known = KnownPlayers.open(profile.folder)
        self.parting: Callable[[], dict[str, Any] | None] = lambda: None
        """Says what has become of the last game, for the terminal that is given back."""
        self.tables = OpenTables()
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
        line = self.parting()
        if line is not None:
            with suppress(OSError):  # the terminal may be gone
                printer(as_json=False)(line)
        return BY_SIGNAL + self.shell.ended_by if self.shell.ended_by else 0

    @property
    def trouble(self) -> Said | None:
        """What is wrong with the list of known players, None if nothing is."""
        return self.known.note

    @property
    def nickname(self) -> str:
        """What we are called."""
        return self._nickname or self.shell.settings.name or self.profile.player
