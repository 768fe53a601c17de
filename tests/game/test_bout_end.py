"""What follows a bout: the discard, taking, drawing, who is out, who leads next."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.game.rules import outcome, refill
from p2pdurak.game.ruleset import DrawOrder, LeadCards
from p2pdurak.game.state import BoutEnd, Hand, Phase, State
from tests.game.positions import PEREVODNOY_2, PODKIDNOY, after, bits, cards, hand, legal, position, refilled

DEFENDER_LAST = replace(PEREVODNOY_2, draw_order=DrawOrder.DEFENDER_LAST)


def passing(state: State) -> State:
    """The bout's end when nobody throws in any more."""
    while state.asked is not None:
        state = after(state, "pass")
    return state


def test_r30_a_beaten_bout_goes_to_the_discard() -> None:
    state = position("6♣ 9♥ A♦", "7♣ 9♦ A♥", "10♣ J♣", talon=12, discard="8♣ 8♦")
    state = passing(after(state, "lead 6♣", "cover 6♣ 7♣"))
    assert state.ended == BoutEnd(leader=0, defender=1, taken=False, cards=cards("6♣ 7♣"))
    assert (state.table, state.discard) == ((), bits("8♣ 8♦ 6♣ 7♣"))
    assert state.bouts == 2


def test_r30_a_two_player_attack_waits_for_the_defender_before_anything_is_discarded() -> None:
    state = after(position("6♣ 9♥", "7♣ 9♦", discard=""), "lead 6♣")
    assert (state.phase, state.asked, state.discard) == (Phase.BOUT, 1, 0)


def test_r30_the_bout_is_over_when_the_defenders_last_card_beats() -> None:
    state = after(position("6♣ 6♦ 9♥", "7♣", "10♣ J♣", talon=9), "lead 6♣", "cover 6♣ 7♣")
    assert state.phase is Phase.REFILL
    assert state.ended is not None
    assert not state.ended.taken


def test_r31_a_taker_holds_everything_of_the_table_in_public() -> None:
    state = after(position("6♣ 7♦ 9♥", "7♣ 9♦ A♥", "10♣ J♣", talon=9), "lead 6♣", "cover 6♣ 7♣", "throw 7♦", "take")
    assert state.ended == BoutEnd(leader=0, defender=1, taken=True, cards=cards("6♣ 7♣ 7♦"))
    assert hand(state, 1) == "A♥ 9♦ 7♣ 7♦ 6♣"
    assert state.hands[1].public == bits("6♣ 7♣ 7♦")
    laid = after(refilled(state), "lead 10♣")
    assert laid.hands[1].public == bits("6♣ 7♣ 7♦")


def test_r32_each_fills_up_to_six_before_the_next_as_long_as_the_talon_lasts() -> None:
    state = position("6♣ 9♥ A♦", "7♣ 9♦ A♥ K♥", "10♣ J♣", talon=7, discard="")
    state = passing(after(state, "lead 6♣", "cover 6♣ 7♣"))
    assert state.draws == ((0, 4), (1, 3))
    state = refill(state, {0: bits("8♣ 8♦ 8♥ 6♥"), 1: bits("K♣ K♦")})
    assert [held.size for held in state.hands] == [6, 6, 2]
    assert state.talon == 0


def test_r32_who_holds_six_or_more_draws_nothing() -> None:
    state = position("6♣ 9♥ A♦ 10♥ J♥ Q♥ K♥", "7♣ 9♦ A♥ 8♥ 9♣ Q♣ Q♦ 8♦", talon=7)
    state = after(state, "lead 6♣", "take")
    assert state.draws == ()
    assert state.phase is Phase.REFILL
    assert refilled(state).phase is Phase.BOUT


def test_r33_the_leader_draws_first_then_clockwise_with_the_defender_in_seat_order() -> None:
    hands = ("8♣ 9♥", "6♣ 9♦", "7♣ A♥", "10♣ J♣")
    state = passing(after(position(*hands, talon=20, leader=1), "lead 6♣", "cover 6♣ 7♣"))
    assert [seat for seat, _ in state.draws] == [1, 2, 3, 0]
    last = passing(after(position(*hands, talon=20, leader=1, rules=DEFENDER_LAST), "lead 6♣", "cover 6♣ 7♣"))
    assert [seat for seat, _ in last.draws] == [1, 3, 0, 2]


def test_r33_who_led_draws_first_also_after_transfers_unless_the_defender_draws_last() -> None:
    hands = ("6♣ 9♥ 8♥", "6♦ 9♦", "7♣ A♥ J♥", "10♣ J♣")
    state = after(position(*hands, talon=20), "lead 6♣", "transfer 6♦", "take")
    assert [seat for seat, _ in state.draws] == [0, 1, 2, 3]
    state = after(position(*hands, talon=20, rules=DEFENDER_LAST), "lead 6♣", "transfer 6♦", "take")
    assert [seat for seat, _ in state.draws] == [0, 1, 3, 2]
    circle = after(position("6♣ 9♥ 8♥", "6♦ 9♦", talon=20, rules=DEFENDER_LAST), "lead 6♣", "transfer 6♦", "take")
    # The leader became the final defender, and draws last although they led.
    assert circle.ended is not None
    assert (circle.ended.leader, circle.ended.defender) == (0, 0)
    assert [seat for seat, _ in circle.draws] == [1, 0]


def test_r34_the_face_up_trump_is_drawn_last_and_everybody_sees_who_has_it() -> None:
    state = position("6♣ 9♥ A♦", "7♣ 9♦ A♥", talon=5, turned="7♠", discard="")
    state = passing(after(state, "lead 6♣", "cover 6♣ 7♣"))
    assert state.draws == ((0, 4), (1, 1))
    unseen = refilled(state)
    assert unseen.hands[0] == Hand(bits("9♥ A♦"), 4, 0)
    assert unseen.hands[1] == Hand(bits("9♦ A♥ 7♠"), 0, bits("7♠"))
    seen = refill(state, {0: bits("8♣ 8♦ 8♥ 6♥")})
    assert seen.hands[0] == Hand(bits("9♥ A♦ 8♣ 8♦ 8♥ 6♥"))
    assert seen.hands[1] == unseen.hands[1]


@pytest.mark.parametrize(
    "drawn",
    [
        {0: "8♣ 8♦ 8♥"},
        {0: "8♣ 8♦ 8♥ 6♥ K♦"},
        {0: "8♣ 8♦ 8♥ 7♠"},
        {0: "8♣ 8♦ 8♥ 6♣"},
        {0: "8♣ 8♦ 8♥ 9♦"},
        {0: "8♣ 8♦ 8♥ 2♣"},
        {1: "8♣"},
        {2: "8♣"},
        {0: ""},
    ],
)
def test_r32_cards_that_cannot_have_been_drawn_are_refused(drawn: dict[int, str]) -> None:
    state = position("6♣ 9♥ A♦", "7♣ 9♦ A♥", "10♣ J♣ Q♣ K♣ A♣ 10♦ J♦", talon=5, turned="7♠", discard="")
    state = passing(after(state, "lead 6♣", "cover 6♣ 7♣"))
    assert state.draws == ((0, 4), (1, 1))
    with pytest.raises(ValueError, match="draw"):
        refill(state, {seat: bits(text) for seat, text in drawn.items()})


def test_r32_one_card_is_not_drawn_by_two() -> None:
    state = position("6♣ 9♥ A♦ K♥ Q♥", "7♣ 9♦ A♥ K♣ Q♣", talon=9, discard="")
    state = passing(after(state, "lead 6♣", "cover 6♣ 7♣"))
    with pytest.raises(ValueError, match="seat 1 cannot have drawn"):
        refill(state, {0: bits("8♣ 8♦"), 1: bits("8♣ 6♥")})


def test_cards_are_drawn_only_after_a_bout() -> None:
    with pytest.raises(ValueError, match="only after a bout"):
        refilled(position("6♣ 9♥", "7♣ 9♦"))


def test_r35_who_is_out_leaves_the_turn_order_at_once() -> None:
    state = after(position("6♣", "7♣ 8♣ 8♦", "7♦ 10♣", "J♥ Q♥"), "lead 6♣", "cover 6♣ 7♣")
    assert state.places == (0,)
    assert not state.is_in(0)
    assert state.asked == 2
    state = refilled(after(state, "throw 7♦", "cover 7♦ 8♦", "pass", "pass"))
    assert (state.leader, state.defender) == (1, 2)


def test_r35_a_hand_without_cards_is_still_in_while_the_talon_lasts() -> None:
    state = after(position("6♣", "7♣ 8♣", talon=8), "lead 6♣", "cover 6♣ 7♣")
    assert state.places == ()
    assert state.is_in(0)
    assert state.draws == ((0, 6), (1, 2))
    state = refilled(state)
    assert state.emptied == ()
    assert (state.phase, state.leader, state.defender) == (Phase.BOUT, 1, 0)


def test_r35_a_player_who_is_owed_a_card_is_not_out() -> None:
    # Both hands are empty after the bout; the talon's one card goes to the leader, and only the other one is out.
    state = after(position("6♣", "7♣", "10♣ J♣ Q♣ K♣ A♣ 8♦", talon=1), "lead 6♣", "cover 6♣ 7♣")
    assert state.draws == ((0, 1),)
    state = refilled(state)
    assert state.places == (1,)
    assert (hand(state, 0), outcome(state)) == ("7♠", None)
    assert (state.leader, state.defender) == (2, 0)


def test_r36_the_defender_leads_after_a_beat_the_takers_left_after_a_take() -> None:
    hands = ("6♣ 9♥", "7♣ 9♦ A♥", "10♣ J♣", "Q♣ K♣")
    beaten = refilled(passing(after(position(*hands), "lead 6♣", "cover 6♣ 7♣")))
    assert (beaten.leader, beaten.defender, beaten.asked) == (1, 2, 1)
    taken = refilled(after(position(*hands), "lead 6♣", "take"))
    assert (taken.leader, taken.defender, taken.asked) == (2, 3, 2)


def test_r36_after_transfers_the_final_defender_counts() -> None:
    hands = ("6♣ 9♥", "6♦ 9♦ A♥", "7♣ 7♦ J♣", "Q♣ K♣")
    beaten = refilled(passing(after(position(*hands), "lead 6♣", "transfer 6♦", "cover 6♣ 7♣", "cover 6♦ 7♦")))
    assert (beaten.leader, beaten.defender) == (2, 3)
    taken = refilled(after(position(*hands), "lead 6♣", "transfer 6♦", "take"))
    assert (taken.leader, taken.defender) == (3, 0)


def test_r36_who_is_out_neither_leads_nor_defends() -> None:
    beaten = refilled(passing(after(position("6♣ 9♥", "7♣", "10♣ J♣", "Q♣ K♣"), "lead 6♣", "cover 6♣ 7♣")))
    assert (beaten.places, beaten.leader, beaten.defender) == ((1,), 2, 3)
    taken = refilled(after(position("6♣", "7♣ 8♦", "", "Q♣ K♣", leader=0), "lead 6♣", "take"))
    assert (taken.leader, taken.defender) == (3, 1)


def test_every_bout_passes_through_the_refill_also_with_an_empty_talon() -> None:
    state = after(position("6♣ 9♥", "7♣ 9♦"), "lead 6♣", "take")
    assert (state.phase, state.draws, legal(state)) == (Phase.REFILL, (), [])
    assert refilled(state).ended is None


def test_a_bout_leaves_nothing_behind() -> None:
    rules = replace(PODKIDNOY, lead=LeadCards.SAME_RANK)
    state = refilled(passing(after(position("6♣ 6♦ 9♥", "7♣ 9♦ K♥", "8♣ 8♦", rules=rules), "lead 6♣ 6♦", "take")))
    assert (state.table, state.taking, state.shown, state.draws, state.ended) == ((), False, 0, (), None)
