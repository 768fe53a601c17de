"""The long-term signing key of a person: Ed25519 (RFC 8032), with the strictest reading of what a valid signature is.

The standard leaves choices, and libraries choose differently: ``cryptography`` (OpenSSL) takes the identity as a public
key, and then one signature fits every message. A game in which a signature convicts cannot have two readings of it.
So: the key and the first half of a signature are canonical encodings of points that are not of small order, the
second half is below the order of the group, and the equation is the one without the cofactor (Chalkias, Garillot and
Nikolaenko, "Taming the many EdDSAs", 2020). OpenSSL computes that equation and compares encodings; what it does not
check is checked here, on the encodings alone.

Rejected: arithmetic of our own on the curve. Small order shows in the y-coordinate, so comparing numbers is enough.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2pdurak.crypto.framing import frame
from p2pdurak.crypto.scalars import ORDER
from p2pdurak.crypto.words import WORDS
from p2pdurak.errors import InvalidEncoding, VerificationError

SEED_BYTES: Final = 32
PUBLIC_KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

FINGERPRINT_WORDS: Final = 8
"""One word for each of the first 8 bytes of the hash: 64 bits, what people can still read to each other."""

_FIELD = 2**255 - 19
_CURVE_D = -121665 * pow(121666, -1, _FIELD) % _FIELD
_Y_OF_ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826
_Y_OF_SMALL_ORDER = frozenset({0, 1, _FIELD - 1, _Y_OF_ORDER_8, _FIELD - _Y_OF_ORDER_8})
_SIGN_BIT = 1 << 255


class SigningKey:
    """A private key made from a 32-byte ``seed``; ValueError for another length. Its text form shows the public key."""

    __slots__ = ("_private", "public")

    public: Final[bytes]

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"The seed of a signing key has {SEED_BYTES} bytes, not {len(seed)}.")
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._private.public_key().public_bytes_raw()

    def sign(self, domain: bytes, data: bytes) -> bytes:
        """Return the 64-byte signature of ``data`` for the purpose ``domain``; the same input gives the same bytes."""
        return self._private.sign(frame(domain, data))

    def __repr__(self) -> str:
        return f"<SigningKey {self.public.hex()}>"


def verify_signature(public: bytes, domain: bytes, data: bytes, signature: bytes) -> None:
    """Raise VerificationError unless ``signature`` is that of the key ``public`` on ``data`` for ``domain``.

    It is also the answer to a key that ``check_public_key`` refuses and to a signature of another length or form.
    """
    try:
        key = _load_public_key(public)
        _check_signature_form(signature)
        key.verify(signature, frame(domain, data))
    except InvalidEncoding as error:
        raise VerificationError("A signature cannot hold: {error}", error=error) from error
    except InvalidSignature as error:
        raise VerificationError("The signature is not one by this key on these bytes.") from error


def check_public_key(public: bytes) -> None:
    """Raise InvalidEncoding unless ``public`` is the canonical encoding of a curve point not of small order."""
    _load_public_key(public)


def fingerprint_words(public: bytes) -> str:
    """Return the fingerprint of a public key: eight short English words for 64 bits of its hash.

    InvalidEncoding for a key that ``check_public_key`` refuses.
    """
    check_public_key(public)
    digest = hashlib.sha512(frame(b"p2pdurak/1/fingerprint", public)).digest()
    return " ".join(WORDS[byte] for byte in digest[:FINGERPRINT_WORDS])


@lru_cache(maxsize=64)  # a table has six keys, and every one of their messages is verified
def _load_public_key(public: bytes) -> Ed25519PublicKey:
    if len(public) != PUBLIC_KEY_BYTES:
        raise InvalidEncoding("A public key has {right} bytes, not {wrong}.", right=PUBLIC_KEY_BYTES, wrong=len(public))
    y = _decode_y(public)
    # x^2 = (y^2 - 1) / (d y^2 + 1) has a solution if and only if numerator times denominator is a square.
    x_squared_times_square = (y * y - 1) * (_CURVE_D * y * y + 1)
    if pow(x_squared_times_square, (_FIELD - 1) // 2, _FIELD) != 1:
        raise InvalidEncoding("The public key is not a point of the curve.")
    return Ed25519PublicKey.from_public_bytes(public)


def _check_signature_form(signature: bytes) -> None:
    if len(signature) != SIGNATURE_BYTES:
        raise InvalidEncoding(
            "A signature has {right} bytes, not {wrong}.", right=SIGNATURE_BYTES, wrong=len(signature)
        )
    # Whether the first half is on the curve needs no test: the equation compares it with the encoding of a point.
    _decode_y(signature[:32])
    if int.from_bytes(signature[32:], "little") >= ORDER:
        raise InvalidEncoding("The second half of the signature is not reduced.")


def _decode_y(encoding: bytes) -> int:
    """Return the y-coordinate in 32 bytes whose top bit is the sign of x; InvalidEncoding as the module describes."""
    y = int.from_bytes(encoding, "little") & ~_SIGN_BIT
    if y >= _FIELD:
        raise InvalidEncoding("The encoding of the point is not canonical.")
    # Both points with x = 0, where a sign would be meaningless, are among these.
    if y in _Y_OF_SMALL_ORDER:
        raise InvalidEncoding("The point is of small order.")
    return y
