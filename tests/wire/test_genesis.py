"""The genesis: what peers agree on before the first message, and what nobody may agree on."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest

from p2pdurak.errors import MalformedMessage
from p2pdurak.game.opening import Opening
from p2pdurak.game.ruleset import PRESETS, Ruleset
from p2pdurak.wire.codec import Value, decode, encode
from p2pdurak.wire.genesis import NO_PREVIOUS, Genesis, Seat, decode_genesis
from tests.helpers import entropy, make_genesis, signing_key

GENESIS = make_genesis(3)
SECOND = replace(GENESIS, number=2, previous=entropy("final head"), opening=Opening(2, 1))


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("rules", PRESETS.values(), ids=PRESETS)
@pytest.mark.parametrize("pack_size", [36, 52])
def test_a_genesis_goes_out_and_comes_back(players: int, rules: Ruleset, pack_size: int) -> None:
    genesis = make_genesis(players, rules=rules, pack_size=pack_size)
    assert decode_genesis(genesis.encode()) == genesis


@pytest.mark.parametrize("opening", [Opening(2, 1), Opening(0, None), Opening(None, None)])
def test_a_later_game_goes_out_and_comes_back(opening: Opening) -> None:
    genesis = replace(SECOND, opening=opening, open_books=False)
    assert decode_genesis(genesis.encode()) == genesis


def test_whatever_differs_gives_another_game() -> None:
    others = [
        replace(GENESIS, table="cellar"),
        replace(GENESIS, rules=PRESETS["albanian"]),
        replace(GENESIS, pack_size=52),
        replace(GENESIS, open_books=False),
        replace(GENESIS, seats=GENESIS.seats[::-1]),
        replace(GENESIS, seats=GENESIS.seats[:2]),
        replace(GENESIS, seats=(replace(GENESIS.seats[0], nonce=entropy("fresh")), *GENESIS.seats[1:])),
        replace(GENESIS, seats=(replace(GENESIS.seats[0], nickname="Olga"), *GENESIS.seats[1:])),
        SECOND,
        replace(SECOND, number=3),
        replace(SECOND, previous=entropy("other head")),
        replace(SECOND, opening=Opening(2, None)),
        replace(SECOND, opening=Opening(1, 1)),
    ]
    assert len({genesis.game_id for genesis in (GENESIS, *others)}) == len(others) + 1


@pytest.mark.parametrize(
    "nickname",
    [
        pytest.param("", id="empty"),
        pytest.param(" ", id="blank"),
        pytest.param(" Anna", id="space before"),
        pytest.param("Anna ", id="space after"),
        pytest.param("A" * 25, id="too long"),
        pytest.param("An\nna", id="newline"),
        pytest.param("An\x1b[2Jna", id="escape"),
        pytest.param("Anna\x00", id="null"),
        pytest.param("\u202eannA", id="right-to-left override"),
        pytest.param("An\u2066na", id="isolate"),
        pytest.param("An\u200bna", id="zero-width space"),
        pytest.param("An\u200dna", id="joiner"),
        pytest.param("An\u2028na", id="line separator"),
        pytest.param("An\u00a0na", id="no-break space"),
        pytest.param("An\ue000na", id="private use"),
        pytest.param("\u0301Anna", id="combining mark first"),
    ],
)
def test_a_name_that_could_deceive_is_refused(nickname: str) -> None:
    with pytest.raises(MalformedMessage):
        replace(GENESIS, seats=(replace(GENESIS.seats[0], nickname=nickname), *GENESIS.seats[1:]))
    with pytest.raises(MalformedMessage):
        replace(GENESIS, table=nickname + "x" * 16 * (len(nickname) == 25))


@pytest.mark.parametrize("nickname", ["A", "Анна Ивановна", "李", "O'Brien-3", "🂡", "é" * 24])
def test_names_of_all_scripts_are_welcome(nickname: str) -> None:
    genesis = replace(GENESIS, seats=(replace(GENESIS.seats[0], nickname=nickname), *GENESIS.seats[1:]))
    assert decode_genesis(genesis.encode()).name(0) == nickname


def test_equal_names_are_told_apart_by_their_seats() -> None:
    genesis = replace(GENESIS, seats=(GENESIS.seats[0], replace(GENESIS.seats[1], nickname="Anna"), GENESIS.seats[2]))
    assert [genesis.name(seat) for seat in range(3)] == ["Anna #1", "Anna #2", "Clara"]


def test_nobody_is_called_what_an_equal_name_is_told_apart_by() -> None:
    nicknames = ("Anna", "Anna", "Anna #2")
    seats = tuple(replace(seat, nickname=name) for seat, name in zip(GENESIS.seats, nicknames, strict=True))
    genesis = replace(GENESIS, seats=seats)
    assert [genesis.name(seat) for seat in range(3)] == ["Anna #1", "Anna #2", "Anna #2 #3"]


def same_key_twice(genesis: Genesis) -> tuple[Seat, ...]:
    return (genesis.seats[0], replace(genesis.seats[1], key=genesis.seats[0].key))


@pytest.mark.parametrize(
    "changes",
    [
        {"seats": GENESIS.seats[:1]},
        {"seats": ()},
        {"seats": (*make_genesis(6).seats, Seat(signing_key(7).public, "Gleb", bytes(32)))},
        {"seats": same_key_twice(GENESIS)},
        {"seats": (replace(GENESIS.seats[0], nonce=bytes(31)), GENESIS.seats[1])},
        {"seats": (replace(GENESIS.seats[0], key=bytes([1, *bytes(31)])), GENESIS.seats[1])},
        {"seats": (replace(GENESIS.seats[0], key=bytes(32)), GENESIS.seats[1])},
        {"seats": (replace(GENESIS.seats[0], key=b"\xff" * 32), GENESIS.seats[1])},
        {"seats": (replace(GENESIS.seats[0], key=b"short"), GENESIS.seats[1])},
        {"pack_size": 32},
        {"pack_size": 54},
        {"number": 0},
        {"number": 2},
        {"number": 1, "previous": entropy("head")},
        {"number": 2, "previous": NO_PREVIOUS},
        {"number": 2, "previous": b"short"},
        {"opening": Opening(0, None)},
        {"opening": Opening(None, 0)},
        {"number": 2, "previous": entropy("head"), "opening": Opening(3, 0)},
        {"number": 2, "previous": entropy("head"), "opening": Opening(0, -1)},
    ],
)
def test_what_is_no_table_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(MalformedMessage):
        replace(GENESIS, **changes)  # type: ignore[arg-type]


def fields_of(genesis: Genesis) -> tuple[Value, ...]:
    value = decode(genesis.encode())
    assert isinstance(value, tuple)
    return value


@pytest.mark.parametrize("at", range(11))
def test_a_field_of_another_type_is_refused(at: int) -> None:
    given = fields_of(SECOND)
    for stranger in (True, None, -1, 2**63, "", "x", b"", bytes(32), (), ((),)):
        if type(stranger) is type(given[at]):
            continue
        if at in (7, 8) and stranger is None:  # nobody decided yet who deals or leads
            continue
        with pytest.raises(MalformedMessage):
            decode_genesis(encode((*given[:at], stranger, *given[at + 1 :])))


def test_every_changed_byte_gives_another_game_or_none() -> None:
    data = SECOND.encode()
    for at in range(len(data)):
        altered = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
        with suppress(MalformedMessage):
            assert decode_genesis(altered).game_id != SECOND.game_id


def test_every_truncation_and_a_tail_are_refused() -> None:
    data = GENESIS.encode()
    for length in range(len(data)):
        with pytest.raises(MalformedMessage):
            decode_genesis(data[:length])
    with pytest.raises(MalformedMessage):
        decode_genesis(data + b"\0")


def test_other_versions_and_unknown_rules_are_refused() -> None:
    given = fields_of(GENESIS)
    for at, value in ((0, "p2pdurak2"), (1, 2), (1, 0), (3, "lead=all"), (3, str(GENESIS.rules) + " "), (3, "")):
        with pytest.raises(MalformedMessage):
            decode_genesis(encode((*given[:at], value, *given[at + 1 :])))
