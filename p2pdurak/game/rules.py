"""The rules as four questions: what may the asked seat do, may it do this, what comes of it, how did it end.

``apply`` checks and then carries out; the bout's end always passes through ``Phase.REFILL``, also when nobody draws,
so that callers have one way. The rules in words, by number, are in ``protocol/rules.md``.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Final, TypeVar, assert_never

from p2pdurak.cards import PACK, CardSet, cards_in
from p2pdurak.game.actions import Action, Cover, Lead, Pass, Show, Take, ThrowIn, Transfer
from p2pdurak.game.bouts import DrawReason, Outcome, end_bout, outcome, refill, start
from p2pdurak.game.legality import BEATING, SAME_RANK, SAME_SUIT, check, ranks_on_table
from p2pdurak.game.ruleset import LeadCards, Transfers
from p2pdurak.game.state import Decision, Hand, State, with_hand

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from p2pdurak.cards import Card
    from p2pdurak.game.state import Pair

_Kind = TypeVar("_Kind")

__all__ = ["DrawReason", "Outcome", "apply", "check", "legal_actions", "outcome", "refill", "start"]

# A search meets the same actions again and again: they are made once, and stand in tables by the numbers of cards.
_LEADS: Final = tuple(Lead((card,)) for card in PACK)
_COVERS: Final = tuple(tuple(Cover(attack, card) for card in PACK) for attack in PACK)
_TRANSFERS: Final = tuple(Transfer(card) for card in PACK)
_SHOWS: Final = tuple(Show(card) for card in PACK)
_TAKE: Final = Take()
_PASS: Final = Pass()


def legal_actions(state: State) -> tuple[Action, ...]:
    """Return everything that ``check`` allows the asked seat, in a fixed order; nothing when no seat is asked.

    Raises ValueError when the viewer does not know the asked seat's whole hand.
    """
    if state.asked is None:
        return ()
    known, hidden, _ = state.hands[state.asked]
    if hidden:
        raise ValueError(f"the hand of seat {state.asked} is not known: look with seen_by first")
    match state.decision:
        case Decision.LEAD:
            return _leads(state, known)
        case Decision.DEFEND:
            return _defences(state, known)
        case _:
            # R21, R22: cards of ranks on the table, or nothing.
            fitting = known & ranks_on_table(state)
            return _throws(fitting, state.room()) if fitting else (_PASS,)


def _with_each(actions: tuple[_Kind, ...], cards: CardSet) -> list[_Kind]:
    """Return the action with each of the cards, high ranks first, from a table of the same action with any card."""
    found = []
    while cards:
        lowest = cards & -cards
        found.append(actions[lowest.bit_length() - 1])
        cards ^= lowest
    return found


def _leads(state: State, hand: CardSet) -> tuple[Action, ...]:
    # R13: one card, any card.
    if state.rules.lead is LeadCards.ONE:
        return tuple(_with_each(_LEADS, hand))
    # R13 to R16: as many of one rank as the defender and the caps allow.
    leads: list[Action] = []
    most = state.room()
    while hand:
        rank = hand & SAME_RANK[(hand & -hand).bit_length() - 1]
        leads += _leads_of(rank, most)
        hand ^= rank
    return tuple(leads)


@lru_cache(maxsize=1 << 12)
def _leads_of(rank: CardSet, most: int) -> tuple[Lead, ...]:
    return tuple([Lead(cards) for cards in _subsets(rank, most)])


@lru_cache(maxsize=1 << 12)
def _throws(cards: CardSet, most: int) -> tuple[Action, ...]:
    return (*[ThrowIn(subset) for subset in _subsets(cards, most)], _PASS)


def _subsets(cards: CardSet, most: int) -> Iterator[tuple[Card, ...]]:
    members = cards_in(cards)
    for size in range(1, min(most, len(members)) + 1):
        yield from combinations(members, size)


def _defences(state: State, hand: CardSet) -> tuple[Action, ...]:
    unbeaten, beating = state.unbeaten, BEATING[state.setup.trump]
    # R17, R18: any unbeaten card with any card that beats it.
    actions: list[Action] = []
    for attack in unbeaten:
        actions += _with_each(_COVERS[attack], hand & beating[attack])
    return (*actions, *_transfers(state, hand, unbeaten), _TAKE)


def _transfers(state: State, hand: CardSet, unbeaten: tuple[Card, ...]) -> Sequence[Action]:
    rules = state.setup.rules
    matching = hand & SAME_RANK[unbeaten[0]]
    # R24, R25: most moves end here, before anything costly is asked.
    if not matching or rules.transfer is Transfers.NONE or any(card >> 2 != unbeaten[0] >> 2 for card in unbeaten):
        return ()
    beaten = len(unbeaten) < len(state.table)
    target = state.next_in(state.defender)
    # R24, R26, R27.
    if (
        target is None
        or (beaten and rules.transfer is Transfers.BEFORE_BEAT)
        or (state.bouts == 0 and not rules.transfer_first_bout)
    ):
        return ()
    laid: list[Action] = [*_with_each(_TRANSFERS, matching)] if state.room(target) else []
    # R28: the number of unbeaten cards stays, so the next player needs only as many.
    if rules.transfer_by_showing and not beaten and state.hands[target].size >= len(unbeaten):
        laid += _with_each(_SHOWS, matching & SAME_SUIT[state.face_up] & ~state.shown)
    return laid


def apply(state: State, action: Action) -> State:
    """Return the state after the asked seat's action.

    Raises IllegalAction when ``check`` does. At the bout's end the phase is REFILL, and ``refill`` goes on.
    """
    check(state, action)
    asked = state.asked
    assert asked is not None  # noqa: S101 - check has seen to it
    match action:
        case Pass():
            return _ask_to_throw(state, asked)
        case Take():
            # R23: where so chosen, others may still add; else the bout is over.
            if state.rules.throw_after_take:
                return _ask_to_throw(state.changed(taking=True), None)
            return end_bout(state, taken=True)
        case Cover(attack, card):
            covered = tuple([(attack, card) if pair[0] == attack else pair for pair in state.table])
            laid = _lay(state, asked, (card,), covered)
            return laid if laid.unbeaten else _ask_to_throw(laid, None)
        case Lead(cards) | ThrowIn(cards):
            laid = _lay(state, asked, cards, (*state.table, *[(card, None) for card in cards]))
            return _ask_to_throw(laid, asked) if state.taking else laid
        case Transfer(card):
            return _pass_on(_lay(state, asked, (card,), (*state.table, (card, None))))
        case Show(card):
            return _pass_on(_show(state, asked, card))
        case _:
            assert_never(action)


def _lay(state: State, seat: int, cards: tuple[Card, ...], table: tuple[Pair, ...]) -> State:
    """Return the state with these cards laid from that hand; the defender is asked, for whom most of them are meant."""
    hand = state.hands[seat]
    for card in cards:
        hand = hand.without(card)
    # R38: places go by when the last card left the hand.
    emptied = state.emptied if hand.size else (*state.emptied, seat)
    return state.changed(hands=with_hand(state.hands, seat, hand), table=table, emptied=emptied, asked=state.defender)


def _show(state: State, seat: int, card: Card) -> State:
    # R28: the shown card stays in the hand, where everybody knows it now.
    hand, bit = state.hands[seat], 1 << card
    seen = Hand(hand.known | bit, hand.hidden - (not hand.known & bit), hand.public | bit)
    return state.changed(hands=with_hand(state.hands, seat, seen), shown=state.shown | bit)


def _pass_on(state: State) -> State:
    # R26, R29: the next player still in becomes the defender; who led the bout stays its leader.
    target = state.next_in(state.defender)
    assert target is not None  # noqa: S101 - check has seen to it
    return state.changed(defender=target, asked=target)


def _ask_to_throw(state: State, after: int | None) -> State:
    """Return the state where the next seat is asked to throw in: the first one, or the next ``after`` who was asked."""
    # R22, R23: those who may throw in are asked clockwise from the leader. A card that is laid starts the round again,
    # but after a take each is asked once. Whether they hold a fitting card plays no part: skipping would tell.
    # R14 to R16, R30: when no more card is allowed, the bout ends unasked.
    if state.room():
        leader, players = state.leader, len(state.hands)
        asked_before = 0 if after is None else (after - leader) % players + 1
        for step in range(asked_before, players):
            seat = (leader + step) % players
            if state.may_throw(seat):
                return state.changed(asked=seat)
    return end_bout(state, taken=state.taking)
