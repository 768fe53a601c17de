"""The table screen in every state, in both languages and three sizes, against pictures that people have looked at."""

from __future__ import annotations

import pytest

from p2pdurak.ui.console.canvas import width_of
from tests.ui.console import make_picture, make_tour
from tests.ui.console.make_golden import FOLDER, PLAYERS, picture
from tests.ui.console.scenes import SIZES, STATES, SeenTable, scenes


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("players", PLAYERS)
def test_the_table_looks_as_it_should(players: int, state: str) -> None:
    """If this fails for a reason: ``python -m tests.ui.console.make_golden``, and look at what has changed."""
    assert picture(players, state) == (FOLDER / f"{players}-{state}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("players", PLAYERS)
def test_everything_needed_to_decide_fits_any_size(players: int) -> None:
    for name, text in scenes(players)["defend"].items():
        columns, rows = SIZES[name.split()[1]]
        lines = text.splitlines()
        assert len(lines) == rows
        assert max(map(width_of, lines)) <= columns
        wanted = ("trump", "T take", "leave") if name.startswith("en") else ("козырь", "T/Е взять", "выйти")
        assert all(word in text for word in wanted), f"{name}\n{text}"


def test_nothing_of_another_hand_gets_to_the_console() -> None:
    table = SeenTable(3, seed=11)

    def look(_: object) -> bool:
        view = table.screen.table.view
        if view is not None:
            assert all(hand.known == hand.public for seat, hand in enumerate(view.hands) if seat != 0)
            assert set(table.screen.chooser.hand) <= set(table.sessions[0].hand())
        return False

    table.run(until=look)
    assert table.screen.table.finished


def test_the_picture_in_the_documents_is_what_the_console_shows() -> None:
    """If this fails for a reason: ``python -m tests.ui.console.make_picture``."""
    assert make_picture.svg(make_picture.table()) == make_picture.PATH.read_text(encoding="utf-8")


@pytest.mark.parametrize("step", make_tour.STEPS)
def test_the_tour_shows_what_the_console_shows(step: str) -> None:
    """If this fails for a reason: ``python -m tests.ui.console.make_tour``."""
    assert make_tour.STEPS[step]() == make_tour.file(step).read_text(encoding="utf-8")
    assert f"tour/{step}.svg" in (make_tour.FOLDER.parent / "tour.md").read_text(encoding="utf-8")
