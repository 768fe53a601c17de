"""A game with open hands from a given order of the pack: for tests, searches and replays of opened books.

The order is the pack from the top after shuffling. The deal takes the first cards, the next is turned face up and lies
under the talon, and the talon continues from there; so where the talon stands follows from its size alone, and a state
needs nothing besides the order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.cards import card_set, pack
from p2pdurak.game.opening import deal_order, find_leader
from p2pdurak.game.rules import apply, refill, start
from p2pdurak.game.ruleset import HAND_CARDS
from p2pdurak.game.state import Hand, Phase

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from p2pdurak.cards import Card, CardSet
    from p2pdurak.game.actions import Action
    from p2pdurak.game.ruleset import Ruleset
    from p2pdurak.game.state import State


def first_seat(seats: Sequence[int]) -> int:
    """Return the first of the seats: a lot for those who do not care."""
    return seats[0]


def deal(
    rules: Ruleset,
    order: Sequence[Card],
    players: int,
    dealer: int = 0,
    leader: int | None = None,
    lot: Callable[[Sequence[int]], int] = first_seat,
) -> State:
    """Return the state after the deal; without a ``leader``, the lowest trump or the lot finds one (R6, R7).

    Raises ValueError when ``order`` is not a whole pack.
    """
    if sorted(order) != list(pack(len(order))):
        raise ValueError("the order must hold each card of a pack once")
    hands = [0] * players
    for card, seat in zip(order, deal_order(players, dealer), strict=False):
        hands[seat] |= 1 << card
    # R4, R5: the card after the deal is turned; if none is left, the last one dealt.
    face_up = order[min(HAND_CARDS * players, len(order) - 1)]
    if leader is None:
        leader = find_leader(rules, len(order), hands, face_up, lot)
    return start(rules, len(order), dealer, face_up, [Hand(hand) for hand in hands], leader)


def drawn(state: State, order: Sequence[Card]) -> Mapping[int, CardSet]:
    """Return what each seat draws after a bout, without the face-up card: the argument of ``refill``."""
    position = len(order) - state.talon + 1
    cards = {}
    for seat, number in state.draws:
        # The last position of the talon is the face-up card, beyond the end of the order: a slice leaves it out.
        cards[seat] = card_set(order[position : position + number])
        position += number
    return cards


def play(state: State, order: Sequence[Card], choose: Callable[[State], Action]) -> Iterator[State]:
    """Yield the state and each one after it until the game is over; ``choose`` sees all hands."""
    yield state
    while state.phase is not Phase.OVER:
        state = refill(state, drawn(state, order)) if state.phase is Phase.REFILL else apply(state, choose(state))
        yield state
