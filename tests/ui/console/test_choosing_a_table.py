"""The list of tables on the start screen: told apart, in a steady order, and nothing that is said is cut off."""

from __future__ import annotations

import pytest

from p2pdurak.errors import LinkError
from p2pdurak.game.ruleset import ruleset
from p2pdurak.ui.console.choices import Join
from p2pdurak.ui.console.open_tables import OpenTables
from p2pdurak.ui.language import catalogue
from p2pdurak.ui.rule_options import summary
from tests.ui.console.start_scene import LEFT, start_screen
from tests.ui.console.test_screens import KEYS, RUSSIAN, Started, open_table, text, type_into

SIZES = [(60, 20), (80, 24)]
LONG = LinkError(
    "No table on this network is named {name}, and as an address it leads nowhere. {trouble}",
    name="nohost.example:47800",
    trouble=LinkError(
        "The machine nohost.example is not known: Temporary failure in name resolution, " * 3 + "the end."
    ),
)


@pytest.mark.parametrize("size", SIZES)
def test_tables_of_one_name_are_told_apart(size: tuple[int, int]) -> None:
    tables = [
        open_table(0)._replace(name="dup", host="Anna"),
        open_table(1)._replace(name="DUP", host="Boris"),
        open_table(2)._replace(name="kitchen" * 4, host="Clara"),
        open_table(3)._replace(name="kitchen" * 4, host="Clara", code=True, players=()),
    ]
    lines = text(Started(None, *tables).screen, *size).splitlines()
    for at, words in enumerate(
        ("dup · Anna ", "DUP · Boris ", "kitch… · 127.0.0.1:47802 ", "kitch… · 127.0.0.1:47803 "), 1
    ):
        assert any(f"{at} {words}" in line for line in lines), words
    different = [open_table(0), open_table(1)]
    assert "table 0 · " not in text(Started(None, *different).screen, *size).replace(" table 0 · host", "")


@pytest.mark.parametrize("size", SIZES)
def test_all_about_the_chosen_table_is_told(size: tuple[int, int]) -> None:
    rules = ruleset("perevodnoy-2", {"bout_cap": "5", "draws": "defender-loses"})
    table = open_table(1)._replace(rules=rules, players=("Anna", "Boris"))
    painted = " ".join(text(Started(None, table).screen, *size).split())
    assert f"table 1 · host Anna · 127.0.0.1:47801 · {summary(catalogue('en'), rules)} · 36 cards" in painted
    assert "bout_cap" not in painted
    closed = text(Started(None, table._replace(code=True, players=())).screen, *size)
    assert "host" not in closed


@pytest.mark.parametrize("left", [0, 3])
@pytest.mark.parametrize("size", SIZES)
def test_the_chosen_table_is_seen_and_how_many_are_not(size: tuple[int, int], left: int) -> None:
    screen, _ = start_screen(*LEFT[:left])
    screen.tables = {KEYS[at]: open_table(at) for at in range(6)}
    for at in range(left + 6):
        painted = text(screen, *size)
        assert at < left or f"▸{at + 1} table {at - left}" in painted
        seen = sum(f"{left + 1 + table} table {table} " in painted for table in range(6))
        assert seen == 6 or f"… {6 - seen} more table" in painted
        screen.press("down")


@pytest.mark.parametrize("press", ["", "j"])
@pytest.mark.parametrize("size", SIZES)
def test_what_is_told_is_whole(size: tuple[int, int], press: str) -> None:
    screen = Started(None, open_table(0)).screen
    if press:
        screen.press(press)
    screen.note = LONG
    painted = text(screen, *size)
    assert str(LONG) in " ".join(painted.split())
    assert not press or "Esc back" in painted


def test_a_code_is_asked_for_only_where_a_table_wants_one() -> None:
    start = Started()
    start.screen.press("j")
    type_into(start.screen, "kitchen")
    start.screen.press("enter")
    assert start.choices == [Join("kitchen")]
    again = Started()
    again.screen.ask_code(Join("kitchen", watch=True))
    assert "Code of the table:" in text(again.screen)
    again.screen.press("enter")
    assert "This table has a code" in text(again.screen)
    type_into(again.screen, "red-fox-12")
    again.screen.press("enter")
    assert again.choices == [Join("kitchen", "red-fox-12", watch=True)]


def test_keys_that_do_nothing_say_so() -> None:
    start = Started()
    for key in ("enter", "up", "down", "w", "x"):
        start.screen.press(key)
        assert "There is nothing to choose from yet" in text(start.screen), key
    start.screen.press("z")
    assert "Z does nothing here" in text(start.screen)
    start.screen.press("7")
    assert "There is no number 7 in the list" in text(start.screen)
    start.screen.tables = {KEYS[0]: open_table(0)}
    start.screen.press("x")
    assert "Only an interrupted game can be given up" in text(start.screen)
    start.screen.left = LEFT
    start.screen.press("up")
    start.screen.press("w")
    assert "Only a table can be watched" in text(start.screen)
    russian = Started(RUSSIAN)
    russian.screen.press("z")
    assert "Z/Я здесь ничего не делает" in text(russian.screen)
    assert start.choices == []


def test_a_table_keeps_its_place() -> None:
    tables = OpenTables()
    for number in (2, 0, 1):
        tables.put(open_table(number))
    tables.remove(KEYS[0])
    tables.put(open_table(3))
    tables.put(open_table(0))
    assert list(tables.in_order()) == [KEYS[2], KEYS[0], KEYS[1], KEYS[3]]
    tables.ask_anew()
    assert len(tables.in_order()) == 4, "they are there at once"
    tables.put(open_table(1))
    tables.put(open_table(2)._replace(taken=3))
    tables.settle()
    assert list(tables.in_order()) == [KEYS[2], KEYS[1]]
    assert tables.in_order()[KEYS[2]].taken == 3
