"""What the files of games are called, and which of them lie in a folder; what stands in them is ``saved``."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from p2pdurak.net.journal import JOURNAL_SUFFIX, SECRET_SUFFIX, remove_journal

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

NAME_PREFIX = "game-"
NAME_DIGITS = 16
SHORT_DIGITS = 8
"""So many digits of a game's id are enough to type."""


def game_name(game_id: bytes) -> str:
    """Return what the files of a game are called, without suffix: as unique as anything that people can type."""
    return f"{NAME_PREFIX}{game_id.hex()[:NAME_DIGITS]}"


def latest(files: Iterable[Path]) -> list[tuple[float, Path]]:
    """Return when each of these files was last written to, in seconds since 1970, and the file; the latest first.

    One that is not there any more is left out: a game may end while somebody looks.
    """
    found: list[tuple[float, Path]] = []
    for file in files:
        with suppress(OSError):
            found.append((file.stat().st_mtime, file))
    return sorted(found, reverse=True)


def interrupted_games(games: Path) -> list[Path]:
    """Return the journals in a folder, the latest first."""
    return [path for _, path in latest(games.glob(f"*{JOURNAL_SUFFIX}"))]


def forget_strays(games: Path) -> None:
    """Remove secrets without a journal, in a folder that nobody else uses; raises StorageError.

    Each is of a game in which nothing was said yet, or that is over: the program was killed between the two files.
    """
    for path in games.glob(f"*{SECRET_SUFFIX}"):
        if not path.with_suffix(JOURNAL_SUFFIX).exists():
            remove_journal(path.with_suffix(JOURNAL_SUFFIX))
