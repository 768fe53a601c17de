from __future__ import annotations

import base64
import hashlib
from dataclasses import replace

import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.crypto.identity import SigningKey
from p2pdurak.errors import NotationError
from p2pdurak.net.addresses import Address
from p2pdurak.net.code import clean_code, make_code
from p2pdurak.net.invite import (
    MAX_ADDRESSES,
    MAX_INVITE_CHARACTERS,
    PREFIX,
    QUIET_MODULES,
    Invite,
    invitable,
    is_invite,
    parse_invite,
    qr_lines,
)
from p2pdurak.wire.codec import Value, encode
from p2pdurak.wire.names import clean_table_name

PUBLIC = SigningKey(b"a" * 32).public
INVITE = Invite(("192.168.1.5", "fd00::5"), 47800, PUBLIC, "lion-pepper-7", "Стол Ани")
FIELDS: tuple[Value, ...] = (1, PUBLIC, 47800, (bytes([192, 168, 1, 5]),), None, "kitchen")


def is_clean(text: str) -> bool:
    try:
        return clean_table_name(text) == text
    except NotationError:
        return False


usable = st.ip_addresses().map(str).filter(lambda ip: invitable([ip]) == (ip,))
invites = st.builds(
    Invite,
    st.lists(usable, min_size=1, max_size=MAX_ADDRESSES).map(invitable),
    st.integers(1, 0xFFFF),
    st.binary(min_size=32, max_size=32).map(lambda seed: SigningKey(seed).public),
    st.none() | st.binary(min_size=3, max_size=3).map(make_code),
    st.text(min_size=1, max_size=40).filter(is_clean),
)


@given(invites, st.booleans())
def test_an_invite_comes_back_as_it_was(invite: Invite, capitals: bool) -> None:
    text = str(invite)
    assert text.isascii()
    assert not set(text) & set(' _*~`"\n')
    assert len(text) <= MAX_INVITE_CHARACTERS
    assert parse_invite(text.upper() if capitals else text) == invite


@given(st.data())
def test_any_slip_of_the_hand_is_noticed(data: st.DataObject) -> None:
    text = str(INVITE)
    at = data.draw(st.integers(len(PREFIX), len(text) - 1))
    other = data.draw(st.sampled_from([c for c in "abcdefghijklmnopqrstuvwxyz23456789-" if c != text[at]]))
    for slip in (
        text[:at] + other + text[at + 1 :],
        text[:at] + text[at + 1 :],
        text[:at],
        text[:at] + other + text[at:],
    ):
        with pytest.raises(NotationError, match="copy the whole line"):
            parse_invite(slip)


@given(st.text(max_size=60) | st.text(alphabet="abcdefghijklmnopqrstuvwxyz234567=", max_size=60))
def test_garbage_is_refused_with_a_sentence(garbage: str) -> None:
    for text in (garbage, PREFIX + garbage):
        with pytest.raises(NotationError, match=r"(?i)invite"):
            parse_invite(text)


def test_a_line_that_a_chat_program_has_broken_is_read() -> None:
    text = str(INVITE)
    assert parse_invite(f"  {text[:40]}\r\n  {text[40:]}\n") == INVITE


def written(fields: tuple[Value, ...]) -> str:
    """Write any fields as an invite with a proper checksum."""
    return with_checksum(encode(fields))


def with_checksum(data: bytes) -> str:
    whole = data + hashlib.sha256(PREFIX.encode() + data).digest()[:4]
    return PREFIX + base64.b32encode(whole).decode().rstrip("=").lower()


def test_the_layout_is_the_one_specified() -> None:
    assert parse_invite(written(FIELDS)) == Invite(("192.168.1.5",), 47800, PUBLIC, None, "kitchen")


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ((2, "whatever comes"), "update this p2pdurak"),
        ((0,), "its maker needs to update"),
        ((True, *FIELDS[1:]), "not complete"),
        ((), "right fields"),
        (FIELDS[:-1], "right fields"),
        ((*FIELDS, 1), "right fields"),
        ((*FIELDS[:1], bytes(32), *FIELDS[2:]), "key"),
        ((*FIELDS[:1], b"short", *FIELDS[2:]), "key"),
        ((*FIELDS[:2], 0, *FIELDS[3:]), "port"),
        ((*FIELDS[:2], 65_536, *FIELDS[3:]), "port"),
        ((*FIELDS[:3], (), *FIELDS[4:]), "addresses"),
        ((*FIELDS[:3], (bytes(4),), *FIELDS[4:]), "addresses"),
        ((*FIELDS[:3], (b"12345",), *FIELDS[4:]), "address"),
        ((*FIELDS[:3], ("10.0.0.1",), *FIELDS[4:]), "address"),
        ((*FIELDS[:3], tuple(bytes([10, 0, 0, n]) for n in range(9)), *FIELDS[4:]), "addresses"),
        ((*FIELDS[:4], "Lion Pepper", FIELDS[5]), "code"),
        ((*FIELDS[:4], "abc", FIELDS[5]), "code"),
        ((*FIELDS[:5], " kitchen "), "name"),
        ((*FIELDS[:5], "\x1b[2J"), "name"),
    ],
)
def test_what_a_forger_or_another_version_writes_is_refused(fields: tuple[Value, ...], sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        parse_invite(written(fields))


def test_what_is_no_array_is_refused() -> None:
    for data in (b"", b"\xc1", encode(1), encode(FIELDS) + b"more"):
        with pytest.raises(NotationError, match="right fields"):
            parse_invite(with_checksum(data))


def test_an_invite_has_one_text() -> None:
    """Bits of the last digit that belong to no byte are zero."""
    text = next(text for n in range(8) if len(text := str(replace(INVITE, name="k" * (n + 1)))[len(PREFIX) :]) % 8)
    digits = "abcdefghijklmnopqrstuvwxyz234567"
    last = digits.index(text[-1])
    assert last % 2 == 0
    with pytest.raises(NotationError, match="copy the whole line"):
        parse_invite(PREFIX + text[:-1] + digits[last + 1])


def test_a_huge_text_is_refused() -> None:
    for length in (MAX_INVITE_CHARACTERS, 10**6):
        with pytest.raises(NotationError, match="invite"):
            parse_invite(PREFIX + "a" * length)


def test_what_is_meant_as_an_invite() -> None:
    assert is_invite(str(INVITE))
    assert is_invite(f"  {str(INVITE).upper()}")
    assert is_invite(PREFIX)
    assert not any(map(is_invite, ["", "kitchen", "p2pdurak", "192.168.1.5:47800", "p2pdurak.local:47800"]))


def test_only_addresses_that_mean_the_same_everywhere_are_named() -> None:
    mine = ("10.1.2.3", "127.0.0.1", "fe80::1", "fe80::2%eth0", "192.168.1.5", "FD00::5", "224.0.0.251", "::", "?")
    assert invitable(mine) == ("10.1.2.3", "192.168.1.5", "fd00::5")
    assert invitable(["127.0.0.1", "fe80::1"]) == ("127.0.0.1",)
    assert invitable([]) == ()
    assert len(invitable(f"10.0.0.{n}" for n in range(1, 100))) == MAX_ADDRESSES


def test_where_to_dial() -> None:
    assert INVITE.candidates == (Address("192.168.1.5", 47800), Address("fd00::5", 47800))


@pytest.mark.parametrize(
    "addresses", [(), ("fe80::1",), ("fe80::1%eth0",), ("kitchen.local",), ("10.0.0.1", "10.0.0.1"), ("FD00::1",)]
)
def test_other_addresses_make_no_invite(addresses: tuple[str, ...]) -> None:
    with pytest.raises(NotationError):
        replace(INVITE, addresses=addresses)


def modules(text: str) -> list[list[bool]]:
    """The dark modules as the library has them, with the border."""
    code = segno.make_qr(text.upper(), error="l", boost_error=False)
    return [[bool(module) for module in row] for row in code.matrix_iter(border=QUIET_MODULES)]


def test_a_qr_code_in_half_blocks() -> None:
    expected = modules(str(INVITE))
    for dark_on_light in (False, True):
        drawn: list[list[bool]] = []
        for line in qr_lines(str(INVITE), dark_on_light=dark_on_light):
            drawn += [[c in "█▀" for c in line], [c in "█▄" for c in line]]
        drawn = drawn[: len(expected)]
        assert [[module is dark_on_light for module in row] for row in drawn] == expected


def test_a_qr_code_without_blocks() -> None:
    lines = qr_lines(str(INVITE), ascii_only=True)
    assert set("".join(lines)) == {"#", " "}
    assert [[line[at : at + 2] == "  " for at in range(0, len(line), 2)] for line in lines] == modules(str(INVITE))


def test_a_usual_qr_code_fits_the_smallest_terminal() -> None:
    invite = replace(INVITE, addresses=("192.168.178.123", "10.123.123.123"), name="Стол для друзей")
    lines = qr_lines(str(invite))
    assert len(lines) <= 24
    assert {len(line) for line in lines} == {len(lines[0])}
    assert len(lines[0]) <= 80


def test_a_code_of_a_person_goes_into_an_invite() -> None:
    invite = replace(INVITE, code=clean_code("Привет, всем".replace(",", "")))
    assert parse_invite(str(invite)).code == "привет-всем"
