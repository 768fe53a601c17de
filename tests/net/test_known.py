from __future__ import annotations

import json
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from p2pdurak.net.known import FILE_NAME, MAX_NICKNAMES, MAX_PLAYERS, Kind, KnownPlayers, Player

if TYPE_CHECKING:
    from pathlib import Path

ANN, BOB, EVE = (letter * 32 for letter in (b"a", b"b", b"e"))
MAY, JUNE, JULY = date(2026, 5, 1), date(2026, 6, 1), date(2026, 7, 1)


def test_a_stranger_is_new_and_then_known(tmp_path: Path) -> None:
    known = KnownPlayers.open(tmp_path)
    first = known.meet(ANN, "Ann", MAY)
    assert (first.kind, first.before, first.namesakes) == (Kind.NEW, None, ())
    assert str(first.sentence) == "You have not met Ann before."
    second = known.meet(ANN, "Ann", JUNE)
    assert second.kind is Kind.KNOWN
    assert second.before == Player(ANN, ("Ann",), MAY, MAY)
    assert str(second.sentence) == "You know Ann, last met on 2026-05-01."


def test_who_was_met_is_remembered(tmp_path: Path) -> None:
    known = KnownPlayers.open(tmp_path)
    known.meet(ANN, "Аня \U0001f0cf", MAY)
    known.meet(BOB, "Bob", JUNE)
    again = KnownPlayers.open(tmp_path)
    assert again.note is None
    assert again.players == (Player(BOB, ("Bob",), JUNE, JUNE), Player(ANN, ("Аня \U0001f0cf",), MAY, MAY))
    assert again.meet(ANN, "Аня \U0001f0cf", JULY).kind is Kind.KNOWN


def test_a_new_name_of_somebody_known_is_told(tmp_path: Path) -> None:
    known = KnownPlayers.open(tmp_path)
    known.meet(ANN, "Ann", MAY)
    renamed = known.meet(ANN, "Queen of spades", JUNE)
    assert renamed.kind is Kind.RENAMED
    assert str(renamed.sentence) == "Queen of spades is known to you as Ann."
    assert known.meet(ANN, "Queen of spades", JULY).kind is Kind.KNOWN
    assert known.meet(ANN, "Ann", JULY).kind is Kind.RENAMED
    assert known.players == (Player(ANN, ("Queen of spades", "Ann"), MAY, JULY),)


@pytest.mark.parametrize(("before", "now"), [("Ann", "Ann"), ("Ann", "ann"), ("Ann", "А n n"), ("Вася", "Bacя")])
def test_a_known_name_with_another_key_is_pointed_out(tmp_path: Path, before: str, now: str) -> None:
    """Also if only the capitals, the blanks or the alphabet of a letter differ."""
    known = KnownPlayers.open(tmp_path)
    known.meet(ANN, before, MAY)
    impostor = known.meet(EVE, now, JUNE)
    assert impostor.kind is Kind.NAMESAKE
    assert impostor.namesakes == (Player(ANN, (before,), MAY, MAY),)
    assert f"Beware: this {now} is not the {before} that you know, last met on 2026-05-01" in str(impostor.sentence)


def test_somebody_known_who_takes_the_name_of_another_is_pointed_out(tmp_path: Path) -> None:
    known = KnownPlayers.open(tmp_path)
    known.meet(ANN, "Ann", MAY)
    known.meet(EVE, "Eve", MAY)
    assert known.meet(EVE, "Ann", JUNE).kind is Kind.NAMESAKE


def test_a_name_once_used_counts_as_well(tmp_path: Path) -> None:
    known = KnownPlayers.open(tmp_path)
    known.meet(ANN, "Ann", MAY)
    known.meet(ANN, "Queen of spades", MAY)
    assert known.meet(EVE, "Ann", JUNE).kind is Kind.NAMESAKE


def test_two_who_are_known_by_one_name_are_told_apart_by_their_first_day(tmp_path: Path) -> None:
    known = KnownPlayers.open(tmp_path)
    known.meet(ANN, "Ann", MAY)
    known.meet(EVE, "Ann", JUNE)
    for key, day in ((ANN, MAY), (EVE, JUNE)):
        acquaintance = known.meet(key, "Ann", JULY)
        assert acquaintance.kind is Kind.KNOWN
        assert f"others of that name; this one was first met on {day.isoformat()}" in str(acquaintance.sentence)


def test_looking_somebody_up_remembers_nothing(tmp_path: Path) -> None:
    known = KnownPlayers.open(tmp_path)
    assert known.recall(ANN, "Ann").kind is Kind.NEW
    assert known.players == ()
    assert not list(tmp_path.iterdir())


def test_a_clock_that_was_set_back_changes_nothing(tmp_path: Path) -> None:
    known = KnownPlayers.open(tmp_path)
    known.meet(ANN, "Ann", JULY)
    known.meet(ANN, "Ann", MAY)
    assert known.players == (Player(ANN, ("Ann",), JULY, JULY),)
    assert KnownPlayers.open(tmp_path).players == known.players


def test_only_the_latest_names_and_players_are_kept(tmp_path: Path) -> None:
    players = [Player(number.to_bytes(32, "big"), (f"P{number}",), MAY, JUNE) for number in range(MAX_PLAYERS - 1)]
    known = KnownPlayers(tmp_path / FILE_NAME, [Player(ANN, ("Ann",), MAY, MAY), *players])
    known.meet(BOB, "Bob", MAY + timedelta(1))
    assert len(known.players) == MAX_PLAYERS
    assert ANN not in {player.public for player in known.players}
    for number in range(MAX_NICKNAMES + 5):
        known.meet(BOB, f"Bob {number}", JUNE)
    again = KnownPlayers.open(tmp_path)
    assert again.note is None
    (bob,) = (player for player in again.players if player.public == BOB)
    assert bob.nicknames == tuple(f"Bob {number}" for number in range(5, MAX_NICKNAMES + 5))


def entry(**changes: object) -> dict[str, Any]:
    return {"key": ANN.hex(), "nicknames": ["Ann"], "first": "2026-05-01", "last": "2026-05-01", **changes}


def listing(players: list[Any]) -> bytes:
    return json.dumps({"format": 1, "players": players}).encode()


NO_PLAYERS: list[list[Any]] = [
    [entry(), entry()],
    [entry(key="00")],
    [entry(key=7)],
    [entry(nicknames=[])],
    [entry(nicknames=["A"] * (MAX_NICKNAMES + 1))],
    [entry(nicknames=["\x1b[2J"])],
    [entry(first="2026-06-01")],
    [entry(last="yesterday")],
    [{}],
    [None],
]


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\xff\xfe",
        b"{",
        b"[]",
        b"null",
        b"[" * 100_000,
        b'{"format": 2, "players": []}',
        b'{"format": 1, "players": {}, "players": 5}',
        *map(listing, NO_PLAYERS),
        b" " * (3 * 1024 * 1024),
    ],
    ids=lambda data: repr(data[:40]),
)
def test_a_damaged_file_is_kept_aside(tmp_path: Path, damaged: bytes) -> None:
    for number in (1, 2):
        (tmp_path / FILE_NAME).write_bytes(damaged)
        known = KnownPlayers.open(tmp_path)
        aside = tmp_path / f"known-players.damaged-{number}.json"
        assert known.note is not None
        assert str(aside) in str(known.note)
        assert aside.read_bytes() == damaged
        assert known.meet(ANN, "Ann", MAY).kind is Kind.NEW
        assert KnownPlayers.open(tmp_path).players == known.players


def test_what_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).mkdir()
    known = KnownPlayers.open(tmp_path)
    assert known.note is not None
    assert "will not be remembered" in str(known.note)
    assert known.meet(ANN, "Ann", MAY).kind is Kind.NEW
    assert known.meet(ANN, "Ann", MAY).kind is Kind.KNOWN
    assert [path.name for path in tmp_path.iterdir()] == [FILE_NAME]


def test_a_file_that_cannot_be_written_is_told_and_keeps_nobody_from_playing(tmp_path: Path) -> None:
    known = KnownPlayers.open(tmp_path / "gone")
    assert known.meet(ANN, "Ann", MAY).kind is Kind.NEW
    assert known.note is not None
    assert "will not be remembered" in str(known.note)
    assert known.meet(ANN, "Ann", MAY).kind is Kind.KNOWN
