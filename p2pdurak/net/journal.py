"""The journal of a running game: what was said, in order, in a file that only grows.

A peer's own message is appended and synced before it is sent, so that after any crash it can say again, byte for byte,
what it has said before.  One sync covers everything that was appended before it.  Next to the journal lies the game
secret, from which all of the peer's randomness in this game follows.

The file is the line ``p2pdurak journal 1`` and then records: 4 bytes length, 4 bytes CRC-32 of the data, 4 bytes CRC-32
of these 8 bytes (all big-endian), and the data.  The first record is the header.  The check of the length tells a tail
that was torn by a crash, which is dropped, from a length that has rotted, which must not pass for one.

The calls block: an append for microseconds, a sync for as long as the disk takes (about a millisecond on a solid-state
disk).  Run a synced append in ``trio.to_thread`` where that would be felt; one journal is for one task at a time.

Rejected: sqlite, whose file nobody can follow with the specification in hand.
"""

from __future__ import annotations

import os
import struct
import zlib
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Self

from p2pdurak.errors import StorageError
from p2pdurak.net.storage import BINARY, read_whole, storage_errors, write_all, write_new

if TYPE_CHECKING:
    from pathlib import Path

JOURNAL_SUFFIX = ".journal"
SECRET_SUFFIX = ".secret"  # noqa: S105 - the name of a file, not a secret
SECRET_BYTES = 32
MAX_RECORD_BYTES = 1024 * 1024

_FORMAT = b"p2pdurak journal "
_MAGIC = _FORMAT + b"1\n"
_LENGTH_AND_CHECK = struct.Struct(">II")
_PREFIX_BYTES = _LENGTH_AND_CHECK.size + 4


class Recovered(NamedTuple):
    """A journal read back: its header, its records in order, and the journal itself, ready to append."""

    header: bytes
    records: tuple[bytes, ...]
    journal: Journal


class Journal:
    """An open journal; ``path`` is its file and ``secret`` the game secret, 32 bytes."""

    def __init__(self, path: Path, secret: bytes, descriptor: int, size: int) -> None:
        """Take over an open file of ``size`` bytes; use ``create`` or ``open`` instead."""
        self.path = path
        self.secret = secret
        self._descriptor = descriptor
        self._size = size
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
        start = _MAGIC + _encode_record(header)
        write_new(path.with_suffix(SECRET_SUFFIX), secret)
        try:
            write_new(path, start)
        except StorageError:
            with suppress(OSError):
                path.with_suffix(SECRET_SUFFIX).unlink()
            raise
        return cls(path, secret, _open(path), len(start))

    @classmethod
    def open(cls, path: Path) -> Recovered:
        """Read a journal back and position it to append; a torn tail is cut off.

        Raises StorageError if the journal or its secret is missing, unreadable or damaged.
        """
        kept = path.with_suffix(SECRET_SUFFIX)
        if not kept.exists():
            raise StorageError(
                "This game cannot be continued here: its secret, the file {path}, is not there.", path=kept
            )
        secret = read_whole(kept)
        if len(secret) != SECRET_BYTES:
            raise StorageError(
                "This game cannot be continued here: its secret, the file {path}, is damaged.", path=kept
            )
        data = read_whole(path)
        records, end = _decode_records(path, data)
        journal = cls(path, secret, _open(path), end)
        if end < len(data):
            try:
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
        data = _encode_record(record)
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


def _encode_record(data: bytes) -> bytes:
    # An empty record would look like the zeros that some file systems leave behind after a power cut.
    if not 1 <= len(data) <= MAX_RECORD_BYTES:
        raise ValueError(f"a record has 1 to {MAX_RECORD_BYTES} bytes, not {len(data)}")
    prefix = _LENGTH_AND_CHECK.pack(len(data), zlib.crc32(data))
    return prefix + zlib.crc32(prefix).to_bytes(4, "big") + data


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
    while at < len(data):
        prefix, start = data[at : at + _LENGTH_AND_CHECK.size], at + _PREFIX_BYTES
        if start > len(data):
            break
        if zlib.crc32(prefix) != int.from_bytes(data[start - 4 : start], "big"):
            # With nothing behind it, this is no record whatever its length was.
            if _is_blank(data, start):
                break
            raise _damaged(path, at)
        length, check = _LENGTH_AND_CHECK.unpack(prefix)
        end = start + length
        if end > len(data):
            break
        if zlib.crc32(data[start:end]) != check:
            # The last record may have got its length before its data; in the middle, the data must have been there.
            if _is_blank(data, end):
                break
            raise _damaged(path, at)
        records.append(data[start:end])
        at = end
    if not records:
        raise StorageError("{path} is damaged: it has no header.", path=path)
    return records, at


def _is_blank(data: bytes, at: int) -> bool:
    # Some file systems lengthen a file before they fill it, and a power cut between the two leaves zeros.
    return not data[at:].strip(b"\0")


def _damaged(path: Path, at: int) -> StorageError:
    return StorageError("{path} is damaged at byte {at}: this game cannot be continued here.", path=path, at=at)
