"""Proofs of knowledge: of a private key, of correct decryption shares, of a card not being a certain one.

All are the sigma protocols of Schnorr, Chaum and Pedersen, made non-interactive by a ``Transcript``, in the compact
form: a proof is its challenge and its responses, and the verifier computes the commitments from them. A response is
``nonce - challenge * witness``, so that a commitment is a sum of positive terms. Nonces are derived from the player's
secret and everything absorbed before the commitments: the same statement in the same place gives the same proof, any
other gives an unrelated nonce.

Every function absorbs its whole statement into the transcript it is given, and its commitments. The caller brings a
transcript that says which game, moment, seat and message the proof belongs to, and does not use it for anything that a
prover and a verifier would not do alike. A verifier returns nothing or raises: InvalidEncoding for bytes that are no
proof, VerificationError for one that does not hold.

Rejected: proofs with commitments, which can be verified in batches. They are longer, and without a fast multi-scalar
multiplication there is nothing to win.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.crypto.framing import u32
from p2pdurak.crypto.group import ELEMENT_BYTES, Element, G, multiply_sum
from p2pdurak.crypto.scalars import SCALAR_BYTES, Scalar, decode_scalar, encode_scalar
from p2pdurak.errors import CryptoError, InvalidEncoding, VerificationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pdurak.crypto.elgamal import Ciphertext
    from p2pdurak.crypto.secret import PlayerSecret
    from p2pdurak.crypto.transcript import Transcript

KEY_PROOF_BYTES = 2 * SCALAR_BYTES
SHARES_PROOF_BYTES = 2 * SCALAR_BYTES
DIFFERS_PROOF_BYTES = ELEMENT_BYTES + 3 * SCALAR_BYTES


def prove_key(transcript: Transcript, x: Scalar, key: Element, secret: PlayerSecret) -> bytes:
    """Return 64 bytes that prove knowledge of ``x`` with ``key = x * G`` (Schnorr)."""
    _absorb_key(transcript, key)
    nonce = secret.scalar("nonce/key", 0, transcript.digest())
    challenge = _challenge(transcript, G * nonce)
    return _encode(challenge, nonce - challenge * x)


def verify_key(transcript: Transcript, key: Element, proof: bytes) -> None:
    """Raise unless ``proof`` shows that its maker knows the private key of ``key``; the identity is refused."""
    _absorb_key(transcript, key)
    challenge, response = _decode(proof, 2)
    _compare(transcript, challenge, multiply_sum((response, challenge), (G, key)))


def prove_shares(
    transcript: Transcript,
    x: Scalar,
    key: Element,
    ciphertexts: Sequence[Ciphertext],
    shares: Sequence[Element],
    secret: PlayerSecret,
) -> bytes:
    """Return 64 bytes that prove ``shares[j] = x * ciphertexts[j].a`` for every ``j``, where ``key = x * G``.

    One proof of Chaum and Pedersen about the sums of all first components and of all shares, each weighed with a
    factor that is known only after they are all fixed. VerificationError for no ciphertexts or unequal numbers.
    """
    weights = _absorb_shares(transcript, key, ciphertexts, shares)
    nonce = secret.scalar("nonce/shares", 0, transcript.digest())
    base = multiply_sum(weights, (ciphertext.a for ciphertext in ciphertexts))
    challenge = _challenge(transcript, G * nonce, base * nonce)
    return _encode(challenge, nonce - challenge * x)


def verify_shares(
    transcript: Transcript,
    key: Element,
    ciphertexts: Sequence[Ciphertext],
    shares: Sequence[Element],
    proof: bytes,
) -> None:
    """Raise unless ``proof`` shows that all ``shares`` of the ``ciphertexts`` come from the owner of ``key``."""
    weights = _absorb_shares(transcript, key, ciphertexts, shares)
    challenge, response = _decode(proof, 2)
    base = multiply_sum(weights, (ciphertext.a for ciphertext in ciphertexts))
    weighed_shares = multiply_sum(weights, shares)
    _compare(
        transcript,
        challenge,
        multiply_sum((response, challenge), (G, key)),
        multiply_sum((response, challenge), (base, weighed_shares)),
    )


def prove_differs(
    transcript: Transcript, x: Scalar, key: Element, ciphertext: Ciphertext, point: Element, secret: PlayerSecret
) -> bytes:
    """Return 128 bytes that prove that ``ciphertext`` under ``key = x * G`` does not hold ``point``, and nothing else.

    With a random ``alpha`` and ``beta = alpha * x``, ``C = alpha * (b - point) - beta * a`` is ``alpha`` times the
    difference between what is inside and ``point``: not the identity, and otherwise meaningless. The second equation,
    ``alpha * key - beta * G = 0``, is what ties ``beta`` to the key; without it any ``C`` could be had (Camenisch and
    Shoup 2003, section 5). CryptoError if the ciphertext holds the point.
    """
    _absorb_differs(transcript, key, ciphertext, point)
    context = transcript.digest()
    rest = ciphertext.b - point
    alpha = secret.scalar("differs/alpha", 0, context)
    beta = alpha * x
    blinded = multiply_sum((alpha, -beta), (rest, ciphertext.a))
    if blinded.is_identity:
        raise CryptoError("The ciphertext holds the very point that the proof should exclude.")
    first, second = secret.scalars("nonce/differs", context, 2)
    transcript.append("blinded difference", blinded.encode())
    challenge = _challenge(
        transcript,
        multiply_sum((first, -second), (rest, ciphertext.a)),
        multiply_sum((first, -second), (key, G)),
    )
    return blinded.encode() + _encode(challenge, first - challenge * alpha, second - challenge * beta)


def verify_differs(transcript: Transcript, key: Element, ciphertext: Ciphertext, point: Element, proof: bytes) -> None:
    """Raise unless ``proof`` shows that ``ciphertext`` under ``key`` holds another point than ``point``."""
    _absorb_differs(transcript, key, ciphertext, point)
    if len(proof) != DIFFERS_PROOF_BYTES:
        raise InvalidEncoding(
            "A proof of difference has {right} bytes, not {wrong}.", right=DIFFERS_PROOF_BYTES, wrong=len(proof)
        )
    # The door refuses the identity, which is the whole point: it is what an equal card would give.
    blinded = Element.decode(proof[:ELEMENT_BYTES])
    challenge, first, second = _decode(proof[ELEMENT_BYTES:], 3)
    transcript.append("blinded difference", blinded.encode())
    _compare(
        transcript,
        challenge,
        multiply_sum((challenge, first, -second), (blinded, ciphertext.b - point, ciphertext.a)),
        multiply_sum((first, -second), (key, G)),
    )


def prove_none_of(
    transcript: Transcript,
    x: Scalar,
    key: Element,
    hand: Sequence[Ciphertext],
    points: Sequence[Element],
    secret: PlayerSecret,
) -> bytes:
    """Return a proof of difference for each ciphertext of ``hand`` and each of ``points``, hand by hand position.

    The length is ``none_of_proof_bytes(len(hand), len(points))``. CryptoError if some ciphertext holds one of them.
    """
    _absorb_none_of(transcript, key, hand, points)
    proofs = []
    for position, ciphertext in enumerate(hand):
        for index, point in enumerate(points):
            transcript.append("pair", u32(position), u32(index))
            proofs.append(prove_differs(transcript, x, key, ciphertext, point, secret))
    return b"".join(proofs)


def verify_none_of(
    transcript: Transcript, key: Element, hand: Sequence[Ciphertext], points: Sequence[Element], proof: bytes
) -> None:
    """Raise unless ``proof`` shows that no ciphertext of ``hand`` under ``key`` holds one of ``points``."""
    _absorb_none_of(transcript, key, hand, points)
    expected = none_of_proof_bytes(len(hand), len(points))
    if len(proof) != expected:
        raise InvalidEncoding(
            "A proof about this hand has {right} bytes, not {wrong}.", right=expected, wrong=len(proof)
        )
    start = 0
    for position, ciphertext in enumerate(hand):
        for index, point in enumerate(points):
            transcript.append("pair", u32(position), u32(index))
            verify_differs(transcript, key, ciphertext, point, proof[start : start + DIFFERS_PROOF_BYTES])
            start += DIFFERS_PROOF_BYTES


def none_of_proof_bytes(hand_size: int, points: int) -> int:
    """Return the length of a proof that none of ``hand_size`` ciphertexts holds one of ``points`` points."""
    return DIFFERS_PROOF_BYTES * hand_size * points


def _absorb_key(transcript: Transcript, key: Element) -> None:
    _refuse_identity(key)
    transcript.append("proof", b"key")
    transcript.append("key", key.encode())


def _absorb_shares(
    transcript: Transcript, key: Element, ciphertexts: Sequence[Ciphertext], shares: Sequence[Element]
) -> list[Scalar]:
    """Absorb the statement and return the weight of each share."""
    _refuse_identity(key, *shares)
    if not ciphertexts or len(ciphertexts) != len(shares):
        raise VerificationError("There must be one decryption share for each of at least one ciphertext.")
    transcript.append("proof", b"shares")
    transcript.append("key", key.encode())
    # Second components too: the share opens this pair and no other with the same first component.
    transcript.append("ciphertexts", *(ciphertext.encode() for ciphertext in ciphertexts))
    transcript.append("shares", *(share.encode() for share in shares))
    return transcript.weights("weights", len(shares))


def _absorb_differs(transcript: Transcript, key: Element, ciphertext: Ciphertext, point: Element) -> None:
    _refuse_identity(key, point)
    transcript.append("proof", b"differs")
    transcript.append("key", key.encode())
    transcript.append("ciphertext", ciphertext.encode())
    transcript.append("point", point.encode())


def _absorb_none_of(
    transcript: Transcript, key: Element, hand: Sequence[Ciphertext], points: Sequence[Element]
) -> None:
    _refuse_identity(key, *points)
    transcript.append("proof", b"none of")
    transcript.append("key", key.encode())
    transcript.append("ciphertexts", *(ciphertext.encode() for ciphertext in hand))
    transcript.append("points", *(point.encode() for point in points))


def _refuse_identity(*elements: Element) -> None:
    # Decoded elements cannot be the identity, computed ones can; a proof about it would prove nothing.
    if any(element.is_identity for element in elements):
        raise VerificationError("A proof about the identity of the group is worth nothing.")


def _challenge(transcript: Transcript, *commitments: Element) -> Scalar:
    transcript.append("commitments", *(commitment.encode() for commitment in commitments))
    return transcript.challenge("challenge")


def _compare(transcript: Transcript, challenge: Scalar, *commitments: Element) -> None:
    if _challenge(transcript, *commitments) != challenge:
        raise VerificationError("The proof does not hold.")


def _encode(*scalars: Scalar) -> bytes:
    return b"".join(encode_scalar(scalar) for scalar in scalars)


def _decode(data: bytes, n: int) -> list[Scalar]:
    if len(data) != n * SCALAR_BYTES:
        raise InvalidEncoding(
            "A proof has {right} bytes of scalars, not {wrong}.", right=n * SCALAR_BYTES, wrong=len(data)
        )
    return [decode_scalar(data[start : start + SCALAR_BYTES]) for start in range(0, len(data), SCALAR_BYTES)]
