"""The first screen: games to be taken up again, the tables of this network as they come and go, and all one may begin.

What can be chosen has one row of digits as its keys: first the interrupted games, then the tables.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from p2pdurak.errors import NotationError, Sentence
from p2pdurak.ui.console.canvas import shortened, width_of
from p2pdurak.ui.console.choices import Choice, GiveUp, Join, OpenNew, OpenTable, PlayBots, Quit, TakeUp
from p2pdurak.ui.console.field import Field
from p2pdurak.ui.console.left_games import MAX_LEFT, LeftGame
from p2pdurak.ui.console.paint_listed import in_whole, paint_left, paint_tables
from p2pdurak.ui.console.screen import Screen, key_row, wrapped
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.language import told
from p2pdurak.wire.names import NICKNAME_CHARACTERS, clean_nickname

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pdurak.errors import Said
    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.settings import Settings

MAX_TARGET_CHARACTERS: Final = 1024
"""As long as an invite can be."""

SPACIOUS_ROWS: Final = 22
LOWEST_ROWS: Final = 3
"""Under the commands: what is typed, what is told, or all about what is chosen."""
OWN_COMMANDS: Final = 4
"""The first ones of the commands are those of this screen only."""

CODE_WANTED: Final = Sentence("This table has a code, which those who sit there know.")

MAX_LISTED: Final = 9
"""Each game and table has a digit for its key; a network with more is searched by name or address."""


class Asking(Enum):
    """Which line is being typed, in the words of its question."""

    NAME = _("Your name:")
    TARGET = _("Address, invite or name of the table:")
    CODE = _("Code of the table:")


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
        self.note: Said | str = ""
        self.left: tuple[LeftGame, ...] = ()
        self.tables: dict[bytes, OpenTable] = {}
        self._giving_up: LeftGame | None = None
        self._words = words
        self._chosen = chosen
        self._named = named
        self._asking: Asking | None = None
        self._field = Field()
        self._wanted = Join("")
        self._at = 0
        self._chosen_is: str | bytes = ""

    @property
    def mouse(self) -> bool:
        """Whether clicks are wanted: not while something is typed or pasted."""
        return self._asking is None

    def press(self, key: str) -> None:
        """Take a key: of the line that is typed, of a table, or of a command."""
        self.note = ""
        if self._asking is not None:
            self._press_asking(self._asking, key)
        elif self._giving_up is not None:
            left, self._giving_up = self._giving_up, None
            if key == "x":
                self._chosen(GiveUp(left.path))
        elif not self._press_listed(self._listed(), key):
            self._press_command(key)

    def _press_listed(self, listed: list[LeftGame | OpenTable], key: str) -> bool:
        """Take a key for what can be chosen; return whether it was one."""
        if not listed:
            return False
        self._find_chosen(listed)
        match key, listed[self._at]:
            case (("up" | "down"), _):
                self._at = max(0, min(len(listed) - 1, self._at + (1 if key == "down" else -1)))
                self._chosen_is = _identity(listed[self._at])
            case "enter", chosen:
                self._go(chosen, watch=False)
            case "w", OpenTable() as table:
                self._go(table, watch=True)
            case "x", LeftGame() as left:
                self._giving_up = left
            case _ if key in tuple("123456789")[: len(listed)]:
                self._go(listed[int(key) - 1], watch=False)
            case _:
                return False
        return True

    def _find_chosen(self, listed: list[LeftGame | OpenTable]) -> None:
        """Stay at what is chosen while tables come and go, or near where it was."""
        identities = [_identity(one) for one in listed]
        if self._chosen_is in identities:
            self._at = identities.index(self._chosen_is)
        else:
            self._at = max(0, min(self._at, len(listed) - 1))
            self._chosen_is = identities[self._at] if identities else ""

    def _press_command(self, key: str) -> None:
        """Take a key that means none of what is listed; whatever does nothing tells so."""
        match key:
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
            case "enter" | "up" | "down" | "w" | "x" if not self._listed():
                self.note = Sentence("There is nothing to choose from yet: tables appear here by themselves.")
            case "w":
                self.note = Sentence("Only a table can be watched: choose one first.")
            case "x":
                self.note = Sentence("Only an interrupted game can be given up: choose one first.")
            case _ if key in tuple("0123456789"):
                self.note = Sentence("There is no number {number} in the list.", number=key)
            case _ if len(key) == 1:
                written = self.cap(key.upper())
                self.note = Sentence("{key} does nothing here; the lines below tell which keys do.", key=written)

    @property
    def keys_help(self) -> Sequence[tuple[str, str]]:
        """What help tells of the keys, in lines, each with its style."""
        gettext, cap = self.say.gettext, self.cap
        return self.keys_before_game(
            gettext("{key}  a game with three bots, at once").format(key=cap("B")),
            gettext("{key}  a table of your own, with rules as you like; others on this network see it.").format(
                key=cap("N")
            ),
            gettext(
                "{key}  to a table that is not listed: by its address, such as 192.168.1.7:47800, by its name, or by "
                "an invite, which begins with p2pdurak: and can be pasted."
            ).format(key=cap("J")),
            gettext("1 2 3 …  take up the game or sit down at the table of that number; ↑ ↓ and Enter do so too."),
            gettext("{watch}  watch the chosen table      {give_up}  give the chosen game up").format(
                watch=cap("W"), give_up=cap("X")
            ),
            gettext(
                "Friends who compare the words of your key aloud with what they see know that it is you, whatever "
                "your name."
            ),
        )

    def typed(self, text: str) -> bool:
        """Take text for the line that is typed, if there is one."""
        if self._asking is not None:
            self._field.type(text)
        return self._asking is not None

    def _listed(self) -> list[LeftGame | OpenTable]:
        listed: list[LeftGame | OpenTable] = [*self.left[:MAX_LEFT]]
        return [*listed, *self.tables.values()][:MAX_LISTED]

    def _go(self, chosen: LeftGame | OpenTable, *, watch: bool) -> None:
        if isinstance(chosen, LeftGame):
            self.note = chosen.trouble
            if not chosen.trouble:
                self._chosen(TakeUp(chosen.path))
            return
        wanted = Join(chosen.address, key=chosen.key, watch=watch)
        if chosen.code:
            self.ask_code(wanted)
        else:
            self._chosen(wanted)

    def ask_code(self, wanted: Join) -> None:
        """Ask for the code of a table that does not let us in without."""
        self._wanted = wanted
        self._ask(Asking.CODE, "", MAX_TARGET_CHARACTERS)

    def _ask(self, what: Asking, text: str, limit: int) -> None:
        self._asking, self._field = what, Field(text, limit)

    def _press_asking(self, asking: Asking, key: str) -> None:
        text = self._field.text.strip()
        match key:
            case _ if self._field.press(key):
                pass
            case "escape" | "quit":
                self._asking = None
            case "enter" if asking is Asking.NAME:
                self._take_name(text)
            case "enter" if asking is Asking.TARGET and text:
                self._asking = None
                self._chosen(Join(text))  # whether it has a code, the table itself tells
            case "enter" if asking is Asking.CODE and not text:
                self.note = CODE_WANTED
            case "enter" if asking is Asking.CODE:
                self._asking = None
                wanted = self._wanted
                self._chosen(Join(wanted.target, text, wanted.key, wanted.watch))

    def _take_name(self, text: str) -> None:
        try:
            self.nickname = clean_nickname(text)
        except NotationError as error:
            self.note = error
            return
        self._asking = None
        self._named(self.nickname)

    # How it looks

    def paint(self, canvas: Canvas, now: float) -> None:
        """Paint who we are, what can be chosen, and the commands."""
        gettext = self.say.gettext
        canvas.put(1, 0, "p2pdurak", "class:title")
        canvas.put(11, 0, "♣ ♦ ♥ ♠", "class:dim")
        canvas.right(0, shortened(f"{self.nickname} ", 40), "class:name")
        canvas.put(
            1, 1, shortened(gettext("your key: {words}").format(words=self._words), canvas.columns - 2), "class:dim"
        )
        canvas.rule(2)
        commands = self._commands(canvas.rows)
        bottom = canvas.rows - LOWEST_ROWS - len(commands)
        listed = self._listed()
        self._find_chosen(listed)
        row = 3 if not self.left else paint_left(canvas, self.say, self.left[:MAX_LEFT], self._at, now)
        canvas.put(1, row, gettext("Tables on this network"), "class:title")
        paint_tables(canvas, self.say, listed, self._at, row + 1, bottom - 2)
        if listed:
            self._paint_keys(canvas, bottom - 2, listed[self._at])
        canvas.rule(bottom - 1)
        for at, keys in enumerate(commands):
            key_row(canvas, bottom + at, keys)
        self._paint_lowest(canvas, listed[self._at] if listed else None, now)

    def _commands(self, rows: int) -> list[list[tuple[str, str, str]]]:
        """Return the commands row by row: one in each, but on low screens those that are the same everywhere in one."""
        gettext, cap = self.say.gettext, self.cap
        commands = [
            (cap("B"), gettext("play against bots now"), "b"),
            (cap("N"), gettext("open a new table"), "n"),
            (cap("J"), gettext("go to a table by address, invite or name"), "j"),
            (cap("A"), gettext("change your name"), "a"),
            ("F1", gettext("help"), "f1"),
            ("F2", "English / Русский" if rows >= SPACIOUS_ROWS else "EN / РУ", "f2"),
            ("F3", gettext("settings"), "f3"),
            (cap("Q"), gettext("quit"), "q"),
        ]
        alone = len(commands) if rows >= SPACIOUS_ROWS else OWN_COMMANDS
        return [[command] for command in commands[:alone]] + [commands[alone:]] * (alone < len(commands))

    def _paint_keys(self, canvas: Canvas, row: int, chosen: LeftGame | OpenTable) -> None:
        gettext = self.say.gettext
        if isinstance(chosen, OpenTable):
            keys = [("1 2 …", gettext("sit down"), ""), ("Enter", gettext("sit down at the chosen"), "enter")]
            key_row(canvas, row, [*keys, (self.cap("W"), gettext("watch it"), "w")])
        else:
            keys = [("Enter", gettext("take it up"), "enter"), (self.cap("X"), gettext("give it up"), "x")]
            key_row(canvas, row, keys)

    def _paint_lowest(self, canvas: Canvas, chosen: LeftGame | OpenTable | None, now: float) -> None:
        """Paint the line that is typed, what is to be told, or else all about what is chosen."""
        end = canvas.rows
        if self._asking is not None:
            end -= 2
            self._paint_line(canvas, self._asking, end)
        note = told(self.say, self.note)
        if self._giving_up is not None:
            note = self.say.gettext(
                "Give this game up for good? The others wait for you until they vote you out. {key} gives it up, any "
                "other key keeps it."
            ).format(key=self.cap("X"))
        if note:
            lines = wrapped(note, canvas.columns - 2)
            # A long one covers some of what stands above, until the next key.
            for at, line in enumerate(lines, min(canvas.rows - LOWEST_ROWS, end - len(lines))):
                canvas.clear(at)
                canvas.put(1, at, line, "class:warning")
        elif self._asking is None and chosen is not None:
            lines = wrapped(in_whole(self.say, chosen, now, canvas.columns), canvas.columns - 2)
            if len(lines) > LOWEST_ROWS:
                lines[LOWEST_ROWS - 1] = shortened(f"{lines[LOWEST_ROWS - 1]} …", canvas.columns - 2)
            for at, line in enumerate(lines[:LOWEST_ROWS], end - LOWEST_ROWS):
                canvas.put(1, at, line, "class:dim")

    def _paint_line(self, canvas: Canvas, asking: Asking, row: int) -> None:
        question = f"{self.say.gettext(asking.value)} "
        canvas.put(1, row, question, "class:wanted")
        room = max(10, canvas.columns - width_of(question) - 3)
        canvas.put(1 + width_of(question), row, self._field.text[-room:] + "_", "class:field")
        keys = [("Enter", self.say.gettext("done"), "enter"), ("Esc", self.say.gettext("back"), "escape")]
        erase = [("Ctrl-U", self.say.gettext("erase all"), "empty")] if self._field.text else []
        key_row(canvas, row + 1, [*keys, *erase])


def _identity(listed: LeftGame | OpenTable) -> str | bytes:
    """Return what a game or a table is known by, wherever in the list it stands."""
    return listed.path if isinstance(listed, LeftGame) else listed.key
