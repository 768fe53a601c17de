"""What fills the table before and after a game: the deck in the making, seat by seat, and the result."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING, Final

from p2pdurak.ui.console.canvas import HARD_BLANK, shortened, width_of
from p2pdurak.ui.console.model import PREPARATIONS
from p2pdurak.ui.console.saying import DRAWS, conviction, ended_without
from p2pdurak.ui.console.screen import wrapped
from p2pdurak.ui.language import marked as _
from p2pdurak.wire.messages import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from gettext import NullTranslations

    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.model import TableModel

HEADINGS: Final[Mapping[Kind, str]] = {
    Kind.COMMIT: _("commits"),
    Kind.REVEAL: _("reveals"),
    Kind.SHUFFLE: _("shuffles"),
    Kind.CONFIRM: _("agrees"),
    Kind.DEAL: _("deals"),
    Kind.REARRANGE: _("rearranges"),
}

_NAME_COLUMNS = 12


def paint_deck(canvas: Canvas, say: NullTranslations, table: TableModel, row: int, rows: int) -> None:
    """Paint which seat has done which step of making the deck."""
    if rows < table.genesis.players + 2:  # the smallest window has no room for a title
        row -= 1
    else:
        canvas.centre(row, say.gettext("Making a deck that nobody can see or arrange"), "class:title")
    width = (canvas.columns - _NAME_COLUMNS - 2) // len(PREPARATIONS)
    spread = 1 if rows > table.genesis.players + 2 else 0
    for at, kind in enumerate(PREPARATIONS):
        heading = shortened(say.gettext(HEADINGS[kind]), width - 1)
        canvas.put(1 + _NAME_COLUMNS + at * width, row + 1 + spread, heading, "class:dim")
    for seat, name in enumerate(table.names):
        line = row + 2 + spread + seat
        canvas.put(1, line, shortened(name, _NAME_COLUMNS - 1), "class:name")
        for at, kind in enumerate(PREPARATIONS):
            column = 1 + _NAME_COLUMNS + at * width
            if seat in table.said[kind]:
                canvas.put(column, line, "✓", "class:good")
            elif kind is table.kind and seat in table.waiting:
                canvas.put(column, line, "…", "class:warning")
            else:
                canvas.put(column, line, "·", "class:dim")


def paint_result(
    canvas: Canvas,
    say: NullTranslations,
    table: TableModel,
    score: Mapping[str, int],
    since: int,
    path: str,
    program: str,
    row: int,
    rows: int,
) -> None:
    """Paint who is the fool, the score of the match, and that all was checked and can be checked again.

    ``since`` is the number of the game from which on is counted, ``program`` what one types to run this program.
    """
    lines: list[tuple[str, str]] = [(verdict(say, table), "class:title"), ("", "")]
    if table.outcome is not None and table.outcome.places:
        places = "  ".join(f"{at}.{HARD_BLANK}{table.names[seat]}" for at, seat in enumerate(table.outcome.places, 1))
        lines.append((say.gettext("Out in this order: {places}").format(places=places), ""))
    if score:
        fools = "  ".join(f"{name}{HARD_BLANK}{number}" for name, number in score.items())
        counted = (
            say.gettext("Fool so far: {score}") if since == 1 else say.gettext("Fool since game {number}: {score}")
        )
        lines.append((counted.format(score=fools, number=since), ""))
    if table.finished:
        lines.append((assurance(say, table), "class:good"))
    kept: list[tuple[str, str]] = []
    if path:
        commands = say.gettext("Check it again with {verify}, look at it with {replay}, and this path:")
        verify, replay = (f"{program}{HARD_BLANK}{command}" for command in ("verify", "replay"))
        kept = [("", ""), (commands.format(verify=verify, replay=replay), "class:dim"), (as_typed(path), "")]
    shown, below = _in_lines(lines, canvas.columns - 4), _in_lines(kept, canvas.columns - 4)
    if len(shown) + len(below) > rows:
        shown, below = ([line for line in part if line[0]] for part in (shown, below))
    if len(shown) + len(below) > rows:  # that all was checked stands in the line of trust, too
        shown = [line for line in shown if line[1] != "class:good"]
    for at, (text, style) in enumerate([*shown[: max(1, rows - len(below))], *below][:rows]):
        canvas.put(2, row + at, text, style)


def _in_lines(texts: Iterable[tuple[str, str]], columns: int) -> list[tuple[str, str]]:
    return [(part, style) for text, style in texts for part in wrapped(text, columns)]


def as_typed(path: str) -> str:
    """Return a path as one types it at a prompt; the home folder is a tilde where every shell knows that."""
    home = os.path.expanduser("~")
    if os.name != "posix":
        return path
    inside = path.startswith(f"{home.rstrip('/')}/") and home != "/"
    return f"~/{shlex.quote(path[len(home.rstrip('/')) + 1 :])}" if inside else shlex.quote(path)


def verdict(say: NullTranslations, table: TableModel) -> str:
    """Return how the game ended, in one sentence."""
    if table.convicted is not None:
        names = [table.names[seat] for seat in table.convicted.seats]
        return conviction(say, names, table.convicted.round, table.convicted.fault)
    if table.removed is not None:
        return ended_without(say, table.names, table.removed, table.me)
    if table.outcome is None:
        return ""
    if table.outcome.fool is None:
        why = table.outcome.draw_reason
        return say.gettext(DRAWS[why]) if why is not None else say.gettext("A draw.")
    if table.outcome.fool == table.me:
        return say.gettext("You are the fool.")
    return say.gettext("{name} is the fool.").format(name=table.names[table.outcome.fool])


def assurance(say: NullTranslations, table: TableModel) -> str:
    """Return that everything was checked, with its numbers."""
    mixes = table.checked[Kind.SHUFFLE] + table.checked[Kind.REARRANGE]
    every = say.gettext("Every shuffle and every card was checked here, and all have signed the same game:")
    messages = say.ngettext("{number} message", "{number} messages", sum(table.checked.values())).format(
        number=sum(table.checked.values())
    )
    proofs = say.ngettext("{number} proof of a shuffle", "{number} proofs of shuffles", mixes).format(number=mixes)
    return f"{every} {messages}, {proofs}."


def trust(say: NullTranslations, table: TableModel, columns: int) -> tuple[str, str]:
    """Return the steady line about what was checked, and its style; a plain sentence where something is wrong."""
    if table.convicted is not None:
        return verdict(say, table), "class:bad"
    if table.doubts:
        name = table.names[table.doubts[-1].seat]
        text = say.gettext("! {name} has signed another course of the game; waiting for the proof of why.")
        return text.format(name=name), "class:warning"
    mixes, messages = table.checked[Kind.SHUFFLE] + table.checked[Kind.REARRANGE], sum(table.checked.values())
    long = say.gettext("✓ checked: {messages} messages, {mixes} shuffles; all agree on every card")
    text = long.format(messages=messages, mixes=mixes)
    if width_of(text) > columns:
        text = say.gettext("✓ checked: {messages}, all agree").format(messages=messages)
    return text, "class:good"
