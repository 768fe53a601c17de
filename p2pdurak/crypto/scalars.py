"""The integers modulo the group's order, and their one encoding.

Ed25519 signatures and ristretto255 share this order (RFC 8032, section 5.1; RFC 9496, section 4), so what only checks
signatures needs this module and not the group.

Scalars are Python integers: reducing them costs less than a call into libsodium, and the inverse, the sums and the
products that the proofs need stay readable. Python integers do not run in constant time; who can time another player's
process to the microsecond learns something, and no design in Python prevents that.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from p2pdurak.errors import InvalidEncoding

Scalar: TypeAlias = int
"""An integer modulo ``ORDER``; functions return it reduced and accept any integer."""

ORDER: Final = 2**252 + 27742317777372353535851937790883648493
"""The number of elements of the group, a prime (RFC 9496, section 4)."""

SCALAR_BYTES: Final = 32


def encode_scalar(scalar: Scalar) -> bytes:
    """Return ``scalar`` modulo ``ORDER`` as 32 bytes, little-endian."""
    return (scalar % ORDER).to_bytes(SCALAR_BYTES, "little")


def decode_scalar(data: bytes) -> Scalar:
    """Return the scalar of 32 little-endian bytes; InvalidEncoding for another length or a value from ``ORDER`` on."""
    if len(data) != SCALAR_BYTES:
        raise InvalidEncoding("A scalar has {right} bytes, not {wrong}.", right=SCALAR_BYTES, wrong=len(data))
    scalar = int.from_bytes(data, "little")
    if scalar >= ORDER:
        raise InvalidEncoding("A scalar is not reduced modulo the order of the group.")
    return scalar
