"""The journal of a running game: what was said, in order, in a file that only grows.

A peer's own message is appended and synced before it is sent, so that after any crash it can say again, byte for byte,
what it has said before.  One sync covers everything that was appended before it.  Next to the journal lies the game
secret, from which all of the peer's randomness in this game follows.

The file is the line ``p2pdurak journal 2`` and then records: 4 bytes length, 4 bytes CRC-32 of the data, 4 bytes that
tell how much of the file was on the disk for certain when the record was written, 4 bytes CRC-32 of these 12 (all
big-endian), and the data.  The first record is the header.  Specified in ``protocol/journal.md``.

A power cut may leave anything of what was written since the last sync: the beginning, zeros, or the end without the
beginning.  Nothing of that was sent as our own, so it is cut off from the first record on that cannot be read.  What
was on the disk cannot be torn, only rot: if any record behind the place tells that the place was on the disk, the
journal is refused, since we might contradict what we have said.  Rot in what no later record vouches for, which is what
the last sync wrote at most, passes for a torn tail.

The calls block: an append for microseconds, a sync for as long as the disk takes (about a millisecond on a solid-state
disk).  Run a synced append in ``trio.to_thread`` where that would be felt; one journal is for one task at a time.

Rejected: sqlite, whose file nobody can follow with the specification in hand.
"""

from __future__ import annotations

import errno
import os
import struct
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Self

from p2pdurak.errors import StorageError
from p2pdurak.net.storage import BINARY, read_whole, storage_errors, write_all, write_new, write_whole

if TYPE_CHECKING:
    from pathlib import Path

JOURNAL_SUFFIX = ".journal"
SECRET_SUFFIX = ".secret"  # noqa: S105 - the name of a file, not a secret
SECRET_BYTES = 32
MAX_RECORD_BYTES = 1024 * 1024

_FORMAT = b"p2pdurak journal "
_MAGIC = _FORMAT + b"2\n"
_PREFIX = struct.Struct(">III")
"""Length and check of the data, and how much of the file was synced before."""
_PREFIX_BYTES = _PREFIX.size + 4


class Recovered(NamedTuple):
    """A journal read back: its header, its records in order, and the journal itself, ready to append."""

    header: bytes
    records: tuple[bytes, ...]
    journal: Journal


class Journal:
    """An open journal; ``path`` is its file and ``secret`` the game secret, 32 bytes."""

    def __init__(self, path: Path, secret: bytes, descriptor: int, size: int) -> None:
        """Take over an open file of ``size`` bytes, all on the disk; use ``create`` or ``open`` instead."""
        self.path = path
        self.secret = secret
        self._descriptor = descriptor
        self._size = self._synced = size
        self._unusable = False

    @classmethod
    def create(cls, folder: Path, name: str, header: bytes, secret: bytes) -> Journal:
        """Begin the journal ``name`` in ``folder``: when this returns, secret and header are on the disk.

        Raises StorageError if either file exists already or cannot be written, ValueError on a secret that is not 32
        bytes or a header that is not a record.
        """
        if len(secret) != SECRET_BYTES:
            raise ValueError(f"a game secret has {SECRET_BYTES} bytes, not {len(secret)}")
        path = folder / f"{name}{JOURNAL_SUFFIX}"
        start = _MAGIC + _encode_record(header, 0)
        write_new(path.with_suffix(SECRET_SUFFIX), secret)
        try:
            with storage_errors("write", path):
                if path.exists():
                    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
            write_whole(path, start)  # a crash leaves no journal that has no header
        except StorageError:
            with suppress(OSError):
                path.with_suffix(SECRET_SUFFIX).unlink()
            raise
        return cls(path, secret, _open(path), len(start))

    @classmethod
    def open(cls, path: Path) -> Recovered:
        """Read a journal back and position it to append; a torn tail is cut off, and what remains is on the disk.

        Raises StorageError if the journal or its secret is missing, unreadable or damaged.
        """
        secret = secret_of(path)
        data = read_whole(path)
        records, end = _decode_records(path, data)
        journal = cls(path, secret, _open(path), end)
        try:
            # Also where nothing is torn: a program that was killed has perhaps left it to the system.
            journal._cut()
        except StorageError:
            journal.close()
            raise
        return Recovered(records[0], tuple(records[1:]), journal)

    @staticmethod
    def peek(path: Path) -> tuple[bytes, ...]:
        """Return header and records of a journal that may be in use; nothing is changed, and no secret is needed.

        Raises StorageError if it is missing, unreadable or damaged.
        """
        records, _ = _decode_records(path, read_whole(path))
        return tuple(records)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def append(self, record: bytes, *, sync: bool) -> None:
        """Append a record of 1 byte to 1 MiB; with ``sync``, return only when it and all before it are on the disk.

        Raises StorageError if it cannot be written, for example on a full disk; the journal then is as it was before,
        and may be tried again.  After a failed sync nobody knows what is on the disk, and the journal refuses
        everything more.  Raises ValueError on a record out of bounds.
        """
        data = _encode_record(record, self._synced)
        if self._unusable:
            raise StorageError(
                "{path} cannot be trusted any more after a failed write: restart to recover it.", path=self.path
            )
        with storage_errors("write", self.path):
            try:
                write_all(self._descriptor, data)
            except OSError:
                self._cut()
                raise
            self._size += len(data)
            if sync:
                self._sync()

    def sync(self) -> None:
        """Return only when all that was appended is on the disk; raises StorageError as ``append`` does."""
        with storage_errors("write", self.path):
            self._sync()

    def close(self) -> None:
        """Close the file; closing twice is no error."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
            self._unusable = True

    def remove(self) -> None:
        """Delete journal and secret, when the game is over and its transcript is on the disk."""
        self.close()
        remove_journal(self.path)

    def _sync(self) -> None:
        try:
            os.fsync(self._descriptor)
        except OSError:
            self._unusable = True
            raise
        self._synced = self._size

    def _cut(self) -> None:
        """Cut off what stands behind the last whole record."""
        with storage_errors("repair", self.path):
            try:
                os.ftruncate(self._descriptor, self._size)
                os.lseek(self._descriptor, 0, os.SEEK_END)
                os.fsync(self._descriptor)
            except OSError:
                self._unusable = True
                raise


def secret_of(path: Path) -> bytes:
    """Return the secret beside a journal; raises StorageError if it is missing, unreadable or damaged."""
    kept = path.with_suffix(SECRET_SUFFIX)
    if not kept.exists():
        raise StorageError("This game cannot be continued here: its secret, the file {path}, is not there.", path=kept)
    secret = read_whole(kept)
    if len(secret) != SECRET_BYTES:
        raise StorageError("This game cannot be continued here: its secret, the file {path}, is damaged.", path=kept)
    return secret


def remove_journal(path: Path) -> None:
    """Delete a journal that is not open, and its secret; raises StorageError."""
    with storage_errors("remove", path):
        path.unlink(missing_ok=True)
        path.with_suffix(SECRET_SUFFIX).unlink(missing_ok=True)


def _open(path: Path) -> int:
    with storage_errors("open", path):
        descriptor = os.open(path, os.O_RDWR | BINARY)
        os.lseek(descriptor, 0, os.SEEK_END)
        return descriptor


def _encode_record(data: bytes, synced: int) -> bytes:
    if not 1 <= len(data) <= MAX_RECORD_BYTES:
        raise ValueError(f"a record has 1 to {MAX_RECORD_BYTES} bytes, not {len(data)}")
    prefix = _PREFIX.pack(len(data), zlib.crc32(data), synced)
    return prefix + zlib.crc32(prefix).to_bytes(4, "big") + data


class _Record(NamedTuple):
    data: bytes
    synced: int
    end: int


def _record_at(data: bytes, at: int) -> _Record | None:
    """Return the record that begins at this byte of a journal, if one does."""
    start = at + _PREFIX_BYTES
    prefix = data[at : at + _PREFIX.size]
    if len(data) < start or zlib.crc32(prefix) != int.from_bytes(data[start - 4 : start], "big"):
        return None
    length, check, synced = _PREFIX.unpack(prefix)
    body = data[start : start + length]
    # No empty record is ever written, and zeros, with which some file systems begin, are none either.
    whole = 0 < length == len(body) and synced <= at and zlib.crc32(body) == check
    return _Record(body, synced, start + length) if whole else None


def _decode_records(path: Path, data: bytes) -> tuple[list[bytes], int]:
    """Return the whole records, the header first, and where the last one ends.

    Raises StorageError on damage that is no torn tail, and where there is no header.
    """
    if not data.startswith(_MAGIC):
        if data.partition(b"\n")[0].removeprefix(_FORMAT).isdigit():
            raise StorageError("{path} is a journal of another version of p2pdurak.", path=path)
        raise _damaged(path, 0)
    records: list[bytes] = []
    at = len(_MAGIC)
    while (record := _record_at(data, at)) is not None:
        records.append(record.data)
        at = record.end
    # A record that vouches for this place may begin anywhere: nobody knows where the unreadable one ends.
    behind = (_record_at(data, other) for other in range(at + 1, len(data)))
    if any(record is not None and record.synced > at for record in behind):
        raise _damaged(path, at)
    if not records:
        raise StorageError("{path} is damaged: it has no header.", path=path)
    return records, at


def _damaged(path: Path, at: int) -> StorageError:
    return StorageError("{path} is damaged at byte {at}: this game cannot be continued here.", path=path, at=at)
