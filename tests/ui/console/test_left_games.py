"""Interrupted games on the start screen: taken up, given up with a second word, and out of the way of tables."""

from __future__ import annotations

import pytest

from p2pdurak.ui.console.choices import GiveUp, Join, TakeUp
from p2pdurak.ui.console.left_games import ago
from p2pdurak.ui.language import catalogue
from tests.ui.console.make_golden import FOLDER
from tests.ui.console.scenes import NOW
from tests.ui.console.start_scene import LEFT, picture, start_screen


def test_the_start_screen_looks_as_it_should() -> None:
    """If this fails for a reason: ``python -m tests.ui.console.make_golden``, and look at what has changed."""
    assert picture() == (FOLDER / "start.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("keys", [["1"], ["enter"], ["down", "up", "enter"], ["w", "1"]])
def test_the_first_digit_and_enter_take_up_the_latest(keys: list[str]) -> None:
    screen, chosen = start_screen(*LEFT)
    for key in keys:
        screen.press(key)
    assert chosen == [TakeUp(LEFT[0].path)]


def test_tables_come_after_the_games() -> None:
    screen, chosen = start_screen(*LEFT)
    screen.press("4")
    for key in ("down", "down", "down", "down", "x", "w"):
        screen.press(key)
    assert [type(choice) for choice in chosen] == [Join, Join]


def test_a_game_is_given_up_only_with_a_second_word() -> None:
    screen, chosen = start_screen(*LEFT)
    for keys in (["x", "escape"], ["x", "enter"], ["x", "1"]):
        for key in keys:
            screen.press(key)
    assert chosen == []
    screen.press("down")
    screen.press("x")
    assert "until they vote you out" in screen.canvas(80, 24, NOW).text()
    screen.press("x")
    assert chosen == [GiveUp(LEFT[1].path)]


def test_a_damaged_game_says_so_and_can_be_given_up() -> None:
    screen, chosen = start_screen(LEFT[2])
    screen.press("1")
    assert chosen == []
    assert screen.canvas(80, 24, NOW).text().count("is damaged") == 2
    screen.press("x")
    screen.press("x")
    assert chosen == [GiveUp(LEFT[2].path)]


@pytest.mark.parametrize(
    ("seconds", "english", "russian"),
    [
        (-5, "just now", "только что"),
        (61, "1 minute ago", "1 минуту назад"),
        (600, "10 minutes ago", "10 минут назад"),
        (2 * 3600, "2 hours ago", "2 часа назад"),
        (21 * 86400, "21 days ago", "21 день назад"),
    ],
)
def test_how_long_ago_is_told_in_words(seconds: float, english: str, russian: str) -> None:
    assert ago(catalogue("en"), seconds) == english
    assert ago(catalogue("ru"), seconds) == russian
