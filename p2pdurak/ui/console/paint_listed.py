"""The middle of the start screen: the interrupted games, and under them the tables of this network, a row for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.game.ruleset import PRESETS
from p2pdurak.ui.console.canvas import shortened, width_of
from p2pdurak.ui.console.choices import OpenTable
from p2pdurak.ui.console.left_games import about
from p2pdurak.ui.console.screen import wrapped
from p2pdurak.ui.rule_options import in_short, summary

if TYPE_CHECKING:
    from collections.abc import Sequence
    from gettext import NullTranslations

    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.left_games import LeftGame

_TOP = 3
_NUMBER_COLUMNS = 5
_NAME_COLUMNS = 24
_LEAST_NAME = 3
_ABOUT_COLUMN = 30


def paint_left(canvas: Canvas, say: NullTranslations, left: Sequence[LeftGame], chosen: int, now: float) -> int:
    """Paint the interrupted games under their title; return the row below."""
    canvas.put(1, _TOP, say.gettext("Interrupted games"), "class:title")
    for at, game in enumerate(left):
        _paint_row(canvas, _TOP + 1 + at, at, chosen, about(say, game, now))
    return _TOP + 1 + len(left)


def paint_tables(
    canvas: Canvas, say: NullTranslations, listed: Sequence[LeftGame | OpenTable], chosen: int, row: int, end: int
) -> None:
    """Paint the tables among what is ``listed`` from this row on, as many as there are rows before ``end``.

    Of each, what is cut off first in a narrow window is what matters least to somebody who wants to sit down. The
    chosen one is always there, and how many are not.
    """
    tables = [(at, table) for at, table in enumerate(listed) if isinstance(table, OpenTable)]
    if not tables:
        text = say.gettext("None yet. Tables appear here by themselves as soon as somebody opens one.")
        for number, words in enumerate(wrapped(text, canvas.columns - 4)):
            canvas.put(3, row + number, words, "class:dim")
    room = end - row
    if len(tables) > room:
        room = max(1, room - 1)
        more = say.ngettext("… {number} more table: ↑ ↓", "… {number} more tables: ↑ ↓", len(tables) - room)
        canvas.put(4, row + room, more.format(number=len(tables) - room), "class:dim")
    first = max(0, min(chosen - tables[0][0] - room + 1, len(tables) - room)) if tables else 0
    names = _names([table for _, table in tables])
    for line, (at, table) in enumerate(tables[first : first + room], row):
        state = say.gettext("playing") if table.playing else say.gettext("gathering")
        parts = [say.gettext("code needed")] if table.code else []
        parts += [f"{table.taken}/{table.seats}", state, in_short(say, table.rules), str(table.pack)]
        parts += [", ".join(table.players)] if table.players else [] if table.code else [table.host]
        _paint_row(canvas, line, at, chosen, names[table.key])
        rest = shortened(" · ".join(parts), canvas.columns - _ABOUT_COLUMN - 1)
        canvas.put(_ABOUT_COLUMN, line, rest, "", str(at + 1))


def _names(tables: Sequence[OpenTable]) -> dict[bytes, str]:
    """Return what each table is called in the list: where others have the same name, with whom or where it is."""
    named: dict[bytes, str] = {}
    for table in tables:
        same = [other for other in tables if other.name.casefold() == table.name.casefold()]
        hosts = [other.host for other in same]
        mark = ""
        if len(same) > 1:
            mark = table.address if table.code or hosts.count(table.host) > 1 else table.host
            mark = shortened(f" · {mark}", _NAME_COLUMNS - _LEAST_NAME)
        named[table.key] = shortened(table.name, _NAME_COLUMNS - width_of(mark)) + mark
    return named


def in_whole(say: NullTranslations, chosen: LeftGame | OpenTable, now: float, columns: int) -> str:
    """Return all that is known of a game or a table; nothing, if its row on a canvas of so many columns tells it."""
    if not isinstance(chosen, OpenTable):
        text = about(say, chosen, now)
        return "" if width_of(text) <= columns - _NUMBER_COLUMNS else text
    host = [] if chosen.code else [say.gettext("host {name}").format(name=chosen.host)]
    pack = say.ngettext("{number} card", "{number} cards", chosen.pack).format(number=chosen.pack)
    players = [", ".join(chosen.players)] if chosen.players else []
    rules = chosen.rules.name if chosen.rules.name in PRESETS else summary(say, chosen.rules)
    return " · ".join([chosen.name, *host, chosen.address, rules, pack, *players])


def _paint_row(canvas: Canvas, row: int, at: int, chosen: int, text: str) -> None:
    """Paint the beginning of something that can be chosen, the ``at``-th, up to the end of ``text``."""
    key = str(at + 1)
    canvas.put(1, row, f"{'▸' if at == chosen else ' '}{key}", "class:key", key)
    canvas.put(4, row, shortened(text, canvas.columns - _NUMBER_COLUMNS), "class:chosen" if at == chosen else "", key)
