"""Before a game: who sits at the table, whose key that is, what will be played, and how others come to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from p2pdurak.errors import Sentence
from p2pdurak.game.ruleset import PRESETS
from p2pdurak.ui.console.canvas import shortened
from p2pdurak.ui.console.leaving import LeavableScreen
from p2pdurak.ui.console.screen import SPINNER, key_row, key_rows, wrapped
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.language import told
from p2pdurak.ui.rule_options import summary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from p2pdurak.errors import Said
    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.chat_line import ChatLine
    from p2pdurak.ui.console.invite_screen import Invitation
    from p2pdurak.ui.console.settings import Settings
    from p2pdurak.wire.talk import Place
    from p2pdurak.wire.terms import Terms

MEETINGS = {
    "new": _("not met before"),
    "known": _("met before, last on {day}"),
    "renamed": _("known to you as {name}"),
    "bot": _("a bot, started by you"),
    "namesake": _("BEWARE: not the {name} that you know, but another key"),
}
"""What the meeting of a key and a nickname means, by its kind."""


SAID_ROWS = 4
"""How many rows there are for talking, over what stands under the seats."""


class Met(NamedTuple):
    """What is known of a player: the kind of meeting, a key of ``MEETINGS``; the other name; the day of the last."""

    kind: str
    name: str = ""
    day: str = ""


class LobbyScreen(LeavableScreen):
    """A table that gathers.

    ``words`` gives the fingerprint words of a key; ``bots`` is how many of the seats they take; ``invitation`` is what
    others can be told, where the table is ours, and ``show_invitation`` shows all of it. ``ready`` tells the table
    whether we are, ``start`` begins with free seats (None for whoever may not), and ``leave`` goes. ``chat`` is the
    line in which one talks. ``coming`` tells what happens until the table is reached. ``note`` is told until a key is
    pressed or, if it is ``passing``, until something else happens at the table.
    """

    def __init__(
        self,
        settings: Settings,
        me: bytes,
        *,
        words: Callable[[bytes], str],
        ready: Callable[[bool], object],
        start: Callable[[], object] | None,
        leave: Callable[[], object],
        chat: ChatLine | None = None,
        show_invitation: Callable[[Invitation], object] = lambda _: None,
    ) -> None:
        super().__init__(settings, leave)
        self.chat = chat
        self.coming: Said = Sentence("Coming to the table")
        self.terms: Terms | None = None
        self.places: tuple[Place, ...] = ()
        self.watchers = 0
        self.met: Mapping[bytes, Met] = {}
        self.invitation: Invitation | None = None
        self.note: Said | str = ""
        self.passing = False
        self.bots = 0
        self.watching = False
        self._me = me
        self._words = words
        self._ready = ready
        self._start = start
        self._show_invitation = show_invitation
        self._since: float | None = None

    def tell(self, said: Said | str, *, passing: bool = False) -> None:
        """Show a note."""
        self.note, self.passing = said, passing

    def seat(self, terms: Terms, places: tuple[Place, ...], watchers: int, met: Mapping[bytes, Met]) -> None:
        """Show who sits and watches here now, and what is known of them."""
        if self.passing and (places, watchers) != (self.places, self.watchers):
            self.tell("")
        self.terms, self.places, self.watchers, self.met = terms, places, watchers, met

    @property
    def mouse(self) -> bool:
        """Whether clicks are wanted: not here, where there is an invite to be copied."""
        return False

    def press(self, key: str) -> None:
        """Say something, be ready or not, start, or leave: asked again if others sit here."""
        self.note = ""
        if self.answer_leaving(key):
            return
        if self.terms is None:
            if key in ("escape", "q", "quit"):
                self._leave()
            return
        if self.chat is not None and self.chat.press(key):
            return
        match key:
            case "enter" | " " if not self.watching:
                self._ready(not self._am_ready())
            case "s" if self._start is not None and len(self.places) > 1:
                self._start()
            case "i" if self.invitation is not None:
                self._show_invitation(self.invitation)
            case "q" | "quit" if not self.watching and any(place.key != self._me for place in self.places):
                self.leaving = True
            case "q" | "quit":
                self._leave()
            case _:
                pass

    @property
    def keys_help(self) -> Sequence[tuple[str, str]]:
        """What help tells of the keys, in lines, each with its style."""
        gettext = self.say.gettext
        own = [gettext("Enter  you are ready to play, or not yet; the game begins as soon as all are ready.")]
        if self._start is not None:
            own.append(gettext("{key}  begin although seats are free").format(key=self.cap("S")))
        if self.invitation is not None:
            own.append(gettext("{key}  code, address and invite, to be passed on").format(key=self.cap("I")))
        return self.keys_before_game(*own)

    def typed(self, text: str) -> bool:
        """Take text for what is said."""
        return self.chat is not None and self.chat.typed(text)

    @property
    def restless(self) -> bool:
        """Whether seconds are counted, or words are to go away again."""
        return self.terms is None or (self.chat is not None and self.chat.fading)

    def _am_ready(self) -> bool:
        return any(place.key == self._me and place.ready for place in self.places)

    def paint(self, canvas: Canvas, now: float) -> None:
        """Paint the seats, the rules, the invite and the keys."""
        if self.terms is None:
            self._paint_coming(canvas, now)
            return
        canvas.put(1, 0, shortened(self.terms.table, canvas.columns - 2), "class:title")
        canvas.rule(1)
        if self.invitation is not None:  # whatever else finds no room
            canvas.centre(1, f" {self.invitation.in_short(self.say)} ", "class:name")
        row = 1 + self._paint_seats(canvas, self.terms.seats)
        canvas.rule(row - 1)
        text, keys = self._bar(canvas.columns)
        bar = canvas.rows - 1 - len(keys)
        self._paint_below(canvas, self.terms, row, bar - 1)
        if self.chat is not None:
            self.chat.paint_said(canvas, self.say, now, bar - 1 - SAID_ROWS, SAID_ROWS)
        self._paint_note(canvas, row, bar - 1)
        canvas.rule(bar - 1)
        canvas.put(1, bar, shortened(text, canvas.columns - 2), "class:wanted")
        for at, one_row in enumerate(keys, bar + 1):
            key_row(canvas, at, one_row)
        if self.chat is not None and self.chat.open:
            self.chat.paint_field(canvas, self.say, canvas.rows - 2)

    def _paint_coming(self, canvas: Canvas, now: float) -> None:
        """Paint for what we wait, since when, and how to give that up."""
        gettext = self.say.gettext
        self._since = now if self._since is None else self._since
        seconds = int(now - self._since)
        count = gettext("{seconds} s").format(seconds=seconds)
        text = f"{SPINNER[seconds % len(SPINNER)]} {told(self.say, self.coming)} … {count}"
        lines = wrapped(text, canvas.columns - 2)
        for at, line in enumerate(lines, (canvas.rows - len(lines)) // 2):
            canvas.centre(at, line, "class:title")
        self._paint_note(canvas, 0, canvas.rows - 2)
        key_row(canvas, canvas.rows - 1, [("Esc", gettext("leave"), "escape")])

    def _paint_note(self, canvas: Canvas, row: int, end: int) -> None:
        """Paint the note from this row on, whole: if there are too few rows before ``end``, it covers some above."""
        lines = wrapped(told(self.say, self.note), canvas.columns - 2) if self.note else []
        for at, line in enumerate(lines, min(row, end - len(lines))):
            canvas.clear(at)
            canvas.put(1, at, line, "class:warning")

    def _paint_below(self, canvas: Canvas, terms: Terms, row: int, end: int) -> None:
        """Paint what stands under the seats, behind the note; it ends with a mark where it is not all."""
        if self.note:
            row += len(wrapped(told(self.say, self.note), canvas.columns - 2))
        columns, room = canvas.columns - 2, max(0, end - row)
        lines = self._below(terms, columns, room)
        if len(lines) > room > 0:
            line, style = lines[room - 1]
            lines[room - 1] = shortened(f"{line} …", columns), style
        for at, (line, style) in enumerate(lines[:room], row):
            canvas.put(1, at, line, style)

    def _paint_seats(self, canvas: Canvas, seats: int) -> int:
        """Paint all seats, and under each name the words of its key; return the row behind them."""
        row = 2
        for at in range(seats):
            canvas.put(1, row, str(at + 1), "class:dim")
            if at < len(self.places):
                self._paint_place(canvas, self.places[at], row)
                row += 2
            else:
                canvas.put(4, row, self.say.gettext("free"), "class:dim")
                row += 1
        return row

    def _paint_place(self, canvas: Canvas, place: Place, row: int) -> None:
        gettext, mine = self.say.gettext, place.key == self._me
        canvas.put(4, row, shortened(place.nickname, 24), "class:me" if mine else "class:name")
        mark, style = ("✓ " + gettext("ready"), "class:good") if place.ready else ("…", "class:dim")
        canvas.put(30, row, mark, style)
        met = self.met.get(place.key)
        if met is None or met.kind != "bot":  # there is nobody to compare the words with
            canvas.put(4, row + 1, shortened(self._words(place.key), canvas.columns - 5), "class:dim")
        if mine:
            canvas.put(42, row, gettext("you"), "class:dim")
        elif met is not None:
            about = gettext(MEETINGS[met.kind]).format(name=met.name, day=met.day)
            style = "class:bad" if met.kind == "namesake" else "class:dim"
            canvas.put(42, row, shortened(about, canvas.columns - 43), style)

    def _below(self, terms: Terms, columns: int, rows: int) -> list[tuple[str, str]]:
        """Return what is told of the table: watchers, rules, how others come here if that fits, and who they are."""
        gettext = self.say.gettext
        lines: list[tuple[str, str]] = []
        if self.watchers:
            watching = self.say.ngettext("{number} person watches", "{number} people watch", self.watchers)
            lines.append((watching.format(number=self.watchers), "class:dim"))
        about = summary(self.say, terms.rules)
        pack = self.say.ngettext("{number} card", "{number} cards", terms.pack_size).format(number=terms.pack_size)
        more = gettext("F1 tells all rules.")
        # Of rules without a name, the line about them says what they are called; in Russian, it begins with a name.
        what = f"{pack}, {terms.rules.name} –" if terms.rules.name in PRESETS else f"{pack}:"
        lines += [(line, "") for line in wrapped(f"{what} {about}. {more}", columns)]
        words: list[tuple[str, str]] = []
        if self.bots != terms.seats - 1:
            sure = gettext("To be sure who somebody is, compare the words under their name aloud.")
            words = [(line, "class:dim") for line in wrapped(sure, columns)]
        invitation = [] if self.invitation is None else self.invitation.in_lines(self.say, columns)
        whole = [*lines, *invitation, *words]
        return whole if len(whole) <= rows else [*lines, *words]

    def _bots_to_come(self) -> int:
        """Return how many of the bots do not sit here yet."""
        seated = [met.kind for place in self.places if (met := self.met.get(place.key)) is not None]
        return max(0, self.bots - seated.count("bot"))

    def _bar(self, columns: int) -> tuple[str, list[list[tuple[str, str, str]]]]:
        """Return what is wanted, and the keys in as many rows as they take."""
        gettext = self.say.gettext
        if self.leaving:
            return gettext("Leave the table?"), [self.leave_keys()]
        keys = [] if self.watching else [("Enter", self._ready_word(), "enter")]
        if self._start is not None and self.terms is not None and 1 < len(self.places) < self.terms.seats:
            keys.append((self.cap("S"), gettext("begin with free seats"), "s"))
        if self.invitation is not None:
            keys.append((self.cap("I"), gettext("invite"), "i"))
        keys.append((self.cap("Q"), gettext("leave"), "q"))
        if self.chat is not None:
            keys.append(("Tab", self.chat.label(self.say), "tab"))
        keys.append(("F1", gettext("help"), "f1"))
        return self._wanted(), key_rows(keys, columns)

    def _ready_word(self) -> str:
        return self.say.gettext("not yet") if self._am_ready() else self.say.gettext("ready")

    def _wanted(self) -> str:
        """Return what is wanted now, or what is waited for."""
        gettext = self.say.gettext
        unready = [place.nickname for place in self.places if not place.ready]
        if self.watching:
            return gettext("You are watching; the game begins when all are ready.")
        if not self._am_ready():
            return gettext("Are you ready to play?")
        if coming := self._bots_to_come():
            words = self.say.ngettext("{number} bot is coming …", "{number} bots are coming …", coming)
            return words.format(number=coming)
        if unready:
            return gettext("Waiting until all are ready: {names} …").format(names=", ".join(unready))
        return gettext("Waiting for more players …")
