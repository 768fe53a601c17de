"""Help, settings, and text to be read or copied: what lies over a screen and goes away again."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from p2pdurak.ui.console.canvas import width_of
from p2pdurak.ui.console.cards import LARGE_FROM, SHAPES, shape_for
from p2pdurak.ui.console.screen import Screen, key_row, wrapped
from p2pdurak.ui.console.settings import CardSize, Colours, Settings
from p2pdurak.ui.language import LANGUAGES
from p2pdurak.ui.rulebook import explain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pdurak.game.ruleset import Ruleset
    from p2pdurak.ui.console.canvas import Canvas

Value = TypeVar("Value")

_VALUE_COLUMN = 54
"""Where the values of settings begin; in a narrow window they end with its rows."""


class TextScreen(Screen):
    """Text that may be longer than the window; ``close`` is called when it has been read."""

    def __init__(self, settings: Settings, close: Callable[[], object]) -> None:
        super().__init__(settings)
        self._close = close
        self._top = 0

    @abstractmethod
    def text(self) -> Sequence[tuple[str, str]]:
        """Return the paragraphs, each with its style."""

    def press(self, key: str) -> None:
        """Scroll, or go away."""
        steps = {"up": -1, "down": 1, "pageup": -10, "pagedown": 10, " ": 10}
        if key in steps:
            self._top = max(0, self._top + steps[key])
        else:
            self._close()

    def paint(self, canvas: Canvas, now: float) -> None:
        """Paint as much as fits, from where it was scrolled to."""
        del now
        lines = [
            (line, style)
            for text, style in self.text()
            for line in (wrapped(text, canvas.columns - 4) if text else [""])
        ]
        room = canvas.rows - 2
        self._top = max(0, min(self._top, len(lines) - room))
        for row, (line, style) in enumerate(lines[self._top : self._top + room]):
            canvas.put(2, row, line, style)
        gettext = self.say.gettext
        canvas.rule(canvas.rows - 2)
        more = [("↑ ↓", gettext("scroll"), "down")] if len(lines) > room else []
        key_row(canvas, canvas.rows - 1, [*more, ("Esc", gettext("back"), "escape")])


class HelpScreen(TextScreen):
    """The keys of the screen ``under`` it, and the rules in plain words."""

    def __init__(self, settings: Settings, under: Screen, rules: Ruleset | None, close: Callable[[], object]) -> None:
        super().__init__(settings, close)
        self._under = under
        self._rules = rules

    def text(self) -> Sequence[tuple[str, str]]:
        """Return the keys first."""
        gettext = self.say.gettext
        lines = [(gettext("Keys"), "class:title"), *self._under.keys_help]
        if self._rules is not None:
            for section in explain(self._rules, self.say):
                lines += [("", ""), (section.heading, "class:title")]
                lines += [(f"• {sentence.text}", "") for sentence in section.sentences]
        return lines


class SettingsScreen(Screen):
    """What can be set, a line each; ``changed`` hears of the new settings at once."""

    def __init__(self, settings: Settings, changed: Callable[[Settings], object], close: Callable[[], object]) -> None:
        super().__init__(settings)
        self._changed = changed
        self._close = close
        self._at = 0

    def press(self, key: str) -> None:
        """Move, change the chosen line, or go away."""
        rows = len(self._rows())
        match key:
            case "up" | "back-tab":
                self._at = (self._at - 1) % rows
            case "down" | "tab":
                self._at = (self._at + 1) % rows
            case "left" | "right" | "enter" | " ":
                self._change(-1 if key == "left" else 1)
            case _ if key in tuple("123456789")[:rows]:
                self._at = int(key) - 1
                self._change(1)
            case "escape" | "q" | "quit" | "f3":
                self._close()

    @property
    def keys_help(self) -> Sequence[tuple[str, str]]:
        """What help tells of the keys, in lines, each with its style."""
        gettext = self.say.gettext
        return (
            (gettext("↑ ↓  to another line      ← →  another value      1 2 3 …  the next value of that line"), ""),
            (gettext("What is set is kept, and goes for all games of this profile."), ""),
            self.keys_everywhere,
        )

    def _change(self, step: int) -> None:
        old = self.settings
        new = (
            replace(old, language=_next(LANGUAGES, old.language, step)),
            replace(old, colours=_next(tuple(Colours), old.colours, step)),
            replace(old, size=_next(tuple(CardSize), old.size, step)),
            replace(old, ascii_only=not old.ascii_only),
            replace(old, auto_pass=not old.auto_pass),
            replace(old, mouse=not old.mouse),
        )[self._at]
        self.settings = new
        self._changed(new)

    def _rows(self) -> tuple[tuple[str, str], ...]:
        gettext, settings = self.say.gettext, self.settings
        on, off = gettext("yes"), gettext("no")
        colours = {
            Colours.FOUR: gettext("four: ♣ ♦ ♥ ♠"),
            Colours.TWO: gettext("two: red and black"),
            Colours.NONE: gettext("none"),
        }
        sizes = {
            CardSize.AUTO: gettext("as the window allows"),
            CardSize.SMALL: gettext("small"),
            CardSize.MEDIUM: gettext("medium"),
            CardSize.LARGE: gettext("large"),
        }
        return (
            (gettext("Language"), {"en": "English", "ru": "Русский"}[settings.language]),
            (gettext("Colours of the suits"), colours[settings.colours]),
            (gettext("Size of the cards"), sizes[settings.size]),
            (gettext("ASCII signs only"), on if settings.ascii_only else off),
            (gettext("Pass by itself when nothing could be thrown in"), on if settings.auto_pass else off),
            (gettext("Mouse"), on if settings.mouse else off),
        )

    def paint(self, canvas: Canvas, now: float) -> None:
        """Paint all lines, the chosen one marked."""
        del now
        gettext = self.say.gettext
        canvas.put(2, 0, gettext("Settings"), "class:title")
        for at, (what, value) in enumerate(self._rows()):
            chosen = at == self._at
            canvas.put(2, 2 + at, f"{'▸' if chosen else ' '} {at + 1} {what}", "", str(at + 1))
            column = min(_VALUE_COLUMN, canvas.columns - 1 - width_of(value))
            canvas.put(column, 2 + at, value, "class:chosen" if chosen else "", str(at + 1))
        note = gettext(
            "Passing by itself waits a random moment, mostly one or two seconds; who passes much later may be guessed "
            "to have had a choice. With the mouse on, hold Shift to select text."
        )
        for row, line in enumerate(wrapped(note, canvas.columns - 4)):
            canvas.put(2, 10 + row, line, "class:dim")
        shape = shape_for(self.settings.size, canvas.columns, canvas.rows)
        if self.settings.size is CardSize.LARGE and shape != SHAPES[CardSize.LARGE]:
            small = gettext("This window has no room for large cards: they take {columns} columns by {rows} rows.")
            lines = wrapped(small.format(columns=LARGE_FROM[0], rows=LARGE_FROM[1]), canvas.columns - 4)
            for row, line in enumerate(lines, 8):
                canvas.put(2, row, line, "class:warning")
        keys = [
            ("↑ ↓", gettext("choose"), "down"),
            ("← →", gettext("change"), "right"),
            ("Esc", gettext("back"), "escape"),
        ]
        key_row(canvas, canvas.rows - 1, keys)


def _next(values: Sequence[Value], value: Value, step: int) -> Value:
    return values[(values.index(value) + step) % len(values)]
