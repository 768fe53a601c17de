"""The fool, places, and draws."""

from __future__ import annotations

from dataclasses import replace

from p2pdurak.game.rules import DrawReason, Outcome, outcome
from p2pdurak.game.ruleset import Draws
from p2pdurak.game.state import Phase, Position
from tests.game.positions import PEREVODNOY_2, after, hand, position, refilled

DEFENDER_LOSES = replace(PEREVODNOY_2, draws=Draws.DEFENDER_LOSES)


def test_r37_the_last_one_with_cards_is_the_fool_also_by_taking() -> None:
    state = after(position("6♣", "7♦ 8♦"), "lead 6♣")
    assert outcome(state) is None
    state = after(state, "take")
    assert (state.phase, outcome(state)) == (Phase.REFILL, None)
    state = refilled(state)
    assert (state.phase, state.asked) == (Phase.OVER, None)
    assert outcome(state) == Outcome(fool=1, places=(0,))


def test_r37_the_bout_is_played_out_before_the_game_is_judged() -> None:
    # Seat 0 is out after its lead; whether seat 1 is a fool depends on the beat.
    state = after(position("6♣", "7♣"), "lead 6♣")
    assert (state.places, state.asked) == ((0,), 1)
    assert outcome(refilled(after(state, "take"))) == Outcome(fool=1, places=(0,))
    assert outcome(refilled(after(state, "cover 6♣ 7♣"))) == Outcome(None, (0, 1), DrawReason.EMPTY_HANDS)


def test_r38_places_go_by_when_the_last_card_left_the_hand() -> None:
    hands = ("7♣ 8♥", "6♦", "8♣ 9♣ 6♥", "6♣ 9♦")
    state = after(position(*hands, leader=3), "lead 6♣", "cover 6♣ 7♣", "pass", "throw 6♦")
    assert state.places == (1,)
    assert refilled(after(state, "take")).places == (1,)


def test_r38_a_hand_that_emptied_before_the_talon_did_keeps_its_moment() -> None:
    # Seat 1 throws in its last card, then seat 0 beats with its last; the talon has one card, which seat 2 draws.
    state = position("7♣ 8♦", "6♦", "6♣ 10♣ J♣ Q♣ K♣ A♣", talon=1, leader=2)
    state = after(state, "lead 6♣", "cover 6♣ 7♣", "pass", "throw 6♦", "cover 6♦ 8♦")
    assert (state.emptied, state.places, state.draws) == ((1, 0), (), ((2, 1),))
    assert outcome(refilled(state)) == Outcome(fool=2, places=(1, 0))


def test_r39_nobody_holding_cards_is_a_draw_or_the_last_defenders_loss() -> None:
    drawn = refilled(after(position("6♣", "7♣"), "lead 6♣", "cover 6♣ 7♣"))
    assert outcome(drawn) == Outcome(None, (0, 1), DrawReason.EMPTY_HANDS)
    lost = refilled(after(position("6♣", "7♣", rules=DEFENDER_LOSES), "lead 6♣", "cover 6♣ 7♣"))
    assert outcome(lost) == Outcome(fool=1, places=(0,))


def test_r39_after_a_transfer_the_final_defender_loses() -> None:
    state = position("6♣ 7♦ 7♣", "6♦", rules=DEFENDER_LOSES)
    state = refilled(after(state, "lead 6♣", "transfer 6♦", "cover 6♣ 7♣", "cover 6♦ 7♦"))
    assert outcome(state) == Outcome(fool=0, places=(1,))


def test_r39_all_can_go_out_in_one_bout() -> None:
    state = after(position("6♣", "7♣ 8♦", "6♦"), "lead 6♣", "cover 6♣ 7♣", "throw 6♦", "cover 6♦ 8♦")
    assert outcome(refilled(state)) == Outcome(None, (0, 2, 1), DrawReason.EMPTY_HANDS)


def test_r40_the_third_occurrence_of_a_public_position_is_a_draw() -> None:
    # Three players hand the same two cards round: after six takes all is as before.
    state = position("6♣ 9♥", "7♣ 9♦", "8♣ 10♣")
    seen = []
    while state.phase is Phase.BOUT:
        seen.append(state.past[-1])
        lead = next(card for card in ("6♣", "8♣") if card in hand(state, state.leader))
        state = refilled(after(state, f"lead {lead}", "take"))
    assert outcome(state) == Outcome(None, (), DrawReason.REPETITION)
    assert state.past.count(state.past[-1]) == 3
    assert max(seen.count(position) for position in seen) == 2


def test_r40_who_leads_is_part_of_the_position() -> None:
    # All hands are as often the same as they may be, but only twice with the same leader.
    state = after(position("6♣ 9♥", "7♣ 9♦", "8♣ 10♣", leader=2), "lead 8♣", "take")
    once = refilled(state).past[-1]
    assert once.leader == refilled(state).leader == 1, "the left of who took leads next"
    others = tuple(once._replace(leader=(once.leader + step) % 3) for step in (1, 2))
    assert refilled(state._replace(past=(once, *others))).phase is Phase.BOUT
    assert outcome(refilled(state._replace(past=(once, once)))) == Outcome(None, (), DrawReason.REPETITION)


def test_r40_a_hundred_bouts_without_a_draw_or_a_discard_are_a_draw() -> None:
    state = position("6♣ 9♥", "7♣ 9♦")
    others = tuple(Position(0, 0, number, ()) for number in range(99))
    state = after(state._replace(past=others), "lead 6♣", "take")
    assert refilled(state).phase is Phase.BOUT
    state = refilled(state._replace(past=(*others, Position(0, 0, 99, ()))))
    assert state.phase is Phase.OVER
    result = outcome(state)
    assert result is not None
    assert (result.fool, result.draw_reason) == (None, DrawReason.NO_PROGRESS)


def test_r40_a_discard_or_a_draw_begins_the_count_anew() -> None:
    others = tuple(Position(0, 0, number, ()) for number in range(100))
    beaten = after(position("6♣ 9♥", "7♣ 9♦")._replace(past=others), "lead 6♣", "cover 6♣ 7♣", "pass")
    assert len(refilled(beaten).past) == 1
    drawn = after(position("6♣ 9♥", "7♣ 9♦", talon=10)._replace(past=others), "lead 6♣", "take")
    assert len(refilled(drawn).past) == 1


def test_r40_also_counts_while_the_talon_lasts() -> None:
    full = position("6♣ 9♥ A♦ 10♥ J♥ Q♥ K♥", "7♣ 9♦ A♥ 8♥ 9♣ Q♣ Q♦ 8♦", talon=7)
    state = refilled(after(full._replace(past=(Position(0, 7, 9, ()),)), "lead 6♣", "take"))
    assert len(state.past) == 2
    assert state.past[-1].talon == 7
