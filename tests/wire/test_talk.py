"""Talk beside the game: there and back, and what peers do not say to each other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.errors import MalformedMessage, NotationError
from p2pdurak.game.ruleset import DEFAULT
from p2pdurak.wire.codec import Value, decode, encode
from p2pdurak.wire.talk import (
    Begin,
    Chat,
    Have,
    Knock,
    Linked,
    Look,
    Place,
    Places,
    Ready,
    Refuse,
    Say,
    Sit,
    Stand,
    Talk,
    Watch,
    decode_talk,
    encode_talk,
)
from p2pdurak.wire.terms import Terms, encode_terms
from tests.helpers import entropy

GAME = entropy("game")
TERMS = Terms("kitchen", DEFAULT)
ANNA = Place(GAME, "Anna", "192.0.2.1", 47800, ready=True)
BORIS = Place(bytes(32), "Борис", "fe80::1%2", 65_535)
TALKS: list[Talk] = [
    Say(GAME, b"message"),
    Have(GAME, 0),
    Have(GAME, 2**32),
    Linked(GAME, ()),
    Linked(GAME, (0, 2, 3, 4, 5)),
    Look(),
    Stand(TERMS, bytes(32), playing=True, taken=2, nicknames=("Anna", "Boris")),
    Stand(replace(TERMS, code=True), bytes(32), playing=False, taken=0, nicknames=()),
    Knock(b"step"),
    Sit(0, entropy("nonce"), 47800),
    Watch(),
    Ready(ready=True),
    Ready(ready=False),
    Places(TERMS, entropy("lot"), (ANNA, BORIS), (entropy("watcher"),)),
    Begin(b"genesis"),
    Chat(b"payload", bytes(64)),
    Refuse("full", 0, "All seats of this table are taken."),
    Refuse("code-later", 86_400, ""),
]


@pytest.mark.parametrize("talk", TALKS)
def test_talk_goes_out_and_comes_back(talk: Talk) -> None:
    data = encode_talk(talk)
    assert decode_talk(data) == talk
    for length in range(len(data)):
        with pytest.raises(MalformedMessage):
            decode_talk(data[:length])
    with pytest.raises(MalformedMessage):
        decode_talk(data + b"\0")
    value = decode(data)
    assert isinstance(value, tuple)
    for other in ((*value, None), value[:-1], (value,), ("dance", *value[1:])):
        with pytest.raises(MalformedMessage):
            decode_talk(encode(other))


def place(*fields: Value) -> Value:
    return ("places", encode_terms(TERMS), GAME, (fields,), ())


@pytest.mark.parametrize(
    "value",
    [
        None,
        (),
        ("say", GAME[:-1], b""),
        ("have", GAME, -1),
        ("have", GAME, "1"),
        ("linked", GAME[:-1], ()),
        ("linked", GAME, 1),
        ("linked", GAME, (-1,)),
        ("linked", GAME, (6,)),
        ("linked", GAME, (True,)),
        ("linked", GAME, (2, 1)),
        ("linked", GAME, (1, 1)),
        ("linked", GAME, (0, 1, 2, 3, 4, 5)),
        ("sit", -1, GAME, 1),
        ("sit", 0, GAME, 0),
        ("sit", 0, GAME, 65_536),
        ("sit", 0, b"", 1),
        ("ready", 1),
        ("begin", "genesis"),
        ("knock", bytes(257)),
        ("chat", bytes(1_025), bytes(64)),
        ("chat", b"payload", bytes(63)),
        ("refuse", "The table is full."),
        ("refuse", "full", 0, "x" * 201),
        ("refuse", "full", 0, "\x1b[2J"),
        ("refuse", "Full!", 0, ""),
        ("refuse", "x" * 25, 0, ""),
        ("refuse", "full", -1, ""),
        ("refuse", "full", 86_401, ""),
        ("stand", encode_terms(TERMS), True, 1, ("An\nna",)),
        ("stand", encode_terms(TERMS)[:-1], True, 1, ()),
        ("places", encode_terms(TERMS), GAME, (), (b"",)),
        ("places", encode_terms(TERMS), GAME, (), (GAME,) * 17),
        ("places", encode_terms(TERMS), GAME[:-1], (), ()),
        place(GAME, "Anna", "host", 0, True),
        place(GAME, "Anna", "host", 1, 1),
        place(GAME, "Anna", "h" * 65, 1, True),
        place(GAME, "Anna", "h\x1b[2J", 1, True),
        place(GAME, " Anna", "host", 1, True),
        place(GAME[:-1], "Anna", "host", 1, True),
        place(GAME, "Anna", "host", 1),
    ],
)
def test_other_talk_is_refused(value: Value) -> None:
    with pytest.raises(MalformedMessage):
        decode_talk(encode(value))


@pytest.mark.parametrize(
    "changes",
    [
        {"table": "kit\x07chen"},
        {"table": " kitchen"},
        {"table": ""},
        {"table": "x" * 41},
        {"pack_size": 32},
        {"seats": 1},
        {"seats": 7},
        {"games": -1},
        {"games": 1_001},
        {"grace": -1},
        {"grace": 10**9},
    ],
)
def test_terms_that_make_no_sense_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(NotationError):
        replace(TERMS, **changes)  # type: ignore[arg-type]
