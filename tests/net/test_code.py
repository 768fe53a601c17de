from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
import trio
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import example, given
from hypothesis import strategies as st
from trio.testing import memory_stream_pair

from p2pdurak.crypto.framing import frame
from p2pdurak.crypto.identity import SigningKey
from p2pdurak.errors import LocalProtocolError, MalformedMessage, NotationError
from p2pdurak.net.code import (
    COMMON_WAIT_SECONDS,
    FREE_GUESSES,
    MANY_GUESSES,
    CodeAsker,
    CodeKeeper,
    Guesses,
    TooManyGuesses,
    WrongCode,
    clean_code,
    make_code,
    place_of,
)
from p2pdurak.net.gate import Gate
from tests.crypto import curve
from tests.net.wires import introduced
from tests.vectors import make_code_vectors

if TYPE_CHECKING:
    from collections.abc import Iterator

VECTORS: dict[str, Any] = json.loads(make_code_vectors.PATH.read_text(encoding="utf-8"))
BINDING = b"b" * 32
OTHER_BINDING = b"c" * 32


def agree(asker: CodeAsker, keeper: CodeKeeper) -> None:
    """Carry the messages to and fro."""
    proof = asker.answer(keeper.answer(asker.first()))
    assert proof is not None
    assert not asker.done
    assert not keeper.done
    assert asker.answer(keeper.answer(proof)) is None


def test_who_knows_the_code_gets_in() -> None:
    asker, keeper = CodeAsker("lion-pepper-7", BINDING), CodeKeeper("lion-pepper-7", BINDING)
    agree(asker, keeper)
    assert asker.done
    assert keeper.done


@pytest.mark.parametrize(
    ("code", "binding"), [("lion-pepper-8", BINDING), ("lion-pepper-7", OTHER_BINDING)], ids=["code", "link"]
)
def test_another_code_or_another_link_is_refused_by_the_keeper(code: str, binding: bytes) -> None:
    asker, keeper = CodeAsker(code, binding), CodeKeeper("lion-pepper-7", BINDING)
    with pytest.raises(WrongCode, match="not the code of this table"):
        agree(asker, keeper)
    assert not keeper.done
    assert not asker.done


def test_a_keeper_that_does_not_know_the_code_is_refused_by_the_asker() -> None:
    asker, impostor = CodeAsker("lion-pepper-7", BINDING), CodeKeeper("lion-pepper-8", BINDING)
    asker.answer(impostor.answer(asker.first()))
    with pytest.raises(WrongCode, match="another one, or somebody sits in between"):
        asker.answer(bytes(32))
    assert not asker.done


def test_a_recorded_proof_is_worth_nothing_against_a_new_keeper() -> None:
    asker, keeper = CodeAsker("lion-pepper-7", BINDING), CodeKeeper("lion-pepper-7", BINDING)
    first = asker.first()
    proof = asker.answer(keeper.answer(first))
    assert proof is not None
    again = CodeKeeper("lion-pepper-7", BINDING)
    again.answer(first)
    with pytest.raises(WrongCode):
        again.answer(proof)


def test_the_askers_own_proof_is_not_the_keepers() -> None:
    asker, keeper = CodeAsker("lion-pepper-7", BINDING), CodeKeeper("lion-pepper-7", BINDING)
    proof = asker.answer(keeper.answer(asker.first()))
    assert proof is not None
    with pytest.raises(WrongCode):
        asker.answer(proof)


def test_two_attempts_never_say_the_same() -> None:
    first, second = (CodeAsker("lion-pepper-7", BINDING) for _ in range(2))
    assert first.first() != second.first()


NEUTRAL = (1).to_bytes(32, "little")
OF_ORDER_TWO = (curve.P - 1).to_bytes(32, "little")
NOT_REDUCED = (curve.P + 1).to_bytes(32, "little")
OF_MIXED_ORDER = curve.edwards_encode(curve.add(curve.BASE, curve.edwards_decode(OF_ORDER_TWO)))
NOT_ON_THE_CURVE = (2).to_bytes(32, "little")
NO_POINTS = [NEUTRAL, OF_ORDER_TWO, NOT_REDUCED, OF_MIXED_ORDER, NOT_ON_THE_CURVE, b"", bytes(31), bytes(33)]


@pytest.mark.parametrize("message", NO_POINTS, ids=bytes.hex)
def test_what_is_no_point_of_the_group_is_refused_by_both(message: bytes) -> None:
    with pytest.raises(MalformedMessage):
        CodeKeeper("lion-pepper-7", BINDING).answer(message)
    with pytest.raises(MalformedMessage):
        CodeAsker("lion-pepper-7", BINDING).answer(message)


def test_an_attempt_is_over_when_it_is_decided() -> None:
    asker, keeper = CodeAsker("lion-pepper-7", BINDING), CodeKeeper("lion-pepper-7", BINDING)
    proof = asker.answer(keeper.answer(asker.first()))
    assert proof is not None
    with pytest.raises(WrongCode):
        keeper.answer(bytes(32))
    with pytest.raises(MalformedMessage, match="decided"):
        keeper.answer(proof)
    assert not keeper.done


async def test_a_relay_between_two_links_gets_nobody_in() -> None:
    """Mallory holds a link to each of two friends, both of whom know the code, and passes on what they say."""
    (keepers_link, _), (_, askers_link) = (
        await introduced(*memory_stream_pair()),
        await introduced(*memory_stream_pair()),
    )
    for link in (keepers_link, askers_link):
        await trio.aclose_forcefully(link._stream)
    with pytest.raises(WrongCode):
        agree(CodeAsker("lion-pepper-7", askers_link.binding), CodeKeeper("lion-pepper-7", keepers_link.binding))


def hkdf(data: bytes, info: bytes) -> int:
    return int.from_bytes(HKDF(hashes.SHA256(), 48, b"", info).derive(data), "big")


def generated_point(letter: bytes) -> curve.Point:
    """The points M and N as the specification makes them."""
    start = hkdf(letter, b"SPAKE2 arbitrary element") % curve.P
    for y in itertools.count(start):
        try:
            point = curve.edwards_decode((y % curve.P).to_bytes(32, "little"))
        except ValueError:
            continue
        return curve.multiply(8, point)
    raise AssertionError


def test_the_exchange_is_the_one_specified() -> None:
    """The vectors, computed with other arithmetic straight from the text of the specification."""
    password, binding = VECTORS["code"].encode(), bytes.fromhex(VECTORS["binding"])
    x, y = int(VECTORS["x"]), int(VECTORS["y"])
    w = hkdf(password, b"SPAKE2 pw") % curve.L
    m, n = generated_point(b"M"), generated_point(b"N")
    assert curve.edwards_encode(m).hex() == "15cfd18e385952982b6a8f8c7854963b58e34388c8e6dae891db756481a02312"
    assert curve.edwards_encode(n).hex() == "f04f2e7eb734b2a8f8b472eaf9c3c632576ac64aea650b496a8a20ff00e583c3"
    first = curve.edwards_encode(curve.sum_of([x, w], [curve.BASE, m]))
    second = curve.edwards_encode(curve.sum_of([y, w], [curve.BASE, n]))
    shared = curve.edwards_encode(curve.multiply(x * y % curve.L, curve.BASE))
    identities = [frame(f"p2pdurak/1/code {who}".encode(), binding) for who in ("asker", "keeper")]
    hashed = [hashlib.sha256(part).digest() for part in (password, *identities)]
    key = hashlib.sha256(b"".join([*hashed, first, second, shared])).digest()
    proofs = [hmac.digest(key, f"p2pdurak/1/code {who} confirms".encode(), "sha256") for who in ("asker", "keeper")]
    assert [message.hex() for message in (first, second, *proofs)] == VECTORS["messages"]


def test_the_program_makes_these_vectors() -> None:
    assert make_code_vectors.text() == make_code_vectors.PATH.read_text(encoding="utf-8")


@given(st.text(max_size=50))
@example("Ω ΐ ǰ ŉabc")
@example("İstanbul 1")
@example("ﬁve six")
def test_a_code_has_one_form(written: str) -> None:
    try:
        code = clean_code(written)
    except NotationError as error:
        assert "code" in str(error)  # noqa: PT017 - most texts are no codes, and that is fine
    else:
        assert clean_code(code) == code
        assert clean_code(f"  {code.replace('-', '  ')} ") == code
        assert 4 <= len(code) <= 40


@pytest.mark.parametrize("written", ["lion-pepper-7", "Lion Pepper 7", "LION--PEPPER  -7 ", "lion-pepper-７"])
def test_people_write_codes_as_they_like(written: str) -> None:
    assert clean_code(written) == "lion-pepper-7"


@pytest.mark.parametrize(
    "text", ["", "abc", "- - -", "a" * 41, "x" * 10_000, "lion_pepper", "lion\x00pepper", "a\u200bbcd"]
)
def test_what_is_no_code(text: str) -> None:
    with pytest.raises(NotationError):
        clean_code(text)


@given(st.binary(min_size=3, max_size=3))
def test_a_generated_code_is_a_code(entropy: bytes) -> None:
    code = make_code(entropy)
    assert clean_code(code) == code


def test_generated_codes_differ_in_22_bits() -> None:
    every = range(256)
    assert len({make_code(bytes([n, 0, 0])) for n in every}) == 256
    assert len({make_code(bytes([0, n, 0])) for n in every}) == 256
    assert len({make_code(bytes([0, 0, n])) for n in every}) == 64


HERE, THERE = "10.0.0.1", "10.0.0.2"


def test_wrong_guesses_make_whoever_is_there_wait_longer_and_longer() -> None:
    guesses, now = Guesses(), 1000.0
    for _ in range(FREE_GUESSES):
        guesses.begin(now, HERE)
    for wait in (5.0, 10.0, 20.0, 40.0, 80.0, 160.0, 320.0, 600.0, 600.0):
        for so_far in (0.0, wait - 0.5):
            with pytest.raises(TooManyGuesses, match=f"try again in {math.ceil(wait - so_far)} s") as refusal:
                guesses.begin(now + so_far, HERE)
            assert refusal.value.wait == wait - so_far
        now += wait
        guesses.begin(now, HERE)


def test_who_guesses_keeps_nobody_at_another_place_out() -> None:
    guesses = Guesses()
    for _ in range(FREE_GUESSES):
        guesses.begin(0.0, HERE)
    with pytest.raises(TooManyGuesses):
        guesses.begin(0.0, HERE)
    guesses.begin(0.0, THERE)
    guesses.right(THERE)
    with pytest.raises(TooManyGuesses):
        guesses.begin(0.0, HERE)


def test_many_wrong_guesses_from_everywhere_make_all_wait_for_each_other_but_not_for_ever() -> None:
    guesses = Guesses()
    for number in range(MANY_GUESSES):
        guesses.begin(0.0, f"10.0.1.{number}")
    for number in range(3):
        now = number * COMMON_WAIT_SECONDS
        with pytest.raises(TooManyGuesses) as refusal:
            guesses.begin(now + 1.0, THERE)
        assert refusal.value.wait == COMMON_WAIT_SECONDS - 1.0
        guesses.begin(now + COMMON_WAIT_SECONDS, f"10.0.2.{number}")


@pytest.mark.parametrize(
    ("places", "most"), [(itertools.repeat(0), 34), (itertools.count(), MANY_GUESSES + 4 * 120)], ids=["one", "many"]
)
def test_an_evening_of_guessing_is_bounded(places: Iterator[int], most: int) -> None:
    """The numbers that the specification gives, from one place and from however many."""
    guesses, counted = Guesses(), 0
    for second in range(4 * 3600):
        with suppress(TooManyGuesses):
            while True:
                guesses.begin(float(second), f"place {next(places)}")
                counted += 1
    assert counted == pytest.approx(most, abs=1)


def test_right_codes_cost_nothing() -> None:
    guesses = Guesses()
    for now in range(10 * MANY_GUESSES):
        guesses.begin(float(now), HERE)
        guesses.right(HERE)
    guesses.begin(0.0, HERE)


def test_a_right_code_ends_the_waiting() -> None:
    guesses = Guesses()
    for _ in range(FREE_GUESSES - 1):
        guesses.begin(0.0, HERE)
    guesses.begin(0.0, HERE)
    guesses.right(HERE)
    for _ in range(FREE_GUESSES):
        guesses.begin(0.0, HERE)
    with pytest.raises(TooManyGuesses):
        guesses.begin(0.0, HERE)


def test_many_attempts_at_once_are_many_guesses() -> None:
    guesses = Guesses()
    for _ in range(FREE_GUESSES):
        guesses.begin(0.0, HERE)
    with pytest.raises(TooManyGuesses):
        guesses.begin(0.0, HERE)


def test_several_from_one_place_are_right_at_once() -> None:
    guesses = Guesses()
    for _ in range(2):
        guesses.begin(0.0, HERE)
    for _ in range(2):
        guesses.right(HERE)


def test_nothing_is_right_that_was_not_tried() -> None:
    with pytest.raises(LocalProtocolError):
        Guesses().right(HERE)


@pytest.mark.parametrize(
    ("host", "place"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("fe80::1:2", "fe80::1:2"),
        ("fe80::1:2%eth0", "fe80::1:2"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::1", "::/64"),
        ("", ""),
    ],
)
def test_guesses_are_counted_by_where_they_come_from(host: str, place: str) -> None:
    assert place_of(host) == place


def test_whoever_has_proved_the_code_may_prove_it_again_at_any_time() -> None:
    gate = Gate("lion-pepper-7")
    friend, host = b"f" * 32, HERE

    def knock(peer: bytes, code: str) -> None:
        asker = CodeAsker(code, BINDING)
        proof = asker.answer(gate.answer(peer, BINDING, host, asker.first(), 0.0))
        assert proof is not None
        assert asker.answer(gate.answer(peer, BINDING, host, proof, 0.0)) is None

    knock(friend, "lion-pepper-7")
    for number in range(FREE_GUESSES):
        with pytest.raises(WrongCode):
            knock(bytes([number] * 32), "lion-pepper-8")
    with pytest.raises(TooManyGuesses):
        knock(b"s" * 32, "lion-pepper-7")
    knock(friend, "lion-pepper-7")
    assert gate.admitted == {friend}


def test_a_signing_key_is_a_point_like_any_other() -> None:
    """Points are checked by what checks keys; one that nobody multiplied by the code gets an answer and no entry."""
    keeper = CodeKeeper("lion-pepper-7", BINDING)
    assert len(keeper.answer(SigningKey(b"k" * 32).public)) == 32
