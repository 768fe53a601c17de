"""The middle of the start screen: the interrupted games, and under them the tables of this network, a row for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.ui.console.canvas import shortened
from p2pdurak.ui.console.choices import OpenTable
from p2pdurak.ui.console.left_games import about
from p2pdurak.ui.console.screen import wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence
    from gettext import NullTranslations

    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.left_games import LeftGame

_TOP = 3
_NAME_COLUMNS = 24
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

    Of each, what is cut off first in a narrow window is what matters least to somebody who wants to sit down.
    """
    gettext = say.gettext
    tables = [(at, table) for at, table in enumerate(listed) if isinstance(table, OpenTable)]
    if not tables:
        text = gettext("None yet. Tables appear here by themselves as soon as somebody opens one.")
        for number, words in enumerate(wrapped(text, canvas.columns - 4)):
            canvas.put(3, row + number, words, "class:dim")
    for line, (at, table) in enumerate(tables[: end - row], row):
        state = gettext("playing") if table.playing else gettext("gathering")
        parts = [gettext("code needed")] if table.code else []
        parts += [f"{table.taken}/{table.seats}", state, table.rules, str(table.pack)]
        parts += [", ".join(table.players)] if table.players else [] if table.code else [table.host]
        _paint_row(canvas, line, at, chosen, shortened(table.name, _NAME_COLUMNS))
        rest = shortened(" · ".join(parts), canvas.columns - _ABOUT_COLUMN - 1)
        canvas.put(_ABOUT_COLUMN, line, rest, "", str(at + 1))


def _paint_row(canvas: Canvas, row: int, at: int, chosen: int, text: str) -> None:
    """Paint the beginning of something that can be chosen, the ``at``-th, up to the end of ``text``."""
    key = str(at + 1)
    canvas.put(1, row, f"{'▸' if at == chosen else ' '}{key}", "class:key", key)
    canvas.put(4, row, shortened(text, canvas.columns - 5), "class:chosen" if at == chosen else "", key)
