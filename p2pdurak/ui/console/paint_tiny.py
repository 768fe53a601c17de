"""The table in a window that is too small to paint it: as text, the most important first."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from p2pdurak.ui.console.canvas import HARD_BLANK
from p2pdurak.ui.console.keys import CARD_KEYS
from p2pdurak.ui.console.paint_table import attack_line, trump_and_talon

if TYPE_CHECKING:
    from gettext import NullTranslations

    from p2pdurak.ui.console.choosing import Chooser
    from p2pdurak.ui.console.model import TableModel


def in_lines(say: NullTranslations, table: TableModel, chooser: Chooser) -> tuple[str, ...]:
    """Return the table, our hand with its keys, trump, talon, who attacks whom, and how much the others hold."""
    pairs = "  ".join(f"{attack}{f'/{cover}' if cover is not None else ''}" for attack, cover in table.pairs.items())
    asked = chooser.view is not None
    keys = [f"{key}:" if asked else "" for key in CARD_KEYS[: len(chooser.hand)]]
    hand = " ".join(f"{key}{card}" for key, card in zip_longest(keys, chooser.hand, fillvalue=""))
    if table.view is None:
        return (hand,)
    trump, talon = trump_and_talon(say, table.view)
    sizes = "  ".join(f"{table.names[seat]}{HARD_BLANK}{table.view.hands[seat].size}" for seat in table.others())
    return pairs, hand, f"{attack_line(say, table, table.view)} · {trump} · {talon}", sizes
