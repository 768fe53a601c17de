"""The table screen: what its keys do, and where on it everything is painted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.errors import IllegalAction, Sentence
from p2pdurak.ui.console.canvas import HARD_BLANK
from p2pdurak.ui.console.cards import shape_for
from p2pdurak.ui.console.choosing import Chooser
from p2pdurak.ui.console.leaving import LeavableScreen
from p2pdurak.ui.console.paint_bar import paint_bar, wanted
from p2pdurak.ui.console.paint_hand import paint_hand, paint_own
from p2pdurak.ui.console.paint_progress import paint_deck, paint_result, verdict
from p2pdurak.ui.console.paint_table import (
    OTHERS_ROWS,
    attack_line,
    paint_header,
    paint_others,
    paint_pairs,
    paint_talon,
)
from p2pdurak.ui.console.paint_tiny import in_lines
from p2pdurak.ui.console.refusing import meaningless, refused
from p2pdurak.ui.console.saying import not_asked, story
from p2pdurak.ui.console.screen import wrapped
from p2pdurak.ui.language import told

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from p2pdurak.errors import Said
    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State
    from p2pdurak.session.events import Event
    from p2pdurak.session.session import Session
    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.chat_line import ChatLine
    from p2pdurak.ui.console.model import TableModel
    from p2pdurak.ui.console.settings import Settings

SPACIOUS_ROWS = 22
"""From this many rows on the log gets more than its two lines."""
_BAR_ROWS = 3
NOTE_SECONDS = 20.0
"""How long a warning stands in a game; with the result it stays, for nothing else there tells how things are."""
_SAID_ROWS_AFTER = 4
"""How many rows there are for talking when a game is over."""


class TableScreen(LeavableScreen):
    """One game; made anew for the next.

    ``decide`` takes a decision of ours, ``next_game`` that we want another one, ``leave`` that we go. ``linked`` gives
    the keys of the players that a link leads to. ``resign`` gives the game up; ``vote`` votes to end it without those
    whom ``overdue`` names. ``chat`` is the line in which one talks. ``score`` counts by nickname who was the fool how
    often, from game ``since`` on; ``more`` tells whether another game follows; ``path`` is where the finished game is
    kept, ``program`` what one types to run this one; ``waited`` is for whom the game waited last, before it came to us.
    """

    def __init__(
        self,
        settings: Settings,
        table: TableModel,
        *,
        decide: Callable[[Action], object],
        next_game: Callable[[], object],
        leave: Callable[[], object],
        linked: Callable[[], Collection[bytes]],
        resign: Callable[[], object],
        vote: Callable[[], object],
        overdue: Callable[[], Sequence[str]],
        chat: ChatLine | None = None,
    ) -> None:
        super().__init__(settings, leave)
        self.table = table
        self.chat = chat
        self.chooser = Chooser()
        self.path = ""
        self.program = "p2pdurak"
        self.score: Mapping[str, int] = {}
        self.since = 1
        self.more = True
        self.ready = False
        self.voting = False
        self.note: Said | str = ""
        self._noted: float | None = None
        self.waited = ""
        self._reply: Said | str = ""
        self._refusal: IllegalAction | None = None
        self._idle_press = False
        self._decide = decide
        self._next_game = next_game
        self._linked = linked
        self._resign = resign
        self._vote = vote
        self.overdue = overdue

    # What happens

    def hear(self, session: Session, event: Event, now: float) -> None:
        """Take an event of the game; what was said of a key that did nothing makes room for it."""
        self.table.hear(session, event, now)
        self._reply, self._idle_press = "", False
        if self.table.face_up is not None:
            self.chooser.hold(self.table.hand, self.table.face_up.suit)
        if self.over:
            self.leaving = self.voting = False

    def warn(self, said: Said | str) -> None:
        """Show something that went wrong, in place of what was told before; its seconds count once it is seen."""
        self._forget_notes()
        self.note, self._noted = said, None

    def ask(self, view: State) -> None:
        """Ask for our decision."""
        self.chooser.ask(view)
        self.waited = ""
        self._forget_notes()

    def _forget_notes(self) -> None:
        self.note, self._reply, self._refusal, self._idle_press = "", "", None, False

    def press(self, key: str) -> None:
        """Take a key: of the question whether to leave, of what is said, of the result, or of the game."""
        self._forget_notes()
        asked = self.leaving or self.voting
        if self.chat is not None and not asked and self.chat.press(key):
            return
        if self.answer_leaving(key, {"r": self._resign} if self.may_resign else None):
            return
        if self.voting:
            self.voting = False
            if key == "enter":
                self._vote()
        elif key in ("q", "quit"):
            self.leaving = True
            if self.over and not self.more:
                self._leave()
        elif self.over:
            self._press_after(key)
        elif key == "v" and self.table.me is None:
            self._reply = Sentence("You are watching; only those who play can vote.")
        elif key == "v" and self.overdue():
            self.voting = True
        else:
            self._press_in_game(key)

    def typed(self, text: str) -> bool:
        """Take text for what is said."""
        return self.chat is not None and self.chat.typed(text)

    @property
    def over(self) -> bool:
        """Whether nothing more happens in this game."""
        return bool(self.path) or self.table.convicted is not None

    @property
    def may_resign(self) -> bool:
        """Whether there is a game of ours to be given up."""
        return not self.over and self.table.me is not None and self.table.me not in self.table.resigned

    @property
    def safe(self) -> bool:
        """Whether we are out already, so that only giving up can make us the fool."""
        return self.table.view is not None and self.table.me in self.table.view.places

    def _press_after(self, key: str) -> None:
        if key == "enter" and self.more and not self.ready and self.table.me is not None:
            self.ready = True
            self._next_game()
        elif key == "enter" and not self.more:
            self._leave()

    def _press_in_game(self, key: str) -> None:
        idle = self.chooser.view is None
        dull = None if idle else meaningless(self.chooser, key, self.cap(key.upper()))
        try:
            action = self.chooser.press(key)
        except IllegalAction as error:
            self._refusal = error
            return
        if action is not None:
            self.chooser.rest()
            self._decide(action)
        elif idle and self.table.playing and (len(key) == 1 or key == "enter"):
            self._idle_press = True
        elif dull is not None:
            self._reply = dull

    @property
    def restless(self) -> bool:
        """Whether the screen changes by itself: others are waited for, come or go, or words are to go away again."""
        if self.chat is not None and self.chat.fading:
            return True
        if self.over or self.away() or self.note:
            return True
        return any(seat != self.table.me for seat in self.table.waiting)

    @property
    def mouse(self) -> bool:
        """Whether clicks are wanted: not with the result, where there is text to be copied."""
        return not self.over

    # How it looks

    def away(self) -> frozenset[int]:
        """Return the seats that no link leads to."""
        linked, keys = self._linked(), self.table.genesis.keys
        return frozenset(seat for seat, key in enumerate(keys) if seat != self.table.me and key not in linked)

    def canvas(self, columns: int, rows: int, now: float) -> Canvas:
        """Return the painted screen, on which a warning has stood long enough by some time."""
        if self.note and not self.over:
            self._noted = now if self._noted is None else self._noted
            if now - self._noted >= NOTE_SECONDS:
                self.note = ""
        return super().canvas(columns, rows, now)

    def paint(self, canvas: Canvas, now: float) -> None:
        """Paint from the top down: the others, the table, the story of the bout, our hand, what is wanted."""
        say, table = self.say, self.table
        shape = shape_for(self.settings.size, canvas.columns, canvas.rows)
        log_rows = max(2, min(8, 2 + canvas.rows - SPACIOUS_ROWS))
        hand_row = canvas.rows - _BAR_ROWS - max(shape.height, 3) - 1
        table_row = 2 + OTHERS_ROWS
        log_row = hand_row - 1 - log_rows
        paint_header(canvas, say, table)
        paint_others(canvas, say, table, self.away(), 1)
        canvas.rule(table_row - 1)
        news = wrapped(self._note(), canvas.columns - 2) if self.over and self._note() else []
        if self.over:
            rows = canvas.rows - _BAR_ROWS - len(news) - table_row
            paint_result(canvas, say, table, self.score, self.since, self.path, self.program, table_row, rows)
        elif table.view is None:
            paint_deck(canvas, say, table, table_row, hand_row - 1 - table_row)
        else:
            canvas.centre(table_row - 1, f" {attack_line(say, table, table.view)} ", "class:name")
            paint_talon(canvas, say, table, shape, table_row, log_row - table_row)
            paint_pairs(canvas, say, table, shape, table_row, log_row - table_row)
        if self.over:
            self._paint_said(canvas, now, canvas.rows - _BAR_ROWS - _SAID_ROWS_AFTER, _SAID_ROWS_AFTER)
        else:
            self._paint_story(canvas, log_row, log_rows - self._paint_said(canvas, now, log_row, log_rows))
            paint_own(canvas, say, table, self.chat, hand_row - 1, asked=self.chooser.view is not None)
            paint_hand(canvas, self.chooser, None if table.face_up is None else table.face_up.suit, shape, hand_row)
        for at, line in enumerate(news, canvas.rows - _BAR_ROWS - len(news)):
            canvas.clear(at)
            canvas.put(1, at, line, "class:warning")
        paint_bar(canvas, self, now, canvas.rows - _BAR_ROWS)
        if self.chat is not None and self.chat.open:
            self.chat.paint_field(canvas, say, canvas.rows - _BAR_ROWS + 1)

    def _paint_said(self, canvas: Canvas, now: float, row: int, rows: int) -> int:
        return 0 if self.chat is None else self.chat.paint_said(canvas, self.say, now, row, rows)

    def _paint_story(self, canvas: Canvas, row: int, rows: int) -> None:
        """Paint the latest deeds, or, in their place, why a key did nothing; while the deck is made, there are none."""
        width = canvas.columns - 2
        if note := self._note():
            lines = wrapped(note, width)
            for at, line in enumerate(lines, row + min(0, rows - len(lines))):  # a long one covers some of the table
                canvas.clear(at)
                canvas.put(1, at, line, "class:warning")
        elif self.table.playing and rows:
            for at, line in enumerate(wrapped(" · ".join(story(self.say, self.table)), width)[-rows:], row):
                canvas.put(1, at, line, "class:dim")

    def _note(self) -> str:
        """Return what has gone wrong, in the language of now."""
        if self._refusal is not None and self.chooser.view is not None:
            return refused(self.say, self.chooser, self._refusal)
        return not_asked(self.say, self.table) if self._idle_press else told(self.say, self._reply or self.note)

    def paint_tiny(self, canvas: Canvas, now: float) -> None:
        """Paint what is wanted with its keys, the table, the hand, and how large the window should be, as text."""
        text, keys = wanted(self, now)
        written = "   ".join(f"{key} {meaning}".replace(" ", HARD_BLANK) for key, meaning, _ in keys)
        said = [] if self.chat is None else self.chat.in_lines(self.say, now, canvas.columns)
        parts = [text, written, self._note(), *in_lines(self.say, self.table, self.chooser), *said, self.too_small]
        if self.over:
            parts = [verdict(self.say, self.table), self._note(), text, written, *said, self.too_small]
        lines = [line for part in parts if part for line in wrapped(part, canvas.columns)]
        for row, line in enumerate(lines):
            canvas.put(0, row, line)
        if self.chat is not None and self.chat.open:
            self.chat.paint_field(canvas, self.say, canvas.rows - 2)
