"""Talk beside the game: there and back, and what peers do not say to each other."""

from __future__ import annotations

import pytest

from p2pdurak.errors import MalformedMessage
from p2pdurak.wire.codec import Value, encode
from p2pdurak.wire.talk import Begin, Have, Place, Places, Refuse, Say, Sit, Talk, decode_talk, encode_talk
from tests.helpers import entropy

GAME = entropy("game")
PLACES = Places(
    "kitchen", "lead=one", 36, True, 3, 1, (Place(GAME, "192.0.2.1", 47800), Place(bytes(32), "fe80::1%2", 65_535))
)
TALKS: list[Talk] = [
    Say(GAME, b"message"),
    Have(GAME, 0),
    Have(GAME, 2**32),
    Sit(1, entropy("nonce"), 47800),
    PLACES,
    Begin(b"genesis"),
    Refuse("The table is full."),
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


@pytest.mark.parametrize(
    "value",
    [
        (),
        None,
        ("dance",),
        ("say", GAME),
        ("say", GAME[:-1], b""),
        ("say", GAME, b"", b""),
        ("have", GAME, -1),
        ("have", GAME, "1"),
        ("sit", 1, GAME, 0),
        ("sit", 0, GAME, 1),
        ("sit", 1, GAME, 65_536),
        ("sit", 1, b"", 1),
        ("begin", "genesis"),
        ("refuse", "x" * 201),
        ("refuse", "\x1b[2J"),
        ("places", "kitchen", "rules", 36, True, 3, 1, ((GAME, "host"),)),
        ("places", "kitchen", "rules", 36, True, 3, 1, ((GAME, "h" * 65, 1),)),
        ("places", "kitchen", "rules", 36, True, 3, 1, ((GAME, "h\x1b[2J", 1),)),
        ("places", "kitchen", "rules", 36, True, 3, 1, ((GAME, "host", 0),)),
        ("places", "kitchen", "rules", 36, 1, 3, 1, ()),
        ("places", "kitchen", "rules", 36, True, 3, 1, None),
    ],
)
def test_other_talk_is_refused(value: Value) -> None:
    with pytest.raises(MalformedMessage):
        decode_talk(encode(value))
