"""What is said to whom: "you" where the reader is meant, only what is possible, and what fits a small window."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from p2pdurak.cards import parse_card
from p2pdurak.game.actions import Lead, Transfer
from p2pdurak.game.rules import apply, start
from p2pdurak.game.ruleset import OPTIONS, PRESETS, ruleset
from p2pdurak.game.state import Hand
from p2pdurak.session.events import Played, Removed, Voted
from p2pdurak.ui.console.field import Field
from p2pdurak.ui.console.model import TableModel
from p2pdurak.ui.console.paint_progress import as_typed
from p2pdurak.ui.console.paint_table import attack_line, role
from p2pdurak.ui.console.saying import ended_without, ordinal_place, vote_text
from p2pdurak.ui.language import catalogue
from p2pdurak.ui.option_words import WORDS
from p2pdurak.ui.rule_options import LIMITS, SENTENCES, in_short, summary
from tests.helpers import NAMES as NAMES_OF_ALL
from tests.helpers import make_genesis
from tests.ui.console.chat_scenes import spoken, table_screen
from tests.ui.console.scenes import NOW, SeenTable

NAMES = ("Anna", "boris", "Clara")


def test_a_small_window_tells_what_is_wanted_and_with_which_keys() -> None:
    screen = table_screen(spoken())
    painted = screen.canvas(50, 16, NOW).text().replace("\n", " ")
    for words in ("transfer, or take", "T take", "trump ♠", "no talon", "Fyodor → you", "60 columns by 20 rows"):
        assert words in painted
    assert screen.table.view is not None
    for other in screen.table.others():
        assert f"{NAMES_OF_ALL[other]} {screen.table.view.hands[other].size}" in painted
    assert "Nine of clubs, really?" in painted
    assert "does nothing now" not in painted
    screen.press("z")
    assert "Z does nothing now" in screen.canvas(50, 16, NOW).text().replace("\n", " ")


def test_an_attack_that_comes_back_is_not_said_to_be_our_own() -> None:
    table = TableModel(make_genesis(2), 0)
    mine, theirs = parse_card("7♣"), parse_card("7♦")
    state = start(PRESETS["perevodnoy"], 36, 1, parse_card("6♥"), [Hand(1 << mine, 5), Hand(1 << theirs, 5)], 0)
    table.take(Played(0, Lead((mine,))))
    state = apply(state, Lead((mine,)))
    assert attack_line(catalogue("en"), table, state) == "you → Boris"
    table.take(Played(1, Transfer(theirs)))
    assert attack_line(catalogue("en"), table, apply(state, Transfer(theirs))) == "Boris → you"


def test_who_leaves_is_told_of_it_as_you() -> None:
    say = catalogue("en")
    assert ended_without(say, NAMES, Removed((0,), (0,), (0,)), 0) == "You give up, and are the fool."
    assert ended_without(say, NAMES, Removed((0,), (0,), (0,)), 1) == "Anna gives up, and is the fool."
    assert ended_without(say, NAMES, Removed((0, 1), (), (0, 1)), 0).startswith("The game is over without you and b")
    assert ended_without(say, NAMES, Removed((0,), (0,), ()), 0).startswith("The game is void: you are gone")
    assert vote_text(say, NAMES, Voted(0, (1,), (2,)), 0) == "you vote to end the game without boris; not yet: Clara"
    assert vote_text(say, NAMES, Voted(1, (0,), ()), 0) == "boris votes to end the game without you"
    assert vote_text(say, NAMES, Voted(1, (2,), (0,)), 0).endswith("not yet: you")


def test_a_place_has_no_gender_and_fits() -> None:
    assert ordinal_place(catalogue("ru"), 2, 30) == "вне игры, 2-е место"
    assert ordinal_place(catalogue("ru"), 2, 11) == "2-е место"
    assert ordinal_place(catalogue("en"), 0, 11) == "out"


@pytest.mark.skipif(os.name != "posix", reason="a tilde is the home folder in shells of this kind")
def test_a_path_is_told_as_it_is_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(Path("/home/anna")))
    assert as_typed("/home/anna/games/1.durak") == "~/games/1.durak"
    assert as_typed("/home/anna/my games/1.durak") == "~/'my games/1.durak'"
    assert as_typed("/home/annabel/1.durak") == "/home/annabel/1.durak"


def test_a_field_is_emptied_at_once_or_word_by_word() -> None:
    field = Field("one two ")
    assert field.press("word")
    assert field.text == "one "
    assert field.press("backspace")
    assert field.press("empty")
    assert field.text == ""
    assert not field.press("enter")


def test_every_value_of_an_option_has_words() -> None:
    assert tuple(WORDS) == OPTIONS
    assert all(set(SENTENCES[option]) == set(WORDS[option]) for option in OPTIONS if option not in LIMITS)


def test_rules_without_a_name_are_told_in_words() -> None:
    rules = ruleset("podkidnoy", {"first_bout_cap": "6", "draw_order": "clockwise"})
    told = "as podkidnoy, but most attack cards until a bout has been beaten: 6; who draws when: clockwise"
    assert summary(catalogue("en"), rules) == told
    russian = summary(catalogue("ru"), rules)
    assert russian == "как podkidnoy, но предел атакующих карт до первого отбоя: 6; в каком порядке добирают: по кругу"
    assert in_short(catalogue("en"), rules) == "podkidnoy with 2 changes"
    assert in_short(catalogue("ru"), ruleset("podkidnoy", {"first_bout_cap": "6"})) == "podkidnoy с 1 отличием"
    assert in_short(catalogue("ru"), PRESETS["podkidnoy"]) == "podkidnoy"


def test_who_is_away_still_has_a_part_in_the_bout() -> None:
    screen = table_screen(spoken())
    table = screen.table
    assert table.view is not None
    screen._linked = frozenset
    attacker = table.view.leader
    assert role(catalogue("en"), table, attacker) == ("leads", "")
    assert role(catalogue("en"), table, attacker, away=True) == ("leads · away, reconnecting", "class:warning")
    assert "leads · away, reconnecting" in screen.canvas(160, 40, NOW).text()
    assert "leads, away" in screen.canvas(60, 20, NOW).text()


@pytest.mark.parametrize(
    ("language", "columns", "told"),
    [
        ("en", 30, ["leads · away, reconnecting", "defends · away, reconnecting", "away, reconnecting"]),
        ("en", 13, ["leads · away", "defends, away", "away"]),
        ("en", 11, ["leads, away", "defends …", "away"]),
        ("ru", 14, ["ходит · офлайн", "отбивается …", "нет связи"]),
    ],
)
def test_role_and_absence_fit_in_few_columns(language: str, columns: int, told: list[str]) -> None:
    table = table_screen(spoken()).table
    assert table.view is not None
    other = next(seat for seat in range(6) if seat not in (table.view.leader, table.view.defender))
    table.last.clear()
    seats = (table.view.leader, table.view.defender, other)
    assert [role(catalogue(language), table, seat, True, columns=columns)[0] for seat in seats] == told


def test_the_result_names_the_program_as_it_was_started() -> None:
    table = SeenTable(2, seed=7)
    table.run()
    table.screen.path, table.screen.program = "/home/anna/game-1.durak", ".venv/bin/p2pdurak"
    painted = " ".join(table.screen.canvas(80, 24, NOW).text().split())
    assert "Check it again with .venv/bin/p2pdurak verify, look at it with .venv/bin/p2pdurak replay" in painted


def test_a_watcher_is_not_asked_for_another_game() -> None:
    table, wanted = SeenTable(2, seed=7), []
    table.run()
    screen = table.screen
    screen.path, screen.table.me = "/home/anna/game-1.durak", None
    screen._next_game = lambda: wanted.append("another")
    painted = screen.canvas(80, 24, NOW).text()
    assert "The next game is shown when it begins." in painted
    assert "Q leave" in painted
    assert "Another game?" not in painted
    assert "Enter" not in painted
    screen.press("enter")
    assert not wanted
