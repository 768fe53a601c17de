"""Bots to play against, each a peer in a process of its own, on this machine.

Their profiles, and so their keys and the journals of their games, lie in the profile of the person whom they play with:
a game that was left can be taken up again with all of them. What they keep of any other game is removed.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import trio

from p2pdurak.cli.kept import PRACTICE
from p2pdurak.cli.options import CODE_VARIABLE
from p2pdurak.crypto.identity import SigningKey
from p2pdurak.errors import Sentence, StorageError
from p2pdurak.net.addresses import LOOPBACK_ADDRESS, LOOPBACK_VARIABLE
from p2pdurak.net.background import background
from p2pdurak.net.game_files import game_name, interrupted_games
from p2pdurak.net.journal import JOURNAL_SUFFIX, SECRET_SUFFIX, remove_journal
from p2pdurak.net.profile import HOME_VARIABLE, games_of
from p2pdurak.net.storage import read_whole, storage_errors
from p2pdurak.session.events import Dealt
from p2pdurak.ui.language import marked as _

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from gettext import NullTranslations
    from pathlib import Path

    from p2pdurak.errors import Said
    from p2pdurak.net.node import Tell
    from p2pdurak.session.events import Event
    from p2pdurak.session.session import Session

NICKNAMES: Final = (_("Anna"), _("Boris"), _("Clara"), _("Dmitri"), _("Elena"), _("Fyodor"))
"""The bots; what they are called is written in the letters of the person's language."""
TABLE: Final = _("with bots")
"""What a table is called at which there are only bots besides one person."""
FOLDER: Final = "bots"
"""Where in a profile its bots have theirs."""
GAMES: Final = "*/profiles/*/games"
SEEDS: Final = "*/profiles/*/seed"
MAX_COMPLAINT_BYTES: Final = 4_000


class Opponent(NamedTuple):
    """A bot: its name, the folder of its data, and the command that it runs."""

    name: str
    home: Path
    words: tuple[str, ...]
    code: str | None = None


def only_latest(profile: Path, tell: Tell) -> Tell:
    """Return ``tell`` for new games with bots: when one is dealt, those that were left before are given up.

    Of games with bots only one waits to be taken up again, so that practising makes no litter; but whoever leaves
    before there is a new one keeps the old one. What cannot be removed now is removed the next time.
    """

    def told(session: Session, event: Event) -> None:
        if isinstance(event, Dealt):
            for journal in interrupted_games(profile / PRACTICE):
                if journal.stem != game_name(session.state.game_id):
                    with suppress(StorageError):
                        remove_journal(journal)
        tell(session, event)

    return told


def bot_keys(profile: Path) -> frozenset[bytes]:
    """Return the public keys of the bots that this profile has had; their seeds are ours, so nobody else has them."""
    keys: set[bytes] = set()
    for seed in (profile / FOLDER).glob(SEEDS):
        with suppress(StorageError, ValueError):  # one that cannot be read is a stranger's
            keys.add(SigningKey(read_whole(seed)).public)
    return frozenset(keys)


def tidy(profile: Path) -> None:
    """Remove what the bots of this profile keep of games that are over or were given up; raises StorageError."""
    left = [*interrupted_games(games_of(profile)), *interrupted_games(profile / PRACTICE)]
    kept = {journal.stem for journal in left}
    for file in (profile / FOLDER).glob(f"{GAMES}/*"):
        if file.stem not in kept or file.suffix not in (JOURNAL_SUFFIX, SECRET_SUFFIX):
            with storage_errors("remove", file):
                file.unlink(missing_ok=True)


def newcomers(
    number: int, taken: str, profile: Path, port: int, code: str | None, say: NullTranslations
) -> list[Opponent]:
    """Return so many bots that come to the table on this machine's ``port``, none with the name that is ``taken``.

    They have the names that they have in the language of ``say``.
    """
    names = [(name, say.gettext(name)) for name in NICKNAMES]
    free = [(name, called) for name, called in names if called.casefold() != taken.casefold()][:number]
    words = ("bot", f"{LOOPBACK_ADDRESS}:{port}")
    return [Opponent(called, profile / FOLDER / name, (*words, "--name", called), code) for name, called in free]


def returning(profile: Path, game: str, port: int) -> list[Opponent]:
    """Return the bots that can take up the game of this name again, as its opener does, on this machine's ``port``."""
    journals = sorted((profile / FOLDER).glob(f"{GAMES}/{game}{JOURNAL_SUFFIX}"))
    homes = [journal.parents[3] for journal in journals]
    words = ("resume", game, "--bot", "--at", f"{LOOPBACK_ADDRESS}:{port}")
    return [Opponent(home.name, home, words) for home in homes]


@asynccontextmanager
async def opponents(
    bots: Sequence[Opponent], profile: Path, pace: float, language: str, failed: Callable[[Said], object]
) -> AsyncIterator[None]:
    """Have ``bots`` play while the body runs, each in a process of its own.

    ``pace`` is how many seconds they take for a decision, ``language`` the one they complain in. ``failed`` is told
    when one of them ends by a trouble.
    """
    try:
        async with background() as tasks:
            for bot in bots:
                tasks.start_soon(_run, bot, pace, language, failed)
            yield
    finally:
        tidy(profile)


async def _run(bot: Opponent, pace: float, language: str, failed: Callable[[Said], object]) -> None:
    how = ("--pace", str(pace), "--lang", language, "--leashed", "--json")
    command = [sys.executable, "-m", "p2pdurak", *bot.words, *how]
    # A command line can be read by everybody on this machine, an environment by its owner only.
    environment = {**os.environ, LOOPBACK_VARIABLE: "1", HOME_VARIABLE: str(bot.home), CODE_VARIABLE: bot.code or ""}
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
    if process.returncode == 0:
        return  # the match is over
    said = complaints.decode(errors="replace").strip() or f"exit status {process.returncode}"
    failed(Sentence("The bot {name} has gone: {complaint}", name=bot.name, complaint=said))
