"""Locks on files that the system itself takes back when a program dies, on every platform.

A lock belongs to an open descriptor and ends with it; the file stays behind and means nothing by itself.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from p2pdurak.net.storage import BINARY, OWNER_ONLY, storage_errors

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def try_lock(path: Path) -> int | None:
    """Return a descriptor that holds the lock until it is closed, or None if another one holds it.

    Raises StorageError if the file cannot be made or locked.
    """
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


@contextmanager
def locked_by_us(path: Path) -> Iterator[None]:
    """Hold the lock while the body runs, after waiting until nobody else does; for bodies of milliseconds.

    Raises StorageError as ``try_lock`` does.
    """
    with storage_errors("lock", path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | BINARY, OWNER_ONLY)
        try:
            _wait_for_lock(descriptor)
        except BaseException:
            os.close(descriptor)
            raise
    try:
        yield
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True

    def _wait_for_lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_LOCK, 1)  # tries ten times, once a second

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _wait_for_lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
