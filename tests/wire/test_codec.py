"""The codec: one value, one encoding, and nothing else is read."""

from __future__ import annotations

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.errors import MalformedMessage
from p2pdurak.wire.codec import MAX_ARRAY_ITEMS, MAX_DEPTH, MAX_MESSAGE_BYTES, Value, decode, encode

LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**63), 2**64 - 1), st.binary(max_size=300), st.text(max_size=80)
)


def tuples_of(depth: int) -> st.SearchStrategy[Value]:
    inner = LEAVES if depth == 1 else st.one_of(LEAVES, tuples_of(depth - 1))
    return st.lists(inner, max_size=5).map(tuple)


VALUES = st.one_of(LEAVES, tuples_of(MAX_DEPTH))
SAMPLE: Value = (1, b"bytes", ("text", None, True, -7, (2**40, (b"",))), "да")


@given(VALUES)
def test_what_is_encoded_is_decoded(value: Value) -> None:
    assert decode(encode(value)) == value


@given(st.binary(max_size=60))
def test_whatever_is_decoded_was_the_one_encoding(data: bytes) -> None:
    try:
        value = decode(data)
    except MalformedMessage:
        return
    assert encode(value) == data


def test_every_truncation_and_every_tail_is_refused() -> None:
    whole = encode(SAMPLE)
    for length in range(len(whole)):
        with pytest.raises(MalformedMessage):
            decode(whole[:length])
    for tail in range(256):
        with pytest.raises(MalformedMessage):
            decode(whole + bytes([tail]))


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xcc\x05", id="5 as uint8"),
        pytest.param(b"\xcd\x00\x05", id="5 as uint16"),
        pytest.param(b"\xce\x00\x00\x00\x05", id="5 as uint32"),
        pytest.param(b"\xcf" + (5).to_bytes(8, "big"), id="5 as uint64"),
        pytest.param(b"\xd0\x05", id="5 as int8"),
        pytest.param(b"\xd0\xff", id="-1 as int8"),
        pytest.param(b"\xd9\x01a", id="short text as str8"),
        pytest.param(b"\xda\x00\x01a", id="short text as str16"),
        pytest.param(b"\xdb\x00\x00\x00\x01a", id="short text as str32"),
        pytest.param(b"\xc5\x00\x01a", id="short bytes as bin16"),
        pytest.param(b"\xc6\x00\x00\x00\x01a", id="short bytes as bin32"),
        pytest.param(b"\xdc\x00\x01\x05", id="short array as array16"),
        pytest.param(b"\xdd\x00\x00\x00\x01\x05", id="short array as array32"),
    ],
)
def test_a_longer_encoding_of_the_same_value_is_refused(data: bytes) -> None:
    assert msgpack.unpackb(data, use_list=False) in (5, -1, "a", b"a", (5,))
    with pytest.raises(MalformedMessage):
        decode(data)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xc1", id="the unused byte"),
        pytest.param(msgpack.packb({}), id="empty map"),
        pytest.param(msgpack.packb({"a": 1}), id="map"),
        pytest.param(msgpack.packb((1, {})), id="map inside"),
        pytest.param(msgpack.packb(1.5), id="float"),
        pytest.param(b"\xca\x00\x00\x00\x00", id="float32"),
        pytest.param(b"\xc7\x00\x05", id="empty extension"),
        pytest.param(b"\x91\xc7\x00\x05", id="empty extension inside"),
        pytest.param(b"\xd4\x05a", id="extension"),
        pytest.param(b"\xd6\xff\x00\x00\x00\x01", id="timestamp"),
        pytest.param(b"\xa2\xc3\x28", id="text that is not UTF-8"),
        pytest.param(b"\xa3\xed\xa0\x80", id="a lone surrogate"),
    ],
)
def test_other_types_are_refused(data: bytes) -> None:
    with pytest.raises(MalformedMessage):
        decode(data)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xdd\xff\xff\xff\xff", id="an array of 2^32 - 1"),
        pytest.param(b"\xdf\xff\xff\xff\xff", id="a map of 2^32 - 1"),
        pytest.param(b"\xc6\xff\xff\xff\xff", id="4 GiB of bytes"),
        pytest.param(b"\xdb\xff\xff\xff\xff", id="4 GiB of text"),
        pytest.param(b"\xc9\xff\xff\xff\xff\x05", id="4 GiB of extension"),
        pytest.param(b"\x91" * MAX_MESSAGE_BYTES, id="arrays nested as deep as there is room"),
        pytest.param(b"\x91" * 1000 + b"\xc0", id="a thousand arrays around nothing"),
        pytest.param((b"\xdc\x00\x40" + b"\xc0" * 63) * 200, id="arrays that end in arrays"),
    ],
)
def test_bombs_are_refused(data: bytes) -> None:
    with pytest.raises(MalformedMessage):
        decode(data)


def test_the_limits_are_what_they_say() -> None:
    nested: Value = None
    for _ in range(MAX_DEPTH):
        nested = (nested,)
    assert decode(encode(nested)) == nested
    with pytest.raises(MalformedMessage):
        decode(encode((nested,)))
    widest: tuple[Value, ...] = (0,) * MAX_ARRAY_ITEMS
    assert decode(encode(widest)) == widest
    with pytest.raises(MalformedMessage):
        decode(encode((*widest, 0)))
    longest = encode(bytes(MAX_MESSAGE_BYTES - 3))
    assert len(longest) == MAX_MESSAGE_BYTES
    assert decode(longest) == bytes(MAX_MESSAGE_BYTES - 3)
    with pytest.raises(MalformedMessage) as raised:
        decode(encode(bytes(MAX_MESSAGE_BYTES - 2)))
    assert raised.value.code == "oversize"
    assert raised.value.seat is None
