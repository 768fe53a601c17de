"""A steady player: gets rid of low cards, keeps trumps for the end, and never looks where its seat cannot see.

Each card has a price: its rank, and for a trump as much again as all ranks together. The bot takes whatever costs
least, as a careful beginner does, and it is deterministic, so that games with it can be repeated. Searching was
rejected here: it would need a guess of the hidden hands, and a plain opponent is what a table to practise at wants.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pdurak.cards import Card, Rank, cards_in
from p2pdurak.game.actions import Action, Cover, Lead, Pass, Show, Take, ThrowIn, Transfer
from p2pdurak.game.rules import legal_actions
from p2pdurak.game.state import Decision, State

if TYPE_CHECKING:
    from collections.abc import Iterable

TRUMP_PRICE: Final = 13
"""What a trump is worth above its rank: even the lowest is dearer than any other card."""

EARLY_TALON: Final = 8
"""With at least so many cards in the talon a game is early: what one takes can still be played off."""

DEAR: Final = Rank.TEN + TRUMP_PRICE
"""From this price on a card is kept early in the game, rather than spent on a beat or thrown in."""


def choose(view: State) -> Action:
    """Return what the asked seat does; ``view`` is the state as that seat sees it.

    Raises ValueError when nobody is asked, or when the asked seat's hand is not known.
    """
    actions = legal_actions(view)
    match view.decision:
        case Decision.LEAD:
            return _lead(view, [action for action in actions if isinstance(action, Lead)])
        case Decision.DEFEND:
            return _defend(view, actions)
        case Decision.THROW_IN | Decision.ADD:
            return _throw(view, [action for action in actions if isinstance(action, ThrowIn)])
        case _:
            raise ValueError("nobody is asked: there is nothing to choose")


def price(view: State, card: Card) -> int:
    """Return how much the card is worth keeping: its rank, for a trump above all others."""
    return card.rank + (TRUMP_PRICE if card.suit == view.trump else 0)


def _cost(view: State, cards: Iterable[Card]) -> int:
    return sum(price(view, card) for card in cards)


def _is_early(view: State) -> bool:
    return view.talon >= EARLY_TALON


def _lead(view: State, leads: list[Lead]) -> Action:
    # Of the cheapest rank as many cards as go without spending a trump for it.
    cheapest = min(leads, key=lambda lead: (_cost(view, lead.cards) / len(lead.cards), lead.cards))
    same = [lead for lead in leads if lead.cards[0].rank == cheapest.cards[0].rank and not _has_trump(view, lead.cards)]
    return max(same, key=lambda lead: len(lead.cards), default=cheapest)


def _has_trump(view: State, cards: Iterable[Card]) -> bool:
    return any(card.suit == view.trump for card in cards)


def _defend(view: State, actions: tuple[Action, ...]) -> Action:
    transfer = _transfer(view, actions)
    if transfer is not None:
        return transfer
    plan = _plan(view, actions)
    if not plan or _is_too_dear(view, plan):
        return Take()
    return plan[0]


def _transfer(view: State, actions: tuple[Action, ...]) -> Action | None:
    # Showing costs nothing; laying a card gets rid of it, and of the attack: worth any card that is no trump.
    shows: list[Action] = [action for action in actions if isinstance(action, Show)]
    plain = [action for action in actions if isinstance(action, Transfer) and action.card.suit != view.trump]
    return min(plain, key=lambda action: action.card, default=shows[0] if shows else None)


def _plan(view: State, actions: tuple[Action, ...]) -> list[Cover]:
    """Return a cheap cover for each unbeaten card, the hardest to beat first; nothing when some card has none."""
    covers = [action for action in actions if isinstance(action, Cover)]
    options = {attack: [cover for cover in covers if cover.attack == attack] for attack in view.unbeaten}
    plan: list[Cover] = []
    for attack in sorted(options, key=lambda attack: (len(options[attack]), attack)):
        spent = {cover.card for cover in plan}
        left = [cover for cover in options[attack] if cover.card not in spent]
        if not left:
            return []
        plan.append(min(left, key=lambda cover: (price(view, cover.card), cover.card)))
    return plan


def _is_too_dear(view: State, plan: list[Cover]) -> bool:
    # Early in the game a take costs little; what counts is to have the high trumps at its end. Once something has
    # been spent on this bout, taking would give it away as well.
    if not _is_early(view):
        return False
    dear = sum(price(view, cover.card) >= DEAR for cover in plan)
    already_beaten = len(view.table) - len(view.unbeaten)
    return dear > already_beaten


def _throw(view: State, throws: list[ThrowIn]) -> Action:
    # Low cards only, as long as the talon lasts; towards the end everything goes that is no high trump.
    limit = Rank.JACK if _is_early(view) else Rank.ACE if view.talon else Rank.ACE + TRUMP_PRICE
    assert view.asked is not None  # noqa: S101 - a decision is due
    hand = cards_in(view.hands[view.asked].known)
    # A trump goes along only if nothing is left afterwards.
    fitting = [
        throw
        for throw in throws
        if all(price(view, card) <= limit for card in throw.cards)
        and (not _has_trump(view, throw.cards) or len(throw.cards) == len(hand))
    ]
    return max(fitting, key=lambda throw: (len(throw.cards), -_cost(view, throw.cards)), default=Pass())
