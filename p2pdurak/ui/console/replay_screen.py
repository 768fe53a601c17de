"""Stepping through a finished game: all hands, the table, and what has just been done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.cards import cards_in
from p2pdurak.game.actions import Lead
from p2pdurak.session.events import Played
from p2pdurak.ui.console.canvas import shortened
from p2pdurak.ui.console.cards import shape_for
from p2pdurak.ui.console.paint_progress import verdict
from p2pdurak.ui.console.paint_table import attack_line, paint_header, paint_pairs, paint_talon, role
from p2pdurak.ui.console.saying import story
from p2pdurak.ui.console.screen import Screen, key_row, wrapped
from p2pdurak.ui.console.style import suit_class
from p2pdurak.ui.line import sorted_hand

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.model import TableModel
    from p2pdurak.ui.console.replaying import Replay
    from p2pdurak.ui.console.settings import Settings

_BAR_ROWS = 2
_LOG_ROWS = 3
_HAND_COLUMN = 28


class ReplayScreen(Screen):
    """One game; ``leave`` is called when enough has been seen."""

    def __init__(self, settings: Settings, replay: Replay, leave: Callable[[], object]) -> None:
        super().__init__(settings)
        self._replay = replay
        self._leave = leave
        self._at = 0
        self._leads = [
            number
            for number, moment in enumerate(replay.moments)
            if any(isinstance(event, Played) and isinstance(event.action, Lead) for event in moment.events)
        ]

    def press(self, key: str) -> None:
        """Step, jump from bout to bout, or leave."""
        last = len(self._replay.moments) - 1
        match key:
            case "right" | " " | "enter":
                self._at = min(last, self._at + 1)
            case "left" | "backspace":
                self._at = max(0, self._at - 1)
            case "down" | "pagedown":
                self._at = next((lead for lead in self._leads if lead > self._at), last)
            case "up" | "pageup":
                self._at = next((lead for lead in reversed(self._leads) if lead < self._at), 0)
            case "home" | "end":
                self._at = 0 if key == "home" else last
            case "q" | "quit" | "escape":
                self._leave()

    @property
    def keys_help(self) -> Sequence[tuple[str, str]]:
        """What help tells of the keys, in lines, each with its style."""
        gettext = self.say.gettext
        return (
            (gettext("← →  one step back or on; Space and Enter go on too"), ""),
            (gettext("↑ ↓  to the bout before, or to the next"), ""),
            (gettext("Home End  to the first step, or to the last"), ""),
            (gettext("Q or Esc  leave"), ""),
            self.keys_everywhere,
        )

    def paint(self, canvas: Canvas, now: float) -> None:
        """Paint the hands, one under the other, the table, and the story of the bout."""
        del now
        say, table = self.say, self._replay.table(self._at)
        view = self._replay.moments[self._at].game
        paint_header(canvas, say, table)
        for seat in range(table.genesis.players):
            self._paint_seat(canvas, table, seat, 1 + seat)
        row = 2 + table.genesis.players
        canvas.rule(row - 1)
        canvas.centre(row - 1, f" {attack_line(say, table, view)} ", "class:name")
        end = canvas.rows - _BAR_ROWS - _LOG_ROWS - 1
        shape = shape_for(self.settings.size, canvas.columns, canvas.rows)
        paint_talon(canvas, say, table, shape, row, end - row)
        paint_pairs(canvas, say, table, shape, row, end - row)
        canvas.rule(end)
        text = " · ".join(part for part in (*story(say, table), verdict(say, table)) if part)
        for at, line in enumerate(wrapped(text, canvas.columns - 2)[-_LOG_ROWS:]):
            canvas.put(1, end + 1 + at, line)
        self._paint_bar(canvas)

    def _paint_seat(self, canvas: Canvas, table: TableModel, seat: int, row: int) -> None:
        assert table.view is not None  # noqa: S101 - a replay begins with the first lead
        hand = table.view.hands[seat]
        turn = table.view.asked == seat
        name = shortened(table.names[seat], 13)
        canvas.put(1, row, f"▸{name}" if turn else f" {name}", "class:turn" if turn else "class:name")
        canvas.put(16, row, shortened(role(self.say, table, seat, columns=11)[0], 11), "class:dim")
        column = _HAND_COLUMN
        for card in sorted_hand(cards_in(hand.known), table.view.trump):
            column = canvas.put(column, row, str(card), suit_class(card.suit)) + 1
        if hand.hidden:
            canvas.put(column, row, f"▒×{hand.hidden}", "class:dim")

    def _paint_bar(self, canvas: Canvas) -> None:
        gettext, row = self.say.gettext, canvas.rows - _BAR_ROWS
        text = gettext("step {number} of {count}").format(number=self._at + 1, count=len(self._replay.moments))
        if not self._replay.open_hands:
            closed = gettext("the books are closed: hands are not known")
            text = f"{text} · {closed}"
        canvas.put(1, row, shortened(text, canvas.columns - 2), "class:wanted")
        keys = [("← →", gettext("step"), "right"), ("↑ ↓", gettext("bout"), "down")]
        key_row(
            canvas, row + 1, [*keys, ("Home End", gettext("first, last"), ""), (self.cap("Q"), gettext("leave"), "q")]
        )
