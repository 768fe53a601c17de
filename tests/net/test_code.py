from __future__ import annotations

import hashlib
import hmac
import itertools
import json
import math
from typing import Any

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
    FREE_GUESSES,
    LAST_WAIT_SECONDS,
    MAX_GUESSES,
    CodeAsker,
    CodeKeeper,
    Guesses,
    TooManyGuesses,
    WrongCode,
    clean_code,
    make_code,
)
from tests.crypto import curve
from tests.net.wires import introduced
from tests.vectors import make_code_vectors

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


def test_wrong_guesses_make_the_table_wait_longer_and_longer() -> None:
    guesses, now = Guesses(), 1000.0
    for _ in range(FREE_GUESSES):
        guesses.begin(now)
    for wait in (5.0, 10.0, 20.0, 40.0, 60.0, 60.0):
        for so_far in (0.0, wait - 0.5):
            with pytest.raises(TooManyGuesses, match=f"try again in {math.ceil(wait - so_far)} seconds") as refusal:
                guesses.begin(now + so_far)
            assert refusal.value.wait == wait - so_far
        now += wait
        guesses.begin(now)


def test_after_so_many_wrong_guesses_a_table_takes_no_code_any_more() -> None:
    guesses, now = Guesses(), 0.0
    for _ in range(MAX_GUESSES):
        assert not guesses.exhausted
        guesses.begin(now)
        now += LAST_WAIT_SECONDS
    assert guesses.exhausted
    with pytest.raises(TooManyGuesses, match="open it anew") as refusal:
        guesses.begin(now + 1e9)
    assert math.isinf(refusal.value.wait)


def test_right_codes_cost_nothing() -> None:
    guesses = Guesses()
    for now in range(10 * MAX_GUESSES):
        guesses.begin(float(now))
        guesses.right()
    assert not guesses.exhausted


def test_a_right_code_ends_the_waiting_but_takes_no_wrong_guess_back() -> None:
    guesses = Guesses()
    for _ in range(MAX_GUESSES // (FREE_GUESSES - 1)):
        for _ in range(FREE_GUESSES - 1):
            guesses.begin(0.0)
        if not guesses.exhausted:
            guesses.begin(0.0)
            guesses.right()
    assert guesses.exhausted


def test_many_attempts_at_once_are_many_guesses() -> None:
    guesses = Guesses()
    for _ in range(FREE_GUESSES):
        guesses.begin(0.0)
    with pytest.raises(TooManyGuesses):
        guesses.begin(0.0)


def test_nothing_is_right_that_was_not_tried() -> None:
    with pytest.raises(LocalProtocolError):
        Guesses().right()


def test_a_signing_key_is_a_point_like_any_other() -> None:
    """Points are checked by what checks keys; one that nobody multiplied by the code gets an answer and no entry."""
    keeper = CodeKeeper("lion-pepper-7", BINDING)
    assert len(keeper.answer(SigningKey(b"k" * 32).public)) == 32
