"""Beating, taking and transferring."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.cards import PACK, Suit
from p2pdurak.game.actions import Cover, Show, Transfer
from p2pdurak.game.legality import BEATING
from p2pdurak.game.ruleset import PRESETS, LeadCards
from p2pdurak.game.state import Phase
from tests.game.positions import (
    ALBANIAN,
    APPS,
    PEREVODNOY,
    PEREVODNOY_2,
    after,
    bits,
    everybody_asked,
    hand,
    legal,
    of_kind,
    position,
    refusal,
    refused,
    table,
)

SHOWING = replace(PEREVODNOY_2, transfer_by_showing=True)


@pytest.mark.parametrize("trump", Suit)
def test_r17_what_beats_what(trump: Suit) -> None:
    for attack in PACK:
        for card in PACK:
            higher = card.suit == attack.suit and card.rank > attack.rank
            trumped = card.suit == trump and attack.suit != trump
            assert bool(BEATING[trump][attack] >> card & 1) == (higher or trumped), f"{card} on {attack}"


def test_r17_refusals_say_what_would_beat() -> None:
    state = after(position("6♣ 7♠", "7♦ 6♠ 9♣", turned="K♠"), "lead 6♣")
    assert of_kind(state, Cover) == ["cover 6♣ 9♣", "cover 6♣ 6♠"]
    assert refused(state, "cover 6♣ 7♦") == "R17"
    assert "beat 6♣ with a higher ♣ or a ♠, or take" in str(refusal(state, "cover 6♣ 7♦"))
    state = after(position("6♣ 7♠", "A♦ 6♠ 9♣", turned="K♠"), "lead 7♠")
    assert legal(state) == ["take"]
    assert refused(state, "cover 7♠ 6♠") == "R17"
    assert "beat 7♠ with a higher ♠, or take" in str(refusal(state, "cover 7♠ A♦"))


def test_r18_unbeaten_cards_are_beaten_in_any_order_and_for_good() -> None:
    state = after(position("6♣ 6♦ 6♥ K♦", "7♣ 8♦ 9♥ 8♣", rules=APPS), "lead 6♣ 6♦ 6♥")
    state = after(state, "cover 6♥ 9♥", "cover 6♣ 7♣")
    assert state.unbeaten == PACK[33:34]
    assert refused(state, "cover 6♣ 8♣") == "R18"
    assert "a beaten card stays beaten: beat 6♦, or take." in str(refusal(state, "cover 6♣ 8♣"))
    assert refused(state, "cover 9♥ 8♣") == "R18"
    # Pairs keep the order in which the attack was laid, however it was beaten.
    assert after(state, "cover 6♦ 8♦").table == table("6♣ 7♣", "6♦ 8♦", "6♥ 9♥")


def test_r19_one_may_take_also_when_one_could_beat_and_takes_beaten_pairs_too() -> None:
    state = after(position("6♣ 7♦", "7♣ 8♦ 9♥", rules=ALBANIAN), "lead 6♣")
    assert legal(state) == ["cover 6♣ 7♣", "take"]
    state = after(state, "cover 6♣ 7♣", "throw 7♦", "take")
    assert state.ended is not None
    assert state.ended.taken
    assert hand(state, 1) == "9♥ 8♦ 7♣ 7♦ 6♣"
    assert state.hands[1].public == bits("7♣ 7♦ 6♣")


def test_r24_without_transfer_nobody_transfers() -> None:
    state = after(position("6♣ 7♦", "7♣ 6♦ 9♥", rules=ALBANIAN), "lead 6♣")
    assert refused(state, "transfer 6♦") == "R24"
    assert refused(state, "show 6♦") == "R28"


def test_r24_before_beat_means_that_nothing_is_beaten() -> None:
    hands = ("6♣ 8♥ 7♦", "8♣ 6♦ 8♦ 9♥", "9♣ 9♦ 10♥")
    state = after(position(*hands, rules=PEREVODNOY), "lead 6♣")
    assert of_kind(state, Transfer) == ["transfer 6♦"]
    state = after(state, "cover 6♣ 8♣", "throw 8♥")
    assert refused(state, "transfer 8♦") == "R24"
    assert "only while nothing on the table is beaten: beat the rest, or take." in str(refusal(state, "transfer 8♦"))


def test_r24_the_second_source_transfers_thrown_in_cards_and_beaten_pairs_go_along() -> None:
    hands = ("6♣ 8♥ 7♦", "8♣ 6♦ 8♦ 9♥", "9♣ 9♦ 10♥")
    state = after(position(*hands, rules=PEREVODNOY_2), "lead 6♣", "cover 6♣ 8♣", "throw 8♥")
    assert of_kind(state, Transfer) == ["transfer 8♦"]
    state = after(state, "transfer 8♦")
    assert (state.leader, state.defender, state.asked) == (0, 2, 2)
    assert state.table == table("6♣ 8♣", "8♥", "8♦")
    # The transferred card has left the hand.
    assert hand(state, 1) == "9♥ 6♦"
    state = after(state, "take")
    assert hand(state, 2) == "10♥ 9♣ 9♦ 8♣ 8♦ 8♥ 6♣"


def test_r24_with_any_some_may_be_covered_before_the_rest_is_transferred() -> None:
    rules = replace(PEREVODNOY_2, lead=LeadCards.SAME_RANK)
    hands = ("6♣ 6♦ 7♦ 9♦", "8♣ 6♥ 9♥", "9♣ 10♦ 10♥")
    state = after(position(*hands, rules=rules), "lead 6♣ 6♦", "cover 6♣ 8♣")
    state = after(state, "transfer 6♥")
    assert (state.defender, state.table) == (2, table("6♣ 8♣", "6♦", "6♥"))


def test_r25_all_unbeaten_cards_and_the_transferring_one_share_a_rank() -> None:
    hands = ("6♣ 6♦ 8♥ 9♦", "8♣ 6♥ 8♦ 9♥ 10♥", "9♣ 10♦ J♥ Q♥")
    state = after(position(*hands), "lead 6♣", "cover 6♣ 8♣", "throw 8♥ 6♦")
    assert of_kind(state, Transfer) == []
    assert refused(state, "transfer 6♥") == "R25"
    assert refused(state, "transfer 8♦") == "R25"
    state = after(position(*hands), "lead 6♣")
    assert refused(state, "transfer 8♣") == "R25"


def test_r26_the_target_is_the_next_player_in_and_never_skipped() -> None:
    state = after(position("6♣ 7♦", "6♦ 9♥", "", "9♣ 9♦", "10♣ J♣"), "lead 6♣", "transfer 6♦")
    assert (state.defender, state.asked) == (3, 3)
    state = after(position("6♣ 7♦", "6♦ 9♥", "9♣", "10♣ J♣"), "lead 6♣")
    assert refused(state, "transfer 6♦") == "R26"
    assert "holds only 1, so beat, or take" in str(refusal(state, "transfer 6♦"))


def test_r26_a_player_without_cards_is_a_target_while_the_talon_lasts_so_nothing_is_transferred() -> None:
    state = after(position("6♣", "6♦ 9♥", talon=5), "lead 6♣")
    assert refused(state, "transfer 6♦") == "R26"


def test_r26_nothing_is_transferred_to_oneself() -> None:
    state = after(position("6♣", "6♦ 9♥"), "lead 6♣")
    assert state.next_in(1) is None
    assert refused(state, "transfer 6♦") == "R26"
    assert legal(state) == ["take"]
    assert "nobody else is in" in str(refusal(state, "transfer 6♦"))


def test_r26_two_players_transfer_back_to_the_attacker() -> None:
    state = after(position("6♣ 7♦ 8♥", "6♦ 9♥"), "lead 6♣", "transfer 6♦")
    assert (state.leader, state.defender, state.asked) == (0, 0, 0)
    state = after(state, "cover 6♦ 7♦", "take")
    assert state.ended is not None
    assert (state.ended.leader, state.ended.defender) == (0, 0)


def test_r26_transfers_may_go_full_circle() -> None:
    state = after(position("6♣ 9♦ 8♥ 7♥ J♣", "6♦ 9♥", "6♥ 10♥"), "lead 6♣", "transfer 6♦", "transfer 6♥")
    assert (state.leader, state.defender) == (0, 0)
    assert len(state.unbeaten) == 3


def test_r26_the_cap_of_the_bout_binds_transfers() -> None:
    rules = replace(PEREVODNOY_2, bout_cap=1)
    state = after(position("6♣ 7♦ 8♥", "6♦ 9♥", rules=rules), "lead 6♣")
    assert refused(state, "transfer 6♦") == "R26"
    assert "the limit is 1, so" in str(refusal(state, "transfer 6♦"))


def test_r27_a_table_may_forbid_transfers_in_the_first_bout_of_a_game() -> None:
    rules = replace(PEREVODNOY_2, transfer_first_bout=False, transfer_by_showing=True)
    hands = ("6♣ 7♦ 8♥", "6♦ 9♥ 6♠")
    first = after(position(*hands, rules=rules, talon=20, bouts=0), "lead 6♣")
    assert refused(first, "transfer 6♦") == "R27"
    assert refused(first, "show 6♠") == "R27"
    second = after(position(*hands, rules=rules, talon=20, bouts=1), "lead 6♣")
    assert of_kind(second, Transfer) == ["transfer 6♦", "transfer 6♠"]
    allowed = after(position(*hands, talon=20, bouts=0), "lead 6♣")
    assert "transfer 6♦" in legal(allowed)


def test_r28_the_trump_is_shown_and_stays_in_the_hand_where_all_know_it() -> None:
    state = after(position("6♣ 7♦", "6♠ 9♥", "8♣", rules=SHOWING, turned="K♠"), "lead 6♣")
    assert of_kind(state, Show) == ["show 6♠"]
    state = after(state, "show 6♠")
    assert (state.leader, state.defender, state.asked) == (0, 2, 2)
    assert state.table == table("6♣")
    assert (hand(state, 1), state.hands[1].public) == ("9♥ 6♠", bits("6♠"))
    # The number of unbeaten cards stays, so one card in hand is enough to be the target; laying needs two.
    before = after(position("6♣ 7♦", "6♠ 9♥", "8♣", rules=SHOWING, turned="K♠"), "lead 6♣")
    assert refused(before, "transfer 6♠") == "R26"


def test_r28_each_trump_once_a_bout_and_it_may_still_be_played() -> None:
    hands = ("6♣ 6♦ 7♥", "6♠ 9♥ 10♥")
    state = after(position(*hands, rules=SHOWING, turned="K♠"), "lead 6♣", "show 6♠", "transfer 6♦")
    assert (state.defender, state.unbeaten) == (1, PACK[32:34])
    assert refused(state, "show 6♠") == "R28"
    assert "6♠ was shown already" in str(refusal(state, "show 6♠"))
    played = after(state, "cover 6♦ 6♠")
    assert played.hands[1].public == 0
    ended = after(played, "take")
    assert ended.shown == 0


def test_r28_only_a_trump_of_the_rank_and_only_before_any_beat() -> None:
    state = after(position("6♣ 8♥ 7♦", "8♣ 6♦ 8♠ 6♠", "9♣ 9♦ 10♥", rules=SHOWING, turned="K♠"), "lead 6♣")
    assert refused(state, "show 6♦") == "R28"
    assert refused(state, "show 8♠") == "R25"
    assert refused(state, "show 7♠") == "R12"
    state = after(state, "cover 6♣ 8♣", "throw 8♥")
    assert refused(state, "show 8♠") == "R28"
    assert of_kind(state, Show) == []
    assert of_kind(state, Transfer) == ["transfer 8♠"]


def test_r28_the_target_must_hold_as_many_cards_as_are_unbeaten() -> None:
    rules = replace(SHOWING, lead=LeadCards.SAME_RANK)
    state = after(position("6♣ 6♦ 7♦", "6♠ 9♥", "8♣", rules=rules, turned="K♠"), "lead 6♣ 6♦")
    assert refused(state, "show 6♠") == "R26"


def test_r29_who_led_has_the_first_right_also_after_transfers() -> None:
    hands = ("6♣ K♦ Q♦", "6♦ 9♥", "7♦ 7♣ A♥", "10♣ J♣")
    state = after(position(*hands), "lead 6♣", "transfer 6♦", "cover 6♣ 7♣", "cover 6♦ 7♦")
    assert everybody_asked(state) == [0, 1, 3]


def test_r29_if_the_leader_defends_the_right_passes_clockwise() -> None:
    hands = ("6♣ 7♣ 7♦ 7♥ A♥", "6♦ 9♥", "6♥ 10♣")
    state = after(position(*hands), "lead 6♣", "transfer 6♦", "transfer 6♥")
    state = after(state, "cover 6♦ 7♦", "cover 6♥ 7♥", "cover 6♣ 7♣")
    assert everybody_asked(state) == [1, 2]


def test_a_transfer_with_the_last_card_of_an_empty_talon_leaves_the_player_out() -> None:
    state = after(position("6♣ 7♦ 8♥", "6♦", "9♣ 10♣"), "lead 6♣", "transfer 6♦")
    assert state.places == (1,)
    assert state.defender == 2
    state = after(state, "take")
    assert state.phase is Phase.REFILL


@pytest.mark.parametrize("name", PRESETS)
def test_one_may_always_take_what_attacks(name: str) -> None:
    state = after(position("6♣ 7♦", "7♣ A♠", "8♣", rules=PRESETS[name]), "lead 6♣")
    assert legal(state)[-1] == "take"
