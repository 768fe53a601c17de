"""A grid of styled cells: everything on the screen is painted here, and only then given to the terminal.

Painting is a function of data and size, so a resized window is painted anew and nothing has to be moved, and a test
compares the rows of a canvas with a text. Each cell may name the key that a click on it means. The widgets of
prompt_toolkit were rejected: they keep state of their own, and a card table has no use for their boxes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from prompt_toolkit.utils import get_cwidth

from p2pdurak.ui.visible import chooses_form
from p2pdurak.wire.names import MAX_MARKS, is_mark

if TYPE_CHECKING:
    from collections.abc import Iterator

ASCII_FORMS = str.maketrans(
    "♣♦♥♠─│┌┐└┘╌┆▮▒·•…✓✗▸↑↓←→×“”’«»—–█▀▄",
    'cdhs-|++++.:#%.*.+!>^v<>x""\'""--#"_',
)
"""What stands for the signs that we draw with on a terminal that knows only ASCII; each is one column wide."""

HARD_BLANK = "\u00a0"
"""A blank at which no line is broken; it is painted as a plain one."""


class Cell(NamedTuple):
    """One column of one row; ``text`` is empty where a wide character on its left goes on."""

    text: str = " "
    style: str = ""
    key: str = ""


class Run(NamedTuple):
    """Neighbouring cells that look alike and mean the same key."""

    text: str
    style: str
    key: str


BLANK = Cell()


def width_of(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(max(0, get_cwidth(sign)) for sign in text)


def shortened(text: str, columns: int) -> str:
    """Return the text, or as much of it as fits, ending with an ellipsis then."""
    if width_of(text) <= columns:
        return text
    kept = ""
    for sign in text:
        if width_of(kept + sign) > columns - 1:
            break
        kept += sign
    return kept + "…" if columns > 0 else ""


class Canvas:
    """``columns`` by ``rows`` cells, all blank; what is painted outside of them is lost."""

    def __init__(self, columns: int, rows: int, *, ascii_only: bool = False) -> None:
        self.columns = columns
        self.rows = rows
        self._ascii = ascii_only
        self._cells = [[BLANK] * columns for _ in range(rows)]

    def put(self, column: int, row: int, text: str, style: str = "", key: str = "") -> int:
        """Paint one line of text from this cell on; return the column behind it."""
        text = text.replace(HARD_BLANK, " ")
        for sign in text.translate(ASCII_FORMS) if self._ascii else text:
            width = get_cwidth(sign)
            # Signs of strangers are drawn, never obeyed: what has no width of its own and is no mark is left out.
            if width <= 0:
                if is_mark(sign) and not chooses_form(sign):
                    self._mark(column, row, sign)
                continue
            if 0 <= row < self.rows and column >= 0 and column + width <= self.columns:
                self._cells[row][column] = Cell(sign, style, key)
                for rest in range(column + 1, column + width):
                    self._cells[row][rest] = Cell("", style, key)
            column += width
        return column

    def _mark(self, column: int, row: int, mark: str) -> None:
        """Draw a mark on what ends before this cell, if there is something and it does not bear too many already."""
        at = column - 1
        if not (0 <= row < self.rows and 0 <= at < self.columns):
            return
        if not self._cells[row][at].text and at:
            at -= 1  # the right half of a wide character
        before = self._cells[row][at]
        if len(before.text) <= MAX_MARKS:
            self._cells[row][at] = before._replace(text=before.text + mark)

    def clear(self, row: int) -> None:
        """Blank a whole row."""
        if 0 <= row < self.rows:
            self._cells[row] = [BLANK] * self.columns

    def centre(self, row: int, text: str, style: str = "", key: str = "") -> None:
        """Paint one line of text in the middle of a row."""
        text = shortened(text, self.columns)
        self.put((self.columns - width_of(text)) // 2, row, text, style, key)

    def right(self, row: int, text: str, style: str = "", key: str = "") -> None:
        """Paint one line of text that ends with the row."""
        self.put(self.columns - width_of(text), row, text, style, key)

    def rule(self, row: int) -> None:
        """Paint a line across the whole row."""
        self.put(0, row, "─" * self.columns, "class:rule")

    def runs(self, row: int) -> Iterator[Run]:
        """Return the cells of a row, neighbours of one look together."""
        style, key, text = "", "", ""
        for cell in self._cells[row]:
            if (cell.style, cell.key) != (style, key):
                if text:
                    yield Run(text, style, key)
                style, key, text = cell.style, cell.key, ""
            text += cell.text
        if text:
            yield Run(text, style, key)

    def text(self) -> str:
        """Return what is painted as lines of text, without the blanks at their ends."""
        return "".join("".join(cell.text for cell in row).rstrip() + "\n" for row in self._cells)

    def key_at(self, column: int, row: int) -> str:
        """Return the key that a click on this cell means, empty if none."""
        inside = 0 <= row < self.rows and 0 <= column < self.columns
        return self._cells[row][column].key if inside else ""
