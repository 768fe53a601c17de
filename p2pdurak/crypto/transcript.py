"""Fiat-Shamir: one object that absorbs everything a proof is about and answers with its challenges.

A running SHA-512 over an injective encoding (``framing``). Every piece carries what kind of piece it is and its label,
so two transcripts that differ in anything differ in the bytes hashed. Each challenge is a hash of all that came before
it, and leaves its own mark, so that a later one is another. A sponge such as Merlin's was rejected: SHA-512 is in every
standard library, and nothing that is absorbed here is secret.

The prover and the verifier run the same calls in the same order; whatever one leaves out makes the challenges differ.
"""

from __future__ import annotations

import hashlib

from p2pdurak.crypto.framing import frame, u32
from p2pdurak.crypto.scalars import ORDER, Scalar


def reduce_digest(digest: bytes) -> Scalar:
    """Return 64 bytes, little-endian, modulo ``ORDER``: off from uniform by less than 2^-250."""
    return int.from_bytes(digest, "little") % ORDER


class Transcript:
    """Everything said so far in one proof, mutable; ``domain`` separates it from every other use of the hash."""

    __slots__ = ("_hash",)

    def __init__(self, domain: bytes) -> None:
        self._hash = hashlib.sha512(frame(b"transcript", domain))

    def append(self, label: str, *parts: bytes) -> None:
        """Absorb ``parts`` under ``label``."""
        self._hash.update(frame(b"append", label.encode(), *parts))

    def challenge(self, label: str) -> Scalar:
        """Return a scalar that depends on everything absorbed so far, and absorb that it was drawn."""
        self._hash.update(frame(b"challenge", label.encode()))
        return reduce_digest(self._hash.digest())

    def weights(self, label: str, n: int) -> list[Scalar]:
        """Return ``n`` independent scalars like ``challenge``; two callers with another ``n`` get unrelated ones."""
        self._hash.update(frame(b"weights", label.encode(), u32(n)))
        seed = self._hash.digest()
        return [reduce_digest(hashlib.sha512(frame(b"weight", seed, u32(j))).digest()) for j in range(n)]

    def digest(self) -> bytes:
        """Return 64 bytes that stand for everything absorbed so far; the transcript stays as it is."""
        fork = self._hash.copy()
        fork.update(frame(b"digest"))
        return fork.digest()

    def copy(self) -> Transcript:
        """Return an independent transcript that has absorbed the same."""
        twin = object.__new__(Transcript)
        twin._hash = self._hash.copy()
        return twin


def proof_transcript(
    *, version: int, game_id: bytes, head: bytes, round_number: int, seat: int, kind: str
) -> Transcript:
    """Return the transcript that every proof inside a message starts from.

    ``head`` is the head that the message builds on, ``kind`` the message's kind. A proof made for one of them says
    nothing under another: that is what stops a replay from another game, moment, seat or kind of message.
    """
    transcript = Transcript(b"p2pdurak/1/proof")
    transcript.append("message", u32(version), game_id, head, u32(round_number), u32(seat), kind.encode())
    return transcript
