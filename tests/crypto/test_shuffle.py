"""The verifiable shuffle: honest ones of every size pass, and no dishonest one does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.crypto.elgamal import Ciphertext, open_with_shares, reencrypt, share, trivial
from p2pdurak.crypto.group import CARD_POINTS, IDENTITY, Element, G, card_number
from p2pdurak.crypto.scalars import ORDER, Scalar
from p2pdurak.crypto.shuffle import draw_shuffle, proof_bytes, prove_shuffle, shuffle, verify_shuffle
from p2pdurak.errors import InvalidEncoding, VerificationError
from tests.crypto.table import (
    ANNA,
    BORIS,
    JOINT,
    KEY_ANNA,
    OTHER_MESSAGES,
    SIZES,
    X_ANNA,
    X_BORIS,
    damaged,
    deck,
    message,
    refuses,
    replaced,
    wrong_lengths,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

Deck = tuple[Ciphertext, ...]


def mix(inputs: Deck, key: Element = JOINT) -> tuple[Deck, bytes]:
    """Return Anna's honest shuffle and its proof."""
    permutation, masks = draw_shuffle(message(), key, inputs, ANNA)
    outputs = shuffle(inputs, key, permutation, masks)
    return outputs, prove_shuffle(message(), key, inputs, outputs, permutation, masks, ANNA)


def claim(inputs: Deck, outputs: Deck, permutation: Sequence[int], masks: Sequence[Scalar]) -> bytes:
    """Return what the prover's own code says about a shuffle that may not be one."""
    return prove_shuffle(message(), JOINT, inputs, outputs, permutation, masks, ANNA)


def pick(inputs: Deck, choice: Sequence[int], masks: Sequence[Scalar]) -> Deck:
    """Re-encrypt the chosen inputs, permutation or not."""
    return tuple(reencrypt(inputs[i], JOINT, mask) for i, mask in zip(choice, masks, strict=True))


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("key", [JOINT, KEY_ANNA], ids=["deck", "hand"])
def test_honest_shuffles_pass(n: int, key: Element) -> None:
    inputs = deck(n, key)
    outputs, proof = mix(inputs, key)
    assert len(proof) == proof_bytes(n) == 128 * n + 160
    verify_shuffle(message(), key, inputs, outputs, proof)


def test_the_cards_stand_where_the_permutation_says() -> None:
    inputs = deck(36)
    permutation, masks = draw_shuffle(message(), JOINT, inputs, ANNA)
    outputs = shuffle(inputs, JOINT, permutation, masks)
    opened = [open_with_shares(card, [share(X_ANNA, card), share(X_BORIS, card)]) for card in outputs]
    assert [card_number(point) for point in opened] == list(permutation)
    assert not {c.a for c in inputs} & {c.a for c in outputs}


@pytest.mark.parametrize("permutation", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_any_permutation_of_public_cards_passes(permutation: tuple[int, ...]) -> None:
    # A hand that gained cards everybody has seen: trivial encryptions, all with the same first component.
    inputs = tuple(trivial(point, KEY_ANNA) for point in CARD_POINTS[10:13])
    outputs = shuffle(inputs, KEY_ANNA, permutation, [3, 4, 5])
    proof = prove_shuffle(message(), KEY_ANNA, inputs, outputs, permutation, [3, 4, 5], ANNA)
    verify_shuffle(message(), KEY_ANNA, inputs, outputs, proof)


@given(st.permutations(range(5)), st.lists(st.integers(0, ORDER - 1), min_size=5, max_size=5))
def test_any_permutation_with_any_masks_passes(permutation: list[int], masks: list[Scalar]) -> None:
    inputs = deck(5)
    outputs = shuffle(inputs, JOINT, permutation, masks)
    verify_shuffle(message(), JOINT, inputs, outputs, claim(inputs, outputs, permutation, masks))


def test_several_seats_shuffle_in_turn() -> None:
    cards = tuple(trivial(point, JOINT) for point in CARD_POINTS[:6])
    for seat, secret in enumerate((ANNA, BORIS)):
        transcript = message(seat=seat)
        permutation, masks = draw_shuffle(transcript, JOINT, cards, secret)
        mixed = shuffle(cards, JOINT, permutation, masks)
        proof = prove_shuffle(transcript, JOINT, cards, mixed, permutation, masks, secret)
        verify_shuffle(message(seat=seat), JOINT, cards, mixed, proof)
        cards = mixed
    opened = [open_with_shares(card, [share(X_ANNA, card), share(X_BORIS, card)]) for card in cards]
    assert sorted(number for point in opened if (number := card_number(point)) is not None) == list(range(6))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_each_piece_of_the_proof_matters(n: int) -> None:
    inputs = deck(n)
    outputs, proof = mix(inputs)
    for piece in range(4 * n + 5):
        refuses(verify_shuffle, message(), JOINT, inputs, outputs, damaged(proof, piece))
        if piece < 2 * n:
            for element in (G.encode(), bytes(32), proof[32 * (2 * n - 1 - piece) :][:32]):
                other = proof[: 32 * piece] + element + proof[32 * piece + 32 :]
                if other != proof:
                    refuses(verify_shuffle, message(), JOINT, inputs, outputs, other)
        else:
            number = int.from_bytes(proof[32 * piece :][:32], "little") + ORDER
            other = proof[: 32 * piece] + number.to_bytes(32, "little") + proof[32 * piece + 32 :]
            with pytest.raises(InvalidEncoding):
                verify_shuffle(message(), JOINT, inputs, outputs, other)


@pytest.mark.parametrize("n", [1, 2, 3])
def test_each_part_of_the_statement_matters(n: int) -> None:
    inputs = deck(n)
    outputs, proof = mix(inputs)
    refuses(verify_shuffle, message(), KEY_ANNA, inputs, outputs, proof)
    for j in range(n):
        for cards, other in ((inputs, outputs), (outputs, inputs)):
            for card in (
                Ciphertext(cards[j].a + G, cards[j].b),
                Ciphertext(cards[j].a, cards[j].b + G),
                reencrypt(cards[j], JOINT, 9),
                other[j],
            ):
                changed = replaced(cards, j, card)
                statement = (changed, outputs) if cards is inputs else (inputs, changed)
                refuses(verify_shuffle, message(), JOINT, *statement, proof)
    if n > 1:
        refuses(verify_shuffle, message(), JOINT, inputs[::-1], outputs, proof)
        refuses(verify_shuffle, message(), JOINT, inputs, outputs[::-1], proof)


def test_samples_of_a_full_deck_matter() -> None:
    inputs = deck(52)
    outputs, proof = mix(inputs)
    for piece in (0, 51, 52, 103, 104, 105, 106, 107, 108, 109, 160, 161, 212):
        refuses(verify_shuffle, message(), JOINT, inputs, outputs, damaged(proof, piece))
    for j in (0, 51):
        refuses(verify_shuffle, message(), JOINT, replaced(inputs, j, inputs[1]), outputs, proof)
        refuses(verify_shuffle, message(), JOINT, inputs, replaced(outputs, j, outputs[1]), proof)


@pytest.mark.parametrize("name", OTHER_MESSAGES)
def test_a_replay_elsewhere_is_refused(name: str) -> None:
    inputs = deck(2)
    outputs, proof = mix(inputs)
    with pytest.raises(VerificationError):
        verify_shuffle(message(**{name: OTHER_MESSAGES[name]}), JOINT, inputs, outputs, proof)


def test_a_shuffle_of_another_deck_is_refused() -> None:
    first = deck(6)
    second, _ = mix(first)
    outputs, proof = mix(first)
    refuses(verify_shuffle, message(), JOINT, second, outputs, proof)


@pytest.mark.parametrize("n", [3, 6, 36])
class TestDishonestShuffler:
    """Each one follows the prover's code on what it did, or on what it should have done."""

    def masks(self, n: int) -> list[Scalar]:
        return ANNA.scalars("test/masks", b"", n)

    def test_a_card_twice_with_the_choice_admitted(self, n: int) -> None:
        # All sums hold for a matrix that is no permutation; only the product of the weights does not.
        choice, masks = [0, *range(n - 1)], self.masks(n)
        outputs = pick(deck(n), choice, masks)
        refuses(verify_shuffle, message(), JOINT, deck(n), outputs, claim(deck(n), outputs, choice, masks))

    def test_a_card_twice_with_a_permutation_claimed(self, n: int) -> None:
        choice, masks = [0, *range(n - 1)], self.masks(n)
        outputs = pick(deck(n), choice, masks)
        refuses(verify_shuffle, message(), JOINT, deck(n), outputs, claim(deck(n), outputs, range(n), masks))

    def test_a_foreign_card(self, n: int) -> None:
        masks = self.masks(n)
        outputs = replaced(pick(deck(n), range(n), masks), 1, trivial(CARD_POINTS[50], JOINT))
        refuses(verify_shuffle, message(), JOINT, deck(n), outputs, claim(deck(n), outputs, range(n), masks))

    def test_no_card_at_all(self, n: int) -> None:
        masks = self.masks(n)
        blank = Ciphertext(G * 8, JOINT * 8)
        outputs = replaced(pick(deck(n), range(n), masks), 0, blank)
        refuses(verify_shuffle, message(), JOINT, deck(n), outputs, claim(deck(n), outputs, range(n), masks))

    def test_cards_changed_so_that_their_sum_stays(self, n: int) -> None:
        masks = self.masks(n)
        outputs = pick(deck(n), range(n), masks)
        outputs = replaced(outputs, 0, Ciphertext(outputs[0].a, outputs[0].b + CARD_POINTS[50]))
        outputs = replaced(outputs, 1, Ciphertext(outputs[1].a, outputs[1].b - CARD_POINTS[50]))
        refuses(verify_shuffle, message(), JOINT, deck(n), outputs, claim(deck(n), outputs, range(n), masks))

    def test_a_card_multiplied(self, n: int) -> None:
        masks = self.masks(n)
        outputs = pick(deck(n), range(n), masks)
        outputs = replaced(outputs, 2, Ciphertext(outputs[2].a * 2, outputs[2].b * 2))
        refuses(verify_shuffle, message(), JOINT, deck(n), outputs, claim(deck(n), outputs, range(n), masks))

    def test_a_card_under_another_key(self, n: int) -> None:
        masks = self.masks(n)
        outputs = replaced(pick(deck(n), range(n), masks), 0, reencrypt(deck(n)[0], KEY_ANNA, masks[0]))
        refuses(verify_shuffle, message(), JOINT, deck(n), outputs, claim(deck(n), outputs, range(n), masks))

    def test_other_masks_than_claimed(self, n: int) -> None:
        masks = self.masks(n)
        outputs = pick(deck(n), range(n), masks)
        wrong = [*masks[:-1], masks[-1] + 1]
        refuses(verify_shuffle, message(), JOINT, deck(n), outputs, claim(deck(n), outputs, range(n), wrong))

    def test_another_permutation_than_claimed(self, n: int) -> None:
        masks = self.masks(n)
        outputs = pick(deck(n), range(n), masks)
        proof = claim(deck(n), outputs, [1, 0, *range(2, n)], masks)
        refuses(verify_shuffle, message(), JOINT, deck(n), outputs, proof)

    def test_the_same_code_passes_when_honest(self, n: int) -> None:
        choice, masks = [*range(1, n), 0], self.masks(n)
        outputs = pick(deck(n), choice, masks)
        verify_shuffle(message(), JOINT, deck(n), outputs, claim(deck(n), outputs, choice, masks))


@pytest.mark.parametrize("n", [1, 2, 6])
def test_other_lengths_are_refused(n: int) -> None:
    inputs = deck(n)
    outputs, proof = mix(inputs)
    other_sizes = [mix(deck(size))[1] for size in {1, n - 1, n + 1} - {0, n}]
    for wrong in [*wrong_lengths(proof), *other_sizes, proof + bytes(128), proof[:-128]]:
        with pytest.raises(InvalidEncoding):
            verify_shuffle(message(), JOINT, inputs, outputs, wrong)


def test_decks_of_other_sizes_are_refused() -> None:
    inputs = deck(3)
    outputs, proof = mix(inputs)
    full = deck(52)
    for bad_inputs, bad_outputs in (
        ((), ()),
        (inputs, outputs[:2]),
        (inputs[:2], outputs),
        (inputs, (*outputs, outputs[0])),
        ((*full, full[0]), (*full, full[0])),
    ):
        with pytest.raises(VerificationError):
            verify_shuffle(message(), JOINT, bad_inputs, bad_outputs, proof)


def test_the_identity_as_key_is_refused() -> None:
    inputs = deck(3)
    outputs, proof = mix(inputs)
    with pytest.raises(VerificationError):
        verify_shuffle(message(), IDENTITY, inputs, outputs, proof)
    with pytest.raises(VerificationError):
        mix(inputs, IDENTITY)


@pytest.mark.parametrize("permutation", [(0, 0, 2), (0, 1), (0, 1, 3), (0, 1, 2, 3), (1, 2, -3)])
def test_the_shuffler_refuses_what_is_no_permutation(permutation: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="arrangement"):
        shuffle(deck(3), JOINT, permutation, [1, 2, 3])


def test_the_shuffler_needs_a_mask_for_each_card() -> None:
    with pytest.raises(ValueError, match="zip"):
        shuffle(deck(3), JOINT, (0, 1, 2), [1, 2])


def test_what_is_drawn_depends_on_the_place_and_the_input_deck() -> None:
    transcript = message()
    before = transcript.digest()
    drawn = draw_shuffle(transcript, JOINT, deck(6), ANNA)
    assert transcript.digest() == before
    assert draw_shuffle(message(), JOINT, deck(6), ANNA) == drawn
    others = [draw_shuffle(message(**{name: value}), JOINT, deck(6), ANNA) for name, value in OTHER_MESSAGES.items()]
    others.append(draw_shuffle(message(), KEY_ANNA, deck(6), ANNA))
    others.append(draw_shuffle(message(), JOINT, deck(6)[::-1], ANNA))
    others.append(draw_shuffle(message(), JOINT, deck(6), BORIS))
    masks = [masks[0] for _, masks in [drawn, *others]]
    assert len(set(masks)) == len(masks)
    assert all(mask not in (0, ORDER) for mask in masks)
