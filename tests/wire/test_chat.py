"""Words of people: there and back, signed, and what they may not be."""

from __future__ import annotations

import json
from dataclasses import replace

import msgpack
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from p2pdurak.errors import MalformedMessage, NotationError
from p2pdurak.wire.chat import DOMAIN, MAX_NUMBER, Words, clean_text, read_words, seal_words, verify_words
from p2pdurak.wire.codec import Value, decode, encode
from p2pdurak.wire.talk import MAX_CHAT_BYTES, Chat, decode_talk, encode_talk
from tests.helpers import entropy, signing_key
from tests.vectors import make_chat_vectors

ANNA = signing_key(0)
WORDS = Words(entropy("lot"), ANNA.public, "Anna", 1, "Привет!")


@pytest.mark.parametrize(
    "words",
    [
        WORDS,
        replace(WORDS, remark=8, number=MAX_NUMBER),
        replace(WORDS, remark="\x1b[2J\n\u202e", number=7),
        replace(WORDS, remark="\U0001f0a1" * 200, nickname="\U0001f0a1" * 24, number=MAX_NUMBER),
    ],
)
def test_words_go_out_and_come_back(words: Words) -> None:
    data = encode_talk(seal_words(ANNA, words))
    chat = decode_talk(data)
    assert isinstance(chat, Chat)
    assert len(chat.payload) <= MAX_CHAT_BYTES
    assert read_words(chat) == words
    verify_words(words, chat)


def test_only_the_speaker_can_sign() -> None:
    chat = seal_words(ANNA, WORDS)
    for other in (
        seal_words(signing_key(1), WORDS),
        Chat(chat.payload, bytes(64)),
        Chat(chat.payload, ANNA.sign(b"p2pdurak/1/message", chat.payload)),
        Chat(seal_words(ANNA, replace(WORDS, number=2)).payload, chat.signature),
        Chat(seal_words(ANNA, replace(WORDS, lot=bytes(32))).payload, chat.signature),
    ):
        with pytest.raises(MalformedMessage):
            verify_words(read_words(other), other)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        (0, 2),
        (0, True),
        (1, bytes(31)),
        (1, "lot"),
        (2, bytes(33)),
        (3, " Anna"),
        (3, "An\nna"),
        (3, ""),
        (4, 0),
        (4, True),
        (4, MAX_NUMBER + 1),
        (4, None),
        (5, ""),
        (5, "x" * 201),
        (5, 0),
        (5, 9),
        (5, True),
        (5, b"text"),
        (5, None),
    ],
)
def test_other_words_are_refused(field: int, value: Value) -> None:
    fields = list(decode(seal_words(ANNA, WORDS).payload))  # type: ignore[arg-type]
    fields[field] = value
    payload = encode(tuple(fields))
    with pytest.raises(MalformedMessage):
        read_words(Chat(payload, ANNA.sign(DOMAIN, payload)))


@pytest.mark.parametrize("payload", [b"", b"\x90", encode((1, 2)), encode("text")])
def test_what_is_no_array_of_words_is_refused(payload: bytes) -> None:
    with pytest.raises(MalformedMessage):
        read_words(Chat(payload, bytes(64)))


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("  Hello,   world ", "Hello, world"),
        ("two\nlines\tand more", "two lines and more"),
        ("И\u0306", "Й"),
        ("a\u200bb \u202e\x1b c", "ab c"),
        ("x" * 200, "x" * 200),
    ],
)
def test_what_is_typed_becomes_one_line(typed: str, line: str) -> None:
    assert clean_text(typed) == line


@pytest.mark.parametrize("typed", ["", " \n ", "\u202e", "x" * 201])
def test_nothing_and_too_much_is_not_said(typed: str) -> None:
    with pytest.raises(NotationError):
        clean_text(typed)


def test_the_program_makes_the_vectors_of_the_specification() -> None:
    assert make_chat_vectors.text() == make_chat_vectors.PATH.read_text(encoding="utf-8")


def test_vectors() -> None:
    vectors = json.loads(make_chat_vectors.PATH.read_text(encoding="utf-8"))
    speaker, lot = bytes.fromhex(vectors["speaker"]), bytes.fromhex(vectors["lot"])
    for talk in vectors["talks"]:
        payload, signature = bytes.fromhex(talk["payload"]), bytes.fromhex(talk["signature"])
        assert msgpack.unpackb(bytes.fromhex(talk["talk"])) == ["chat", payload, signature]
        assert msgpack.unpackb(payload) == [1, lot, speaker, vectors["nickname"], talk["number"], talk["words"]]
        parts = [len(part).to_bytes(4, "big") + part for part in (b"p2pdurak/1/chat", payload)]
        framed = len(parts).to_bytes(4, "big") + b"".join(parts)
        Ed25519PublicKey.from_public_bytes(speaker).verify(signature, framed)
