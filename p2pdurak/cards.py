"""Cards, the pack in its unshuffled order, their text forms, and sets of cards.

A card *is* its number in the unshuffled pack, as the rules lay it out: aces on top, twos at the bottom. Thus the pack
of 36 is the numbers 0 to 35, the pack of 52 the numbers 0 to 51, and what shuffles numbers needs no table.

A set of cards is an int with bit ``card`` set for each member. Sets of objects were rejected: the engine asks "which
of these beat that" for every move of a search, and on ints the answer is a single ``&``.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from p2pdurak.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Iterable

CardSet: TypeAlias = int
"""Bit ``card`` is set for each card of the set."""

PACK_SIZES: Final = (36, 52)
"""Sizes of pack that Durak is played with: from the sixes up, and from the twos up."""


class Suit(IntEnum):
    """The four suits; none is above another, except that one of them is trump."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def symbol(self) -> str:
        """The suit as one character: ♣ ♦ ♥ ♠."""
        return "♣♦♥♠"[self]


class Rank(IntEnum):
    """The ranks from low to high."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def symbol(self) -> str:
        """The rank in writing: 2 to 10, J, Q, K, A."""
        return {11: "J", 12: "Q", 13: "K", 14: "A"}.get(self, str(int(self)))


class Card(int):
    """A card: its number in the unshuffled pack, ``(14 - rank) * 4 + suit``.

    Raises NotationError when the number is not in 0 to 51.
    """

    __slots__ = ()

    def __new__(cls, number: int) -> Card:
        """Return the card of that number, from 0 to 51."""
        if not 0 <= number < 52:
            raise NotationError("There is no card number {number}: the cards are 0 to 51.", number=number)
        return super().__new__(cls, number)

    @classmethod
    def of(cls, rank: Rank, suit: Suit) -> Card:
        """Return the card of that rank and suit."""
        return PACK[(Rank.ACE - rank) * 4 + suit]

    @property
    def rank(self) -> Rank:
        """The rank; a smaller card number is a higher or equal rank."""
        return Rank(Rank.ACE - (self >> 2))

    @property
    def suit(self) -> Suit:
        """The suit."""
        return Suit(self & 3)

    def __str__(self) -> str:
        return _NAMES[self]

    def __repr__(self) -> str:
        return f"<{_NAMES[self]}>"

    def __format__(self, spec: str) -> str:
        return format(_NAMES[self], spec)


_NAMES: Final = tuple(rank.symbol + suit.symbol for rank in sorted(Rank, reverse=True) for suit in Suit)

PACK: Final[tuple[Card, ...]] = tuple(Card(number) for number in range(52))
"""All cards, each at its own number; everything else takes its cards from here."""

_SUITS: Final = {letter: suit for suit in Suit for letter in (suit.symbol, suit.name[0])}
_RANKS: Final = {rank.symbol: rank for rank in Rank} | {"T": Rank.TEN}


def pack(size: int) -> tuple[Card, ...]:
    """Return the unshuffled pack of ``size`` cards, aces first.

    Raises NotationError when the size is neither 36 nor 52.
    """
    if size not in PACK_SIZES:
        raise NotationError("There is no pack of {size} cards: choose 36 or 52.", size=size)
    return PACK[:size]


def parse_card(text: str) -> Card:
    """Return the card written as rank and suit, in capitals or not: ``6♣``, ``10h``, ``Ts``, ``KD``.

    Raises NotationError when the text is no card.
    """
    # U+FE0F only asks for the colourful picture of the suit; keyboards of phones append it.
    written = text.strip().removesuffix("\ufe0f").upper()
    rank, suit = _RANKS.get(written[:-1]), _SUITS.get(written[-1:])
    if rank is None or suit is None:
        raise NotationError(
            "{text!r} is not a card: write the rank (2 to 10, J, Q, K, A) and the suit (♣ ♦ ♥ ♠ or c d h s), "
            "for example 10♥ or Ks.",
            text=text[:40],
        )
    return Card.of(rank, suit)


def card_set(cards: Iterable[int]) -> CardSet:
    """Return the set of these cards."""
    cards_so_far = 0
    for card in cards:
        cards_so_far |= 1 << card
    return cards_so_far


def cards_in(cards: CardSet) -> tuple[Card, ...]:
    """Return the members of a set in the order of the pack, high ranks first."""
    members = []
    while cards:
        lowest = cards & -cards
        members.append(PACK[lowest.bit_length() - 1])
        cards ^= lowest
    return tuple(members)
