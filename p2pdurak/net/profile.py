"""Who plays here: a profile is a folder with one long-term key, and with the games that are still going on.

Two running programs must never share a profile: they would be the same player twice, and could contradict each other
under one key.  So a profile is locked while in use, by a lock that the system itself takes back when a program dies;
a lock file that merely exists was rejected, because it outlives a crash.  The key is kept in the clear, readable by its
owner only: a password at every start is not worth what a card-game key protects.
"""

from __future__ import annotations

import os
import secrets
import sys
import unicodedata
from itertools import count
from pathlib import Path
from typing import Self

import platformdirs

from p2pdurak.crypto.identity import SigningKey
from p2pdurak.errors import NotationError, StorageError
from p2pdurak.net.storage import BINARY, OWNER_ONLY, make_folder, read_whole, storage_errors, write_whole

HOME_VARIABLE = "P2PDURAK_HOME"
SEED_BYTES = 32
PROFILE_NAME_CHARACTERS = 24

_PROFILES = "profiles"
_SEED = "seed"
_LOCK = "lock"
_GAMES = "games"


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
            f"A profile's name has 1 to {PROFILE_NAME_CHARACTERS} letters, digits, - and _, not {text!r}."
        )
    return name


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
        self.signing_key = SigningKey(_seed(folder / _SEED))

    @classmethod
    def open(cls, name: str | None = None, home: Path | None = None) -> Profile:
        """Open the profile ``name``, or without a name the first of player-1, player-2 … that is free, and lock it.

        A profile that does not exist is made.  ``home`` is where profiles live, ``default_home()`` if it is None.
        Raises StorageError if the named profile is in use, or if its folder cannot be used; NotationError if ``name``
        is no name.
        """
        profiles = (home or default_home()) / _PROFILES
        names = (f"player-{number}" for number in count(1)) if name is None else (clean_profile_name(name),)
        for candidate in names:
            folder = profiles / candidate
            make_folder(folder)
            lock = _try_lock(folder / _LOCK)
            if lock is None:
                continue
            try:
                return cls(folder, lock)
            except BaseException:
                os.close(lock)
                raise
        raise StorageError(f"The profile {name} is in use by another running p2pdurak: choose another one.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def close(self) -> None:
        """Give the profile back; closing twice is no error."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def _seed(path: Path) -> bytes:
    if not path.exists():
        write_whole(path, secrets.token_bytes(SEED_BYTES))
    seed = read_whole(path)
    if len(seed) != SEED_BYTES:
        raise StorageError(f"{path} is damaged: restore it from a copy, or use another profile.")
    return seed


def _try_lock(path: Path) -> int | None:
    """Return a descriptor that holds the lock until it is closed, or None if another one holds it."""
    with storage_errors("lock", path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, OWNER_ONLY)
        try:
            if _lock(descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        return None


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
