"""The first screen: the tables of this network as they come and go, and everything else one may begin with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from p2pdurak.errors import NotationError
from p2pdurak.ui.console.canvas import shortened, width_of
from p2pdurak.ui.console.field import Field
from p2pdurak.ui.console.screen import Screen, key_row, wrapped
from p2pdurak.ui.language import marked as _
from p2pdurak.wire.names import NICKNAME_CHARACTERS, clean_nickname

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.settings import Settings

MAX_TARGET_CHARACTERS: Final = 1024
"""As long as an invite can be."""

MAX_TABLES: Final = 9
"""Each table has a digit for its key; a network with more is searched by name or address."""


class OpenTable(NamedTuple):
    """A table that is there: how it is reached, and what it says of itself."""

    key: bytes
    address: str
    name: str
    host: str
    rules: str
    pack: int
    seats: int
    taken: int
    playing: bool
    code: bool
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlayBots:
    """Play against bots at once."""


@dataclass(frozen=True, slots=True)
class OpenNew:
    """Open a table."""


@dataclass(frozen=True, slots=True)
class Join:
    """Go to a table; ``target`` is an address, an invite or a table's name, ``key`` that of its opener if known."""

    target: str
    code: str = ""
    key: bytes = b""
    watch: bool = False


@dataclass(frozen=True, slots=True)
class Quit:
    """Go home."""


Choice: TypeAlias = PlayBots | OpenNew | Join | Quit


class Asking(Enum):
    """Which line is being typed, in the words of its question."""

    NAME = _("Your name:")
    TARGET = _("Address, invite or name of the table:")
    CODE = _("Code of the table (nothing if it has none):")


class StartScreen(Screen):
    """Where one chooses what to do; ``chosen`` hears of it, ``named`` of a new nickname.

    ``note`` is a sentence about what went wrong before.
    """

    def __init__(
        self,
        settings: Settings,
        nickname: str,
        words: str,
        *,
        chosen: Callable[[Choice], object],
        named: Callable[[str], object],
    ) -> None:
        super().__init__(settings)
        self.nickname = nickname
        self.note = ""
        self.tables: dict[bytes, OpenTable] = {}
        self._words = words
        self._chosen = chosen
        self._named = named
        self._asking: Asking | None = None
        self._field = Field()
        self._wanted = Join("")
        self._at = 0

    @property
    def mouse(self) -> bool:
        """Whether clicks are wanted: not while something is typed or pasted."""
        return self._asking is None

    def press(self, key: str) -> None:
        """Take a key: of the line that is typed, of a table, or of a command."""
        self.note = ""
        if self._asking is not None:
            self._press_asking(self._asking, key)
            return
        tables = self._listed()
        match key:
            case "up" | "down":
                self._at = max(0, min(len(tables) - 1, self._at + (1 if key == "down" else -1)))
            case "enter" if tables:
                self._go(tables[min(self._at, len(tables) - 1)], watch=False)
            case "w" if tables:
                self._go(tables[min(self._at, len(tables) - 1)], watch=True)
            case _ if key in tuple("123456789")[: len(tables)]:
                self._go(tables[int(key) - 1], watch=False)
            case "b":
                self._chosen(PlayBots())
            case "n":
                self._chosen(OpenNew())
            case "j":
                self._ask(Asking.TARGET, "", MAX_TARGET_CHARACTERS)
            case "a":
                self._ask(Asking.NAME, self.nickname, NICKNAME_CHARACTERS)
            case "q" | "quit":
                self._chosen(Quit())

    def typed(self, text: str) -> bool:
        """Take text for the line that is typed, if there is one."""
        if self._asking is not None:
            self._field.type(text)
        return self._asking is not None

    def _listed(self) -> list[OpenTable]:
        return list(self.tables.values())[:MAX_TABLES]

    def _go(self, table: OpenTable, *, watch: bool) -> None:
        self._wanted = Join(table.address, key=table.key, watch=watch)
        if table.code:
            self._ask(Asking.CODE, "", MAX_TARGET_CHARACTERS)
        else:
            self._chosen(self._wanted)

    def _ask(self, what: Asking, text: str, limit: int) -> None:
        self._asking, self._field = what, Field(text, limit)

    def _press_asking(self, asking: Asking, key: str) -> None:
        text = self._field.text.strip()
        match key:
            case "backspace" | "delete":
                self._field.erase()
            case "escape" | "quit":
                self._asking = None
            case "enter" if asking is Asking.NAME:
                self._take_name(text)
            case "enter" if asking is Asking.TARGET and text:
                self._wanted = Join(text)
                if text.lower().startswith("p2pdurak:"):  # an invite brings its code along
                    self._asking = None
                    self._chosen(self._wanted)
                else:
                    self._ask(Asking.CODE, "", MAX_TARGET_CHARACTERS)
            case "enter" if asking is Asking.CODE:
                self._asking = None
                wanted = self._wanted
                self._chosen(Join(wanted.target, text, wanted.key, wanted.watch))

    def _take_name(self, text: str) -> None:
        try:
            self.nickname = clean_nickname(text)
        except NotationError as error:
            self.note = str(error)
            return
        self._asking = None
        self._named(self.nickname)

    # How it looks

    def paint(self, canvas: Canvas, now: float) -> None:
        """Paint who we are, the tables, and the commands."""
        del now
        gettext = self.say.gettext
        canvas.put(1, 0, "p2pdurak", "class:title")
        canvas.put(11, 0, "♣ ♦ ♥ ♠", "class:dim")
        canvas.right(0, shortened(f"{self.nickname} ", 40), "class:name")
        canvas.put(
            1, 1, shortened(gettext("your key: {words}").format(words=self._words), canvas.columns - 2), "class:dim"
        )
        canvas.rule(2)
        canvas.put(1, 3, gettext("Tables on this network"), "class:title")
        commands = self._commands()
        bottom = canvas.rows - 3 - len(commands)
        self._paint_tables(canvas, 4, bottom - 1)
        canvas.rule(bottom - 1)
        for at, (written, meaning, key) in enumerate(commands):
            key_row(canvas, bottom + at, [(written, meaning, key)])
        self._paint_line(canvas, canvas.rows - 3)

    def _commands(self) -> list[tuple[str, str, str]]:
        gettext, cap = self.say.gettext, self.cap
        return [
            (cap("B"), gettext("play against bots now"), "b"),
            (cap("N"), gettext("open a new table"), "n"),
            (cap("J"), gettext("go to a table by address, invite or name"), "j"),
            (cap("A"), gettext("change your name"), "a"),
            ("F1", gettext("help"), "f1"),
            ("F2", "English / Русский", "f2"),
            ("F3", gettext("settings"), "f3"),
            (cap("Q"), gettext("quit"), "q"),
        ]

    def _paint_tables(self, canvas: Canvas, row: int, end: int) -> None:
        gettext, tables = self.say.gettext, self._listed()
        if not tables:
            text = gettext("None yet. Tables appear here by themselves as soon as somebody opens one.")
            for at, line in enumerate(wrapped(text, canvas.columns - 4)):
                canvas.put(3, row + at, line, "class:dim")
            return
        self._at = min(self._at, len(tables) - 1)
        for at, table in enumerate(tables[: end - row - 1]):
            style = "class:chosen" if at == self._at else ""
            state = gettext("playing") if table.playing else gettext("gathering")
            about = [table.rules, str(table.pack), f"{table.taken}/{table.seats}", state]
            about += [gettext("asks for a code")] if table.code else []
            who = ", ".join(table.players) or table.host
            canvas.put(1, row + at, f"{'▸' if at == self._at else ' '}{at + 1}", "class:key", str(at + 1))
            canvas.put(4, row + at, shortened(table.name, 24), style, str(at + 1))
            rest = shortened(" · ".join([*about, who]), canvas.columns - 31)
            canvas.put(30, row + at, rest, "", str(at + 1))
        keys = [("1 2 …", gettext("sit down"), ""), ("Enter", gettext("sit down at the chosen"), "enter")]
        key_row(canvas, end - 1, [*keys, (self.cap("W"), gettext("watch it"), "w")])

    def _paint_line(self, canvas: Canvas, row: int) -> None:
        if self._asking is not None:
            question = f"{self.say.gettext(self._asking.value)} "
            canvas.put(1, row + 1, question, "class:wanted")
            room = max(10, canvas.columns - width_of(question) - 3)
            canvas.put(1 + width_of(question), row + 1, self._field.text[-room:] + "_", "class:field")
            keys = [("Enter", self.say.gettext("done"), "enter"), ("Esc", self.say.gettext("back"), "escape")]
            key_row(canvas, row + 2, keys)
        for at, line in enumerate(wrapped(self.note, canvas.columns - 2)[:2]):
            canvas.put(1, row + (1 if self._asking is None else 0) + at, line, "class:warning")
