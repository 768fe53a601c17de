from __future__ import annotations

from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.errors import LinkBroken
from p2pdurak.net.hello import (
    HELLO_DOMAIN,
    MAX_HELLO_BYTES,
    Hello,
    Role,
    VersionMismatch,
    binding,
    decode_hello,
    encode_hello,
    signed_part,
    verify_hello,
)
from p2pdurak.wire.codec import VERSION
from tests.net.wires import ANN, BOB

PUBLIC = b"k" * 32
NONCE = b"n" * 32


def packed(*fields: Any) -> bytes:
    data: bytes = msgpack.packb(list(fields))
    return data


def test_a_hello_comes_back_as_it_was() -> None:
    hello = Hello(PUBLIC, "Дядя Фёдор", NONCE)
    assert decode_hello(encode_hello(hello)) == hello


def test_the_longest_hello_fits() -> None:
    assert len(encode_hello(Hello(PUBLIC, "𝄞" * 24, NONCE))) <= MAX_HELLO_BYTES


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        packed("p2pchess", VERSION, PUBLIC, "Ann", NONCE),
        packed("p2pdurak"),
        packed("p2pdurak", "1", PUBLIC, "Ann", NONCE),
        packed("p2pdurak", True, PUBLIC, "Ann", NONCE),
        packed("p2pdurak", VERSION, PUBLIC, "Ann"),
        packed("p2pdurak", VERSION, PUBLIC, "Ann", NONCE, 0),
        packed("p2pdurak", VERSION, PUBLIC[1:], "Ann", NONCE),
        packed("p2pdurak", VERSION, PUBLIC, "Ann", NONCE[1:]),
        packed("p2pdurak", VERSION, PUBLIC, b"Ann", NONCE),
        packed("p2pdurak", VERSION, PUBLIC, " Ann", NONCE),
        packed("p2pdurak", VERSION, PUBLIC, "\x1b[2J", NONCE),
        packed("p2pdurak", VERSION, PUBLIC, "", NONCE),
        packed("p2pdurak", VERSION, PUBLIC, "Ann", NONCE) + b"\0",
        packed("p2pdurak", VERSION, PUBLIC, "x" * MAX_HELLO_BYTES, NONCE),
        packed({"p2pdurak": 1}),
        msgpack.packb({"a": 1}),
        b"\x95\xa8p2pdurak\xcc\x01" + packed(PUBLIC, "Ann", NONCE)[1:],
        b"\x91" * MAX_HELLO_BYTES,
        b"\xdd\xff\xff\xff\xff",
    ],
)
def test_anything_but_a_hello_breaks_the_link(data: bytes) -> None:
    with pytest.raises(LinkBroken) as caught:
        decode_hello(data)
    assert not isinstance(caught.value, VersionMismatch)


@given(st.binary(max_size=2 * MAX_HELLO_BYTES))
def test_noise_breaks_the_link_and_nothing_else(data: bytes) -> None:
    with pytest.raises(LinkBroken):
        decode_hello(data)


def test_another_version_is_told_whatever_follows_it() -> None:
    with pytest.raises(VersionMismatch, match="this p2pdurak needs to be updated") as caught:
        decode_hello(packed("p2pdurak", VERSION + 1, ["anything"], None))
    assert caught.value.theirs == VERSION + 1
    with pytest.raises(VersionMismatch, match="the other one needs to be updated"):
        decode_hello(packed("p2pdurak", VERSION - 1))


def test_a_signature_holds_for_its_role_its_connection_and_its_key_only() -> None:
    hello = Hello(ANN.public, "Ann", NONCE)
    bound = binding(b"c" * 32, b"dialler's hello", b"listener's hello")
    signature = ANN.sign(HELLO_DOMAIN, signed_part(Role.DIALLER, bound))
    verify_hello(hello, Role.DIALLER, bound, signature)

    for stranger, role, other in [
        (hello, Role.LISTENER, bound),
        (Hello(BOB.public, "Ann", NONCE), Role.DIALLER, bound),
        (Hello(b"\0" * 32, "Ann", NONCE), Role.DIALLER, bound),
        (hello, Role.DIALLER, binding(b"d" * 32, b"dialler's hello", b"listener's hello")),
        (hello, Role.DIALLER, binding(b"c" * 32, b"another hello", b"listener's hello")),
        (hello, Role.DIALLER, binding(b"c" * 32, b"dialler's hello", b"another hello")),
        (hello, Role.DIALLER, binding(b"c" * 32, b"listener's hello", b"dialler's hello")),
    ]:
        with pytest.raises(LinkBroken, match="does not hold the key"):
            verify_hello(stranger, role, other, signature)
    with pytest.raises(LinkBroken, match="does not hold the key"):
        verify_hello(hello, Role.DIALLER, bound, signature[1:])
