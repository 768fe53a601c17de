"""Leading, throwing in, passing, adding after a take, and the limits of all of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.game.actions import Lead, ThrowIn
from p2pdurak.game.ruleset import Ruleset, Throwers
from p2pdurak.game.state import Decision, Phase
from tests.game.positions import (
    ALBANIAN,
    PODKIDNOY,
    after,
    everybody_asked,
    legal,
    of_kind,
    position,
    refusal,
    refused,
)

LEADER_THROWS = replace(ALBANIAN, throwers=Throwers.LEADER)
NEIGHBOURS_THROW = replace(ALBANIAN, throwers=Throwers.NEIGHBOURS)
ADD_AFTER_TAKE = replace(ALBANIAN, throw_after_take=True)


def test_r11_only_what_is_asked_can_be_done() -> None:
    state = position("6♣ 8♥", "7♣ 8♣", "9♣ 8♦")
    assert state.decision is Decision.LEAD
    assert all(refused(state, action) == "R11" for action in ("take", "pass", "throw 6♣", "cover 6♣ 7♣", "transfer 6♣"))
    state = after(state, "lead 6♣")
    assert (state.asked, state.decision) == (1, Decision.DEFEND)
    assert all(refused(state, action) == "R11" for action in ("pass", "lead 7♣", "throw 7♣"))
    state = after(state, "cover 6♣ 8♣")
    assert (state.asked, state.decision) == (0, Decision.THROW_IN)
    assert all(refused(state, action) == "R11" for action in ("take", "lead 8♥", "cover 8♣ 8♥", "transfer 8♥"))
    assert "throw in or pass" in str(refusal(state, "take"))


def test_r11_between_bouts_nobody_acts() -> None:
    state = after(position("6♣ 8♥", "7♣ 8♣"), "lead 6♣", "take")
    assert state.phase is Phase.REFILL
    assert (state.asked, legal(state)) == (None, [])
    assert refused(state, "lead 8♥") == "R11"


def test_r12_nobody_plays_a_card_they_do_not_hold() -> None:
    state = position("6♣ 8♥", "7♣ 8♣")
    assert refused(state, "lead 6♦") == "R12"
    state = after(state, "lead 6♣")
    assert refused(state, "cover 6♣ 9♣") == "R12"
    assert refused(state, "cover 6♣ 6♣") == "R12"
    assert "6♦" in str(refusal(position("6♣ 8♥", "7♣ 8♣"), "lead 6♦"))


def test_r13_any_single_card_is_led_and_with_same_rank_several() -> None:
    hands = ("6♣ 6♦ 6♥ 9♣", "7♣ 8♣ 9♦ 10♦")
    state = position(*hands, rules=ALBANIAN)
    assert legal(state) == ["lead 9♣", "lead 6♣", "lead 6♦", "lead 6♥"]
    assert refused(state, "lead 6♣ 6♦") == "R13"
    state = position(*hands, rules=PODKIDNOY)
    assert of_kind(state, Lead) == [
        "lead 9♣",
        *("lead 6♣", "lead 6♦", "lead 6♥"),
        *("lead 6♣ 6♦", "lead 6♣ 6♥", "lead 6♦ 6♥", "lead 6♣ 6♦ 6♥"),
    ]
    assert refused(state, "lead 6♣ 9♣") == "R13"


def test_r13_the_first_lead_need_not_be_the_card_that_decided_it() -> None:
    state = position("6♠ 9♣", "8♠ 10♣", turned="7♠", talon=10, bouts=0)
    assert legal(state) == ["lead 9♣", "lead 6♠"]


def test_r14_a_lead_or_a_throw_never_exceeds_the_defenders_hand() -> None:
    state = position("6♣ 6♦ 6♥ 9♣", "7♣ 8♦", rules=PODKIDNOY)
    assert refused(state, "lead 6♣ 6♦ 6♥") == "R14"
    assert "lead 6♣ 6♦" in legal(state)
    state = after(state, "lead 6♣", "cover 6♣ 7♣")
    assert refused(state, "throw 6♦ 6♥") == "R14"
    assert of_kind(state, ThrowIn) == ["throw 6♦", "throw 6♥"]
    assert "than the defender holds cards: lay only one now." in str(refusal(state, "throw 6♦ 6♥"))


@pytest.mark.parametrize("size", [1, 2])
def test_r14_more_is_not_thrown_after_a_take_than_the_taker_holds(size: int) -> None:
    state = position("6♣ 6♦ 6♥", "7♥ 8♥"[: 3 * size - 1], "6♠ 9♦", rules=ADD_AFTER_TAKE)
    state = after(state, "lead 6♣", "take")
    if size == 1:
        # One unbeaten card against one card in hand: nobody is even asked.
        assert state.phase is Phase.REFILL
    else:
        assert of_kind(state, ThrowIn) == ["throw 6♦", "throw 6♥"]
        assert refused(state, "throw 6♦ 6♥") == "R14"
        state = after(state, "throw 6♦")
        assert state.phase is Phase.REFILL


def test_r15_a_bout_has_six_attack_cards_at_most() -> None:
    attacker, defender = "6♣ 6♦ 6♥ 7♦ 7♥ 9♣ 10♣ K♣", "7♣ 9♦ 9♥ 10♦ 10♥ J♣ Q♣ A♣"
    state = after(position(attacker, defender), "lead 6♣", "cover 6♣ 7♣", "throw 6♦ 6♥ 7♦ 7♥", "cover 6♦ 9♦")
    state = after(state, "cover 6♥ 9♥", "cover 7♦ 10♦", "cover 7♥ 10♥")
    assert state.room() == 1
    assert refused(state, "throw 9♣ 10♣") == "R15"
    state = after(state, "throw 9♣", "cover 9♣ J♣")
    assert state.phase is Phase.REFILL
    assert state.ended is not None
    assert len(state.ended.cards) == 12


def test_r15_the_cap_binds_leads_throws_and_adding() -> None:
    rules = replace(PODKIDNOY, bout_cap=2, first_bout_cap=None)
    state = position("6♣ 6♦ 6♥ 7♦", "7♣ 8♣ 9♣ 10♣", rules=rules)
    assert refused(state, "lead 6♣ 6♦ 6♥") == "R15"
    state = after(state, "lead 6♣")
    covered = after(state, "cover 6♣ 7♣")
    assert refused(covered, "throw 6♦ 7♦") == "R15"
    assert after(covered, "throw 6♦", "take").phase is Phase.REFILL
    taking = after(state, "take")
    assert refused(taking, "throw 6♦ 6♥") == "R15"
    assert after(taking, "throw 6♦").phase is Phase.REFILL


def test_r15_without_a_cap_only_the_defenders_hand_limits() -> None:
    rules = replace(ALBANIAN, bout_cap=None)
    state = position("6♣ 6♦ 6♥ 7♦ 7♥ 8♦ 8♥ 9♦", "7♣ 8♣ 9♣ 10♣ J♣ Q♣ K♣ A♣ A♠", turned="K♠", rules=rules)
    state = after(state, "lead 6♣", "cover 6♣ 7♣")
    assert "throw 7♦ 7♥ 6♦ 6♥" in legal(state)
    assert state.room() == 8
    assert state.attack_cap() is None


def test_r16_before_the_first_beaten_bout_the_cap_is_lower_and_taken_bouts_do_not_count() -> None:
    rules = replace(PODKIDNOY, first_bout_cap=2)
    hands = ("6♣ 6♦ 6♥ 6♠ 9♣ 9♦", "7♣ 8♣ 9♥ 10♣ J♣ Q♣")
    for bouts in (0, 1, 5):
        state = position(*hands, rules=rules, talon=24, discard="", bouts=bouts)
        assert refused(state, "lead 6♣ 6♦ 6♥") == "R16"
        assert str(refusal(state, "lead 6♣ 6♦ 6♥")).endswith("are at most 2: lay 2 now, or fewer.")
    state = position(*hands, rules=rules, talon=14, discard="7♦ 8♦", bouts=1)
    assert "lead 6♣ 6♦ 6♥" in legal(state)


def test_r16_the_sources_have_no_lower_cap() -> None:
    state = position("6♣ 9♣", "7♣ 8♣", rules=ALBANIAN, talon=24, discard="", bouts=0)
    assert state.attack_cap() == 6


def test_r20_all_but_the_defender_may_throw_in_the_leader_first_then_clockwise() -> None:
    state = after(position("6♣ 8♥", "7♣ 8♣", "9♣ 8♦", "10♣ J♣", leader=0), "lead 6♣", "cover 6♣ 7♣")
    assert everybody_asked(state) == [0, 2, 3]
    state = after(position("7♣ 8♥", "10♥ 8♣", "9♣ 8♦", "6♣ J♣", leader=3), "lead 6♣", "cover 6♣ 7♣")
    assert everybody_asked(state) == [3, 1, 2]


def test_r20_only_when_everything_is_beaten() -> None:
    state = after(position("6♣ 6♦ 6♥", "7♣ 7♦ 8♥ 9♥", "9♣ 8♦"), "lead 6♣", "cover 6♣ 7♣", "throw 6♦ 6♥", "cover 6♦ 7♦")
    assert (state.asked, state.decision) == (1, Decision.DEFEND)
    assert refused(state, "throw 8♥") == "R11"


def test_r20_neighbours_are_the_next_players_in_on_either_side() -> None:
    hands = ("6♣ 8♥", "7♣ 8♣", "9♣ 8♦", "10♣ J♣", "Q♣ K♣")
    state = after(position(*hands, rules=NEIGHBOURS_THROW), "lead 6♣", "cover 6♣ 7♣")
    assert everybody_asked(state) == [0, 2]
    without_two = (*hands[:2], "", *hands[3:])
    state = after(position(*without_two, rules=NEIGHBOURS_THROW), "lead 6♣", "cover 6♣ 7♣")
    assert everybody_asked(state) == [0, 3]


def test_r20_a_neighbour_who_goes_out_in_mid_bout_is_replaced_by_the_next() -> None:
    hands = ("6♣", "7♣ 8♣ 9♥", "9♣ 8♦", "10♣ J♣")
    state = after(position(*hands, rules=NEIGHBOURS_THROW), "lead 6♣", "cover 6♣ 7♣")
    assert everybody_asked(state) == [2, 3]
    # While the talon lasts, the player without cards is still in, and nobody takes their place.
    state = after(position(*hands, rules=NEIGHBOURS_THROW, talon=9), "lead 6♣", "cover 6♣ 7♣")
    assert everybody_asked(state) == [2]


def test_r20_leader_only_and_nobody_if_the_leader_is_out_or_defends() -> None:
    state = after(position("6♣ 8♥", "7♣ 8♣", "9♣ 8♦", rules=LEADER_THROWS), "lead 6♣", "cover 6♣ 7♣")
    assert everybody_asked(state) == [0]
    state = after(position("6♣", "7♣ 8♣", "9♣ 8♦", rules=LEADER_THROWS), "lead 6♣", "cover 6♣ 7♣")
    assert state.phase is Phase.REFILL


def test_r20_none_ends_the_bout_with_the_beat() -> None:
    rules = Ruleset(throwers=Throwers.NONE)
    state = after(position("6♣ 8♥", "7♣ 8♣", "9♣ 8♦", rules=rules), "lead 6♣", "cover 6♣ 7♣")
    assert state.phase is Phase.REFILL


def test_r21_thrown_ranks_lay_on_the_table_before_the_action() -> None:
    state = after(position("6♣ 6♦ 8♥ 9♥", "8♣ 9♣ 10♣"), "lead 6♣", "cover 6♣ 8♣")
    assert of_kind(state, ThrowIn) == ["throw 8♥", "throw 6♦", "throw 8♥ 6♦"]
    assert refused(state, "throw 9♥") == "R21"
    assert refused(state, "throw 8♥ 9♥") == "R21"
    assert "9♥" in str(refusal(state, "throw 8♥ 9♥"))


def test_r22_a_card_on_the_table_clears_the_passes_and_asking_restarts_at_the_leader() -> None:
    state = position("6♣ 10♥", "7♣ 8♣ A♣ K♣", "7♦ 8♦", "J♣ 7♥")
    state = after(state, "lead 6♣", "cover 6♣ 7♣", "pass", "throw 7♦")
    assert state.asked == 1
    state = after(state, "take")
    assert state.phase is Phase.REFILL
    state = position("6♣ 10♥", "7♣ 8♣ A♠ K♠", "7♦ 8♦", "J♣ 7♥")
    state = after(state, "lead 6♣", "cover 6♣ 7♣", "pass", "throw 7♦", "cover 7♦ A♠")
    assert everybody_asked(state) == [0, 2, 3]


def test_r22_who_has_no_fitting_card_is_asked_all_the_same() -> None:
    state = after(position("6♣ K♥", "7♣ 8♣", "9♣ 10♦"), "lead 6♣", "cover 6♣ 7♣")
    assert (state.asked, legal(state)) == (0, ["pass"])
    state = after(state, "pass")
    assert (state.asked, legal(state)) == (2, ["pass"])


def test_r22_who_holds_no_card_is_not_asked_even_if_the_talon_lasts() -> None:
    state = after(position("6♣", "7♣ 8♣", "9♣ 10♦", talon=7), "lead 6♣", "cover 6♣ 7♣")
    assert state.is_in(0)
    assert everybody_asked(state) == [2]


def test_r22_when_no_more_is_allowed_the_bout_ends_unasked() -> None:
    state = after(position("6♣ 6♦", "7♣", "9♣ 10♦"), "lead 6♣", "cover 6♣ 7♣")
    assert state.phase is Phase.REFILL


def test_r23_after_a_take_each_is_asked_once_earlier_passers_too() -> None:
    hands = ("6♣ 10♥", "7♣ 8♣ A♣ K♣", "7♦ 8♦", "J♣ 7♥ 6♥")
    state = position(*hands, rules=ADD_AFTER_TAKE)
    state = after(state, "lead 6♣", "cover 6♣ 7♣", "pass", "throw 7♦", "take")
    assert (state.asked, state.decision, state.taking) == (0, Decision.ADD, True)
    assert everybody_asked(state) == [0, 2, 3]
    state = after(state, "pass", "pass")
    assert of_kind(state, ThrowIn) == ["throw 7♥", "throw 6♥", "throw 7♥ 6♥"]
    state = after(state, "throw 7♥ 6♥")
    assert state.phase is Phase.REFILL
    assert state.ended is not None
    assert state.ended.taken


def test_r23_adding_does_not_begin_the_round_anew() -> None:
    state = position("6♣ 7♥ 8♥", "9♣ J♣ A♣ K♣", "6♦ 8♦", "J♦ 6♥", rules=ADD_AFTER_TAKE)
    state = after(state, "lead 6♣", "take", "pass", "throw 6♦")
    assert state.asked == 3
    assert everybody_asked(state) == [3]


def test_r23_a_take_is_final() -> None:
    state = position("6♣ 6♦", "7♣ 8♣ A♣ K♣", "9♣ 8♦", rules=ADD_AFTER_TAKE)
    state = after(state, "lead 6♣", "take")
    assert refused(state, "cover 6♣ 7♣") == "R11"
    state = after(state, "throw 6♦", "pass")
    assert state.phase is Phase.REFILL


def test_r23_the_round_goes_by_once_also_when_a_neighbour_goes_out_in_it() -> None:
    rules = replace(NEIGHBOURS_THROW, throw_after_take=True)
    # Seat 3 sits before the defender 4; after its last card, seat 2 is the neighbour, but its turn has gone by.
    state = position("9♣ 10♣", "9♦ 10♦", "6♦ 10♥", "6♣ 6♥", "A♣ K♣ Q♣ J♣", rules=rules, leader=3)
    state = after(state, "lead 6♣", "take")
    assert state.asked == 3
    state = after(state, "throw 6♥")
    assert state.asked == 0
    assert everybody_asked(state) == [0, 2]


def test_r23_the_sources_do_not_add_after_a_take() -> None:
    state = after(position("6♣ 6♦", "7♣ 8♣ A♣", "9♣ 8♦", rules=ALBANIAN), "lead 6♣", "take")
    assert state.phase is Phase.REFILL
