"""The lower part of the table screen: our own name and role, and the hand, with the keys under the cards."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from p2pdurak.ui.console.canvas import shortened, width_of
from p2pdurak.ui.console.cards import SHAPES, Look, Shape, draw_card
from p2pdurak.ui.console.keys import CARD_KEYS
from p2pdurak.ui.console.paint_table import role
from p2pdurak.ui.console.settings import CardSize

if TYPE_CHECKING:
    from gettext import NullTranslations

    from p2pdurak.cards import Card, Suit
    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.chat_line import ChatLine
    from p2pdurak.ui.console.choosing import Chooser
    from p2pdurak.ui.console.model import TableModel

_MARGIN = 1
_LEAST_NAME = 6
_TRUMP_GAP = 1


class Fan(NamedTuple):
    """How a hand is laid out: the shape of its cards, the columns from one to the next, and how many in a row."""

    shape: Shape
    step: int
    across: int


def fan_for(number: int, shape: Shape, columns: int) -> Fan:
    """Return how so many cards lie in so many columns: side by side, else one over the other, else as text."""
    room = columns - 2 * _MARGIN - _TRUMP_GAP
    for size in (one for one in reversed(SHAPES.values()) if 1 < one.height <= shape.height):
        for step in (size.width, size.fanned):
            if (number - 1) * step + size.width <= room:
                return Fan(size, step, max(number, 1))
    small = SHAPES[CardSize.SMALL]
    return Fan(small, small.width, room // small.width)


def paint_own(
    canvas: Canvas, say: NullTranslations, table: TableModel, chat: ChatLine | None, row: int, *, asked: bool
) -> None:
    """Paint a rule with our name, how much we hold and what we do, marked if we are asked; and how one talks."""
    canvas.rule(row)
    room = canvas.columns
    if chat is not None:
        label = f" Tab {chat.label(say)} "
        canvas.right(row, label, "class:turn" if chat.conversation.unread else "class:dim", "tab")
        room -= 2 * width_of(label)
    if table.me is None:
        watching = say.gettext("you are watching")
        canvas.centre(row, f" {watching} ", "class:name")
        return
    text, others = table.names[table.me], ""
    if table.view is not None:
        what, _ = role(say, table, table.me)
        size = table.view.hands[table.me].size
        number = say.ngettext("{number} card", "{number} cards", size).format(number=size)
        others = "".join(f" · {part}" for part in (number, what) if part)
    text = shortened(text, max(_LEAST_NAME, room - width_of(f" ▸ {others} "))) + others
    canvas.centre(row, f" {'▸ ' if asked else ''}{text} ", "class:turn" if asked else "class:name")


def paint_hand(canvas: Canvas, chooser: Chooser, trump: Suit | None, shape: Shape, row: int) -> None:
    """Paint the hand, trumps apart; without a decision to make, all cards are clear, and no key is under them."""
    fan = fan_for(len(chooser.hand), shape, canvas.columns)
    playable = chooser.playable()
    lines = -(-len(chooser.hand) // fan.across) if chooser.hand else 0
    width = min(len(chooser.hand), fan.across) * fan.step + _TRUMP_GAP
    left = max(_MARGIN, (canvas.columns - width) // 2)
    for at, card in enumerate(chooser.hand):
        column = left + at % fan.across * fan.step + (_TRUMP_GAP if card.suit == trump and lines == 1 else 0)
        line = row + at // fan.across * (fan.shape.height + 1)
        key = CARD_KEYS[at] if at < len(CARD_KEYS) else ""
        faint = chooser.view is not None and not playable >> card & 1
        draw_card(canvas, column, line, fan.shape, Look(card, faint, card in chooser.marked, key))
        _paint_label(canvas, (column, line + fan.shape.height), chooser, card, faint, key)


def _paint_label(canvas: Canvas, place: tuple[int, int], chooser: Chooser, card: Card, faint: bool, key: str) -> None:
    """Paint the key under a card: in brackets at the cursor, with an asterisk if marked, a dot if not to be played."""
    column, row = place
    dull = faint or chooser.view is None
    text = "·" if dull else (key or "▸")
    if card in chooser.marked:
        text = f"*{text}"
    if chooser.view is not None and chooser.hand[chooser.cursor] == card:
        text = f"[{text}]"
    canvas.put(column + 2 - len(text) // 2, row, text, "class:dim" if dull else "class:key", key)
