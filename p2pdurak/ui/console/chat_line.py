"""The line in which one says something at the table: its keys, and how it and what others say is painted.

It lies over whatever screen the table shows and takes the rows of the story and the last two of the bar, so that
cards, hand and what is wanted stay in sight while one types. Words stand by themselves for a while in at most half of
the story's rows. A window of its own for talking was rejected: 80 by 24 is full with six players.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from p2pdurak.errors import DurakError
from p2pdurak.ui.console.canvas import shortened, width_of
from p2pdurak.ui.console.field import Field
from p2pdurak.ui.console.screen import broken, key_row, wrapped
from p2pdurak.ui.language import told
from p2pdurak.ui.phrases import PHRASES, remark_text
from p2pdurak.wire.chat import MAX_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from gettext import NullTranslations

    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.conversation import Conversation, Line
    from p2pdurak.wire.chat import Remark

OPENING: Final = ("tab", "/", ".")
"""The keys that open the line; the last two are one key, on a Latin and on a Russian layout."""
MAX_NAME_COLUMNS: Final = 16
INDENT: Final = 2


class Row(NamedTuple):
    """One row of what was said: the speaker, if it begins here, and text."""

    name: str
    text: str


class ChatLine:
    """The line, open or not; ``show_all`` shows all that was said.

    ``fading`` tells that something was painted that goes away by itself.
    """

    def __init__(self, conversation: Conversation, show_all: Callable[[], object]) -> None:
        self.conversation = conversation
        self.open = False
        self.fading = False
        self._show_all = show_all
        self._field = Field(limit=MAX_CHARACTERS)
        self._note: DurakError | None = None

    def press(self, key: str) -> bool:
        """Take a key; return whether it was one of ours."""
        if not self.open:
            if key in OPENING:
                self.open, self.conversation.unread = True, 0
            return self.open
        match key:
            case "enter" if self._field.text.strip():
                self._say(self._field.text)
            case "enter" | "escape" | "quit":
                self._close()
            case _ if self._field.press(key):
                pass
            case "tab":
                self._close()
                self._show_all()
            case _ if self._is_phrase(key):  # by a click, for what is typed does not come this way
                self._say(int(key))
        return True

    def typed(self, text: str) -> bool:
        """Take text, or the digit of a phrase at its beginning; return False if the line is not open."""
        if not self.open:
            return False
        self._note = None
        if self._is_phrase(text):
            self._say(int(text))
        else:
            self._field.type(text)
        return True

    def _is_phrase(self, key: str) -> bool:
        return not self._field.text and key in tuple("123456789")[: len(PHRASES)]

    def _say(self, remark: Remark) -> None:
        try:
            self.conversation.say(remark)
        except DurakError as error:
            self._note = error
        else:
            self._close()

    def _close(self) -> None:
        self.open, self._note = False, None
        self._field = Field(limit=MAX_CHARACTERS)

    # How it looks

    def label(self, say: NullTranslations) -> str:
        """Return what stands for the closed line, with the number of unread words if there are some."""
        unread = self.conversation.unread
        return say.gettext("chat") + (f" +{unread}" if unread else "")

    def in_lines(self, say: NullTranslations, now: float, columns: int) -> list[str]:
        """Return what was said a short time ago in at most two lines of text, for a window that is too small."""
        fresh = self.conversation.fresh(now)
        self.fading = bool(fresh)
        return [f"{row.name}{row.text}" for row in last_rows(say, fresh, columns, 2)]

    def paint_said(self, canvas: Canvas, say: NullTranslations, now: float, row: int, rows: int) -> int:
        """Paint at the end of these rows what was said, in at most half of them while the line is closed.

        Return how many rows it takes.
        """
        fresh = self.conversation.fresh(now)
        self.fading = bool(fresh) and not self.open
        lines = self.conversation.lines() if self.open else fresh
        end = row + rows
        if self.open:
            for at in range(row, end):
                canvas.clear(at)
            end = self._paint_phrases(canvas, say, row, end)
        most = end - row if self.open else max(1, rows // 2)
        shown = last_rows(say, lines, canvas.columns - 2, most)
        for at, one in enumerate(shown, end - len(shown)):
            canvas.clear(at)
            paint_row(canvas, at, one)
        return rows if self.open else len(shown)

    def _paint_phrases(self, canvas: Canvas, say: NullTranslations, row: int, end: int) -> int:
        """Paint the phrases, or why something was not said, at the end of the rows; return the row where they begin."""
        if self._note is not None:
            lines = wrapped(told(say, self._note), canvas.columns - 2)[: end - row]
            for at, line in enumerate(lines, end - len(lines)):
                canvas.put(1, at, line, "class:warning")
            return end - len(lines)
        if self._field.text:
            return end
        pieces = [(str(number), say.gettext(phrase)) for number, phrase in enumerate(PHRASES, 1)]
        split = len(pieces) // 2
        if sum(width_of(phrase) + 5 for _, phrase in pieces) <= canvas.columns:
            split = len(pieces)
        halves = [half for half in (pieces[:split], pieces[split:]) if half]
        for at, half in enumerate(halves, end - len(halves)):
            key_row(canvas, at, [(number, phrase, number) for number, phrase in half])
        return end - len(halves)

    def paint_field(self, canvas: Canvas, say: NullTranslations, row: int) -> None:
        """Paint what is typed in this row, and the keys in the next."""
        for at in (row, row + 1):
            canvas.clear(at)
        column = canvas.put(1, row, say.gettext("Say:"), "class:wanted") + 1
        text = self._field.text
        while width_of(text) > canvas.columns - column - 2:
            text = text[1:]
        canvas.put(column, row, f"{text}_", "class:field")
        keys = [("Enter", say.gettext("say it"), "enter")] if self._field.text else []
        keys += [("Esc", say.gettext("back"), "escape"), ("Tab", say.gettext("all that was said, mute"), "tab")]
        key_row(canvas, row + 1, keys)


def paint_row(canvas: Canvas, row: int, one: Row) -> None:
    """Paint a row of what was said, the speaker in a style of its own."""
    column = canvas.put(1, row, one.name, "class:speaker") if one.name else 1 + INDENT
    canvas.put(column, row, one.text)


def last_rows(say: NullTranslations, lines: Iterable[Line], columns: int, rows: int) -> list[Row]:
    """Return the last lines in so many rows; of the first of them its beginning, if it does not fit as a whole."""
    shown: list[Row] = []
    for line in reversed(list(lines)):
        left = rows - len(shown)
        if left <= 0:
            break
        more = list(rows_of(say, line, columns))
        if len(more) > left:
            last = more[left - 1]
            room = columns - (width_of(last.name) or INDENT)
            more[left - 1] = last._replace(text=shortened(f"{last.text} …", room))
        shown = [*more[:left], *shown]
    return shown


def rows_of(say: NullTranslations, line: Line, columns: int) -> Iterator[Row]:
    """Yield a line of the conversation in rows of so many columns."""
    nickname = shortened(line.nickname, MAX_NAME_COLUMNS)
    name = say.gettext("{name} (watching)").format(name=nickname) if line.watching else nickname
    if line.remark is None:
        text = say.gettext("says too much; some of it is left out")
    else:
        text = remark_text(say, line.remark)
    first, *others = broken(text, columns - width_of(name) - 2, columns - INDENT)
    yield Row(f"{name}: ", first)
    for other in others:
        yield Row("", other)
