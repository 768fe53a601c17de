"""The upper part of the table screen: the others around the table, trump and talon, and the pairs that lie there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from p2pdurak.game.actions import Pass, Take
from p2pdurak.ui.console.canvas import shortened, width_of
from p2pdurak.ui.console.cards import SHAPES, Look, Shape, draw_card
from p2pdurak.ui.console.saying import ordinal_place
from p2pdurak.ui.console.settings import CardSize
from p2pdurak.ui.rule_options import in_short
from p2pdurak.wire.messages import Kind

if TYPE_CHECKING:
    from collections.abc import Collection
    from gettext import NullTranslations

    from p2pdurak.game.state import State
    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.model import TableModel

OTHERS_ROWS = 3
_TRUMP_COLUMNS = 13
_GAP = 1
_NAME_COLUMNS = 16


class Offset(NamedTuple):
    """By how much a covering card lies off the covered one."""

    columns: int
    rows: int


_OFFSETS = {1: Offset(0, 1), 3: Offset(2, 2), 5: Offset(3, 3)}


def paint_header(canvas: Canvas, say: NullTranslations, table: TableModel) -> None:
    """Say which table and which game this is."""
    genesis = table.genesis
    game = say.gettext("game {number}").format(number=genesis.number)
    pack = say.ngettext("{number} card", "{number} cards", genesis.pack_size).format(number=genesis.pack_size)
    rest = f" · {pack} · {game} "
    # The table's name gives way before the rules do, but not all of it.
    room = canvas.columns - 3 - min(width_of(genesis.table), _NAME_COLUMNS) - width_of(rest)
    right = shortened(in_short(say, genesis.rules), room) + rest
    canvas.put(1, 0, shortened(genesis.table, canvas.columns - width_of(right) - 2), "class:title")
    canvas.right(0, right, "class:dim")


def paint_others(canvas: Canvas, say: NullTranslations, table: TableModel, away: Collection[int], row: int) -> None:
    """Paint the other players, clockwise from our left: name, cards, and what they do."""
    others = table.others()
    width = canvas.columns // len(others)
    for at, seat in enumerate(others):
        _paint_other(canvas, say, table, seat, seat in away, (at * width, row, width - 1))


def _paint_other(
    canvas: Canvas, say: NullTranslations, table: TableModel, seat: int, away: bool, place: tuple[int, int, int]
) -> None:
    column, row, width = place

    def centre(line: int, text: str, style: str) -> None:
        text = shortened(text, width)
        canvas.put(column + (width - width_of(text)) // 2, row + line, text, style)

    turn = seat in table.waiting and table.kind is Kind.PLAY and not table.over
    name = shortened(table.names[seat], width - 4)
    centre(0, f"▸ {name} " if turn else name, "class:turn" if turn else "class:name")
    if table.view is not None:
        size = table.view.hands[seat].size
        if size:
            centre(1, f"{'▮' * min(size, width - 4)} {size}", "")
    text, style = role(say, table, seat, away, columns=width)
    centre(2, text, style)


def role(
    say: NullTranslations, table: TableModel, seat: int, away: bool = False, *, columns: int = 80
) -> tuple[str, str]:
    """Return what a seat is or does in this bout, in about so many columns, and the style of it.

    Of whoever is away, that stands behind it, since the bout goes on with them.
    """
    if seat in table.resigned:
        return say.gettext("has given up"), "class:warning"
    what, style = _part(say, table, seat, columns)
    if away:
        missing, in_short = say.gettext("away, reconnecting"), say.gettext("away")
        forms = [f"{what} · {missing}", f"{what} · {in_short}", f"{what}, {in_short}", f"{what} …"]
        forms = forms if what else [missing, in_short]
        return next((form for form in forms if width_of(form) <= columns), forms[-1]), "class:warning"
    return what, style


def _part(say: NullTranslations, table: TableModel, seat: int, columns: int) -> tuple[str, str]:
    view = table.view
    if view is None:
        return (say.gettext("dealer") if seat == table.dealer else ""), "class:dim"
    if not view.is_in(seat):
        return ordinal_place(say, view.places.index(seat) + 1 if seat in view.places else 0, columns), "class:dim"
    if view.asked is None or table.over:
        return "", ""
    last = table.last.get(seat) if view.table else None
    if seat == view.defender:
        return (say.gettext("takes") if isinstance(last, Take) else say.gettext("defends")), ""
    if isinstance(last, Pass):
        return say.gettext("passed"), "class:dim"
    return (say.gettext("leads") if seat == view.leader else ""), ""


def paint_talon(canvas: Canvas, say: NullTranslations, table: TableModel, shape: Shape, row: int, rows: int) -> None:
    """Paint the trump card, and how many cards are still to be drawn."""
    if table.face_up is None or table.view is None:
        return
    view, small = table.view, shape.height + 2 > rows
    shape = SHAPES[CardSize.SMALL] if small else shape
    trump, talon = trump_and_talon(say, view)
    canvas.put(1, row, trump, "class:name")
    draw_card(canvas, 1, row + 1, shape, Look(table.face_up, faint=not view.talon))
    canvas.put(1, row + 1 + shape.height, talon, "class:name")


def trump_and_talon(say: NullTranslations, view: State) -> tuple[str, str]:
    """Return the trump, and how many cards are still to be drawn, in words."""
    trump = say.gettext("trump {suit}").format(suit=view.trump.symbol)
    return trump, say.gettext("talon {number}").format(number=view.talon) if view.talon else say.gettext("no talon")


def paint_pairs(canvas: Canvas, say: NullTranslations, table: TableModel, shape: Shape, row: int, rows: int) -> None:
    """Paint the pairs on the table; those of the last bout faintly, as long as nothing new is led."""
    pairs = tuple(table.pairs.items())
    caption = _caption(say, table)
    room = rows - bool(caption)
    across, shape = _fitting(shape, len(pairs), canvas.columns - _TRUMP_COLUMNS, room)
    offset = _OFFSETS[shape.height]
    width, height = shape.width + offset.columns + _GAP, shape.height + offset.rows
    for at, (attack, cover) in enumerate(pairs):
        column, line = _TRUMP_COLUMNS + at % across * width, row + at // across * height
        faint = table.ended is not None
        draw_card(canvas, column, line, shape, Look(attack, faint=faint))
        if cover is not None:
            draw_card(canvas, column + offset.columns, line + offset.rows, shape, Look(cover, faint=faint))
    if caption:
        canvas.put(_TRUMP_COLUMNS, row + rows - 1, caption, "class:dim")


def _fitting(shape: Shape, number: int, columns: int, rows: int) -> tuple[int, Shape]:
    """Return how many pairs fit in a row, and the largest shape in which all of them fit, if need be the smallest."""
    sizes = [one for one in reversed(SHAPES.values()) if one.height <= shape.height]
    for one in sizes:
        offset = _OFFSETS[one.height]
        across = max(1, columns // (one.width + offset.columns + _GAP))
        if -(-number // across) * (one.height + offset.rows) <= rows:
            return across, one
    smallest = sizes[-1]
    return max(1, columns // (smallest.width + _GAP)), smallest


def _caption(say: NullTranslations, table: TableModel) -> str:
    if table.ended is None:
        return ""
    ended = table.ended.ended
    if not ended.taken:
        return say.gettext("The last bout: all beaten.")
    if ended.defender == table.me:
        return say.gettext("The last bout: you have taken.")
    return say.gettext("The last bout: {name} has taken.").format(name=table.names[ended.defender])


def attack_line(say: NullTranslations, table: TableModel, view: State) -> str:
    """Return who attacks whom: whoever led, or whoever has transferred the attack back to them."""
    back = table.transferrer if view.leader == view.defender else None
    attacker, defender = (
        say.gettext("you") if seat == table.me else table.names[seat]
        for seat in (view.leader if back is None else back, view.defender)
    )
    return f"{attacker} → {defender}"
