"""What a challenge covers: the whole statement and every commitment, before anything is drawn from them.

Leaving out a part does not show when honest proofs are changed, since the equations fail as well. It shows in attacks
that choose the part after the challenge is known; one of them is run here against each kind of omission that allows it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from p2pdurak.crypto.elgamal import Ciphertext, share
from p2pdurak.crypto.group import CARD_POINTS, SHUFFLE_GENERATORS, Element, G, H, multiply_sum
from p2pdurak.crypto.proofs import prove_differs, prove_key, prove_none_of, prove_shares, verify_key, verify_shares
from p2pdurak.crypto.scalars import ORDER, encode_scalar
from p2pdurak.crypto.shuffle import draw_shuffle, prove_shuffle, shuffle
from tests.crypto.table import ANNA, JOINT, KEY_ANNA, KEY_BORIS, X_ANNA, deck, message, refuses
from tests.vectors.make_crypto_vectors import Recorder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pdurak.crypto.scalars import Scalar

Steps = list[tuple[str, list[bytes]]]


def encodings(values: Sequence[Element | Ciphertext]) -> list[bytes]:
    return [value.encode() for value in values]


def steps_of(recorder: Recorder) -> tuple[Steps, Steps]:
    """Return what was appended before and after anything was first drawn."""
    before: Steps = []
    after: Steps = []
    current = before
    for step in recorder.steps:
        if "append" in step:
            current.append((step["append"], [bytes.fromhex(part) for part in step["parts"]]))
        else:
            current = after
    return before, after


def test_the_key_proof_covers_the_key() -> None:
    recorder = Recorder(b"test")
    prove_key(recorder, X_ANNA, KEY_ANNA, ANNA)
    before, after = steps_of(recorder)
    assert before == [("proof", [b"key"]), ("key", [KEY_ANNA.encode()])]
    assert [(label, len(parts)) for label, parts in after] == [("commitments", 1)]


def test_the_shares_proof_covers_key_ciphertexts_and_shares() -> None:
    recorder = Recorder(b"test")
    cards = deck(3)
    shares = [share(X_ANNA, card) for card in cards]
    prove_shares(recorder, X_ANNA, KEY_ANNA, cards, shares, ANNA)
    before, after = steps_of(recorder)
    assert before == [
        ("proof", [b"shares"]),
        ("key", [KEY_ANNA.encode()]),
        ("ciphertexts", encodings(cards)),
        ("shares", encodings(shares)),
    ]
    assert [(label, len(parts)) for label, parts in after] == [("commitments", 2)]


def test_the_difference_proof_covers_key_ciphertext_and_point() -> None:
    recorder = Recorder(b"test")
    card = deck(1, KEY_ANNA)[0]
    proof = prove_differs(recorder, X_ANNA, KEY_ANNA, card, CARD_POINTS[9], ANNA)
    before, after = steps_of(recorder)
    assert before == [
        ("proof", [b"differs"]),
        ("key", [KEY_ANNA.encode()]),
        ("ciphertext", [card.encode()]),
        ("point", [CARD_POINTS[9].encode()]),
    ]
    assert after[0] == ("blinded difference", [proof[:32]])
    assert [(label, len(parts)) for label, parts in after[1:]] == [("commitments", 2)]


def test_the_none_of_proof_covers_hand_points_and_positions() -> None:
    recorder = Recorder(b"test")
    hand, points = deck(2, KEY_ANNA), CARD_POINTS[8:11]
    prove_none_of(recorder, X_ANNA, KEY_ANNA, hand, points, ANNA)
    before, after = steps_of(recorder)
    assert before[:4] == [
        ("proof", [b"none of"]),
        ("key", [KEY_ANNA.encode()]),
        ("ciphertexts", encodings(hand)),
        ("points", encodings(points)),
    ]
    pairs = [parts for label, parts in before + after if label == "pair"]
    assert pairs == [[bytes([0, 0, 0, i]), bytes([0, 0, 0, j])] for i in range(2) for j in range(3)]


def test_the_shuffle_proof_covers_everything() -> None:
    recorder = Recorder(b"test")
    inputs = deck(3)
    permutation, masks = draw_shuffle(message(), JOINT, inputs, ANNA)
    outputs = shuffle(inputs, JOINT, permutation, masks)
    proof = prove_shuffle(recorder, JOINT, inputs, outputs, permutation, masks, ANNA)
    before, after = steps_of(recorder)
    assert before == [
        ("proof", [b"shuffle"]),
        ("generators", encodings([G, H, *SHUFFLE_GENERATORS[:3]])),
        ("key", [JOINT.encode()]),
        ("inputs", encodings(inputs)),
        ("outputs", encodings(outputs)),
    ]
    pieces = [proof[start : start + 32] for start in range(0, 6 * 32, 32)]
    assert after[:2] == [("permutation commitments", pieces[:3]), ("chain commitments", pieces[3:])]
    assert [(label, len(parts)) for label, parts in after[2:]] == [("commitments", 5 + 3)]
    kinds = [next(iter(step)) for step in recorder.steps[5:]]
    assert kinds == ["digest", "append", "weights", "append", "digest", "append", "challenge"]


def invert(scalar: Scalar) -> Scalar:
    return pow(scalar, -1, ORDER)


@pytest.mark.parametrize("absorbed", [None, KEY_BORIS], ids=["no key", "another key"])
def test_a_key_chosen_after_the_challenge_is_refused(absorbed: Element | None) -> None:
    transcript = message()
    transcript.append("proof", b"key")
    if absorbed is not None:
        transcript.append("key", absorbed.encode())
    commitment, z = H, 5  # nobody knows how often G is in H, nor in the key that follows
    transcript.append("commitments", commitment.encode())
    c = transcript.challenge("challenge")
    key = (commitment - G * z) * invert(c)
    assert multiply_sum((z, c), (G, key)) == commitment
    refuses(verify_key, message(), key, encode_scalar(c) + encode_scalar(z))


def test_a_share_chosen_after_the_challenge_is_refused() -> None:
    card = deck(1)[0]
    transcript = message()
    transcript.append("proof", b"shares")
    transcript.append("key", KEY_ANNA.encode())
    transcript.append("ciphertexts", card.encode())
    transcript.append("shares")
    (weight,) = transcript.weights("weights", 1)
    k = 7
    transcript.append("commitments", (G * k).encode(), H.encode())
    c = transcript.challenge("challenge")
    z = k - c * X_ANNA
    false_share = (H - card.a * (weight * z)) * invert(c * weight)
    assert multiply_sum((z, c), (card.a * weight, false_share * weight)) == H
    refuses(verify_shares, message(), KEY_ANNA, [card], [false_share], encode_scalar(c) + encode_scalar(z))
