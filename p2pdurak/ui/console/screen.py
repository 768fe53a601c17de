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

SPINNER: Final = "|/-\\"
"""What is drawn in turn, second by second, where something is waited for."""
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
            self.paint_tiny(canvas, now)
        else:
            self.paint(canvas, now)
        return canvas

    def paint_tiny(self, canvas: Canvas, now: float) -> None:
        """Paint what matters most in a window that is too small."""
        del now
        for row, line in enumerate(wrapped(self.too_small, canvas.columns)):
            canvas.put(0, row, line)

    @property
    def too_small(self) -> str:
        """What is said in a window that is too small."""
        text = self.say.gettext("This window is too small: make it {columns} columns by {rows} rows.")
        return text.format(columns=LEAST_COLUMNS, rows=LEAST_ROWS)

    @property
    def keys_help(self) -> Sequence[tuple[str, str]]:
        """What help tells of the keys, in lines, each with its style."""
        return (*self.keys_in_game, self.keys_everywhere)

    @property
    def keys_in_game(self) -> Sequence[tuple[str, str]]:
        """The keys of a game."""
        gettext = self.say.gettext
        return (
            (gettext("1 2 3 …  plays the card above it; the keys are the same on a Russian keyboard layout."), ""),
            (gettext("← →  move to a card, Enter plays it, Space marks several to be laid at once."), ""),
            (gettext("T  take      P  pass      Q  leave"), ""),
            (
                gettext(
                    "Tab or /  talk to the others: type a line and press Enter, or a digit for a phrase. Tab once more "
                    "shows all that was said, and mutes people."
                ),
                "",
            ),
            (
                gettext(
                    "Cards with broken borders and a dot cannot be played now. Press the key of such a card all the "
                    "same, and you are told why."
                ),
                "class:dim",
            ),
        )

    @property
    def keys_everywhere(self) -> tuple[str, str]:
        """The keys that work on every screen."""
        return self.say.gettext("F1 or ?  this help      F2  English or Russian      F3  settings"), ""

    def keys_before_game(self, *own: str) -> Sequence[tuple[str, str]]:
        """Return what help tells on a screen before a game: its own keys, and then those of the game to come."""
        title = (self.say.gettext("Later, in a game"), "class:title")
        return (*((line, "") for line in own), self.keys_everywhere, ("", ""), title, *self.keys_in_game)

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


def key_rows(keys: Sequence[tuple[str, str, str]], columns: int) -> list[list[tuple[str, str, str]]]:
    """Return keys in as many rows for ``key_row`` as it takes to paint them all on a canvas of so many columns."""
    rows: list[list[tuple[str, str, str]]] = [[]]
    column = 1
    for written, meaning, key in keys:
        width = width_of(f"{written} {meaning}")
        if rows[-1] and column + width > columns:
            rows.append([])
            column = 1
        rows[-1].append((written, meaning, key))
        column += width + 3
    return rows


def wrapped(text: str, columns: int) -> list[str]:
    """Return a text in lines of so many columns, broken at blanks and where a word is too long."""
    return broken(text, columns, columns)


def broken(text: str, first: int, rest: int) -> list[str]:
    """Return a text in lines, the first of so many columns, broken at blanks and where a word is too long."""
    lines: list[str] = []
    line, room = "", first
    for word in text.split(" "):
        longer = f"{line} {word}" if line else word
        if width_of(longer) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
            line, room = "", rest
        while width_of(word) > room:
            head = _head(word, room)
            lines.append(head)
            word, room = word[len(head) :], rest
        line = word
    return [*lines, line]


def _head(word: str, columns: int) -> str:
    """Return as much of a word as fits, at least one sign."""
    end = 1
    while end < len(word) and width_of(word[: end + 1]) <= columns:
        end += 1
    return word[:end]
