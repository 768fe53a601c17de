"""Keys out of turn: why they do nothing is told until the next thing happens, in words for whoever pressed them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from p2pdurak.errors import Sentence
from p2pdurak.session.events import Resigned, Send
from p2pdurak.ui.console.saying import not_asked
from p2pdurak.ui.console.table_screen import NOTE_SECONDS, TableScreen
from p2pdurak.ui.language import catalogue
from tests.ui.console.scenes import NOW, SeenTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pdurak.session.events import Event
    from p2pdurak.ui.console.model import TableModel

LONG = Sentence("{name} has given the game up: {name} has the table from now on.", name="Анна-Мария Вильгельмина")


class Pressing(SeenTable):
    """Presses a key whenever seat 0 is not asked; remembers what was told then, and after the next event."""

    def __init__(self) -> None:
        super().__init__(3, seed=7)
        self.told = self.gone = 0

    def happen(self, at: int, events: Sequence[Event]) -> None:
        before = "It is not your turn" in self.painted()
        super().happen(at, events)
        if at != 0:
            return
        if before and any(not isinstance(event, Send) for event in events):
            assert "It is not your turn" not in self.painted()
            self.gone += 1
        if self.screen.table.playing and self.screen.table.waiting and 0 not in self.screen.table.waiting:
            self.screen.press("1")
            self.told += "It is not your turn" in self.painted()

    def painted(self) -> str:
        return self.screen.canvas(80, 24, NOW).text()


def test_why_a_key_did_nothing_goes_with_the_next_thing_that_happens() -> None:
    table = Pressing()
    table.run()
    assert table.told > 3
    assert table.gone > 3


@pytest.fixture(scope="module")
def waiting() -> TableModel:
    """A table of six that waits for one, where another is out already."""
    table = SeenTable(6, seed=7)
    model = table.screen.table
    table.run(until=lambda _: bool(model.view and model.view.places and model.playing and len(model.waiting) == 1))
    return model


def test_who_watches_or_is_out_is_told_so(waiting: TableModel) -> None:
    say, view = catalogue("en"), waiting.view
    assert view is not None
    (asked,), out = waiting.waiting, view.places[0]
    waiting.me = next(seat for seat in range(6) if seat != asked and seat not in view.places)
    for me, words in (
        (waiting.me, "It is not your turn"),
        (None, "You are watching"),
        (out, "You are out of this game"),
    ):
        waiting.me = me
        assert not_asked(say, waiting).startswith(f"{words}: {waiting.names[asked]} ")
    waiting.take(Resigned(out))
    assert not_asked(say, waiting).startswith("You have given this game up: ")


@pytest.mark.parametrize("language", ["en", "ru"])
@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_with_the_result_all_of_a_note_is_seen_and_the_question_too(size: tuple[int, int], language: str) -> None:
    table = SeenTable(2, seed=7)
    table.run()
    screen = table.screen
    screen.path, screen.note = "/home/anna/game-1.durak", LONG
    screen.settings = replace(screen.settings, language=language)
    painted = " ".join(screen.canvas(*size, NOW).text().split())
    told = screen.say.gettext(LONG.sentence).format_map(LONG.values)
    assert told in painted
    assert screen.say.gettext("Another game?") in painted
    assert "game-1.durak" in painted


def test_a_warning_goes_by_itself_and_gives_way_to_a_newer_one() -> None:
    table = SeenTable(3, seed=7)
    table.run(until=lambda _: table.screen.table.playing and 0 not in table.screen.table.waiting)
    screen = table.screen

    def seen(after: float) -> str:
        return screen.canvas(80, 24, NOW + after).text()

    screen.warn("a first warning")
    assert "a first warning" in seen(50), "its time begins when it is seen"
    assert screen.restless
    assert "a first warning" in seen(49 + NOTE_SECONDS)
    screen.press("1")
    assert "It is not your turn" in seen(50)
    screen.warn("a second one")
    assert "a second one" in seen(60)
    assert "It is not your turn" not in seen(60)
    screen.warn("a third one")
    assert "a third one" in seen(59 + NOTE_SECONDS)
    assert "a third one" in seen(61 + NOTE_SECONDS), "it has been seen for less"
    assert "a third one" not in seen(59 + 2 * NOTE_SECONDS)
    screen.warn("the last one")
    screen.path = "/home/anna/game-1.durak"
    assert "the last one" in seen(100)
    assert "the last one" in seen(100 + 2 * NOTE_SECONDS), "it says what still holds"


@pytest.mark.parametrize("over", [False, True], ids=["at our turn", "with the result"])
def test_it_is_looked_again_for_who_is_away(over: bool) -> None:
    """Nothing else tells that somebody has come back."""

    def looked(players: int) -> TableScreen:
        table = SeenTable(players, seed=7)
        screen = table.screen
        table.run(until=lambda _: screen.table.playing and screen.table.waiting == (0,))
        screen.path = "/home/anna/game-1.durak" if over else ""
        return screen

    assert looked(6).away()
    assert looked(6).restless
    assert not looked(3).away()
    assert looked(3).restless is over, "after a game nothing else tells that somebody has gone"
