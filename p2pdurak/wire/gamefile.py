"""The transcript of a game as a file: a first line, the genesis, then the messages, each with its length.

Messages stand in the order of rounds and, within a round, of seats; where a cheat was convicted, the messages that
prove it come last. There is exactly one file for one course of a game, signatures apart: whoever holds a key could sign
the same bytes in several ways, and the chain covers what was said, not the signatures under it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.errors import NotationError
from p2pdurak.wire.codec import MAX_MESSAGE_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable

FIRST_LINE = b"p2pdurak transcript 1\n"
SUFFIX = ".durak"
LENGTH_BYTES = 4


def pack_file(genesis: bytes, messages: Iterable[bytes]) -> bytes:
    """Return the bytes of a transcript file."""
    return FIRST_LINE + b"".join(len(record).to_bytes(LENGTH_BYTES, "big") + record for record in (genesis, *messages))


def unpack_file(data: bytes) -> tuple[bytes, list[bytes], bool]:
    """Return the genesis, the messages, and whether the file ends where a message ends.

    What follows the last whole message is left out. Raises NotationError when there is no genesis to be read.
    """
    if not data.startswith(FIRST_LINE):
        raise NotationError("This file is not a p2pdurak transcript.")
    records: list[bytes] = []
    at = len(FIRST_LINE)
    while at + LENGTH_BYTES <= len(data):
        length = int.from_bytes(data[at : at + LENGTH_BYTES], "big")
        end = at + LENGTH_BYTES + length
        if length > MAX_MESSAGE_BYTES or end > len(data):
            break
        records.append(data[at + LENGTH_BYTES : end])
        at = end
    if not records:
        raise NotationError("This transcript breaks off before the game begins.")
    return records[0], records[1:], at == len(data)
