"""Envelopes: what is wrong with the outside of a message blames its deliverer, never its signer."""

from __future__ import annotations

import pytest

from p2pdurak.errors import MalformedMessage
from p2pdurak.wire.codec import MAX_MESSAGE_BYTES, VERSION, Value, encode
from p2pdurak.wire.envelope import MAX_ROUNDS, SIGNATURE_DOMAIN, Envelope, open_envelope, seal
from p2pdurak.wire.messages import Commit, Kind, encode_body
from tests.helpers import entropy, signing_key

GAME, HEAD = entropy("game"), entropy("head")
KEYS = tuple(signing_key(seat).public for seat in range(3))
BODY = Commit(entropy("secret"), entropy("reveal"))
FIELDS: tuple[Value, ...] = (VERSION, GAME, 7, HEAD, 1, "commit", encode_body(BODY))


def sealed(*fields: Value, signer: int = 1) -> bytes:
    payload = encode(fields)
    return encode((payload, signing_key(signer).sign(SIGNATURE_DOMAIN, payload)))


def changed(at: int, value: Value) -> bytes:
    return sealed(*FIELDS[:at], value, *FIELDS[at + 1 :])


def opened(data: bytes) -> Envelope:
    return open_envelope(data, GAME, KEYS)


def refused(data: bytes) -> str:
    with pytest.raises(MalformedMessage) as raised:
        opened(data)
    assert raised.value.seat is None
    return raised.value.code


def test_a_sealed_message_opens() -> None:
    data = seal(signing_key(1), GAME, 7, HEAD, 1, Kind.COMMIT, BODY)
    assert data == sealed(*FIELDS)
    envelope = opened(data)
    assert envelope == Envelope(data, encode(FIELDS), 7, HEAD, 1, "commit", encode_body(BODY))


def test_sealing_again_gives_the_same_bytes() -> None:
    assert seal(signing_key(1), GAME, 7, HEAD, 1, Kind.COMMIT, BODY) == sealed(*FIELDS)


@pytest.mark.parametrize(
    ("at", "value", "code"),
    [
        (0, VERSION + 1, "version"),
        (0, True, "version"),
        (0, None, "version"),
        (1, entropy("another game"), "game"),
        (1, GAME[:-1], "game"),
        (1, None, "game"),
        (2, -1, "round"),
        (2, MAX_ROUNDS, "round"),
        (2, True, "round"),
        (2, b"7", "envelope"),
        (3, HEAD + b"\0", "round"),
        (3, b"", "round"),
        (3, "head", "envelope"),
        (4, -1, "seat"),
        (4, 3, "seat"),
        (4, True, "seat"),
        (4, None, "envelope"),
        (5, b"commit", "envelope"),
    ],
)
def test_an_outside_that_is_wrong_blames_nobody_who_signed(at: int, value: Value, code: str) -> None:
    assert refused(changed(at, value)) == code


@pytest.mark.parametrize("value", ["", "dance", "Commit", "x" * 9000])
def test_an_unknown_kind_is_left_for_the_session_to_judge(value: str) -> None:
    assert opened(changed(5, value)).kind == value


@pytest.mark.parametrize("body", [None, (), b"", ((), ((),)), "text", 5])
def test_an_odd_body_is_left_for_the_session_to_judge(body: Value) -> None:
    assert opened(changed(6, body)).body == body


def test_fields_less_or_more_are_refused() -> None:
    assert refused(sealed(*FIELDS, None)) == "envelope"
    assert refused(sealed(*FIELDS[:-1])) == "envelope"
    assert refused(sealed()) == "envelope"


def test_what_is_no_pair_of_payload_and_signature_is_refused() -> None:
    payload = encode(FIELDS)
    signature = signing_key(1).sign(SIGNATURE_DOMAIN, payload)
    for value in ((payload,), (payload, signature, b""), (FIELDS, signature), (payload, "s"), payload, None, ()):
        assert refused(encode(value)) == "envelope"
    assert refused(encode((payload + b"\0", signature))) == "encoding"


def test_only_the_seat_itself_signs_for_it() -> None:
    for signer in (0, 2, 5):
        assert refused(sealed(*FIELDS, signer=signer)) == "signature"


def test_a_signature_of_another_domain_or_length_is_refused() -> None:
    payload = encode(FIELDS)
    for signature in (
        signing_key(1).sign(b"p2pdurak/1/other", payload),
        signing_key(1).sign(SIGNATURE_DOMAIN, payload) + b"\0",
        bytes(64),
        b"",
    ):
        assert refused(encode((payload, signature))) == "signature"


def test_every_changed_byte_and_every_truncation_is_refused() -> None:
    data = sealed(*FIELDS)
    for at in range(len(data)):
        for flip in (1, 0x80):
            refused(data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :])
        refused(data[:at])


def test_an_envelope_is_bounded() -> None:
    assert refused(changed(6, (bytes(MAX_MESSAGE_BYTES),))) == "oversize"
