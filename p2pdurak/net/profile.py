"""Who plays here: a profile is a folder with one long-term key, and with the games that are still going on.

Two running programs must never share a profile: they would be the same player twice, and could contradict each other
under one key.  So a profile is locked while in use, by a lock that the system itself takes back when a program dies;
a lock file that merely exists was rejected, because it outlives a crash.  The key is kept in the clear, readable by its
owner only: a password at every start is not worth what a card-game key protects.

Who says no profile gets one that is free.  Taking the first one was rejected: where somebody has just left, the next
person to start would play on under their key.  So a profile remembers what its player was called last, whoever comes
under that name gets it back, and one whose game is still going on is left to whoever takes that game up.
"""

from __future__ import annotations

import getpass
import os
import re
import secrets
import unicodedata
from contextlib import suppress
from enum import IntEnum
from itertools import count
from pathlib import Path
from typing import Self

import platformdirs

from p2pdurak.crypto.identity import SigningKey
from p2pdurak.errors import NotationError, StorageError
from p2pdurak.net.game_files import forget_strays, interrupted_games
from p2pdurak.net.locks import locked_by_us, try_lock
from p2pdurak.net.storage import make_folder, read_whole, storage_errors, write_whole
from p2pdurak.wire.names import NICKNAME_CHARACTERS, clean_nickname

HOME_VARIABLE = "P2PDURAK_HOME"
SEED_BYTES = 32
PROFILE_NAME_CHARACTERS = 24

_PROFILES = "profiles"
_SEED = "seed"
_FIRST = "player-1"
_UNNAMED = re.compile(r"player(-[1-9][0-9]*)")
_NOBODY = ("root", "Administrator")
"""Logins that say nothing of who plays."""
_LOCK = "lock"
_GAMES = "games"
_NICKNAME = "nickname"
_MAX_NICKNAME_BYTES = 256
_CHOOSING = ".choosing"


class _Fit(IntEnum):
    """How well a free profile suits somebody who named none, the best first."""

    SAME_NICKNAME = 0
    AT_LEISURE = 1
    NEW = 2
    IN_A_GAME = 3


def default_home() -> Path:
    """Return the folder of all profiles' data: ``P2PDURAK_HOME``, or the platform's place for user data."""
    override = os.environ.get(HOME_VARIABLE)
    return Path(override) if override else platformdirs.user_data_path("p2pdurak", appauthor=False)


def clean_profile_name(text: str) -> str:
    """Return the name in its one canonical form; raise NotationError if it cannot be a profile's name.

    1 to 24 letters, digits, ``-`` and ``_``, beginning with a letter or digit: it names a folder on every platform.
    """
    name = unicodedata.normalize("NFC", text)
    proper = name.replace("-", "").replace("_", "").isalnum() and name[0].isalnum()
    if not (proper and len(name) <= PROFILE_NAME_CHARACTERS):
        raise NotationError(
            "A profile's name has 1 to {most} letters, digits, - and _, not '{text}'.",
            most=PROFILE_NAME_CHARACTERS,
            text=text,
        )
    return name


def profile_folders(home: Path | None = None) -> tuple[Path, ...]:
    """Return the folders of all profiles that there are, sorted; ``home`` is as for ``Profile.open``.

    Raises StorageError if the home cannot be read; one that is not there yet has no profiles.
    """
    profiles = (home or default_home()) / _PROFILES
    with storage_errors("read", profiles), suppress(FileNotFoundError):
        return tuple(folder for folder in sorted(profiles.iterdir()) if (folder / _SEED).exists() or _is_lost(folder))
    return ()


def public_key_of(profile: Path) -> bytes:
    """Return the public key of a profile, perhaps one that is in use; raises StorageError."""
    return SigningKey(_kept_seed(profile / _SEED)).public


def games_of(profile: Path) -> Path:
    """Return where the games of a profile are kept."""
    return profile / _GAMES


def in_use(profile: Path) -> bool:
    """Tell whether a running program has the profile in this folder; raises StorageError."""
    with locked_by_us(profile.parent / _CHOOSING):
        lock = try_lock(profile / _LOCK)
    if lock is not None:
        os.close(lock)
    return lock is None


class Profile:
    """A profile in use by this program; nobody else can open it until it is closed.

    ``name`` is its name, ``signing_key`` the player's long-term key, ``folder`` all that belongs to it, ``games`` the
    folder of its unfinished games.
    """

    def __init__(self, folder: Path, lock: int) -> None:
        """Take over the folder, whose lock this program holds; use ``open`` instead."""
        self.folder = folder
        self.name = folder.name
        self.games = folder / _GAMES
        self._lock = lock
        make_folder(self.games)
        forget_strays(self.games)
        if _is_lost(folder):
            raise StorageError(
                "The key of the profile {name}, the file {path}, is not there, and without it its games cannot go on: "
                "restore it from a copy, or use another profile.",
                name=self.name,
                path=folder / _SEED,
            )
        self.signing_key = SigningKey(_seed(folder / _SEED))

    @classmethod
    def open(
        cls, name: str | None = None, home: Path | None = None, *, nickname: str | None = None, resumes: bool = False
    ) -> Profile:
        """Open the profile ``name`` and lock it; without a name, choose one of player-1, player-2 … that is free.

        Chosen is the one whose player was last called ``nickname``; else the first one that has no unfinished game,
        for such a game waits for its player; else a new one.  Whoever ``resumes`` comes for an unfinished game, and
        gets a profile that has one before all others.  A profile that does not exist is made.  ``home`` is where
        profiles live, ``default_home()`` if it is None.  Raises StorageError if the named profile is in use, or if its
        folder cannot be used; NotationError if ``name`` is no name.
        """
        profiles = (home or default_home()) / _PROFILES
        if name is None:
            return cls._choose(profiles, nickname, resumes=resumes)
        name = clean_profile_name(name)
        make_folder(profiles / name)
        lock = try_lock(profiles / name / _LOCK)
        if lock is None:
            raise StorageError(
                "The profile {name} is in use by another running p2pdurak: choose another one.", name=name
            )
        return cls._take(profiles / name, lock)

    @classmethod
    def _choose(cls, profiles: Path, nickname: str | None, *, resumes: bool) -> Profile:
        make_folder(profiles)
        # Two programs that choose at a time would take each other's trial locks for players.
        with locked_by_us(profiles / _CHOOSING):
            locked: list[tuple[_Fit, int, Path, int]] = []
            try:
                for number in count(1):
                    folder = profiles / f"player-{number}"
                    make_folder(folder)
                    lock = try_lock(folder / _LOCK)
                    if lock is None:
                        continue
                    if _is_lost(folder):
                        os.close(lock)
                        continue
                    fit = _fit(folder, nickname, resumes=resumes)
                    locked.append((fit, number, folder, lock))
                    if fit is _Fit.NEW:
                        break
                _, _, folder, lock = chosen = min(locked)
                locked.remove(chosen)
            finally:
                for *_, other in locked:
                    os.close(other)
        return cls._take(folder, lock)

    @classmethod
    def _take(cls, folder: Path, lock: int) -> Profile:
        try:
            return cls(folder, lock)
        except BaseException:
            os.close(lock)
            raise

    @property
    def is_first(self) -> bool:
        """Whether it is the one that is taken where nobody else plays, and need not be mentioned."""
        return self.name == _FIRST

    @property
    def player(self) -> str:
        """What its player is called who has chosen no nickname: what the profile is, if somebody has named it.

        Of the others it is the login, for at a table of newcomers all would be player-1; told apart as the profiles of
        one machine are: anna, anna-2.
        """
        unnamed, login = _UNNAMED.fullmatch(self.name), _login()
        if unnamed is None or login is None:
            return self.name
        number = "" if self.is_first else unnamed[1]
        return clean_nickname(login[: NICKNAME_CHARACTERS - len(number)].rstrip() + number)

    def called(self, nickname: str) -> None:
        """Remember what the player is called, to give the profile to whoever comes under that name next time.

        What somebody chose to be called is not forgotten for what ``player`` proposes. A name that cannot be written is
        no reason not to play, and nothing is raised.
        """
        before = _last_nickname(self.folder)
        if before != nickname and (before is None or nickname != self.player):
            with suppress(StorageError):
                write_whole(self.folder / _NICKNAME, nickname.encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the profile back; closing twice is no error."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def _login() -> str | None:
    """Return the name under which the person uses this machine; None if there is none that a player may have."""
    with suppress(OSError, KeyError, ImportError, NotationError):  # which of them depends on Python and the system
        login = clean_nickname(getpass.getuser()[:NICKNAME_CHARACTERS])
        return None if login in _NOBODY else login
    return None


def _is_lost(folder: Path) -> bool:
    """Tell whether a profile has no key any more, but games that were begun with it."""
    return not (folder / _SEED).exists() and bool(interrupted_games(folder / _GAMES))


def _seed(path: Path) -> bytes:
    if not path.exists():
        write_whole(path, secrets.token_bytes(SEED_BYTES))
    return _kept_seed(path)


def _kept_seed(path: Path) -> bytes:
    seed = read_whole(path)
    if len(seed) != SEED_BYTES:
        raise StorageError("{path} is damaged: restore it from a copy, or use another profile.", path=path)
    return seed


def _fit(folder: Path, nickname: str | None, *, resumes: bool) -> _Fit:
    if not (folder / _SEED).exists():
        return _Fit.NEW
    in_a_game = bool(interrupted_games(folder / _GAMES))
    if resumes:
        return _Fit.SAME_NICKNAME if in_a_game else _Fit.AT_LEISURE
    if nickname is not None and (_last_nickname(folder) == nickname or (in_a_game and nickname in _played_as(folder))):
        return _Fit.SAME_NICKNAME
    return _Fit.IN_A_GAME if in_a_game else _Fit.AT_LEISURE


def _played_as(folder: Path) -> set[str]:
    """Return what the player of a profile is called in the games that wait."""
    from p2pdurak.net.saved import peek  # most starts have no such game

    names: set[str] = set()
    for path in interrupted_games(folder / _GAMES):
        with suppress(StorageError):  # a damaged one waits for nobody
            header, _ = peek(path)
            key = public_key_of(folder)
            names |= {seat.nickname for seat in header.genesis.seats if seat.key == key}
    return names


def _last_nickname(folder: Path) -> str | None:
    try:
        data = read_whole(folder / _NICKNAME)
    except StorageError:
        return None
    return data[:_MAX_NICKNAME_BYTES].decode(errors="replace")
