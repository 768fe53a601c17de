"""Writing files so that a crash or a power cut leaves either the old or the new, and secrets to their owner only.

A file that was written is safe only when its own bytes and the folder's entry for it have both been synced.  All calls
block, for milliseconds on most disks: under trio, run them in a thread where that matters.  The systems know no way to
sync a folder on Windows; there, NTFS journals names by itself.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from p2pdurak.errors import Sentence, StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

ROOM_BYTES = 300_000
"""What a game may need on the disk, with its journal and its transcript at a time."""
OWNER_ONLY = 0o600
OWNER_ONLY_FOLDER = 0o700
# Without O_BINARY, Windows would turn line ends in binary files.
BINARY = getattr(os, "O_BINARY", 0)

FAILURES: Final[Mapping[str, Sentence]] = {
    "lock": Sentence("Cannot lock {path}: {trouble}."),
    "make the folder": Sentence("Cannot make the folder {path}: {trouble}."),
    "open": Sentence("Cannot open {path}: {trouble}."),
    "put aside": Sentence("Cannot put {path} aside: {trouble}."),
    "read": Sentence("Cannot read {path}: {trouble}."),
    "remove": Sentence("Cannot remove {path}: {trouble}."),
    "repair": Sentence("Cannot repair {path}: {trouble}."),
    "write": Sentence("Cannot write {path}: {trouble}."),
}
"""What is told when something cannot be done; the trouble is in the words of the system."""


@contextmanager
def storage_errors(doing: str, path: Path) -> Iterator[None]:
    """Turn any OSError of the body into a StorageError that says what could not be done with which file.

    ``doing`` is one of ``FAILURES``.
    """
    try:
        yield
    except StorageError:
        raise
    except OSError as error:
        raise StorageError(FAILURES[doing].sentence, path=path, trouble=error.strerror or error) from error


def make_folder(path: Path) -> None:
    """Make sure that the folder exists, new ones readable by their owner only; raise StorageError if it cannot be."""
    with storage_errors("make the folder", path):
        path.mkdir(mode=OWNER_ONLY_FOLDER, parents=True, exist_ok=True)


def read_whole(path: Path) -> bytes:
    """Return the file's bytes; raise StorageError if it cannot be read."""
    with storage_errors("read", path):
        return path.read_bytes()


def write_new(path: Path, data: bytes) -> None:
    """Write a file that must not exist yet, readable by its owner only, synced; raise StorageError if it cannot be.

    A file that could not be written whole is removed again.
    """
    with storage_errors("write", path):
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | BINARY, OWNER_ONLY)
        try:
            try:
                write_all(descriptor, data)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError:
            with suppress(OSError):
                path.unlink()
            raise
        sync_folder(path.parent)


def write_whole(path: Path, data: bytes) -> None:
    """Write or replace a file, atomically and synced, readable by its owner only; raise StorageError if it cannot be.

    Whoever reads ``path`` meanwhile, or after a crash, finds the old bytes or the new ones, never a mixture.
    """
    fresh = path.with_name(f".{path.name}.{os.getpid()}.new")
    with storage_errors("write", path):
        fresh.unlink(missing_ok=True)
    write_new(fresh, data)
    with storage_errors("write", path):
        try:
            os.replace(fresh, path)
        except OSError:
            fresh.unlink(missing_ok=True)
            raise
        sync_folder(path.parent)


def ensure_room(folder: Path) -> None:
    """Raise StorageError unless a game would find room in the folder now: tried out, for quotas are told nowhere."""
    trial = folder / f".room.{os.getpid()}"
    try:
        with storage_errors("remove", trial):
            trial.unlink(missing_ok=True)  # of a program that was killed here
        write_new(trial, os.urandom(ROOM_BYTES))  # zeros may take no room at all
        with storage_errors("remove", trial):
            trial.unlink()
    except StorageError as error:
        raise StorageError(
            "There is no room here for a game, so you are not ready. {trouble} Free some space, then say it again.",
            trouble=error,
        ) from error


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of ``data`` to an open file; raise OSError if that cannot be done."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def sync_folder(path: Path) -> None:
    """Sync the entries of a folder; raise OSError if that cannot be done."""
    if sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
