"""Frames on a byte stream, without I/O: bytes in, frames out.

A frame is a 4-byte big-endian length of what follows, one byte that says its kind, and a body.  One length is known
before anything is stored, so a stranger can make a peer buffer no more than the limit.  Newline-delimited and
self-delimiting msgpack streams were rejected: both must parse what they have not yet bounded.
"""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from p2pdurak.errors import LinkBroken

# The longest message of a game, the proof of a 52-card shuffle, takes about 11 kB; the rest is room to grow.
MAX_BODY_BYTES = 64 * 1024
_LENGTH_BYTES = 4


class Kind(IntEnum):
    """What a frame carries."""

    HELLO = 0
    MESSAGE = 1
    PING = 2
    PONG = 3
    BYE = 4


class Frame(NamedTuple):
    """One frame, decoded."""

    kind: Kind
    body: bytes


def encode_frame(kind: Kind, body: bytes) -> bytes:
    """Return the frame's bytes; raise ValueError if ``body`` is longer than ``MAX_BODY_BYTES``."""
    if len(body) > MAX_BODY_BYTES:
        raise ValueError(f"a frame's body has at most {MAX_BODY_BYTES} bytes, not {len(body)}")
    return (1 + len(body)).to_bytes(_LENGTH_BYTES, "big") + bytes([kind]) + body


class FrameDecoder:
    """Collects received bytes and gives back whole frames.

    ``max_body_bytes`` may be raised later: before a peer is authenticated it is granted very little.
    """

    def __init__(self, max_body_bytes: int = MAX_BODY_BYTES) -> None:
        self.max_body_bytes = max_body_bytes
        self._buffer = bytearray()

    def feed(self, data: bytes | bytearray) -> None:
        """Add received bytes; take the frames out before feeding more, else the buffer grows."""
        self._buffer += data

    def next_frame(self) -> Frame | None:
        """Return the next whole frame, or None until more bytes come.

        Raises LinkBroken on a length out of bounds or an unknown kind; nothing after that can be trusted.
        """
        if len(self._buffer) < _LENGTH_BYTES:
            return None
        length = int.from_bytes(self._buffer[:_LENGTH_BYTES], "big")
        if not 1 <= length <= 1 + self.max_body_bytes:
            raise LinkBroken("The other side sent a frame of {length} bytes, which is out of bounds.", length=length)
        end = _LENGTH_BYTES + length
        if len(self._buffer) < end:
            return None
        code, body = self._buffer[_LENGTH_BYTES], bytes(self._buffer[_LENGTH_BYTES + 1 : end])
        del self._buffer[:end]
        try:
            return Frame(Kind(code), body)
        except ValueError:
            raise LinkBroken("The other side sent a frame of unknown kind {code}.", code=code) from None
