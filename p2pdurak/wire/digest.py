"""The one hash of the game's chain: SHA-512 over a frame, cut to 32 bytes (``protocol/messages.md``)."""

from __future__ import annotations

import hashlib

from p2pdurak.crypto.framing import frame

DIGEST_BYTES = 32


def digest(label: str, *parts: bytes) -> bytes:
    """Return the 32 bytes that stand for ``parts`` under ``label``."""
    return hashlib.sha512(frame(f"p2pdurak/1/{label}".encode(), *parts)).digest()[:DIGEST_BYTES]
