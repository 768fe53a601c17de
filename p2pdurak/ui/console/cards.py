"""Drawing cards, in three sizes: one line of text, a small frame, a large frame.

A card that cannot be played now has a broken frame, so that it is known from the others without colours too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from p2pdurak.ui.console.settings import CardSize
from p2pdurak.ui.console.style import suit_class

if TYPE_CHECKING:
    from p2pdurak.cards import Card
    from p2pdurak.ui.console.canvas import Canvas


class Shape(NamedTuple):
    """How large a card is drawn, in columns and rows; ``fanned`` is how much of a covered one must stay visible."""

    width: int
    height: int
    fanned: int


SHAPES: Final = {
    CardSize.SMALL: Shape(4, 1, 4),
    CardSize.MEDIUM: Shape(5, 3, 4),
    CardSize.LARGE: Shape(7, 5, 4),
}

LARGE_FROM: Final = (100, 34)
"""From this many columns and rows on there is room for large cards."""


def shape_for(size: CardSize, columns: int, rows: int) -> Shape:
    """Return the shape of cards in a window of that size, as the person likes it."""
    fits_large = columns >= LARGE_FROM[0] and rows >= LARGE_FROM[1]
    if size is CardSize.AUTO or (size is CardSize.LARGE and not fits_large):
        size = CardSize.LARGE if fits_large else CardSize.MEDIUM
    return SHAPES[size]


class Look(NamedTuple):
    """How one card is shown: face down if there is no ``card``; ``key`` is what a click on it means."""

    card: Card | None
    faint: bool = False
    marked: bool = False
    key: str = ""


def draw_card(canvas: Canvas, column: int, row: int, shape: Shape, look: Look) -> None:
    """Paint a card with its upper left corner at this cell."""
    name = str(look.card) if look.card is not None else "▒▒"
    style = "" if look.card is None else suit_class(look.card.suit)
    frame = ""
    if look.faint:
        style, frame = f"{style} nobold class:faint", "class:faint"
    if look.marked:
        style, frame = f"{style} class:marked", "class:marked"
    if shape.height == 1:
        canvas.put(column, row, f"{name:>3}", style, look.key)
        return
    inner = shape.width - 2
    across, upright = ("╌", "┆") if look.faint else ("─", "│")
    canvas.put(column, row, f"┌{across * inner}┐", frame, look.key)
    for line in range(1, shape.height - 1):
        canvas.put(column, row + line, upright, frame, look.key)
        canvas.put(column + 1, row + line, _line(look.card, name, line, shape), style, look.key)
        canvas.put(column + shape.width - 1, row + line, upright, frame, look.key)
    canvas.put(column, row + shape.height - 1, f"└{across * inner}┘", frame, look.key)


def _line(card: Card | None, name: str, line: int, shape: Shape) -> str:
    """Return what stands in a row of the inside of a framed card."""
    inner = shape.width - 2
    if card is None:
        return "▒" * inner
    if shape.height == 3:
        return f"{name:^{inner}}"
    return {1: f"{name:<{inner}}", shape.height - 2: f"{name:>{inner}}"}.get(line, f"{card.suit.symbol:^{inner}}")
