"""What every screen is: it takes keys, and paints itself at whatever size. No screen knows of a terminal."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Final

from p2pdurak.ui.console import LEAST_COLUMNS, LEAST_ROWS
from p2pdurak.ui.console.canvas import Canvas, width_of
from p2pdurak.ui.console.keys import LETTERS
from p2pdurak.ui.language import catalogue

if TYPE_CHECKING:
    from collections.abc import Sequence
    from gettext import NullTranslations

    from p2pdurak.ui.console.settings import Settings

_BOTH_LAYOUTS: Final = {latin.upper(): f"{latin.upper()}/{russian.upper()}" for latin, russian in LETTERS}


class Screen(ABC):
    """One full screen; ``settings`` is what the shell sets before it asks for anything."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    def say(self) -> NullTranslations:
        """The catalogue of the person's language."""
        return catalogue(self.settings.language)

    @abstractmethod
    def paint(self, canvas: Canvas, now: float) -> None:
        """Paint everything; ``now`` is the time in seconds on the clock that the screen's data goes by."""

    @abstractmethod
    def press(self, key: str) -> None:
        """Take a key, by its name in ``keys``."""

    def typed(self, text: str) -> bool:
        """Take text for a field; return False where there is no field, and the text is keys."""
        del text
        return False

    @property
    def restless(self) -> bool:
        """Whether the screen changes by itself as time goes by."""
        return False

    @property
    def mouse(self) -> bool:
        """Whether clicks are wanted: the terminal cannot be used to select text meanwhile."""
        return True

    def canvas(self, columns: int, rows: int, now: float) -> Canvas:
        """Return the painted screen."""
        canvas = Canvas(columns, rows, ascii_only=self.settings.ascii_only)
        if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
            self.paint_tiny(canvas)
        else:
            self.paint(canvas, now)
        return canvas

    def paint_tiny(self, canvas: Canvas) -> None:
        """Paint what matters most in a window that is too small."""
        text = self.say.gettext("This window is too small: make it {columns} columns by {rows} rows.")
        for row, line in enumerate(wrapped(text.format(columns=LEAST_COLUMNS, rows=LEAST_ROWS), canvas.columns)):
            canvas.put(0, row, line)

    def cap(self, letter: str) -> str:
        """Return what is written on the key of a letter: both alphabets where the person may use either."""
        return _BOTH_LAYOUTS.get(letter, letter) if self.settings.language == "ru" else letter


def key_row(canvas: Canvas, row: int, keys: Sequence[tuple[str, str, str]], column: int = 1) -> None:
    """Paint what keys do: for each, what is written on it, what it does, and its name for a click."""
    for written, meaning, key in keys:
        if column + width_of(f"{written} {meaning}") > canvas.columns:
            return
        column = canvas.put(column, row, written, "class:key", key)
        column = canvas.put(column, row, f" {meaning}", "", key) + 3


def wrapped(text: str, columns: int) -> list[str]:
    """Return a text in lines of so many columns, broken at blanks."""
    lines: list[str] = []
    line = ""
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if line and width_of(longer) > columns:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line]
