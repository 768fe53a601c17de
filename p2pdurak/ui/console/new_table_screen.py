"""Opening a table: what is played there, line by line, from the ready-made rules down to each single option."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from p2pdurak.cards import PACK_SIZES
from p2pdurak.errors import NotationError
from p2pdurak.game.ruleset import DEFAULT, MAX_PLAYERS, MIN_PLAYERS, OPTIONS, PRESETS, Ruleset, parse_ruleset
from p2pdurak.ui.console.canvas import shortened, width_of
from p2pdurak.ui.console.field import Field
from p2pdurak.ui.console.screen import Screen, key_row, key_rows, wrapped
from p2pdurak.ui.language import told
from p2pdurak.ui.option_words import WORDS, in_words
from p2pdurak.ui.rule_effects import idle
from p2pdurak.ui.rule_options import LIMITS, MEANINGS, SENTENCES, in_short, option_sentence, summary, written
from p2pdurak.wire.names import TABLE_NAME_CHARACTERS, clean_table_name
from p2pdurak.wire.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from gettext import NullTranslations

    from p2pdurak.errors import Said
    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.settings import Settings

GAMES: Final = (0, 1, 3, 5, 10)
LIMIT_VALUES: Final = ("none", *map(str, range(1, 13)))
_VALUE_COLUMN = 34
"""Where values begin at least."""
_LOWEST_ROWS: Final = 4
"""For what the chosen line means and for the keys, at least."""

Value = TypeVar("Value")


class Row(NamedTuple):
    """One line: what it is, its value in words, and what changes it by one step."""

    what: str
    value: str
    change: Callable[[int], object]


@dataclass(frozen=True, slots=True)
class Plan:
    """A table to be opened: its terms, and how many of its seats bots take."""

    terms: Terms
    bots: int = 0


class NewTableScreen(Screen):
    """Where a table is described; ``opened`` hears of the plan, ``back`` that there will be none."""

    def __init__(
        self, settings: Settings, name: str, *, opened: Callable[[Plan], object], back: Callable[[], object]
    ) -> None:
        super().__init__(settings)
        self.rules: Ruleset = DEFAULT
        self._terms = Terms("table", DEFAULT, 36, 4)
        self._bots = 0
        self._name = Field(name, TABLE_NAME_CHARACTERS)
        self._note: Said | str = ""
        self._at = 0
        self._opened = opened
        self._back = back

    @property
    def mouse(self) -> bool:
        """Whether clicks are wanted: not while the name is typed or pasted."""
        return self._at > 0

    def press(self, key: str) -> None:
        """Move, change the chosen line, open the table, or go back."""
        self._note = ""
        match key:
            case "up" | "back-tab":
                self._at = (self._at - 1) % len(self._rows())
            case "down" | "tab":
                self._at = (self._at + 1) % len(self._rows())
            case "left" | "right" | " ":
                self._change(-1 if key == "left" else 1)
            case _ if self._at == 0 and self._name.press(key):
                pass
            case "enter":
                self._open()
            case "escape" | "q" | "quit":
                self._back()

    @property
    def keys_help(self) -> Sequence[tuple[str, str]]:
        """What help tells of the keys, in lines, each with its style."""
        gettext = self.say.gettext
        return self.keys_before_game(
            gettext("↑ ↓  to another line; below the line of rules, single rules can be changed."),
            gettext("← →  another value      Enter  open the table      Esc  back"),
        )

    def typed(self, text: str) -> bool:
        """Take text for the table's name, where that is the chosen line."""
        if self._at == 0:
            self._name.type(text)
        return self._at == 0

    def _change(self, step: int) -> None:
        try:
            self._rows()[self._at].change(step)
        except NotationError as error:
            self._note = error

    def _open(self) -> None:
        try:
            terms = replace(self._terms, table=clean_table_name(self._name.text), rules=self.rules)
        except NotationError as error:
            self._note = error
            return
        self._opened(Plan(terms, self._bots))

    # The lines

    def _rows(self) -> tuple[Row, ...]:
        gettext, terms = self.say.gettext, self._terms
        games = gettext("as many as you like") if terms.games == 0 else str(terms.games)
        return (
            Row(
                gettext("Name of the table"),
                f"{self._name.text}_" if self._at == 0 else self._name.text,
                lambda _: None,
            ),
            Row(gettext("Rules"), in_short(self.say, self.rules), self._change_preset),
            Row(
                gettext("Cards in the pack"),
                str(terms.pack_size),
                lambda step: self._set(pack_size=_next(PACK_SIZES, terms.pack_size, step)),
            ),
            Row(gettext("Seats"), str(terms.seats), self._change_seats),
            Row(gettext("Of these for bots"), str(self._bots), self._change_bots),
            Row(gettext("Games"), games, lambda step: self._set(games=_next(GAMES, terms.games, step))),
            self._switch(gettext("Asks for a code"), "code"),
            self._switch(gettext("May be watched"), "watchers"),
            self._switch(gettext("Seats by lot"), "by_lot"),
            self._switch(gettext("Books are opened after a game"), "open_books"),
            *(self._option(option) for option in OPTIONS),
        )

    def _switch(self, what: str, field: str) -> Row:
        on = bool(getattr(self._terms, field))
        return Row(
            what, self.say.gettext("yes") if on else self.say.gettext("no"), lambda _: self._set(**{field: not on})
        )

    def _option(self, option: str) -> Row:
        values = LIMIT_VALUES if option in LIMITS else tuple(SENTENCES[option])
        value = written(self.rules)[option]

        def change(step: int) -> None:
            other = _next(values, value, step) if value in values else values[0]
            changed = {**written(self.rules), option: other}
            self.rules = parse_ruleset(" ".join(f"{name}={text}" for name, text in changed.items()))

        return Row(self.say.gettext(MEANINGS[option]), in_words(self.say, option, value), change)

    def _set(self, **changes: object) -> None:
        self._terms = replace(self._terms, **changes)  # type: ignore[arg-type]

    def _change_preset(self, step: int) -> None:
        names = tuple(PRESETS)
        name = self.rules.name
        self.rules = PRESETS[_next(names, name, step) if name in names else names[0]]

    def _change_seats(self, step: int) -> None:
        self._set(seats=max(MIN_PLAYERS, min(MAX_PLAYERS, self._terms.seats + step)))
        self._bots = min(self._bots, self._terms.seats - 1)

    def _change_bots(self, step: int) -> None:
        self._bots = max(0, min(self._terms.seats - 1, self._bots + step))

    # How it looks

    def paint(self, canvas: Canvas, now: float) -> None:
        """Paint as many lines as fit around the chosen one, what its value means, and the keys."""
        del now
        canvas.put(1, 0, self.say.gettext("A new table"), "class:title")
        canvas.rule(1)
        keys = key_rows(self._keys(), canvas.columns)
        note, style = (told(self.say, self._note), "class:warning") if self._note else (self._meaning(), "class:dim")
        lines = wrapped(note, canvas.columns - 2)
        rule = canvas.rows - 1 - max(_LOWEST_ROWS, len(keys) + len(lines))
        canvas.rule(rule)
        self._paint_rows(canvas, rule - 2)
        for at, line in enumerate(lines, rule + 1):
            canvas.put(1, at, line, style)
        for at, one_row in enumerate(keys, canvas.rows - len(keys)):
            key_row(canvas, at, one_row)

    def _paint_rows(self, canvas: Canvas, room: int) -> None:
        """Paint so many lines, and on the rules above and below them how many there are more."""
        rows = self._rows()
        names = max(width_of(row.what) for row in rows) + 5
        column = max(_VALUE_COLUMN, min(names, canvas.columns - 1 - _widest_words(self.say)))
        top = max(0, min(self._at - room // 2, len(rows) - room))
        for at, row in enumerate(rows[top : top + room], top):
            chosen = at == self._at
            canvas.put(1, 2 + at - top, f"{'▸' if chosen else ' '} {shortened(row.what, column - 4)}")
            # A value that is too long begins farther left, as far as what it is the value of allows.
            fitting = max(4 + width_of(row.what), canvas.columns - 1 - width_of(row.value))
            value = shortened(row.value, canvas.columns - 1 - min(column, fitting))
            canvas.put(min(column, fitting), 2 + at - top, value, "class:chosen" if chosen else "")
        for hidden, rule, arrow in ((top, 1, "↑"), (len(rows) - top - room, 2 + room, "↓")):
            if hidden > 0:
                canvas.right(rule, f" {arrow} {hidden} ", "class:name")

    def _keys(self) -> list[tuple[str, str, str]]:
        gettext = self.say.gettext
        change = ("← →", gettext("change"), "right")
        if self._at == 0 and self._name.text:
            change = ("Ctrl-U", gettext("erase all"), "empty")
        choose, back = ("↑ ↓", gettext("choose"), "down"), ("Esc", gettext("back"), "escape")
        return [("Enter", gettext("open it"), "enter"), choose, change, back]

    def _meaning(self) -> str:
        """Return what the chosen line does, as far as it needs saying."""
        gettext = self.say.gettext
        first_option = len(self._rows()) - len(OPTIONS)
        if self._at >= first_option:
            option = OPTIONS[self._at - first_option]
            without_effect = idle(self.rules)
            if option in without_effect:
                return gettext("This has no effect here, since {why}.").format(why=gettext(without_effect[option]))
            return option_sentence(self.say, option, written(self.rules)[option])
        if self._at == 0:
            return gettext("Type the name; the arrow down goes to the rules.")
        if self._at == 1:
            return summary(self.say, self.rules)
        return ""


def _next(values: Sequence[Value], value: Value, step: int) -> Value:
    return values[(values.index(value) + step) % len(values)]


def _widest_words(say: NullTranslations) -> int:
    """Return how many columns the longest of the words takes."""
    return max(width_of(say.gettext(words)) for values in WORDS.values() for words in values.values())
