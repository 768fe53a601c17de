"""The first screen: games to be taken up again, the tables of this network as they come and go, and all one may begin.

What can be chosen has one row of digits as its keys: first the interrupted games, then the tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pdurak.errors import NotationError, Sentence
from p2pdurak.ui.console.asking import Asking, paint_question
from p2pdurak.ui.console.canvas import shortened
from p2pdurak.ui.console.choices import Choice, GiveUp, Join, OpenNew, OpenTable, PlayBots, Quit, TakeUp
from p2pdurak.ui.console.field import Field
from p2pdurak.ui.console.left_games import MAX_LEFT, LeftGame
from p2pdurak.ui.console.paint_listed import in_whole, paint_left, paint_tables
from p2pdurak.ui.console.screen import Screen, key_row, wrapped
from p2pdurak.ui.console.start_keys import command_rows, explained, keys_of
from p2pdurak.ui.language import told
from p2pdurak.wire.names import NICKNAME_CHARACTERS, clean_nickname

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pdurak.errors import Said
    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.settings import Settings

MAX_TARGET_CHARACTERS: Final = 1024
"""As long as an invite can be."""

LOWEST_ROWS: Final = 3
"""Under the commands: what is typed, what is told, or all about what is chosen."""
CODE_WANTED: Final = Sentence("This table has a code, which those who sit there know.")

MAX_LISTED: Final = 9
"""Each game and table has a digit for its key; a network with more is searched by name or address."""


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
        return self.keys_before_game(*explained(self.say, self.cap))

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
        commands = command_rows(self.say, self.cap, canvas.rows)
        bottom = canvas.rows - LOWEST_ROWS - len(commands)
        listed = self._listed()
        self._find_chosen(listed)
        row = 3 if not self.left else paint_left(canvas, self.say, self.left[:MAX_LEFT], self._at, now)
        canvas.put(1, row, gettext("Tables on this network"), "class:title")
        paint_tables(canvas, self.say, listed, self._at, row + 1, bottom - 2)
        if listed:
            key_row(canvas, bottom - 2, keys_of(self.say, self.cap, listed[self._at]))
        canvas.rule(bottom - 1)
        for at, keys in enumerate(commands):
            key_row(canvas, bottom + at, keys)
        self._paint_lowest(canvas, listed[self._at] if listed else None, now)

    def _paint_lowest(self, canvas: Canvas, chosen: LeftGame | OpenTable | None, now: float) -> None:
        """Paint the line that is typed, what is to be told, or else all about what is chosen."""
        end = canvas.rows
        if self._asking is not None:
            end -= 2
            paint_question(canvas, self.say, self._asking, self._field, end)
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


def _identity(listed: LeftGame | OpenTable) -> str | bytes:
    """Return what a game or a table is known by, wherever in the list it stands."""
    return listed.path if isinstance(listed, LeftGame) else listed.key
