"""One injective encoding of several byte strings as one, under everything that is hashed, derived or signed.

A frame says how many parts follow and how long each is, so two different sequences of parts never give the same
bytes, and frames can be put one after the other without a separator. Plain concatenation was rejected (parts could be
cut elsewhere), and so was msgpack: what is hashed here must not depend on how the wire format grows.
"""

from __future__ import annotations


def u32(number: int) -> bytes:
    """Return ``number`` as 4 bytes, big-endian; OverflowError outside [0, 2^32)."""
    return number.to_bytes(4, "big")


def frame(*parts: bytes) -> bytes:
    """Return the frame of ``parts``: their count, then each part behind its length, numbers as ``u32``."""
    pieces = [u32(len(parts))]
    for part in parts:
        pieces += (u32(len(part)), part)
    return b"".join(pieces)
