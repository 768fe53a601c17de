"""What a player can decide: one frozen type for each action, and their text forms.

An action names cards only; who acts is always the seat that the state asks. Dataclasses and not NamedTuples, since
``Lead`` and ``ThrowIn`` of the same cards, or ``Take()`` and ``Pass()``, would then be equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from p2pdurak.cards import Card, parse_card
from p2pdurak.errors import NotationError, Sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass(frozen=True, slots=True)
class Lead:
    """Open the bout with one card, or several of one rank; they are put into the order of the pack."""

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", _in_order(self.cards))

    def __str__(self) -> str:
        return f"lead {_listed(self.cards)}"


@dataclass(frozen=True, slots=True)
class Cover:
    """Beat the unbeaten ``attack`` with ``card``."""

    attack: Card
    card: Card

    def __str__(self) -> str:
        return f"cover {self.attack} {self.card}"


@dataclass(frozen=True, slots=True)
class ThrowIn:
    """Add attack cards, of ranks that lie on the table; they are put into the order of the pack."""

    cards: tuple[Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", _in_order(self.cards))

    def __str__(self) -> str:
        return f"throw {_listed(self.cards)}"


@dataclass(frozen=True, slots=True)
class Transfer:
    """Lay a card of the attack's rank and pass the whole attack on to the next player."""

    card: Card

    def __str__(self) -> str:
        return f"transfer {self.card}"


@dataclass(frozen=True, slots=True)
class Show:
    """Show the trump of the attack's rank, keep it, and pass the attack on to the next player."""

    card: Card

    def __str__(self) -> str:
        return f"show {self.card}"


@dataclass(frozen=True, slots=True)
class Take:
    """Give up beating and take everything on the table."""

    def __str__(self) -> str:
        return "take"


@dataclass(frozen=True, slots=True)
class Pass:
    """Throw in nothing now."""

    def __str__(self) -> str:
        return "pass"


Action: TypeAlias = Lead | Cover | ThrowIn | Transfer | Show | Take | Pass


def opened(action: Action) -> tuple[Card, ...]:
    """Return the cards of the actor's hand that everybody sees by the action, in the order of the pack."""
    match action:
        case Lead(cards) | ThrowIn(cards):
            return cards
        case Cover(_, card) | Transfer(card) | Show(card):
            return (card,)
        case _:
            return ()


def parse_action(text: str) -> Action:
    """Return the action whose ``str()`` this is; cards may be written in any way that ``parse_card`` knows.

    Raises NotationError when the text is no action.
    """
    word, *cards = text.split() or [""]
    reader = _READERS.get(word.lower())
    if reader is None:
        words = ", ".join(_READERS)
        raise NotationError("{text!r} is not an action: write {words}, then the cards.", text=text[:40], words=words)
    least, most, make = reader
    if not least <= len(cards) <= most:
        raise NotationError(
            "After {word!r} come {cards}, for example: {example}.",
            word=word,
            cards=_NUMBERS[least, most],
            example=_EXAMPLES[word.lower()],
        )
    return make(tuple(map(parse_card, cards)))


_MANY = 52

_READERS: Mapping[str, tuple[int, int, Callable[[tuple[Card, ...]], Action]]] = {
    "lead": (1, _MANY, Lead),
    "cover": (2, 2, lambda cards: Cover(*cards)),
    "throw": (1, _MANY, ThrowIn),
    "transfer": (1, 1, lambda cards: Transfer(*cards)),
    "show": (1, 1, lambda cards: Show(*cards)),
    "take": (0, 0, lambda _: Take()),
    "pass": (0, 0, lambda _: Pass()),
}

_NUMBERS = {
    (1, _MANY): Sentence("cards"),
    (2, 2): Sentence("the attack card and yours"),
    (1, 1): Sentence("one card"),
    (0, 0): Sentence("no cards"),
}

_EXAMPLES = {
    "lead": "lead 6♣",
    "cover": "cover 6♣ 8♣",
    "throw": "throw 8♥ 8♦",
    "transfer": "transfer 8♦",
    "show": "show 8♠",
    "take": "take",
    "pass": "pass",
}


def _in_order(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    if len(cards) == 1:
        return cards
    if not cards:
        raise NotationError("Name at least one card.")
    if len(set(cards)) < len(cards):
        raise NotationError("Name each card once: there is only one of each in the pack.")
    return tuple(sorted(cards))


def _listed(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards))
