"""The same players, keys and transcripts for all tests of this folder; everything follows from fixed bytes."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import pytest

from p2pdurak.crypto.elgamal import Ciphertext, joint_key, reencrypt, trivial
from p2pdurak.crypto.group import CARD_POINTS, Element, G
from p2pdurak.crypto.secret import PlayerSecret
from p2pdurak.crypto.transcript import Transcript, proof_transcript
from p2pdurak.errors import InvalidEncoding, VerificationError

if TYPE_CHECKING:
    from collections.abc import Callable

GAME_ID = hashlib.sha256(b"the game").digest()
HEAD = hashlib.sha256(b"the head").digest()
SIZES = (1, 2, 6, 36, 52)

MESSAGE: dict[str, Any] = {
    "version": 1,
    "game_id": GAME_ID,
    "head": HEAD,
    "round_number": 5,
    "seat": 0,
    "kind": "shuffle",
}
OTHER_MESSAGES: dict[str, Any] = {
    "version": 2,
    "game_id": HEAD,
    "head": GAME_ID,
    "round_number": 6,
    "seat": 1,
    "kind": "rearrange",
}


def player(seat: int) -> PlayerSecret:
    return PlayerSecret(hashlib.sha256(b"player %d" % seat).digest(), GAME_ID, seat)


ANNA, BORIS = player(0), player(1)
X_ANNA, X_BORIS = ANNA.key(), BORIS.key()
KEY_ANNA, KEY_BORIS = G * X_ANNA, G * X_BORIS
JOINT = joint_key([KEY_ANNA, KEY_BORIS])


def message(**changes: Any) -> Transcript:
    """Return the transcript of the message under test, with some of its fields changed."""
    return proof_transcript(**(MESSAGE | changes))


def deck(n: int, key: Element = JOINT) -> tuple[Ciphertext, ...]:
    """Return cards 0 to n - 1 in order, encrypted under ``key`` with masks that nobody knows any more."""
    masks = ANNA.scalars("test/deck", b"", n)
    return tuple(reencrypt(trivial(CARD_POINTS[i], key), key, mask) for i, mask in enumerate(masks))


def refuses(verify: Callable[..., None], *arguments: Any) -> None:
    """Expect ``verify`` to raise one of the two answers to a bad proof, and nothing else."""
    with pytest.raises((InvalidEncoding, VerificationError)):
        verify(*arguments)


def replaced(values: Any, index: int, value: Any) -> Any:
    """Return the sequence with the element at ``index`` replaced."""
    return type(values)([*values[:index], value, *values[index + 1 :]])


def damaged(proof: bytes, piece: int) -> bytes:
    """Return ``proof`` with one added to its 32-byte piece of that number, scalar or element encoding alike."""
    start = 32 * piece
    number = (int.from_bytes(proof[start : start + 32], "little") + 1) % 2**256
    return proof[:start] + number.to_bytes(32, "little") + proof[start + 32 :]


def wrong_lengths(proof: bytes) -> list[bytes]:
    """Return the proof too short and too long by a byte or a piece, empty, and doubled."""
    return [b"", proof[:1], proof[:-1], proof[:-32], proof + b"\x00", proof + bytes(32), proof + proof]
