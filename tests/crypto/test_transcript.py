"""Transcripts: equal exactly when everything absorbed is equal."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.crypto.framing import frame, u32
from p2pdurak.crypto.scalars import ORDER
from p2pdurak.crypto.transcript import Transcript
from tests.crypto.table import OTHER_MESSAGES, message

part_lists = st.lists(st.binary(max_size=6), max_size=4)


@given(part_lists, part_lists)
def test_frames_are_injective(left: list[bytes], right: list[bytes]) -> None:
    assert (frame(*left) == frame(*right)) == (left == right)


@given(st.lists(part_lists, max_size=3), st.lists(part_lists, max_size=3))
def test_frames_in_a_row_are_injective(left: list[list[bytes]], right: list[list[bytes]]) -> None:
    assert (b"".join(frame(*x) for x in left) == b"".join(frame(*x) for x in right)) == (left == right)


def test_numbers_outside_four_bytes_are_an_error() -> None:
    assert u32(258) == b"\x00\x00\x01\x02"
    for number in (-1, 2**32):
        with pytest.raises(OverflowError):
            u32(number)


def test_whatever_differs_changes_the_challenge() -> None:
    def challenge(domain: bytes, *steps: tuple[str, bytes] | str) -> int:
        transcript = Transcript(domain)
        for step in steps:
            if isinstance(step, str):
                transcript.challenge(step)
            else:
                transcript.append(step[0], *([step[1]] if step[1] else []))
        return transcript.challenge("end")

    results = [
        challenge(b"domain"),
        challenge(b"domai", ("n", b"")),
        challenge(b"domain", ("a", b"")),
        challenge(b"domain", ("a", b"b")),
        challenge(b"domain", ("ab", b"")),
        challenge(b"domain", ("a", b""), ("b", b"")),
        challenge(b"domain", "a"),
        challenge(b"domain", "a", ("a", b"b")),
        challenge(b"domain", ("a", b"b"), "a"),
    ]
    assert all(a != b for a, b in combinations(results, 2))


def test_parts_cannot_be_cut_elsewhere() -> None:
    one, other = Transcript(b"t"), Transcript(b"t")
    one.append("deck", b"ab", b"c")
    other.append("deck", b"a", b"bc")
    assert one.digest() != other.digest()


def test_challenges_follow_each_other() -> None:
    transcript = Transcript(b"t")
    first, second = transcript.challenge("c"), transcript.challenge("c")
    assert first != second
    assert 0 <= first < ORDER
    assert transcript.copy().challenge("c") != transcript.copy().challenge("d")


def test_the_digest_consumes_nothing() -> None:
    quiet, asked = Transcript(b"t"), Transcript(b"t")
    assert asked.digest() == asked.digest()
    assert len(asked.digest()) == 64
    assert quiet.challenge("c") == asked.challenge("c")


def test_a_copy_goes_its_own_way() -> None:
    transcript = Transcript(b"t")
    transcript.append("a", b"1")
    twin = transcript.copy()
    assert twin.digest() == transcript.digest()
    twin.append("a", b"2")
    assert twin.digest() != transcript.digest()


def test_weights_are_distinct_and_depend_on_their_number() -> None:
    three, four = Transcript(b"t").weights("w", 3), Transcript(b"t").weights("w", 4)
    assert len(set(three + four)) == 7
    assert Transcript(b"t").weights("w", 0) == []
    assert all(0 <= weight < ORDER for weight in four)


@pytest.mark.parametrize("name", OTHER_MESSAGES)
def test_every_field_of_a_message_is_bound(name: str) -> None:
    assert message(**{name: OTHER_MESSAGES[name]}).digest() != message().digest()
