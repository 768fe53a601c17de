"""Who deals, which card goes to whom, who leads, and what a start refuses."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from p2pdurak.cards import card_set, cards_in, pack, parse_card
from p2pdurak.errors import NotationError
from p2pdurak.game.opening import FIRST, Opening, deal_order, find_leader, lowest_trump_calls, next_opening
from p2pdurak.game.rules import DrawReason, Outcome, start
from p2pdurak.game.ruleset import NextLead, NoTrumpLead
from p2pdurak.game.simulate import deal
from p2pdurak.game.state import Hand, Phase, State
from tests.game.positions import PEREVODNOY_2, bits, cards

if TYPE_CHECKING:
    from collections.abc import Sequence

FROM_UNDER = replace(PEREVODNOY_2, next_lead=NextLead.FROM_UNDER)
ALWAYS_LOWEST_TRUMP = replace(PEREVODNOY_2, next_lead=NextLead.LOWEST_TRUMP)
BY_LOT = replace(PEREVODNOY_2, no_trump_lead=NoTrumpLead.LOT)
DRAW = Outcome(None, (), DrawReason.REPETITION)


def no_lot(seats: Sequence[int]) -> int:
    raise AssertionError(f"no lot is needed between {seats}")


def calls(rules_by_lot: bool = False, pack_size: int = 36, players: int = 2, turned: str = "6♠") -> list[str]:
    rules = BY_LOT if rules_by_lot else PEREVODNOY_2
    called = lowest_trump_calls(rules, pack_size, players, parse_card(turned))
    return [" ".join(map(str, cards_in(call))) for call in called]


def test_r3_cards_go_one_at_a_time_starting_left_of_the_dealer() -> None:
    assert deal_order(3, 0) == (1, 2, 0) * 6
    assert deal_order(2, 1) == (0, 1) * 6
    assert Counter(deal_order(5, 3)) == dict.fromkeys(range(5), 6)


def test_r1_one_pack_from_the_ace_down_to_the_six_or_the_two() -> None:
    ranks = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"]
    assert [str(card) for card in pack(52)] == [rank + suit for rank in ranks for suit in "♣♦♥♠"]
    assert pack(36) == pack(52)[:36]
    assert str(pack(36)[-1]) == "6♠"
    for size in (32, 51, 54):
        with pytest.raises(NotationError, match="choose 36 or 52"):
            pack(size)


def test_r3_whatever_the_hands_are_nothing_is_dealt_anew() -> None:
    # All trumps but one in one hand, and the trump ace turned up: the game begins all the same.
    order = cards("K♠ 6♣ Q♠ 7♣ J♠ 8♣ 10♠ 9♣ 9♠ 10♣ 8♠ J♣ A♠")
    state = deal(PEREVODNOY_2, (*order, *[card for card in pack(36) if card not in order]), 2, dealer=1)
    assert (state.phase, state.leader, state.hands[0].known) == (Phase.BOUT, 0, bits("K♠ Q♠ J♠ 10♠ 9♠ 8♠"))


@pytest.mark.parametrize("pack_size", [36, 52])
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_r2_r4_the_deal_of_every_size_of_game(pack_size: int, players: int) -> None:
    order = pack(pack_size)
    state = deal(PEREVODNOY_2, order, players, dealer=1)
    assert state.players == players
    assert state.talon == pack_size - 6 * players
    turned = order[min(6 * players, pack_size - 1)]
    assert (state.face_up, state.trump) == (turned, turned.suit)
    assert all(hand.size == 6 and hand.hidden == 0 for hand in state.hands)
    assert state.hands[2 % players].known >> order[0] & 1
    assert (state.phase, state.asked, state.bouts) == (Phase.BOUT, state.leader, 0)
    assert state.defender == (state.leader + 1) % players


def test_r5_six_players_with_36_cards_see_the_dealers_last_card() -> None:
    order = random.Random(5).sample(pack(36), 36)
    state = deal(PEREVODNOY_2, order, 6, dealer=2, leader=0)
    trump = 1 << order[-1]
    assert (state.talon, state.face_up) == (0, order[-1])
    assert state.hands[2].public == trump
    assert state.hands[2].known & trump
    unseen = start(PEREVODNOY_2, 36, 2, order[-1], [Hand(0, 6)] * 6, 0)
    assert unseen.hands[2] == Hand(trump, 5, trump)
    assert unseen == state.public_view()


def test_r6_the_lowest_trump_in_hand_leads_and_the_face_up_card_does_not_count() -> None:
    hands = [bits("9♠ 6♣"), bits("8♠ A♠"), bits("6♦ 6♥")]
    assert find_leader(PEREVODNOY_2, 36, hands, parse_card("6♠"), no_lot) == 1
    assert find_leader(PEREVODNOY_2, 36, hands, parse_card("J♥"), no_lot) == 2


def test_r6_with_six_and_36_the_face_up_card_is_in_a_hand_and_counts() -> None:
    assert "6♠" not in calls(turned="6♠")
    assert calls(players=6, turned="6♠")[0] == "6♠"
    hands = list(map(card_set, [cards("6♠"), *([] for _ in range(5))]))
    assert find_leader(PEREVODNOY_2, 36, hands, parse_card("6♠"), no_lot) == 0


def test_r6_trumps_are_called_upwards_one_by_one() -> None:
    assert calls(rules_by_lot=True, turned="7♠") == ["6♠", "8♠", "9♠", "10♠", "J♠", "Q♠", "K♠", "A♠"]
    assert calls(rules_by_lot=True, pack_size=52, turned="A♥")[:3] == ["2♥", "3♥", "4♥"]


def test_r7_then_the_ranks_of_the_other_suits_are_called_upwards() -> None:
    called = calls(turned="7♠")
    assert called[8:10] == ["6♣ 6♦ 6♥", "7♣ 7♦ 7♥"]
    assert len(called) == 8 + 9
    assert len(calls(pack_size=52)) == 12 + 13


def test_r7_without_trumps_the_lowest_card_leads_also_of_the_last_seat() -> None:
    hands = [bits("9♣ 8♦"), bits("8♥ A♣"), bits("7♥ K♣")]
    assert find_leader(PEREVODNOY_2, 36, hands, parse_card("7♠"), no_lot) == 2


def test_r7_equals_are_decided_by_lot_with_one_chance_for_each_seat() -> None:
    hands = [bits("9♣ 8♦"), bits("7♥ 7♣"), bits("7♦ K♣")]
    lots = []

    def lot(seats: Sequence[int]) -> int:
        lots.append(tuple(seats))
        return seats[-1]

    assert find_leader(PEREVODNOY_2, 36, hands, parse_card("7♠"), lot) == 2
    assert find_leader(BY_LOT, 36, hands, parse_card("7♠"), lot) == 2
    assert lots == [(1, 2), (0, 1, 2)]


def test_r8_under_the_fool_the_right_neighbour_leads_and_the_fool_defends() -> None:
    fool = Outcome(fool=2, places=(0, 1, 3))
    assert next_opening(PEREVODNOY_2, fool, dealer=0, players=4) == Opening(dealer=2, leader=1)
    state = deal(PEREVODNOY_2, pack(36), 4, dealer=2, leader=1)
    assert state.defender == 2
    first = Outcome(fool=0, places=(1, 2, 3))
    assert next_opening(PEREVODNOY_2, first, dealer=0, players=4) == Opening(dealer=0, leader=3)


def test_r8_from_under_the_fool_the_left_neighbour_leads() -> None:
    last = Outcome(fool=3, places=(0, 1, 2))
    assert next_opening(FROM_UNDER, last, dealer=0, players=4) == Opening(dealer=3, leader=0)
    assert next_opening(ALWAYS_LOWEST_TRUMP, last, dealer=0, players=4) == Opening(dealer=3, leader=None)


def test_r9_after_a_draw_the_same_dealer_deals_and_the_lowest_trump_leads() -> None:
    assert Opening(dealer=None, leader=None) == FIRST
    assert next_opening(PEREVODNOY_2, DRAW, dealer=3, players=4) == Opening(dealer=3, leader=None)
    assert next_opening(FROM_UNDER, DRAW, dealer=3, players=4) == Opening(dealer=3, leader=None)


def test_r10_the_fool_keeps_the_deal_in_a_new_seat_and_neighbours_go_by_the_new_seats() -> None:
    fool = Outcome(fool=2, places=(0, 1, 3))
    moved = (None, 1, 0, 2)
    assert next_opening(PEREVODNOY_2, fool, dealer=0, players=3, seats=moved) == Opening(dealer=0, leader=2)
    assert next_opening(FROM_UNDER, fool, dealer=0, players=3, seats=moved) == Opening(dealer=0, leader=1)


def test_r10_without_the_fool_or_the_dealer_the_table_begins_anew() -> None:
    fool = Outcome(fool=2, places=(0, 1, 3))
    assert next_opening(PEREVODNOY_2, fool, dealer=0, players=3, seats=(0, 1, None, 2)) == FIRST
    assert next_opening(PEREVODNOY_2, DRAW, dealer=1, players=3, seats=(0, None, 1, 2)) == FIRST
    assert next_opening(PEREVODNOY_2, DRAW, dealer=1, players=3, seats=(None, 2, 1, 0)) == Opening(2, None)


def hands_of(*texts: str) -> list[Hand]:
    return [Hand(bits(text), 6 - len(text.split())) for text in texts]


@pytest.mark.parametrize(
    ("hands", "dealer", "leader", "turned"),
    [
        (hands_of(""), 0, 0, "6♠"),
        (hands_of(*[""] * 7), 0, 0, "6♠"),
        (hands_of("", ""), 2, 0, "6♠"),
        (hands_of("", ""), 0, -1, "6♠"),
        ([Hand(0, 5), Hand(0, 6)], 0, 0, "6♠"),
        (hands_of("6♣", "6♣"), 0, 0, "6♠"),
        (hands_of("6♠", ""), 0, 0, "6♠"),
        (hands_of("2♣", ""), 0, 0, "6♠"),
        (hands_of("", ""), 0, 0, "2♠"),
        (hands_of("6♠", *[""] * 5), 1, 0, "6♠"),
        (hands_of("", "A♣ K♣ Q♣ J♣ 10♣ 9♣", *[""] * 4), 1, 0, "6♠"),
    ],
)
def test_a_start_that_no_deal_gives_is_refused(hands: list[Hand], dealer: int, leader: int, turned: str) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        start(PEREVODNOY_2, 36, dealer, parse_card(turned), hands, leader)


def test_there_is_no_other_pack() -> None:
    with pytest.raises(NotationError):
        start(PEREVODNOY_2, 24, 0, parse_card("A♠"), [Hand(0, 6)] * 2, 0)
    with pytest.raises(NotationError):
        deal(PEREVODNOY_2, pack(36)[1:], 2)
    with pytest.raises(ValueError, match="each card of a pack once"):
        deal(PEREVODNOY_2, (*pack(36)[1:], pack(36)[1]), 2)


def test_a_start_remembers_its_position() -> None:
    state: State = deal(PEREVODNOY_2, pack(52), 4, leader=3)
    assert [(position.leader, position.talon, position.discard) for position in state.past] == [(3, 28, 0)]
