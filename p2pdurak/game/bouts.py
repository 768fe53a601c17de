"""The course of a game from bout to bout: its start, what follows a bout, drawing, and the end.

The engine knows no chance: the deal and all drawn cards come in as arguments, known to the viewer or not.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from p2pdurak.cards import Card, CardSet, card_set, cards_in, pack
from p2pdurak.game.ruleset import HAND_CARDS, MIN_PLAYERS, DrawOrder, Draws, Ruleset, max_players
from p2pdurak.game.state import BoutEnd, Hand, Phase, Position, Setup, State, with_hand

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

REPETITIONS: Final = 3
"""R40: how often a position must occur for a draw."""

IDLE_BOUTS: Final = 100
"""R40: bouts in a row without a draw or a discard that make a draw; games that finish need about half as many."""


class DrawReason(Enum):
    """Why a game has no fool: R39, and the two ways of R40."""

    EMPTY_HANDS = "empty-hands"
    REPETITION = "repetition"
    NO_PROGRESS = "no-progress"


class Outcome(NamedTuple):
    """How a game ended: the fool or None, the seats without cards, first out first, and why it is a draw if so."""

    fool: int | None
    places: tuple[int, ...]
    draw_reason: DrawReason | None = None


def start(rules: Ruleset, pack_size: int, dealer: int, face_up: Card, hands: Sequence[Hand], leader: int) -> State:
    """Return the state at the first lead, after the deal: ``hands`` by seat, as far as the viewer knows them.

    With an empty talon (R5) the face-up card is in the dealer's hand, whether the caller names it there or not.
    Raises ValueError when this cannot come from a deal, NotationError for a pack that does not exist.
    """
    # R1, R2: a pack of 36 or 52 cards, and two to six players.
    players, whole = len(hands), card_set(pack(pack_size))
    if not MIN_PLAYERS <= players <= max_players(pack_size):
        raise ValueError(f"{players} players cannot play: it takes {MIN_PLAYERS} to {max_players(pack_size)}")
    if not (0 <= dealer < players and 0 <= leader < players):
        raise ValueError("the dealer and the leader must have a seat")
    talon = pack_size - HAND_CARDS * players
    dealt = [Hand(hand.known, hand.hidden) for hand in hands]
    # R5: with six players and 36 cards, the trump is the dealer's last card, seen by all.
    if talon == 0:
        known, hidden, _ = dealt[dealer]
        bit = 1 << face_up
        dealt[dealer] = Hand(known | bit, hidden - (not known & bit), bit)
    # R3: six cards for each player, each from the pack.
    known_cards = [card for hand in dealt for card in cards_in(hand.known)]
    if any(hand.size != HAND_CARDS or hand.hidden < 0 for hand in dealt):
        raise ValueError(f"each hand must have {HAND_CARDS} cards")
    if len(set(known_cards)) < len(known_cards) or card_set(known_cards) & ~whole or face_up not in pack(pack_size):
        raise ValueError("the cards must be of the pack, and each in one place")
    if talon and face_up in known_cards:
        raise ValueError(f"{face_up} lies under the talon and cannot be in a hand")
    setup = Setup(rules, pack_size, dealer, face_up, face_up.suit)
    # The defender is whoever sits to the leader's left (R14): at the start everybody is in.
    state = State(setup, Phase.BOUT, tuple(dealt), talon, leader, (leader + 1) % players, leader)
    return state.changed(past=(_position(state, leader),))


def end_bout(state: State, *, taken: bool) -> State:
    """Return the state after the bout's last action: the table cleared, and who draws how many."""
    defender, cards = state.defender, state.on_table
    ended = BoutEnd(state.leader, defender, taken, cards)
    hands, discard = state.hands, state.discard
    if taken:
        # R31: the defender takes everything on the table, beaten pairs too, and everybody has seen these cards.
        hands = with_hand(hands, defender, hands[defender].with_public(card_set(cards)))
    else:
        # R30: a beaten bout goes face down to the discard and is out of play.
        discard |= card_set(cards)
    return state.changed(
        phase=Phase.REFILL,
        hands=hands,
        discard=discard,
        table=(),
        taking=False,
        shown=0,
        asked=None,
        bouts=state.bouts + 1,
        ended=ended,
        draws=_draws(state, hands) if state.talon else (),
    )


def _draws(state: State, hands: tuple[Hand, ...]) -> tuple[tuple[int, int], ...]:
    # R33: the leader of the bout draws first, then all others clockwise; where so chosen, the defender draws last.
    order = [state.leader, *state.clockwise(state.leader)]
    if state.rules.draw_order is DrawOrder.DEFENDER_LAST:
        order.remove(state.defender)
        order.append(state.defender)
    draws, talon = [], state.talon
    # R32: each fills up to six before the next draws, as long as the talon lasts.
    for seat in order:
        number = min(HAND_CARDS - hands[seat].size, talon)
        if number > 0:
            draws.append((seat, number))
            talon -= number
    return tuple(draws)


def refill(state: State, drawn: Mapping[int, CardSet]) -> State:
    """Return the next bout's start, or the end of the game, after all have drawn as ``state.draws`` says.

    ``drawn`` gives the cards of those seats whose draw the viewer sees, without the face-up card: who draws that is
    known to all. Raises ValueError out of phase, or when these cannot be the cards.
    """
    ended = state.ended
    if state.phase is not Phase.REFILL or ended is None:
        raise ValueError("cards are drawn only after a bout")
    drawing = dict(state.draws)
    if any(cards and seat not in drawing for seat, cards in drawn.items()):
        raise ValueError("a seat that draws nothing cannot have drawn cards")
    if not state.draws:
        return _next_bout(state, ended)
    hands, talon = state.hands, state.talon - sum([number for _, number in state.draws])
    for seat, number in state.draws:
        # R34: the face-up trump lies under the talon and is drawn last.
        takes_face_up = talon == 0 and seat == state.draws[-1][0]
        hand = _joined(state, hands, seat, number - takes_face_up, drawn.get(seat))
        hands = with_hand(hands, seat, hand.with_public(1 << state.face_up) if takes_face_up else hand)
    emptied = tuple([seat for seat in state.emptied if hands[seat].size == 0])
    return _next_bout(state.changed(hands=hands, talon=talon, emptied=emptied), ended)


def _joined(state: State, hands: tuple[Hand, ...], seat: int, number: int, cards: CardSet | None) -> Hand:
    known, hidden, public = hands[seat]
    if cards is None:
        return Hand(known, hidden + number, public)
    unavailable = state.discard | 1 << state.face_up
    for hand in hands:
        unavailable |= hand.known
    if cards.bit_count() != number or cards & unavailable or cards >> state.pack_size:
        raise ValueError(f"seat {seat} cannot have drawn {' '.join(map(str, cards_in(cards))) or 'nothing'}")
    return Hand(known | cards, hidden, public)


def _next_bout(state: State, ended: BoutEnd) -> State:
    # R37, R39: when no more than one hand is left, the game is over; as long as the talon lasts all hands are full.
    if state.talon == 0 and sum([hand.size > 0 for hand in state.hands]) <= 1:
        return state.changed(phase=Phase.OVER, draws=(), ended=None)
    # R36: who has beaten everything leads next; if they took, the player to their left; who is out is skipped.
    leader = ended.defender
    if ended.taken or not state.is_in(leader):
        leader = _following(state, leader)
    # R40: sizes of talon and discard never return, so only the bouts since they last changed need comparing.
    past = (*(state.past if ended.taken and not state.draws else ()), _position(state, leader))
    over = _endless(past) is not None
    return state.changed(
        phase=Phase.OVER if over else Phase.BOUT,
        leader=leader,
        defender=_following(state, leader),
        asked=None if over else leader,
        past=past,
        draws=(),
        ended=None,
    )


def _following(state: State, seat: int) -> int:
    following = state.next_in(seat)
    assert following is not None  # noqa: S101 - the game would be over
    return following


def _position(state: State, leader: int) -> Position:
    hands = tuple([(hand.size, hand.public) for hand in state.hands])
    return Position(leader, state.talon, state.discard.bit_count(), hands)


def _endless(past: tuple[Position, ...]) -> DrawReason | None:
    # R40: the same public position for the third time, or a hundred bouts without a draw or a discard, is a draw.
    if past.count(past[-1]) >= REPETITIONS:
        return DrawReason.REPETITION
    return DrawReason.NO_PROGRESS if len(past) > IDLE_BOUTS else None


def outcome(state: State) -> Outcome | None:
    """Return how the game ended, None while it goes on."""
    if state.phase is not Phase.OVER:
        return None
    holders = [seat for seat, hand in enumerate(state.hands) if hand.size]
    # R37: the only one who still holds cards is the fool.
    if len(holders) == 1:
        return Outcome(holders[0], state.places)
    if holders:
        return Outcome(None, state.places, _endless(state.past))
    # R39: nobody holds a card: a draw, or, where so chosen, the last defender is the fool.
    if state.rules.draws is Draws.DEFENDER_LOSES:
        return Outcome(state.defender, tuple([seat for seat in state.places if seat != state.defender]))
    return Outcome(None, state.places, DrawReason.EMPTY_HANDS)
