"""The score of a match: the same for who stayed as for who went away and came back, from what each has kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from p2pdurak.cli.opponents import newcomers
from p2pdurak.cli.score import Score
from p2pdurak.net.game_files import game_name
from p2pdurak.ui.language import catalogue
from p2pdurak.wire.gamefile import SUFFIX
from tests.helpers import Table, eager, make_genesis

if TYPE_CHECKING:
    from pathlib import Path

    from p2pdurak.session.session import Session
    from p2pdurak.wire.genesis import Genesis


def play(genesis: Genesis) -> Session:
    return Table(genesis, seed=10, choose=lambda seat: eager).run().sessions[0]


@pytest.fixture(scope="module")
def match() -> list[Session]:
    """Three games of a match of two."""
    games = [play(make_genesis(2, seed=10))]
    while len(games) < 3:
        state = games[-1].state
        genesis = make_genesis(
            2, seed=10, number=len(games) + 1, opening=state.next_opening(2, [0, 1]), previous=state.final_head
        )
        games.append(play(genesis))
    return games


def keep(folder: Path, game: Session) -> None:
    (folder / f"{game_name(game.state.game_id)}{SUFFIX}").write_bytes(game.transcript())


def test_who_comes_back_counts_the_same_as_who_stayed(tmp_path: Path, match: list[Session]) -> None:
    stayed = Score(tmp_path)
    for game in match:
        keep(tmp_path, game)
        standing = stayed.after(game)
    fools = [game.genesis.name(seat) for game in match for seat in game.state.fools]
    assert standing.since == 1
    assert standing.fools == {name: fools.count(name) for name in ("Anna", "Boris")}
    assert Score(tmp_path).after(match[-1]) == standing


def test_it_is_told_from_which_game_on_it_counts(tmp_path: Path, match: list[Session]) -> None:
    keep(tmp_path, match[0])
    keep(tmp_path, play(make_genesis(2, seed=11)))
    (tmp_path / f"game-0{SUFFIX}").write_bytes(b"no game")
    assert Score(tmp_path).after(match[1]).since == 1
    assert Score(tmp_path).after(match[2]).since == 3, "the game between is not kept here"


def test_bots_are_not_told_the_code_where_everybody_can_read_it(tmp_path: Path) -> None:
    (bot,) = newcomers(1, "Zoe", tmp_path, 4711, "red-fox-12", catalogue("en"))
    assert bot.code == "red-fox-12"
    assert "red-fox-12" not in " ".join(bot.words)


def test_bots_have_names_in_the_language_of_the_person(tmp_path: Path) -> None:
    bots = newcomers(3, "борис", tmp_path, 4711, None, catalogue("ru"))
    assert [bot.name for bot in bots] == ["Анна", "Клара", "Дмитрий"]
    assert [bot.home.name for bot in bots] == ["Anna", "Clara", "Dmitri"], "a profile is the same in every language"
