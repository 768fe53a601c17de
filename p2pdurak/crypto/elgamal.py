"""ElGamal encryption of card points under a joint key, written additively.

Under the key ``X = x * G`` the ciphertext ``(a, b) = (r * G, M + r * X)`` holds the point ``M``. The key of the deck is
the sum of all players' keys, so opening a card takes a decryption share ``x_i * a`` from everybody; taking off all
shares but one leaves a ciphertext under the key of the last player alone. The group is
of prime order, so the scheme hides the point under the decisional Diffie-Hellman assumption.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2pdurak.crypto.group import ELEMENT_BYTES, Element, G, add_up
from p2pdurak.errors import CryptoError, InvalidEncoding

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from p2pdurak.crypto.scalars import Scalar

CIPHERTEXT_BYTES = 2 * ELEMENT_BYTES


@dataclass(frozen=True, slots=True)
class Ciphertext:
    """``a = r * G`` and ``b = M + r * X``; CryptoError if either is the identity.

    With the identity as ``a`` every share of it would be the identity too, so the door refuses it. Honest arithmetic
    meets it with a probability of about 2^-250.
    """

    a: Element
    b: Element

    def __post_init__(self) -> None:
        if self.a.is_identity or self.b.is_identity:
            raise CryptoError("A component of a ciphertext is the identity of the group.")

    def encode(self) -> bytes:
        """Return the 64 bytes ``a`` then ``b``."""
        return self.a.encode() + self.b.encode()

    @classmethod
    def decode(cls, data: bytes) -> Ciphertext:
        """Return the ciphertext of 64 bytes; InvalidEncoding unless both halves pass ``Element.decode``."""
        if len(data) != CIPHERTEXT_BYTES:
            raise InvalidEncoding(
                "A ciphertext has {right} bytes, not {wrong}.", right=CIPHERTEXT_BYTES, wrong=len(data)
            )
        return cls(Element.decode(data[:ELEMENT_BYTES]), Element.decode(data[ELEMENT_BYTES:]))


def encode_deck(deck: Iterable[Ciphertext]) -> bytes:
    """Return the ciphertexts one after the other, 64 bytes each."""
    return b"".join(ciphertext.encode() for ciphertext in deck)


def decode_deck(data: bytes, n: int) -> tuple[Ciphertext, ...]:
    """Return the ``n`` ciphertexts of a deck; InvalidEncoding unless ``data`` is exactly their encoding.

    ``n`` comes from the state of the game, never from whoever sent ``data``.
    """
    if len(data) != n * CIPHERTEXT_BYTES:
        raise InvalidEncoding(
            "{n} ciphertexts have {right} bytes, not {wrong}.", n=n, right=n * CIPHERTEXT_BYTES, wrong=len(data)
        )
    starts = range(0, len(data), CIPHERTEXT_BYTES)
    return tuple(Ciphertext.decode(data[start : start + CIPHERTEXT_BYTES]) for start in starts)


def joint_key(keys: Iterable[Element]) -> Element:
    """Return the sum of the players' public keys; CryptoError if it is the identity.

    Safe only for keys whose owners have all proved that they know the private key: otherwise the last one could choose
    a key that cancels the others.
    """
    key = add_up(keys)
    if key.is_identity:
        raise CryptoError("The keys of the players add up to the identity of the group.")
    return key


def mask(point: Element, key: Element, r: Scalar) -> Ciphertext:
    """Return the encryption of ``point`` under ``key`` with the randomness ``r``, which must not be zero."""
    return Ciphertext(G * r, point + key * r)


def trivial(point: Element, key: Element) -> Ciphertext:
    """Return ``(G, point + key)``: the encryption that everybody can compute, for a card that everybody knows."""
    return Ciphertext(G, point + key)


def reencrypt(ciphertext: Ciphertext, key: Element, r: Scalar) -> Ciphertext:
    """Return another ciphertext of the same point under the same ``key``; without ``r`` nobody can link the two."""
    return Ciphertext(ciphertext.a + G * r, ciphertext.b + key * r)


def share(x: Scalar, ciphertext: Ciphertext) -> Element:
    """Return ``x * a``, what the owner of the private key ``x`` contributes to opening ``ciphertext``."""
    return ciphertext.a * x


def remove_share(ciphertext: Ciphertext, decryption_share: Element) -> Ciphertext:
    """Return ``(a, b - share)``: the same point under the joint key without the owner of the share."""
    return Ciphertext(ciphertext.a, ciphertext.b - decryption_share)


def open_with_shares(ciphertext: Ciphertext, shares: Sequence[Element]) -> Element:
    """Return the point inside once ``shares`` are those of all players whose keys make up the joint key."""
    return ciphertext.b - add_up(shares)
