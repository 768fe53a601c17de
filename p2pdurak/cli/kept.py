"""The files of games on this machine: where they lie, which are interrupted, and which the start screen offers.

Little is imported here, since the first screen waits for it; what looks into the games is ``games``.
"""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from p2pdurak.errors import NotationError, StorageError
from p2pdurak.net.game_files import NAME_PREFIX, SHORT_DIGITS, forget_strays, latest
from p2pdurak.net.journal import JOURNAL_SUFFIX
from p2pdurak.net.profile import clean_profile_name, games_of, profile_folders
from p2pdurak.net.storage import make_folder
from p2pdurak.ui.console.left_games import MAX_LEFT, LeftGame

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from p2pdurak.net.profile import Profile

PRACTICE: Final = "practice"
"""Where in a profile the games with bots are kept."""


class SavedGame(NamedTuple):
    """A file of a game: its profile's folder, its path, and when it was last written to, in seconds since 1970."""

    profile: Path
    path: Path
    when: float

    @property
    def id(self) -> str:
        """What a person types to mean this game."""
        return self.path.stem.removeprefix(NAME_PREFIX)[:SHORT_DIGITS]

    @property
    def practice(self) -> bool:
        """Whether all but one of its players are bots."""
        return self.path.parent.name == PRACTICE


def profiles_of(name: str | None) -> tuple[Path, ...]:
    """Return the folder of the profile ``name``, or of all profiles; raises NotationError if there is no such one."""
    folders = profile_folders()
    if name is None:
        return folders
    name = clean_profile_name(name)
    chosen = tuple(folder for folder in folders if folder.name == name)
    if not chosen:
        raise NotationError("There is no profile {name}.", name=name)
    return chosen


def saved_games(profiles: Iterable[Path], *suffixes: str) -> list[SavedGame]:
    """Return the games with these suffixes that are saved in the profiles, those last written to first."""
    found: list[SavedGame] = []
    for profile in profiles:
        for folder in (games_of(profile), profile / PRACTICE):
            for suffix in suffixes:
                found += [SavedGame(profile, path, when) for when, path in latest(folder.glob(f"*{suffix}"))]
    return sorted(found, key=lambda game: (game.when, game.path), reverse=True)


def interrupted_in(profiles: Iterable[Path]) -> list[SavedGame]:
    """Return the games that were not played to their end, the latest first."""
    return saved_games(profiles, JOURNAL_SUFFIX)


def moment(when: float) -> str:
    """Return a moment as the clocks here show it."""
    return datetime.fromtimestamp(when).strftime("%Y-%m-%d %H:%M")


def practice_folder(profile: Path) -> Path:
    """Return where games with bots are kept; raises StorageError."""
    folder = profile / PRACTICE
    make_folder(folder)
    forget_strays(folder)
    return folder


def left_games(profile: Profile, clock: float) -> tuple[LeftGame, ...]:
    """Return the interrupted games that the start screen offers; ``clock`` is the time now by the screens' clock."""
    return tuple(_left(game, profile.signing_key.public, clock) for game in interrupted_in([profile.folder])[:MAX_LEFT])


def _left(game: SavedGame, me: bytes, clock: float) -> LeftGame:
    from p2pdurak.net.saved import peek  # most starts have no such game

    left_at = clock - (time.time() - game.when)
    try:
        header, _ = peek(game.path)
    except StorageError as error:
        return LeftGame(str(game.path), (), left_at, error)
    genesis = header.genesis
    names = tuple(genesis.name(seat) for seat in range(genesis.players) if genesis.keys[seat] != me)
    return LeftGame(str(game.path), names, left_at)
