"""Whether an action is legal now, and if not, why: one refusal for each rule, by its number in ``protocol/rules.md``.

The verdict uses what is public, and the asked seat's cards as far as the viewer knows them; so all peers agree on it,
except that the owner of a hand knows more about it. Nothing is enumerated here: a search asks ``legal_actions``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from p2pdurak.cards import PACK, Card, CardSet, Suit, card_set
from p2pdurak.errors import IllegalAction
from p2pdurak.game.actions import Action, Cover, Lead, Pass, Show, Take, ThrowIn, Transfer
from p2pdurak.game.ruleset import LeadCards, Transfers
from p2pdurak.game.state import Decision

if TYPE_CHECKING:
    from collections.abc import Mapping

    from p2pdurak.game.state import State

SAME_RANK: Final[tuple[CardSet, ...]] = tuple(0b1111 << (card & ~3) for card in PACK)
"""For each card, the cards of its rank, itself included."""


def _beating(attack: Card, trump: Suit) -> CardSet:
    # R17: a card is beaten by a higher one of its suit, and any other than a trump also by every trump.
    higher = card_set(card for card in PACK if card.suit == attack.suit and card.rank > attack.rank)
    trumps = card_set(card for card in PACK if card.suit == trump)
    return higher if attack.suit == trump else higher | trumps


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


def check(state: State, action: Action) -> None:
    """Return if the asked seat may do this now.

    Raises IllegalAction with the number of the first rule that forbids it.
    """
    # R11: only the seat that is asked decides, and only on what it is asked.
    decision = state.decision
    if decision is None:
        raise IllegalAction("R11", "Nobody has anything to decide now: wait for the next bout.")
    # R18: a cover is final, and whoever has beaten everything is not asked again before a new card lies.
    # R22: throwing in and passing have their moment.
    if decision not in _ANSWERS[type(action)]:
        raise IllegalAction("R11", f"{str(action)!r} is not possible now: {decision.value}.")
    match action:
        case Lead(cards):
            _check_lead(state, cards)
        case Cover(attack, card):
            _check_cover(state, attack, card)
        case ThrowIn(cards):
            _check_throw(state, cards)
        case Transfer(card):
            _check_transfer(state, card)
        case Show(card):
            _check_show(state, card)
        case Take() | Pass():
            # R19: one may take whenever something is unbeaten. R22: one may always pass.
            pass
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
        missing = " ".join(str(card) for card in cards if unknown >> card & 1)
        raise IllegalAction(
            "R12", f"{missing} cannot be played from a hand that does not hold it: play a card you hold."
        )


def _check_lead(state: State, cards: tuple[Card, ...]) -> None:
    _check_held(state, cards)
    # R13: the leader opens the bout with one card, or, where so chosen, several of one rank.
    if len(cards) > 1 and state.rules.lead is LeadCards.ONE:
        raise IllegalAction("R13", "These rules open a bout with one card: lead only one.")
    if card_set(cards) & ~SAME_RANK[cards[0]]:
        raise IllegalAction("R13", "Cards that are led together must be of one rank: leave out the others.")
    _check_room(state, len(cards))


def _check_room(state: State, more: int) -> None:
    size, unbeaten = state.hands[state.defender].size, len(state.unbeaten)
    # R14: never more unbeaten cards than the defender has cards in hand.
    if unbeaten + more > size:
        raise IllegalAction(
            "R14", f"The defender holds {_cards(size)}, and no more may lie unbeaten: {_at_most(state)}."
        )
    # R15, R16: never more attack cards in a bout than the cap, which may be lower until a bout has been beaten.
    cap = state.attack_cap()
    if cap is not None and len(state.table) + more > cap:
        rule, until = ("R15", "") if cap == state.rules.bout_cap else ("R16", " before the first beaten one")
        raise IllegalAction(rule, f"A bout{until} has {_cards(cap)} of attack at most: {_at_most(state)}.")


def _at_most(state: State) -> str:
    room = state.room()
    return f"lay {room} at most" if room else "nothing can be added"


def _cards(number: int) -> str:
    return "1 card" if number == 1 else f"{number} cards"


def _check_cover(state: State, attack: Card, card: Card) -> None:
    # R18: the defender may beat the unbeaten cards in any order, each once and for good.
    if attack not in state.unbeaten:
        where = "is already beaten" if attack in [laid for laid, _ in state.table] else "does not attack"
        raise IllegalAction("R18", f"{attack} {where}: beat {_either(state.unbeaten)}, or take.")
    _check_held(state, (card,))
    # R17: a higher card of the same suit beats, and a trump beats every card that is none.
    if not BEATING[state.trump][attack] >> card & 1:
        what = f"a higher {attack.suit.symbol}"
        if attack.suit != state.trump:
            what += f" or a {state.trump.symbol}, which is trump"
        raise IllegalAction("R17", f"{card} does not beat {attack}: play {what}, or take.")


def _either(cards: tuple[Card, ...]) -> str:
    return " or ".join(map(str, cards))


def _check_throw(state: State, cards: tuple[Card, ...]) -> None:
    _check_held(state, cards)
    # R21: cards thrown in have ranks that lay on the table before.
    other = card_set(cards) & ~ranks_on_table(state)
    if other:
        odd = " ".join(str(card) for card in cards if other >> card & 1)
        raise IllegalAction("R21", f"{odd} has no equal rank on the table: throw in a rank that lies there, or pass.")
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
        raise IllegalAction("R28", "These rules know no transfer by showing a trump: lay the card, beat, or take.")
    _check_moment(state)
    if any(cover is not None for _, cover in state.table):
        raise IllegalAction("R28", "A trump is shown only before anything is beaten: beat the rest, or take.")
    _check_held(state, (card,))
    if card.suit != state.trump:
        raise IllegalAction("R28", f"{card} is no trump, and only a trump is shown: lay the card, beat, or take.")
    if state.shown >> card & 1:
        raise IllegalAction("R28", f"{card} was already shown in this bout: lay it, beat, or take.")
    _check_rank(state, card)
    _check_target(state, 0)


def _check_moment(state: State) -> None:
    # R24: a transfer is possible never, before anything is beaten, or as long as something is unbeaten.
    if state.rules.transfer is Transfers.NONE:
        raise IllegalAction("R24", "These rules know no transfer: beat, or take.")
    if state.rules.transfer is Transfers.BEFORE_BEAT and any(cover is not None for _, cover in state.table):
        raise IllegalAction("R24", "A transfer is possible only before anything is beaten: beat the rest, or take.")
    # R27: where so chosen, nothing is transferred in the first bout of a game.
    if not state.rules.transfer_first_bout and state.bouts == 0:
        raise IllegalAction("R27", "In the first bout of a game nothing is transferred: beat, or take.")


def _check_rank(state: State, card: Card) -> None:
    # R25: all unbeaten cards must be of one rank, and the card that transfers them of the same.
    attack = state.unbeaten
    if card_set(attack) & ~SAME_RANK[card]:
        raise IllegalAction("R25", f"{card} is not of the rank of all unbeaten cards: beat {_either(attack)}, or take.")


def _check_target(state: State, more: int) -> None:
    # R26: the attack goes to the next player still in, and must not be too big for their hand or for the bout.
    target = state.next_in(state.defender)
    if target is None:
        raise IllegalAction("R26", "Nobody else is left to take over the attack: beat, or take.")
    size, cap = state.hands[target].size, state.attack_cap()
    if len(state.unbeaten) + more > size:
        raise IllegalAction(
            "R26", f"The next player holds only {_cards(size)}, too few for this attack: beat, or take."
        )
    if cap is not None and len(state.table) + more > cap:
        raise IllegalAction("R26", f"A bout has {_cards(cap)} of attack at most, and these lie already: beat, or take.")
