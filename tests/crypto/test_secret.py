"""Derivation: reproducible, separated in every argument, uniform."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.crypto.scalars import ORDER
from p2pdurak.crypto.secret import PlayerSecret, commitment, draw_lot
from tests.crypto.table import ANNA, GAME_ID, HEAD


def test_the_same_question_has_the_same_answer() -> None:
    again = PlayerSecret(ANNA.secret, GAME_ID, 0)
    assert again == ANNA
    assert again.scalar("a", 1, b"c") == ANNA.scalar("a", 1, b"c")
    assert again.key() == ANNA.key()
    assert again.lot_seed() == ANNA.lot_seed()
    assert again.bytes("a") == ANNA.bytes("a")
    assert again.permutation("a", b"c", 52) == ANNA.permutation("a", b"c", 52)


def test_every_argument_separates() -> None:
    results = [
        ANNA.scalar("a", 1, b"c"),
        ANNA.scalar("b", 1, b"c"),
        ANNA.scalar("a", 2, b"c"),
        ANNA.scalar("a", 1, b"d"),
        PlayerSecret(ANNA.secret, HEAD, 0).scalar("a", 1, b"c"),
        PlayerSecret(ANNA.secret, GAME_ID, 1).scalar("a", 1, b"c"),
        PlayerSecret(HEAD, GAME_ID, 0).scalar("a", 1, b"c"),
    ]
    assert all(a != b for a, b in combinations(results, 2))
    assert all(1 <= result < ORDER for result in results)
    assert ANNA.bytes("a") != ANNA.bytes("b")


def test_scalars_are_the_single_ones() -> None:
    assert ANNA.scalars("a", b"c", 3) == [ANNA.scalar("a", j, b"c") for j in range(3)]


@pytest.mark.parametrize(("secret", "game_id"), [(b"", GAME_ID), (bytes(31), GAME_ID), (bytes(32), bytes(33))])
def test_other_lengths_are_an_error(secret: bytes, game_id: bytes) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        PlayerSecret(secret, game_id, 0)


def test_the_secret_is_not_in_the_text_form() -> None:
    assert ANNA.secret.hex() not in repr(ANNA)
    assert repr(ANNA.secret) not in repr(ANNA)


@given(st.integers(0, 52), st.binary(max_size=4))
def test_permutations_are_permutations(n: int, context: bytes) -> None:
    assert sorted(ANNA.permutation("p", context, n)) == list(range(n))


def test_all_permutations_of_four_come_equally_often() -> None:
    counts = Counter(ANNA.permutation("p", b"%d" % i, 4) for i in range(4800))
    assert set(counts) == set(permutations(range(4)))
    # 200 of each are expected; six standard deviations of 14.
    assert all(116 < count < 284 for count in counts.values())


def test_lots_are_public_reproducible_and_uniform() -> None:
    assert draw_lot(HEAD, "dealer", 1) == 0
    counts = Counter(draw_lot(HEAD, f"dealer {i}", 6) for i in range(3000))
    assert set(counts) == set(range(6))
    # 500 of each are expected; six standard deviations of 20.
    assert all(380 < count < 620 for count in counts.values())
    assert draw_lot(HEAD, "a", 2**32) == draw_lot(HEAD, "a", 2**32) != draw_lot(HEAD, "b", 2**32)


def test_lots_reject_words_instead_of_being_biased() -> None:
    # With n at three quarters of all words, reducing the last quarter would bring the lowest third every second time.
    n = 3 * 2**30
    draws = [draw_lot(HEAD, f"{i}", n) for i in range(600)]
    assert all(0 <= draw < n for draw in draws)
    # 200 are expected, 300 with the bias; five standard deviations of 12.
    assert 140 < sum(draw < n // 3 for draw in draws) < 260


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_a_lot_needs_possibilities(n: int) -> None:
    with pytest.raises(ValueError, match="possibilities"):
        draw_lot(HEAD, "dealer", n)


def test_commitments_are_bound_to_everything() -> None:
    results = [
        commitment("s", GAME_ID, 0, b"ab", b"c"),
        commitment("s", GAME_ID, 0, b"a", b"bc"),
        commitment("t", GAME_ID, 0, b"ab", b"c"),
        commitment("s", HEAD, 0, b"ab", b"c"),
        commitment("s", GAME_ID, 1, b"ab", b"c"),
    ]
    assert len(set(results)) == 5
    assert all(len(result) == 32 for result in results)
