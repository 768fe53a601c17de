from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.errors import NotationError
from p2pdurak.net.addresses import Address
from p2pdurak.net.announcement import MAX_ADDRESSES, Announcement, decode_announcement, encode_properties

TABLE = Announcement("Стол Ани", b"k" * 32, "perevodnoy-2", 36, 4, 47800, ("192.168.1.5", "fe80::1%eth0"))


def records(table: Announcement = TABLE, /, **changed: str | None) -> dict[bytes, bytes | None]:
    texts: dict[str, str | None] = {**encode_properties(table), **changed}
    return {key.encode(): None if text is None else text.encode() for key, text in texts.items()}


def test_an_announcement_comes_back_as_it_was() -> None:
    assert decode_announcement(TABLE.instance, records(), TABLE.addresses, TABLE.port) == TABLE
    assert TABLE.candidates == (Address("192.168.1.5", 47800), Address("fe80::1%eth0", 47800))


def test_every_pair_fits_a_dns_string() -> None:
    longest = replace(TABLE, name="𝄞" * 40, rules="x" * 240)
    assert all(len(f"{key}={value}".encode()) <= 255 for key, value in encode_properties(longest).items())


def test_unknown_keys_and_other_versions_are_for_later() -> None:
    properties = records(v="2", colour="green")
    assert decode_announcement(TABLE.instance, properties, TABLE.addresses, 1).version == 2


@pytest.mark.parametrize(
    "changed",
    [
        {"table": ""},
        {"table": "x" * 41},
        {"table": "\x1b[2J"},
        {"table": "a  b"},
        {"table": None},
        {"rules": ""},
        {"rules": "x" * 241},
        {"rules": "Правила"},
        {"rules": "a\nb"},
        {"pack": "0"},
        {"pack": "036"},
        {"pack": "-36"},
        {"pack": "٣٦"},
        {"pack": "9" * 30},
        {"seats": "1"},
        {"seats": "7"},
        {"v": "x"},
        {"key": "00"},
        {"key": "6B" * 32},
        {"key": "6c" * 32},
        {"key": None},
    ],
)
def test_what_is_out_of_bounds_is_no_announcement(changed: dict[str, str | None]) -> None:
    with pytest.raises(NotationError):
        decode_announcement(TABLE.instance, records(**changed), TABLE.addresses, TABLE.port)


@pytest.mark.parametrize("key", [b"v", b"table", b"rules", b"pack", b"seats", b"key"])
def test_missing_or_broken_text_is_no_announcement(key: bytes) -> None:
    properties = records()
    with pytest.raises(NotationError):
        decode_announcement(TABLE.instance, {**properties, key: b"\xff"}, TABLE.addresses, TABLE.port)
    del properties[key]
    with pytest.raises(NotationError):
        decode_announcement(TABLE.instance, properties, TABLE.addresses, TABLE.port)


@pytest.mark.parametrize("port", [None, 0, 65536])
def test_the_port_must_be_one(port: int | None) -> None:
    with pytest.raises(NotationError):
        decode_announcement(TABLE.instance, records(), TABLE.addresses, port)


def test_addresses_that_nobody_can_dial_are_left_out() -> None:
    useless = ("224.0.0.251", "0.0.0.0", "::", "ff02::fb", "fe80::1", "kitchen")  # noqa: S104 - not bound
    table = decode_announcement(TABLE.instance, records(), (*useless, "192.168.1.5"), TABLE.port)
    assert table.addresses == ("192.168.1.5",)
    with pytest.raises(NotationError, match="no address"):
        decode_announcement(TABLE.instance, records(), useless, TABLE.port)


def test_so_many_addresses_and_no_more() -> None:
    addresses = [f"10.0.0.{number}" for number in range(100)]
    assert len(decode_announcement(TABLE.instance, records(), addresses, TABLE.port).addresses) == MAX_ADDRESSES


@given(st.dictionaries(st.sampled_from(list(records())), st.none() | st.binary(max_size=80)))
def test_noise_is_no_announcement_and_nothing_else(noise: dict[bytes, bytes | None]) -> None:
    try:
        table = decode_announcement(TABLE.instance, {**records(), **noise}, TABLE.addresses, TABLE.port)
    except NotationError:
        return
    assert table.instance == TABLE.instance
    assert table.name.isprintable()
