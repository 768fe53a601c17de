"""Masking, shares, joint keys, and the encoding of decks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.crypto.elgamal import (
    CIPHERTEXT_BYTES,
    Ciphertext,
    decode_deck,
    encode_deck,
    joint_key,
    mask,
    open_with_shares,
    reencrypt,
    remove_share,
    share,
    trivial,
)
from p2pdurak.crypto.group import CARD_POINTS, IDENTITY, G, H, card_number
from p2pdurak.crypto.scalars import ORDER
from p2pdurak.errors import CryptoError, InvalidEncoding
from tests.crypto.table import BORIS, JOINT, KEY_ANNA, KEY_BORIS, X_ANNA, X_BORIS, deck

masks = st.integers(1, ORDER - 1)


@given(masks, masks, st.integers(0, 51))
def test_all_shares_open_a_card(r: int, again: int, number: int) -> None:
    card = reencrypt(mask(CARD_POINTS[number], JOINT, r), JOINT, again)
    point = open_with_shares(card, [share(X_ANNA, card), share(X_BORIS, card)])
    assert card_number(point) == number


@pytest.mark.parametrize("players", range(2, 7))
def test_the_last_share_opens_what_the_others_left(players: int) -> None:
    keys = BORIS.scalars("test/keys", b"", players)
    joint = joint_key(G * x for x in keys)
    card = mask(CARD_POINTS[7], joint, 99)
    for x in keys[1:]:
        card = remove_share(card, share(x, card))
    assert card == Ciphertext(G * 99, CARD_POINTS[7] + G * (99 * keys[0]))
    assert card_number(remove_share(card, share(keys[0], card)).b) == 7


def test_a_missing_share_opens_no_card() -> None:
    card = mask(CARD_POINTS[7], JOINT, 99)
    assert card_number(open_with_shares(card, [share(X_ANNA, card)])) is None


def test_the_trivial_encryption_is_that_with_mask_one() -> None:
    assert trivial(CARD_POINTS[3], JOINT) == mask(CARD_POINTS[3], JOINT, 1)


@pytest.mark.parametrize("r", [0, ORDER])
def test_a_mask_of_zero_is_refused(r: int) -> None:
    with pytest.raises(CryptoError):
        mask(CARD_POINTS[0], JOINT, r)


@pytest.mark.parametrize(("a", "b"), [(IDENTITY, G), (G, IDENTITY)])
def test_a_ciphertext_has_no_identity_in_it(a: object, b: object) -> None:
    with pytest.raises(CryptoError):
        Ciphertext(a, b)  # type: ignore[arg-type]


def test_keys_that_cancel_are_refused() -> None:
    with pytest.raises(CryptoError):
        joint_key([KEY_ANNA, KEY_BORIS, -KEY_ANNA - KEY_BORIS])
    with pytest.raises(CryptoError):
        joint_key([])


@pytest.mark.parametrize("n", [0, 1, 2, 6, 36, 52])
def test_decks_round_trip(n: int) -> None:
    cards = deck(n)
    data = encode_deck(cards)
    assert len(data) == n * CIPHERTEXT_BYTES
    assert decode_deck(data, n) == cards
    for other in {0, 1, n - 1, n + 1} - {n, -1}:
        with pytest.raises(InvalidEncoding):
            decode_deck(data, other)


@pytest.mark.parametrize("cut", [0, 1, 32, 63, 65, 96, 128])
def test_ciphertexts_of_other_lengths_are_refused(cut: int) -> None:
    data = (mask(H, JOINT, 3).encode() * 2)[:cut]
    with pytest.raises(InvalidEncoding):
        Ciphertext.decode(data)


@pytest.mark.parametrize("half", [0, 1])
@pytest.mark.parametrize("bad", [bytes(32), b"\x01" + bytes(31), b"\xff" * 32])
def test_both_halves_pass_the_door(half: int, bad: bytes) -> None:
    halves = [G.encode(), H.encode()]
    halves[half] = bad
    with pytest.raises(InvalidEncoding):
        Ciphertext.decode(b"".join(halves))
