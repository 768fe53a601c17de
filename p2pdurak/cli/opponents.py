"""Bots to play against, each a peer in a process of its own, on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

import trio

from p2pdurak.net.addresses import LOOPBACK_ADDRESS, LOOPBACK_VARIABLE
from p2pdurak.net.background import background
from p2pdurak.net.journal import SECRET_SUFFIX
from p2pdurak.net.profile import HOME_VARIABLE
from p2pdurak.net.saved import interrupted_games
from p2pdurak.net.storage import make_folder, storage_errors

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

NICKNAMES: Final = ("Anna", "Boris", "Clara", "Dmitri", "Elena", "Fyodor")
TABLE: Final = "with bots"
"""What a table is called at which there are only bots besides one person."""
FOLDER: Final = "bots"
"""Where in a profile its bots have theirs."""
PRACTICE: Final = "practice"
"""Where in a profile the games with bots are kept: one that was left cannot be taken up again, for they are gone."""
GAMES: Final = "*/profiles/*/games"
MAX_COMPLAINT_BYTES: Final = 4_000


def practice_folder(profile: Path) -> Path:
    """Return where games with bots are kept, without what is left of those that were left; raises StorageError."""
    folder = profile / PRACTICE
    make_folder(folder)
    for journal in interrupted_games(folder):
        with storage_errors("remove", journal):
            journal.unlink()
            journal.with_suffix(SECRET_SUFFIX).unlink(missing_ok=True)
    return folder


def nicknames(number: int, taken: str) -> tuple[str, ...]:
    """Return so many names for bots, none of them the one that is taken."""
    return tuple(name for name in NICKNAMES if name.casefold() != taken.casefold())[:number]


@asynccontextmanager
async def opponents(
    names: tuple[str, ...], folder: Path, port: int, code: str | None, pace: float, failed: Callable[[str], object]
) -> AsyncIterator[None]:
    """Have bots come to the table on this machine's ``port`` while the body runs.

    They have their profiles in ``folder``, and so the same keys each time; the games there are not kept.
    ``pace`` is how many seconds they take for a decision. ``failed`` is told in a sentence when one of them ends.
    """
    try:
        async with background() as tasks:
            for name in names:
                tasks.start_soon(_run, name, folder / name, f"{LOOPBACK_ADDRESS}:{port}", code, pace, failed)
            yield
    finally:
        for games in folder.glob(GAMES):
            shutil.rmtree(games, ignore_errors=True)


async def _run(
    name: str, home: Path, address: str, code: str | None, pace: float, failed: Callable[[str], object]
) -> None:
    command = [sys.executable, "-m", "p2pdurak", "bot", address, *(["--code", code] if code else []), "--name", name]
    command += ["--pace", str(pace), "--leashed", "--json"]
    environment = {**os.environ, LOOPBACK_VARIABLE: "1", HOME_VARIABLE: str(home)}
    complaints = bytearray()
    async with trio.open_nursery() as nursery:
        # Its standard input is the leash: when we die, however suddenly, it reads the end and leaves too.
        process: trio.Process = await nursery.start(
            partial(
                trio.run_process,
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                check=False,
                env=environment,
            )
        )
        assert process.stderr is not None  # noqa: S101 - it was asked for
        async for data in process.stderr:
            complaints += data[: max(0, MAX_COMPLAINT_BYTES - len(complaints))]
        await process.wait()
    said = complaints.decode(errors="replace").strip() or f"exit status {process.returncode}"
    failed(f"The bot {name} has gone: {said}")
