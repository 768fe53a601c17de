"""From keys to a decision: the cursor in the hand, the marks, and what a card can mean.

A key plays at once where the card has one meaning; where it has several, the next key chooses among them. What the
rules do not allow is refused with their reason, so nothing is hidden from somebody who presses the wrong key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.cards import Card, card_set
from p2pdurak.game.actions import Action, Cover, Lead, Pass, Take, ThrowIn, opened
from p2pdurak.game.rules import check, legal_actions
from p2pdurak.game.state import Decision
from p2pdurak.ui.console.keys import CARD_KEYS
from p2pdurak.ui.line import sorted_hand

if TYPE_CHECKING:
    from p2pdurak.cards import CardSet, Suit
    from p2pdurak.game.state import State


class Chooser:
    """The own hand, and the decision that is being made with it.

    ``view`` is the state in which we are asked, None as long as we are not; ``hand`` is sorted; ``options`` are the
    meanings among which the next key chooses.
    """

    def __init__(self) -> None:
        self.hand: tuple[Card, ...] = ()
        self.view: State | None = None
        self.marked: frozenset[Card] = frozenset()
        self.options: tuple[Action, ...] = ()
        self._at: Card | None = None
        self._legal: tuple[Action, ...] = ()

    def hold(self, cards: tuple[Card, ...], trump: Suit) -> None:
        """Take note of what is in our hand; the cursor stays at its card, or near where it was."""
        before = self.cursor
        self.hand = tuple(sorted_hand(cards, trump))
        self.marked &= frozenset(cards)
        if self._at not in self.hand:
            self._at = self.hand[min(before, len(self.hand) - 1)] if self.hand else None

    def ask(self, view: State) -> None:
        """Begin a decision; the cursor goes to the cheapest card that can be played, if there is one."""
        self.view, self._legal = view, legal_actions(view)
        self.marked, self.options = frozenset(), ()
        playable = self.playable()
        cheapest_first = sorted(self.hand, key=lambda card: (card.suit == view.trump, card.rank))
        self._at = next((card for card in cheapest_first if playable >> card & 1), self._at)

    def rest(self) -> None:
        """Have nothing to decide any more."""
        self.view, self._legal = None, ()
        self.marked, self.options = frozenset(), ()

    @property
    def cursor(self) -> int:
        """The number of the card at the cursor, from 0."""
        return self.hand.index(self._at) if self._at in self.hand else 0

    @property
    def only_pass(self) -> bool:
        """Whether nothing but passing is possible."""
        return self._legal == (Pass(),)

    @property
    def may_take(self) -> bool:
        """Whether taking is possible."""
        return Take() in self._legal

    @property
    def may_mark(self) -> bool:
        """Whether several cards can be laid at once."""
        return any(len(opened(action)) > 1 for action in self._legal)

    def playable(self, kind: type[Action] | None = None) -> CardSet:
        """Return the cards of which some legal action, or one of that kind, lays one."""
        actions = (action for action in self._legal if kind is None or isinstance(action, kind))
        return card_set(card for action in actions for card in opened(action))

    def press(self, key: str) -> Action | None:
        """Take a key; return the decision if it makes one.

        Raises IllegalAction with the reason where the rules do not allow what the key means.
        """
        match key:
            case "left" | "right" | "home" | "end":
                self._move(key)
            case "escape":
                self.marked, self.options = frozenset(), ()
            case _ if self.view is None:
                pass
            case _ if self.options:
                return self._choose(key)
            case " " | "up" | "down":
                self._mark(key)
            case "enter":
                return self._play(tuple(self.marked) or ((self._at,) if self._at is not None else ()))
            case "t":
                return self._legally(Take())
            case "p":
                return self._legally(Pass())
            case _ if len(key) == 1 and key in CARD_KEYS[: len(self.hand)]:
                return self._press_card(self.hand[CARD_KEYS.index(key)])
        return None

    def means(self, key: str) -> bool:
        """Tell whether a key can do something while we are asked: move, mark, answer, or lay a card that we hold."""
        if self.options:
            return key in ("enter", *map(str, range(1, len(self.options) + 1)))
        return key in CARD_KEYS[: len(self.hand)] or key in (" ", "enter", "t", "p")

    def _move(self, key: str) -> None:
        if self.hand:
            last = len(self.hand) - 1
            step = {"left": self.cursor - 1, "right": self.cursor + 1, "home": 0, "end": last}[key]
            self._at = self.hand[max(0, min(last, step))]

    def _mark(self, key: str) -> None:
        if self._at is None or not self.may_mark:
            return
        if key == "down" or (key == " " and self._at in self.marked):
            self.marked -= {self._at}
        else:
            self._mark_too(self._at)

    def _mark_too(self, card: Card) -> None:
        """Mark another card, if it can be laid together with the marked ones."""
        marked = self.marked | {card}
        if not any(marked <= set(opened(action)) for action in self._legal):
            self._legally(self._meant(tuple(one for one in self.hand if one in marked)))
        self.marked = marked

    def _choose(self, key: str) -> Action | None:
        """Take the number of one of the options; Enter takes the first."""
        number = 0 if key == "enter" else int(key) - 1 if key in tuple("123456789") else len(self.options)
        if number >= len(self.options):
            return None
        chosen = self.options[number]
        self.options = ()
        return chosen

    def _press_card(self, card: Card) -> Action | None:
        self._at = card
        if self.marked:  # whoever has begun to mark goes on marking
            if card in self.marked:
                self.marked -= {card}
            else:
                self._mark_too(card)
            return None
        return self._play((card,))

    def _play(self, cards: tuple[Card, ...]) -> Action | None:
        """Return the one thing that laying these cards can mean; offer the options if there are several."""
        if not cards:
            return None
        meanings = tuple(action for action in self._legal if set(opened(action)) == set(cards))
        if len(meanings) > 1:
            self.options = meanings
            return None
        return meanings[0] if meanings else self._legally(self._meant(cards))

    def _meant(self, cards: tuple[Card, ...]) -> Action:
        """Return what somebody most likely means who lays cards that cannot be laid."""
        assert self.view is not None  # noqa: S101 - press has seen to it
        if self.view.decision is Decision.DEFEND:
            return Cover(self.view.unbeaten[0], cards[0])
        return Lead(cards) if self.view.decision is Decision.LEAD else ThrowIn(cards)

    def _legally(self, action: Action) -> Action:
        if self.view is not None:
            check(self.view, action)
        return action
