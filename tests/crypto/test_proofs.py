"""Proofs of knowledge: honest ones of every size pass, and each changed piece of a proof or statement is noticed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from p2pdurak.crypto.elgamal import Ciphertext, joint_key, mask, share
from p2pdurak.crypto.group import CARD_POINTS, IDENTITY, Element, G, H, multiply_sum
from p2pdurak.crypto.proofs import (
    DIFFERS_PROOF_BYTES,
    KEY_PROOF_BYTES,
    SHARES_PROOF_BYTES,
    none_of_proof_bytes,
    prove_differs,
    prove_key,
    prove_none_of,
    prove_shares,
    verify_differs,
    verify_key,
    verify_none_of,
    verify_shares,
)
from p2pdurak.crypto.scalars import ORDER, Scalar, decode_scalar, encode_scalar
from p2pdurak.crypto.transcript import Transcript
from p2pdurak.errors import CryptoError, InvalidEncoding, VerificationError
from tests.crypto.table import (
    ANNA,
    BORIS,
    KEY_ANNA,
    KEY_BORIS,
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


def key_proof() -> bytes:
    return prove_key(message(), X_ANNA, KEY_ANNA, ANNA)


def shares_of(cards: Sequence[Ciphertext], x: Scalar = X_ANNA) -> list[Element]:
    return [share(x, card) for card in cards]


def shares_proof(cards: Sequence[Ciphertext], shares: Sequence[Element]) -> bytes:
    return prove_shares(message(), X_ANNA, KEY_ANNA, cards, shares, ANNA)


def unreduced(proof: bytes, piece: int) -> bytes:
    number = int.from_bytes(proof[32 * piece : 32 * piece + 32], "little") + ORDER
    return proof[: 32 * piece] + number.to_bytes(32, "little") + proof[32 * piece + 32 :]


class TestKey:
    def test_an_honest_proof_passes(self) -> None:
        assert len(key_proof()) == KEY_PROOF_BYTES
        verify_key(message(), KEY_ANNA, key_proof())

    @pytest.mark.parametrize("piece", range(2))
    def test_each_piece_matters(self, piece: int) -> None:
        refuses(verify_key, message(), KEY_ANNA, damaged(key_proof(), piece))
        with pytest.raises(InvalidEncoding):
            verify_key(message(), KEY_ANNA, unreduced(key_proof(), piece))

    @pytest.mark.parametrize("proof", wrong_lengths(key_proof()))
    def test_other_lengths_are_refused(self, proof: bytes) -> None:
        with pytest.raises(InvalidEncoding):
            verify_key(message(), KEY_ANNA, proof)

    @pytest.mark.parametrize("name", OTHER_MESSAGES)
    def test_a_replay_elsewhere_is_refused(self, name: str) -> None:
        with pytest.raises(VerificationError):
            verify_key(message(**{name: OTHER_MESSAGES[name]}), KEY_ANNA, key_proof())

    def test_another_key_is_refused(self) -> None:
        for key in (KEY_BORIS, -KEY_ANNA, KEY_ANNA + G):
            with pytest.raises(VerificationError):
                verify_key(message(), key, key_proof())

    def test_a_rogue_key_cannot_be_proved(self) -> None:
        # Boris chooses the key that leaves a joint key of which he knows the private half.
        rogue = G * 77 - KEY_ANNA
        assert joint_key([KEY_ANNA, rogue]) == G * 77
        for known in (77, X_BORIS, 77 - X_BORIS):
            with pytest.raises(VerificationError):
                verify_key(message(seat=1), rogue, prove_key(message(seat=1), known, rogue, BORIS))

    def test_the_identity_is_refused_although_its_private_key_is_known(self) -> None:
        with pytest.raises(VerificationError):
            prove_key(message(), 0, IDENTITY, ANNA)
        with pytest.raises(VerificationError):
            verify_key(message(), IDENTITY, encode_scalar(1) + encode_scalar(2))

    def test_the_same_place_gives_the_same_proof_and_another_an_unrelated_nonce(self) -> None:
        def nonce_point(proof: bytes) -> Element:
            return multiply_sum((decode_scalar(proof[32:]), decode_scalar(proof[:32])), (G, KEY_ANNA))

        assert key_proof() == key_proof()
        elsewhere = [
            prove_key(message(**{name: value}), X_ANNA, KEY_ANNA, ANNA) for name, value in OTHER_MESSAGES.items()
        ]
        assert len({nonce_point(proof) for proof in [key_proof(), *elsewhere]}) == 1 + len(elsewhere)


class TestShares:
    @pytest.mark.parametrize("n", SIZES)
    def test_honest_shares_pass(self, n: int) -> None:
        cards = deck(n)
        proof = shares_proof(cards, shares_of(cards))
        assert len(proof) == SHARES_PROOF_BYTES
        verify_shares(message(), KEY_ANNA, cards, shares_of(cards), proof)

    @pytest.mark.parametrize("n", [1, 2, 6])
    def test_each_part_of_the_statement_matters(self, n: int) -> None:
        cards, shares = deck(n), shares_of(deck(n))
        proof = shares_proof(cards, shares)
        refuses(verify_shares, message(), KEY_BORIS, cards, shares, proof)
        for j, card in enumerate(cards):
            refuses(verify_shares, message(), KEY_ANNA, cards, replaced(shares, j, shares[j] + G), proof)
            other_a, other_b = Ciphertext(card.a + G, card.b), Ciphertext(card.a, card.b + G)
            refuses(verify_shares, message(), KEY_ANNA, replaced(cards, j, other_a), shares, proof)
            # The equation does not touch the second component; only the challenge binds the share to it.
            refuses(verify_shares, message(), KEY_ANNA, replaced(cards, j, other_b), shares, proof)

    @pytest.mark.parametrize("j", [0, 25, 51])
    def test_one_false_share_among_many_cannot_be_proved(self, j: int) -> None:
        cards = deck(52)
        shares = replaced(shares_of(cards), j, share(X_BORIS, cards[j]))
        refuses(verify_shares, message(), KEY_ANNA, cards, shares, shares_proof(cards, shares))

    def test_shares_under_another_seats_key_cannot_be_proved(self) -> None:
        cards = deck(6)
        shares = shares_of(cards, X_BORIS)
        refuses(verify_shares, message(), KEY_ANNA, cards, shares, shares_proof(cards, shares))
        refuses(
            verify_shares,
            message(),
            KEY_ANNA,
            cards,
            shares,
            prove_shares(message(), X_BORIS, KEY_BORIS, cards, shares, BORIS),
        )

    def test_errors_that_cancel_are_noticed(self) -> None:
        cards = deck(2)
        first, second = shares_of(cards)
        for shares in ([first + H, second - H], [second, first], [first, first]):
            refuses(verify_shares, message(), KEY_ANNA, cards, shares, shares_proof(cards, shares))

    def test_errors_fitted_to_known_weights_change_the_weights(self) -> None:
        cards = deck(2)
        first, second = shares_of(cards)
        spy = WeightSpy(b"p2pdurak/1/proof")
        prove_shares(spy, X_ANNA, KEY_ANNA, cards, [first, second], ANNA)
        w0, w1 = spy.seen
        shares = [first + H * w1, second - H * w0]
        assert multiply_sum(spy.seen, shares) == multiply_sum(spy.seen, [first, second])
        refuses(verify_shares, message(), KEY_ANNA, cards, shares, shares_proof(cards, shares))

    @pytest.mark.parametrize("piece", range(2))
    def test_each_piece_matters(self, piece: int) -> None:
        cards, shares = deck(2), shares_of(deck(2))
        proof = shares_proof(cards, shares)
        refuses(verify_shares, message(), KEY_ANNA, cards, shares, damaged(proof, piece))
        refuses(verify_shares, message(), KEY_ANNA, cards, shares, unreduced(proof, piece))

    @pytest.mark.parametrize("proof", wrong_lengths(shares_proof(deck(2), shares_of(deck(2)))))
    def test_other_lengths_are_refused(self, proof: bytes) -> None:
        with pytest.raises(InvalidEncoding):
            verify_shares(message(), KEY_ANNA, deck(2), shares_of(deck(2)), proof)

    @pytest.mark.parametrize("name", OTHER_MESSAGES)
    def test_a_replay_elsewhere_is_refused(self, name: str) -> None:
        cards, shares = deck(2), shares_of(deck(2))
        transcript = message(**{name: OTHER_MESSAGES[name]})
        refuses(verify_shares, transcript, KEY_ANNA, cards, shares, shares_proof(cards, shares))

    def test_a_share_at_another_position_is_refused(self) -> None:
        cards = deck(6)
        shares = shares_of(cards[:2])
        proof = shares_proof(cards[:2], shares)
        refuses(verify_shares, message(), KEY_ANNA, cards[2:4], shares, proof)
        refuses(verify_shares, message(), KEY_ANNA, cards[1::-1], shares[::-1], proof)

    def test_numbers_must_fit(self) -> None:
        cards, shares = deck(3), shares_of(deck(3))
        proof = shares_proof(cards, shares)
        for some_cards, some_shares in (([], []), (cards, shares[:2]), (cards[:2], shares), (cards, [*shares, G])):
            with pytest.raises(VerificationError):
                verify_shares(message(), KEY_ANNA, some_cards, some_shares, proof)
        with pytest.raises(VerificationError):
            shares_proof([], [])

    def test_the_identity_is_refused(self) -> None:
        cards = deck(1)
        with pytest.raises(VerificationError):
            verify_shares(message(), KEY_ANNA, cards, [IDENTITY], shares_proof(cards, shares_of(cards)))
        with pytest.raises(VerificationError):
            verify_shares(message(), IDENTITY, cards, shares_of(cards), shares_proof(cards, shares_of(cards)))


class WeightSpy(Transcript):
    """The transcript of ``message()`` that remembers the weights it gave."""

    seen: list[Scalar]

    def __init__(self, domain: bytes) -> None:
        super().__init__(domain)
        self._hash = message()._hash

    def weights(self, label: str, n: int) -> list[Scalar]:
        self.seen = super().weights(label, n)
        return self.seen


CARD = mask(CARD_POINTS[20], KEY_ANNA, 4711)
OTHER = CARD_POINTS[21]


def differs_proof(card: Ciphertext = CARD, point: Element = OTHER) -> bytes:
    return prove_differs(message(), X_ANNA, KEY_ANNA, card, point, ANNA)


class TestDiffers:
    def test_an_honest_proof_passes(self) -> None:
        for point in (*CARD_POINTS[:20], *CARD_POINTS[21:]):
            proof = differs_proof(point=point)
            assert len(proof) == DIFFERS_PROOF_BYTES
            verify_differs(message(), KEY_ANNA, CARD, point, proof)

    def test_an_equal_card_cannot_be_denied(self) -> None:
        with pytest.raises(CryptoError):
            differs_proof(point=CARD_POINTS[20])

    def test_the_identity_as_difference_is_refused(self) -> None:
        # What the prover's formulas give for an equal card: everything holds, with C = 0.
        proof = bytes(32) + differs_proof()[32:]
        with pytest.raises(InvalidEncoding):
            verify_differs(message(), KEY_ANNA, CARD, OTHER, proof)

    def test_a_proof_of_the_first_equation_alone_is_refused(self) -> None:
        point = CARD_POINTS[20]  # the card is this one, and its holder denies it
        alpha, beta, k0, k1 = 5, 6, 7, 8
        assert beta != alpha * X_ANNA % ORDER
        rest = CARD.b - point
        blinded = multiply_sum((alpha, -beta), (rest, CARD.a))
        assert not blinded.is_identity
        transcript = message()
        transcript.append("proof", b"differs")
        transcript.append("key", KEY_ANNA.encode())
        transcript.append("ciphertext", CARD.encode())
        transcript.append("point", point.encode())
        transcript.append("blinded difference", blinded.encode())
        first = multiply_sum((k0, -k1), (rest, CARD.a))
        second = multiply_sum((k0, -k1), (KEY_ANNA, G))
        transcript.append("commitments", first.encode(), second.encode())
        c = transcript.challenge("challenge")
        z0, z1 = k0 - c * alpha, k1 - c * beta
        assert multiply_sum((c, z0, -z1), (blinded, rest, CARD.a)) == first
        assert multiply_sum((z0, -z1), (KEY_ANNA, G)) != second
        proof = blinded.encode() + b"".join(map(encode_scalar, (c, z0, z1)))
        with pytest.raises(VerificationError):
            verify_differs(message(), KEY_ANNA, CARD, point, proof)

    def test_the_forgery_above_differs_from_an_honest_proof_only_in_beta(self) -> None:
        # The same construction with beta = alpha * x and another point is accepted, so nothing else was wrong with it.
        alpha, k0, k1 = 5, 7, 8
        rest = CARD.b - OTHER
        blinded = multiply_sum((alpha, -alpha * X_ANNA), (rest, CARD.a))
        transcript = message()
        transcript.append("proof", b"differs")
        transcript.append("key", KEY_ANNA.encode())
        transcript.append("ciphertext", CARD.encode())
        transcript.append("point", OTHER.encode())
        transcript.append("blinded difference", blinded.encode())
        first = multiply_sum((k0, -k1), (rest, CARD.a))
        second = multiply_sum((k0, -k1), (KEY_ANNA, G))
        transcript.append("commitments", first.encode(), second.encode())
        c = transcript.challenge("challenge")
        scalars = (c, k0 - c * alpha, k1 - c * alpha * X_ANNA)
        verify_differs(message(), KEY_ANNA, CARD, OTHER, blinded.encode() + b"".join(map(encode_scalar, scalars)))

    @pytest.mark.parametrize("piece", range(4))
    def test_each_piece_matters(self, piece: int) -> None:
        refuses(verify_differs, message(), KEY_ANNA, CARD, OTHER, damaged(differs_proof(), piece))
        if piece:
            refuses(verify_differs, message(), KEY_ANNA, CARD, OTHER, unreduced(differs_proof(), piece))
        else:
            refuses(verify_differs, message(), KEY_ANNA, CARD, OTHER, G.encode() + differs_proof()[32:])

    def test_each_part_of_the_statement_matters(self) -> None:
        proof = differs_proof()
        refuses(verify_differs, message(), KEY_BORIS, CARD, OTHER, proof)
        refuses(verify_differs, message(), KEY_ANNA, Ciphertext(CARD.a + G, CARD.b), OTHER, proof)
        refuses(verify_differs, message(), KEY_ANNA, Ciphertext(CARD.a, CARD.b + G), OTHER, proof)
        refuses(verify_differs, message(), KEY_ANNA, CARD, CARD_POINTS[22], proof)
        refuses(verify_differs, message(), KEY_ANNA, CARD, CARD_POINTS[20], proof)
        refuses(verify_differs, message(), IDENTITY, CARD, OTHER, proof)
        refuses(verify_differs, message(), KEY_ANNA, CARD, IDENTITY, proof)

    @pytest.mark.parametrize("name", OTHER_MESSAGES)
    def test_a_replay_elsewhere_is_refused(self, name: str) -> None:
        refuses(verify_differs, message(**{name: OTHER_MESSAGES[name]}), KEY_ANNA, CARD, OTHER, differs_proof())

    @pytest.mark.parametrize("proof", wrong_lengths(differs_proof()))
    def test_other_lengths_are_refused(self, proof: bytes) -> None:
        with pytest.raises(InvalidEncoding):
            verify_differs(message(), KEY_ANNA, CARD, OTHER, proof)

    def test_a_wrong_private_key_denies_nothing(self) -> None:
        point = CARD_POINTS[20]
        proof = prove_differs(message(), X_ANNA + 1, KEY_ANNA, CARD, point, ANNA)
        refuses(verify_differs, message(), KEY_ANNA, CARD, point, proof)


HAND = deck(6, KEY_ANNA)
CALLED = CARD_POINTS[6:10]


def none_of_proof(hand: Sequence[Ciphertext], points: Sequence[Element]) -> bytes:
    return prove_none_of(message(), X_ANNA, KEY_ANNA, hand, points, ANNA)


class TestNoneOf:
    @pytest.mark.parametrize("size", [1, 2, 6, 36])
    @pytest.mark.parametrize("m", [1, 3, 4])
    def test_honest_proofs_pass(self, size: int, m: int) -> None:
        hand, points = deck(size, KEY_ANNA), CARD_POINTS[40 : 40 + m]
        proof = none_of_proof(hand, points)
        assert len(proof) == none_of_proof_bytes(size, m) == 128 * size * m
        verify_none_of(message(), KEY_ANNA, hand, points, proof)

    @pytest.mark.parametrize("held", [0, 5])
    def test_a_called_card_in_hand_cannot_be_denied(self, held: int) -> None:
        with pytest.raises(CryptoError):
            none_of_proof(HAND, [*CALLED, CARD_POINTS[held]])

    def test_proofs_cannot_change_places(self) -> None:
        proof = none_of_proof(HAND[:2], CALLED[:2])
        parts = [proof[start : start + 128] for start in range(0, len(proof), 128)]
        for first in range(4):
            for second in range(first):
                swapped = list(parts)
                swapped[first], swapped[second] = swapped[second], swapped[first]
                refuses(verify_none_of, message(), KEY_ANNA, HAND[:2], CALLED[:2], b"".join(swapped))
        refuses(verify_none_of, message(), KEY_ANNA, HAND[:2], CALLED[:2], parts[0] * 4)

    @pytest.mark.parametrize("piece", range(16))
    def test_each_piece_matters(self, piece: int) -> None:
        proof = none_of_proof(HAND[:2], CALLED[:2])
        refuses(verify_none_of, message(), KEY_ANNA, HAND[:2], CALLED[:2], damaged(proof, piece))

    def test_each_part_of_the_statement_matters(self) -> None:
        proof = none_of_proof(HAND[:2], CALLED[:2])
        refuses(verify_none_of, message(), KEY_BORIS, HAND[:2], CALLED[:2], proof)
        refuses(verify_none_of, message(), KEY_ANNA, HAND[1::-1], CALLED[:2], proof)
        refuses(verify_none_of, message(), KEY_ANNA, HAND[1:3], CALLED[:2], proof)
        refuses(verify_none_of, message(), KEY_ANNA, HAND[:2], CALLED[1:3], proof)
        refuses(verify_none_of, message(head=b"other"), KEY_ANNA, HAND[:2], CALLED[:2], proof)

    def test_the_size_comes_from_the_state(self) -> None:
        proof = none_of_proof(HAND[:2], CALLED[:2])
        for wrong in [*wrong_lengths(proof), proof[:-128], proof + proof[:128]]:
            with pytest.raises(InvalidEncoding):
                verify_none_of(message(), KEY_ANNA, HAND[:2], CALLED[:2], wrong)

    def test_no_two_nonces_are_alike(self) -> None:
        # The same nonce for two positions or two points would give away how their cards are related.
        proof = none_of_proof(HAND, CALLED)
        assert len({proof[start : start + 32] for start in range(0, len(proof), 32)}) == len(proof) // 32
