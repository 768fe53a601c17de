"""What precedes a game: who deals, which card goes to whom, who leads.

Who holds the lowest trump is a secret among peers, so they find the leader by calling cards upwards until one is
shown. ``lowest_trump_calls`` gives the calls; ``find_leader`` answers them where all hands are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from p2pdurak.cards import CardSet, card_set, cards_in, pack
from p2pdurak.game.legality import SAME_RANK, SAME_SUIT
from p2pdurak.game.ruleset import HAND_CARDS, NextLead, NoTrumpLead, Ruleset

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pdurak.cards import Card
    from p2pdurak.game.bouts import Outcome


class Opening(NamedTuple):
    """What a game starts with: ``dealer`` None is by lot, ``leader`` None is by the lowest trump."""

    dealer: int | None
    leader: int | None


FIRST = Opening(None, None)
"""R6, R9: the first game of a table."""


def deal_order(players: int, dealer: int) -> tuple[int, ...]:
    """Return the seat of each dealt card from the top of the pack: one at a time, starting left of the dealer (R3)."""
    return tuple([(dealer + 1 + turn) % players for turn in range(HAND_CARDS * players)])


def next_opening(
    rules: Ruleset, outcome: Outcome, dealer: int, players: int, seats: Sequence[int | None] | None = None
) -> Opening:
    """Return how the next game opens, after one that ``dealer`` dealt.

    ``players`` is the number of seats in the next game. ``seats`` gives for each old seat the new one, None for who
    is gone; without it, nobody moves.
    """
    # R9: the fool deals, after a draw the same dealer again.
    old = dealer if outcome.fool is None else outcome.fool
    deals = old if seats is None else seats[old]
    # R10: if that player is gone, the next game opens like the first. Neighbours go by the new seating.
    if deals is None:
        return FIRST
    # R8: under the fool, the player to the right leads and the fool defends; from under, the player to the left leads.
    # After a draw nobody is the fool, and the lowest trump leads.
    if outcome.fool is None or rules.next_lead is NextLead.LOWEST_TRUMP:
        return Opening(deals, None)
    return Opening(deals, (deals + (-1 if rules.next_lead is NextLead.UNDER else 1)) % players)


def lowest_trump_calls(rules: Ruleset, pack_size: int, players: int, face_up: Card) -> tuple[CardSet, ...]:
    """Return the calls that find the leader, each a set of cards that all who hold one answer.

    R6: first each trump upwards, one card a call. R7: then, if the rules want the lowest card, each rank upwards, in
    the other suits; several may answer. If nobody answered anything, or several answered the same call, the lot
    decides. The face-up card is called only if it is in a hand.
    """
    in_talon = 1 << face_up if pack_size > HAND_CARDS * players else 0
    trumps = card_set(pack(pack_size)) & SAME_SUIT[face_up]
    calls = [1 << card for card in reversed(cards_in(trumps & ~in_talon))]
    if rules.no_trump_lead is NoTrumpLead.LOWEST_CARD:
        calls += [SAME_RANK[trump] & ~trumps for trump in reversed(cards_in(trumps))]
    return tuple(calls)


def find_leader(
    rules: Ruleset, pack_size: int, hands: Sequence[CardSet], face_up: Card, lot: Callable[[Sequence[int]], int]
) -> int:
    """Return the leader of a game that opens without one, where all hands are known.

    ``lot`` picks one of two or more seats, each with equal chances: a seat counts once, however many cards it holds.
    """
    for call in lowest_trump_calls(rules, pack_size, len(hands), face_up):
        answering = tuple([seat for seat, hand in enumerate(hands) if hand & call])
        if answering:
            return answering[0] if len(answering) == 1 else lot(answering)
    return lot(tuple(range(len(hands))))
