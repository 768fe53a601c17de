"""The prime-order group ristretto255 (RFC 9496) and its one checked door from bytes.

An ``Element`` is valid because of how it was made: decoded by ``Element.decode``, hashed to the group, or computed from
elements. All arithmetic relies on that, since libsodium answers an invalid operand of an addition with zeros instead of
an error. The identity exists as a result of arithmetic but never passes the door: libsodium would take it, and every
proof below becomes easy with it.

Rejected: additions of our own for a multi-scalar multiplication. An addition through libsodium encodes and decodes its
operands and costs 14 µs, a whole multiplication 50 µs, so the textbook methods lose.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import rbcl

from p2pdurak.crypto.scalars import ORDER, SCALAR_BYTES, Scalar, encode_scalar
from p2pdurak.errors import InvalidEncoding

if TYPE_CHECKING:
    from collections.abc import Iterable

ELEMENT_BYTES = 32

_IDENTITY_ENCODING = bytes(ELEMENT_BYTES)
_BASE_ENCODING = rbcl.crypto_scalarmult_ristretto255_base((1).to_bytes(SCALAR_BYTES, "little"))


@dataclass(frozen=True, slots=True, repr=False)
class Element:
    """An element of the group, immutable, equal and hashed by its encoding.

    Supports ``P + Q``, ``P - Q``, ``-P``, ``k * P`` and ``P * k`` for any integer ``k``. The constructor trusts its
    bytes; ``decode`` is the door for bytes that come from anywhere else.
    """

    _encoding: bytes

    @classmethod
    def decode(cls, data: bytes) -> Element:
        """Return the element that ``data`` encodes.

        Raises InvalidEncoding unless ``data`` is the 32-byte canonical encoding of an element that is not the identity.
        """
        if len(data) != ELEMENT_BYTES:
            raise InvalidEncoding(
                "A group element has {right} bytes, not {wrong}.", right=ELEMENT_BYTES, wrong=len(data)
            )
        if data == _IDENTITY_ENCODING:
            raise InvalidEncoding("The identity of the group is never accepted.")
        # libsodium ignores the top bit, which would give every element a second encoding.
        if data[-1] & 0x80 or not rbcl.crypto_core_ristretto255_is_valid_point(data):
            raise InvalidEncoding("These bytes are not the canonical encoding of a group element.")
        return cls(data)

    def encode(self) -> bytes:
        """Return the canonical 32 bytes; zeros for the identity, which ``decode`` refuses."""
        return self._encoding

    @property
    def is_identity(self) -> bool:
        """Whether this is the neutral element."""
        return self._encoding == _IDENTITY_ENCODING

    def __add__(self, other: Element) -> Element:
        return Element(rbcl.crypto_core_ristretto255_add(self._encoding, other._encoding))

    def __sub__(self, other: Element) -> Element:
        return Element(rbcl.crypto_core_ristretto255_sub(self._encoding, other._encoding))

    def __neg__(self) -> Element:
        return IDENTITY - self

    def __mul__(self, scalar: Scalar) -> Element:
        # libsodium reports a product that is the identity as an error; in a group of prime order there is no other
        # way to such a product than these two.
        if scalar % ORDER == 0 or self.is_identity:
            return IDENTITY
        if self._encoding == _BASE_ENCODING:
            return Element(rbcl.crypto_scalarmult_ristretto255_base(encode_scalar(scalar)))
        return Element(rbcl.crypto_scalarmult_ristretto255(encode_scalar(scalar), self._encoding))

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"<Element {self._encoding.hex()}>"


IDENTITY = Element(_IDENTITY_ENCODING)
G = Element(_BASE_ENCODING)
"""The generator of RFC 9496, section 4."""


def multiply_sum(scalars: Iterable[Scalar], elements: Iterable[Element]) -> Element:
    """Return the sum of ``s_i * P_i``, the identity for none; ValueError if there are more of one than of the other."""
    total: Element | None = None
    for scalar, element in zip(scalars, elements, strict=True):
        product = element * scalar
        # Starting from the first product instead of the identity saves one addition of 14 µs.
        total = product if total is None else total + product
    return IDENTITY if total is None else total


def add_up(elements: Iterable[Element]) -> Element:
    """Return the sum of ``elements``, the identity for none."""
    total: Element | None = None
    for element in elements:
        total = element if total is None else total + element
    return IDENTITY if total is None else total


def hash_to_element(label: str) -> Element:
    """Return the element that the SHA-512 of ``label`` in UTF-8 maps to (RFC 9496, section 4.3.4, as in appendix A.3).

    Nobody knows a discrete logarithm between the elements of two labels.
    """
    return Element(rbcl.crypto_core_ristretto255_from_hash(hashlib.sha512(label.encode()).digest()))


MAX_DECK_SIZE = 52

H = hash_to_element("p2pdurak/1/generator/H")
"""The second generator of all commitments."""

SHUFFLE_GENERATORS = tuple(hash_to_element(f"p2pdurak/1/generator/{i}") for i in range(1, MAX_DECK_SIZE + 1))
"""``H_1`` to ``H_52``: one independent generator for each place of a deck."""

CARD_POINTS = tuple(hash_to_element(f"p2pdurak/1/card/{number}") for number in range(MAX_DECK_SIZE))
"""``M_0`` to ``M_51``: what stands for card 0 to 51 inside a ciphertext."""

_CARD_NUMBERS = {point: number for number, point in enumerate(CARD_POINTS)}


def card_number(point: Element) -> int | None:
    """Return the number in [0, 52) of the card that ``point`` stands for, None if it stands for no card."""
    return _CARD_NUMBERS.get(point)
