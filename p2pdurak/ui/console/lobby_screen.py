"""Before a game: who sits at the table, whose key that is, what will be played, and how others come to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from p2pdurak.game.ruleset import PRESETS
from p2pdurak.ui.console.canvas import shortened
from p2pdurak.ui.console.leaving import LeavableScreen
from p2pdurak.ui.console.screen import key_row, wrapped
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.language import told
from p2pdurak.ui.rule_options import summary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from p2pdurak.errors import Said
    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.chat_line import ChatLine
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

    ``words`` gives the fingerprint words of a key; ``bots`` is how many of the seats they take; ``invitation`` are
    lines to be passed on to others, each with what it is. ``ready`` tells the table whether we are, ``start`` begins
    with free seats (None for whoever may not), and ``leave`` goes. ``chat`` is the line in which one talks.
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
    ) -> None:
        super().__init__(settings, leave)
        self.chat = chat
        self.terms: Terms | None = None
        self.places: tuple[Place, ...] = ()
        self.watchers = 0
        self.met: Mapping[bytes, Met] = {}
        self.invitation: tuple[tuple[str, str], ...] = ()
        self.note: Said | str = ""
        self.bots = 0
        self.watching = False
        self._me = me
        self._words = words
        self._ready = ready
        self._start = start

    @property
    def mouse(self) -> bool:
        """Whether clicks are wanted: not here, where there is an invite to be copied."""
        return False

    def press(self, key: str) -> None:
        """Say something, be ready or not, start, or leave: asked again if others sit here."""
        if self.answer_leaving(key):
            return
        if self.chat is not None and self.terms is not None and self.chat.press(key):
            return
        match key:
            case "enter" | " " if not self.watching:
                self._ready(not self._am_ready())
            case "s" if self._start is not None and len(self.places) > 1:
                self._start()
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
        return self.keys_before_game(*own)

    def typed(self, text: str) -> bool:
        """Take text for what is said."""
        return self.chat is not None and self.chat.typed(text)

    @property
    def restless(self) -> bool:
        """Whether words are to go away again."""
        return self.chat is not None and self.chat.fading

    def _am_ready(self) -> bool:
        return any(place.key == self._me and place.ready for place in self.places)

    def paint(self, canvas: Canvas, now: float) -> None:
        """Paint the seats, the rules, the invite and the keys."""
        if self.terms is None:
            canvas.centre(canvas.rows // 2, self.say.gettext("Coming to the table …"), "class:title")
            key_row(canvas, canvas.rows - 1, [(self.cap("Q"), self.say.gettext("leave"), "q")])
            return
        canvas.put(1, 0, shortened(self.terms.table, canvas.columns - 2), "class:title")
        canvas.rule(1)
        row = 1 + self._paint_seats(canvas, self.terms.seats)
        canvas.rule(row - 1)
        for line, style in self._below(self.terms, canvas.columns - 2):
            if row < canvas.rows - 3:
                canvas.put(1, row, line, style)
            row += 1
        if self.chat is not None:
            self.chat.paint_said(canvas, self.say, now, canvas.rows - 3 - SAID_ROWS, SAID_ROWS)
        canvas.rule(canvas.rows - 3)
        self._paint_bar(canvas, canvas.rows - 2)
        if self.chat is not None and self.chat.open:
            self.chat.paint_field(canvas, self.say, canvas.rows - 2)

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

    def _below(self, terms: Terms, columns: int) -> list[tuple[str, str]]:
        """Return what stands under the seats, the most urgent first: what happens, the rules, how others come here."""
        gettext = self.say.gettext
        lines: list[tuple[str, str]] = []
        if self.note:
            lines += [(line, "class:warning") for line in wrapped(told(self.say, self.note), columns)]
        if self.watchers:
            watching = self.say.ngettext("{number} person watches", "{number} people watch", self.watchers)
            lines.append((watching.format(number=self.watchers), "class:dim"))
        about = summary(self.say, terms.rules)
        pack = self.say.ngettext("{number} card", "{number} cards", terms.pack_size).format(number=terms.pack_size)
        more = gettext("F1 tells all rules.")
        # Of rules without a name, the line about them says what they are called.
        what = f"{terms.rules.name}, {pack}" if terms.rules.name in PRESETS else pack
        lines += [(line, "") for line in wrapped(f"{what}: {about}. {more}", columns)]
        for what, line in self.invitation:
            lines += [(gettext(what), "class:name")]
            # An invite has no blanks to break it at; chat programs and our own reader take it in pieces.
            lines += [(line[at : at + columns], "") for at in range(0, len(line), columns)]
        if self.bots == terms.seats - 1:
            return lines
        words = gettext("To be sure who somebody is, compare the words under their name aloud.")
        return [*lines, *((line, "class:dim") for line in wrapped(words, columns))]

    def _bots_to_come(self) -> int:
        """Return how many of the bots do not sit here yet."""
        seated = [met.kind for place in self.places if (met := self.met.get(place.key)) is not None]
        return max(0, self.bots - seated.count("bot"))

    def _paint_bar(self, canvas: Canvas, row: int) -> None:
        gettext = self.say.gettext
        unready = [place.nickname for place in self.places if not place.ready]
        keys = [(self.cap("Q"), gettext("leave"), "q")]
        if self.leaving:
            canvas.put(1, row, gettext("Leave the table?"), "class:wanted")
            key_row(canvas, row + 1, self.leave_keys())
            return
        if self.watching:
            text = gettext("You are watching; the game begins when all are ready.")
        elif not self._am_ready():
            text = gettext("Are you ready to play?")
            keys.insert(0, ("Enter", gettext("ready"), "enter"))
        else:
            keys.insert(0, ("Enter", gettext("not yet"), "enter"))
            text = gettext("Waiting for more players …")
            if coming := self._bots_to_come():
                words = self.say.ngettext("{number} bot is coming …", "{number} bots are coming …", coming)
                text = words.format(number=coming)
            elif unready:
                text = gettext("Waiting until all are ready: {names} …").format(names=", ".join(unready))
        if self._start is not None and self.terms is not None and 1 < len(self.places) < self.terms.seats:
            keys.insert(1, (self.cap("S"), gettext("begin with free seats"), "s"))
        if self.chat is not None:
            keys.append(("Tab", self.chat.label(self.say), "tab"))
        canvas.put(1, row, shortened(text, canvas.columns - 2), "class:wanted")
        key_row(canvas, row + 1, keys)
        canvas.right(row + 1, "F1 " + gettext("help") + " ", "class:dim", "f1")
