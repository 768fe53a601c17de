"""Whether an action is legal now, and if not, why: one refusal for each rule, by its number in ``protocol/rules.md``.

The verdict uses what is public, and the asked seat's cards as far as the viewer knows them; so all peers agree on it,
except that the owner of a hand knows more about it. Nothing is enumerated here: a search asks ``legal_actions``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from p2pdurak.cards import PACK, Card, CardSet, Suit, card_set, cards_in
from p2pdurak.game.actions import Action, Cover, Lead, Pass, Show, Take, ThrowIn, Transfer
from p2pdurak.game.phrases import either, marked
from p2pdurak.game.refusals import refusal
from p2pdurak.game.ruleset import LeadCards, Transfers
from p2pdurak.game.state import Decision

if TYPE_CHECKING:
    from collections.abc import Mapping

    from p2pdurak.game.state import State

SAME_RANK: Final[tuple[CardSet, ...]] = tuple(0b1111 << (card & ~3) for card in PACK)
"""For each card, the cards of its rank, itself included."""

SAME_SUIT: Final[tuple[CardSet, ...]] = tuple(card_set(PACK[card % len(Suit) :: len(Suit)]) for card in PACK)
"""For each card, the cards of its suit, itself included."""


def _beating(attack: Card, trump: Suit) -> CardSet:
    # R17: a card is beaten by a higher one of its suit, and any other than a trump also by every trump.
    higher = SAME_SUIT[attack] & (1 << attack) - 1  # the pack lies with the high ranks first
    return higher if attack.suit == trump else higher | SAME_SUIT[PACK[trump]]


BEATING: Final[Mapping[Suit, tuple[CardSet, ...]]] = {
    trump: tuple(_beating(attack, trump) for attack in PACK) for trump in Suit
}
"""By trump suit, for each card, the cards that beat it."""

_ANSWERS: Final[Mapping[type[Action], tuple[Decision, ...]]] = {
    Lead: (Decision.LEAD,),
    Cover: (Decision.DEFEND,),
    Transfer: (Decision.DEFEND,),
    Show: (Decision.DEFEND,),
    Take: (Decision.DEFEND,),
    ThrowIn: (Decision.THROW_IN, Decision.ADD),
    Pass: (Decision.THROW_IN, Decision.ADD),
}

_NOW: Final[Mapping[Decision, str]] = {
    Decision.LEAD: marked("now it is time to lead a card"),
    Decision.DEFEND: marked("now it is time to beat the unbeaten cards or take"),
    Decision.THROW_IN: marked("now it is time to throw in or pass"),
    Decision.ADD: marked("now it is time to add cards for the taker or pass"),
}


def check(state: State, action: Action) -> None:
    """Return if the asked seat may do this now.

    Raises IllegalAction with the number of the first rule that forbids it.
    """
    # R11: only the seat that is asked decides, and only on what it is asked.
    # R18: a cover is final, and whoever has beaten everything is not asked again before a new card lies.
    # R22: throwing in and passing have their moment.
    decision = state.decision
    if decision is None:
        raise refusal("R11", "wait for the next bout")
    if decision not in _ANSWERS[type(action)]:
        raise refusal("R11", _NOW[decision])
    match action:
        case Take() | Pass():
            # R19: one may take whenever something is unbeaten. R22: one may always pass.
            pass
        case Cover(attack, card):
            _check_cover(state, attack, card)
        case Lead(cards):
            _check_lead(state, cards)
        case ThrowIn(cards):
            _check_throw(state, cards)
        case Transfer(card):
            _check_transfer(state, card)
        case Show(card):
            _check_show(state, card)
        case _:
            assert_never(action)


def _check_held(state: State, cards: tuple[Card, ...]) -> None:
    # R12: one plays only cards that one holds.
    asked = state.asked
    assert asked is not None  # noqa: S101 - check has seen to it
    hand = state.hands[asked]
    unknown = card_set(cards) & ~hand.known
    if not unknown:
        return
    impossible = unknown & state.elsewhere(asked) or unknown >> state.pack_size
    if impossible or unknown.bit_count() > hand.hidden:
        missing = [card for card in cards if unknown >> card & 1]
        raise refusal("R12", "choose another card than {cards}", cards=either(missing))


def _check_lead(state: State, cards: tuple[Card, ...]) -> None:
    _check_held(state, cards)
    # R13: the leader opens the bout with one card, or, where so chosen, several of one rank.
    if len(cards) > 1 and state.rules.lead is LeadCards.ONE:
        raise refusal("R13 lead=one", "lead only one")
    if len(cards) > 1 and card_set(cards) & ~SAME_RANK[cards[0]]:
        raise refusal("R13 lead=same-rank", "leave out the others")
    _check_room(state, len(cards))


def _check_room(state: State, more: int) -> None:
    # R14: never more unbeaten cards than the defender has cards in hand.
    if len(state.unbeaten) + more > state.hands[state.defender].size:
        raise refusal("R14", _at_most(state), room=state.room())
    # R15, R16: never more attack cards in a bout than the cap, which may be lower until a bout has been beaten.
    cap = state.attack_cap()
    if cap is not None and len(state.table) + more > cap:
        if cap == state.rules.bout_cap:
            raise refusal("R15", _at_most(state), room=state.room(), bout_cap=cap)
        raise refusal("R16", _at_most(state), room=state.room(), first_bout_cap=cap)


def _at_most(state: State) -> str:
    # Nobody is asked where nothing fits (R22), so at least one card can be laid.
    return marked("lay {room} now, or fewer") if state.room() > 1 else marked("lay only one now")


def _check_cover(state: State, attack: Card, card: Card) -> None:
    # R18: the defender may beat the unbeaten cards in any order, each once and for good.
    if attack not in state.unbeaten:
        raise refusal("R18", "beat {cards}, or take", cards=either(state.unbeaten))
    _check_held(state, (card,))
    # R17: a higher card of the same suit beats, and a trump beats every card that is none.
    if not BEATING[state.trump][attack] >> card & 1:
        suits = {"suit": attack.suit.symbol, "trump": state.trump.symbol}
        if attack.suit == state.trump:
            raise refusal("R17", "beat {attack} with a higher {suit}, or take", attack=attack, **suits)
        raise refusal("R17", "beat {attack} with a higher {suit} or a {trump}, or take", attack=attack, **suits)


def _check_throw(state: State, cards: tuple[Card, ...]) -> None:
    _check_held(state, cards)
    # R21: cards thrown in have ranks that lay on the table before.
    other = card_set(cards) & ~ranks_on_table(state)
    if other:
        raise refusal("R21", "leave out {cards}, or pass", cards=" ".join(map(str, cards_in(other))))
    _check_room(state, len(cards))


def ranks_on_table(state: State) -> CardSet:
    """Return all cards of the ranks that lie on the table."""
    ranks = 0
    for attack, cover in state.table:
        ranks |= SAME_RANK[attack]
        if cover is not None:
            ranks |= SAME_RANK[cover]
    return ranks


def _check_transfer(state: State, card: Card) -> None:
    _check_moment(state)
    _check_held(state, (card,))
    _check_rank(state, card)
    _check_target(state, 1)


def _check_show(state: State, card: Card) -> None:
    # R28: where so chosen, the trump of the attack's rank may be shown instead of laid, once a bout, before any beat.
    if not state.rules.transfer_by_showing:
        raise refusal("R28 transfer_by_showing=false", "lay the card, beat, or take")
    _check_moment(state)
    if any(cover is not None for _, cover in state.table):
        raise refusal("R28", "lay the card, beat the rest, or take")
    _check_held(state, (card,))
    if card.suit != state.trump:
        raise refusal("R28", "{card} is no trump, so lay a card, beat, or take", card=card)
    if state.shown >> card & 1:
        raise refusal("R28", "{card} was shown already, so lay it, beat, or take", card=card)
    _check_rank(state, card)
    _check_target(state, 0)


def _check_moment(state: State) -> None:
    # R24: a transfer is possible never, before anything is beaten, or as long as something is unbeaten.
    if state.rules.transfer is Transfers.NONE:
        raise refusal("R24 transfer=none", "beat, or take")
    if state.rules.transfer is Transfers.BEFORE_BEAT and any(cover is not None for _, cover in state.table):
        raise refusal("R24 transfer=before-beat", "beat the rest, or take")
    # R27: where so chosen, nothing is transferred in the first bout of a game.
    if not state.rules.transfer_first_bout and state.bouts == 0:
        raise refusal("R27", "beat, or take")


def _check_rank(state: State, card: Card) -> None:
    # R25: all unbeaten cards must be of one rank, and the card that transfers them of the same.
    if card_set(state.unbeaten) & ~SAME_RANK[card]:
        raise refusal("R25", "beat {cards}, or take", cards=either(state.unbeaten))


def _check_target(state: State, more: int) -> None:
    # R26: the attack goes to the next player still in, and must not be too big for their hand or for the bout.
    target = state.next_in(state.defender)
    if target is None:
        raise refusal("R26", "nobody else is in, so beat, or take")
    size, cap = state.hands[target].size, state.attack_cap()
    if len(state.unbeaten) + more > size:
        raise refusal("R26", "the next player holds only {size}, so beat, or take", size=size)
    if cap is not None and len(state.table) + more > cap:
        raise refusal("R26", "the limit is {limit}, so beat, or take", limit=cap)
