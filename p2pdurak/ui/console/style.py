"""The colours: middle tones that can be read on dark and on light backgrounds, and the terminal's own for the rest.

Nothing is said by colour alone: suits have their signs, what cannot be played has broken borders, marks have signs.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from prompt_toolkit.styles import Style

from p2pdurak.cards import Suit
from p2pdurak.ui.console.settings import Colours

if TYPE_CHECKING:
    from collections.abc import Mapping

_RED, _BLUE, _GREEN, _AMBER = "#e5484d", "#3b82f6", "#2f9e44", "#b7791f"

_FOUR: Final[Mapping[Suit, str]] = {Suit.CLUBS: _GREEN, Suit.DIAMONDS: _BLUE, Suit.HEARTS: _RED, Suit.SPADES: ""}
_TWO: Final[Mapping[Suit, str]] = {Suit.CLUBS: "", Suit.DIAMONDS: _RED, Suit.HEARTS: _RED, Suit.SPADES: ""}


def suit_class(suit: Suit) -> str:
    """Return the style in which the cards of a suit are painted."""
    return f"class:suit.{suit.name.lower()}"


@cache
def style_of(colours: Colours) -> Style:
    """Return the styles of all classes that the console paints with: one value, for what is drawn is kept by it."""
    plain = colours is Colours.NONE
    suits = _TWO if colours is Colours.TWO else _FOUR
    tones = {suit: "" if plain else suits[suit] for suit in Suit}
    return Style.from_dict(
        {
            **{f"suit.{suit.name.lower()}": f"{tone} bold" for suit, tone in tones.items()},
            "rule": "dim",
            "dim": "dim",
            "faint": "dim",
            "title": "bold",
            "name": "bold",
            "me": "bold underline",
            "speaker": "bold" if plain else f"bold {_GREEN}",
            "turn": "bold reverse",
            "key": "bold" if plain else f"bold {_BLUE}",
            "wanted": "bold",
            "marked": "reverse",
            "good": "" if plain else _GREEN,
            "warning": "bold" if plain else f"bold {_AMBER}",
            "bad": "bold" if plain else f"bold {_RED}",
            "chosen": "reverse",
            "field": "underline",
        }
    )
