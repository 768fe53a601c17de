"""Replicas that know only what is public, and what a seat sees."""

from __future__ import annotations

import random

import pytest

from p2pdurak.cards import parse_card
from p2pdurak.game.actions import parse_action
from p2pdurak.game.rules import apply, check, legal_actions, refill, start
from p2pdurak.game.ruleset import PRESETS
from p2pdurak.game.simulate import drawn
from p2pdurak.game.state import Hand, Phase, State
from tests.game.positions import PEREVODNOY_2, after, bits, position, refused
from tests.game.strategies import random_game, random_ruleset


def unseen(players: int = 3) -> State:
    return start(PEREVODNOY_2, 36, 0, parse_card("7♠"), [Hand(0, 6)] * players, 0)


def test_any_card_may_come_from_a_hidden_hand_that_can_hold_it() -> None:
    state = after(unseen(), "lead 6♣")
    assert state.hands[0] == Hand(0, 5, 0)
    state = after(state, "cover 6♣ 7♣")
    assert state.hands[1] == Hand(0, 5, 0)
    state = after(state, "throw 6♦ 7♦")
    assert state.hands[0].size == 3


def test_r12_a_card_that_is_publicly_elsewhere_comes_from_no_hand() -> None:
    state = unseen()
    assert refused(state, "lead 7♠") == "R12"  # the face-up card under the talon
    assert refused(state, "lead 2♣") == "R12"  # not in this pack
    state = after(state, "lead 6♣")
    assert refused(state, "cover 6♣ 6♣") == "R12"  # on the table
    state = refill(after(state, "cover 6♣ 7♣", "pass", "pass"), {})
    assert refused(state, "lead 7♣") == "R12"  # in the discard
    state = refill(after(state, "lead 8♣", "take"), {})
    assert state.hands[2].public == bits("8♣")
    assert state.asked == 0
    assert refused(state, "lead 8♣") == "R12"  # taken by another seat
    state = refill(after(state, "lead 9♣", "cover 9♣ J♣", "pass", "pass"), {})
    state = after(state, "lead 10♣")
    assert (state.asked, state.hands[2].known) == (2, bits("8♣"))


def test_r12_no_more_unknown_cards_than_the_hand_has() -> None:
    state = position("6♣ 9♥", "7♣ 9♦ 8♦ A♠ A♥", "8♥ 10♥", rules=PRESETS["podkidnoy"])
    state = state._replace(hands=(Hand(bits("6♣"), 1), *state.hands[1:]))
    assert refused(state, "lead 9♥ 9♣") == "R12"
    assert after(state, "lead 9♥").hands[0] == Hand(bits("6♣"))
    only_known = state._replace(hands=(Hand(bits("6♣ 9♥")), *state.hands[1:]))
    assert refused(only_known, "lead K♣") == "R12"


def test_legal_actions_need_the_hand() -> None:
    state = unseen()
    with pytest.raises(ValueError, match="seen_by"):
        legal_actions(state)
    assert legal_actions(state.seen_by(0, bits("6♣ 6♦ 6♥ 8♠ 9♠ 10♠")))
    assert legal_actions(refill(after(state, "lead 6♣", "take"), {})._replace(asked=None)) == ()


@pytest.mark.parametrize("hand", ["6♣", "6♣ 6♦ 6♥ 8♠ 9♠ 10♠ J♠", "7♠ 6♦ 6♥ 8♠ 9♠ 10♠", ""])
def test_a_seat_cannot_be_seen_with_cards_it_cannot_have(hand: str) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        unseen().seen_by(0, bits(hand))


def test_a_seat_cannot_be_seen_without_what_it_took() -> None:
    state = refill(after(unseen(), "lead 6♣", "take"), {})
    taken = "7♣ 8♣ 9♣ 10♣ J♣ Q♣"
    with pytest.raises(ValueError, match="cannot be"):
        state.seen_by(1, bits(taken + " K♣"))
    assert state.seen_by(1, bits(taken + " 6♣")).hands[1] == Hand(bits(taken + " 6♣"), 0, bits("6♣"))


@pytest.mark.parametrize("seed", range(60))
def test_a_replica_of_public_facts_stays_equal_to_the_full_state_with_hands_hidden(seed: int) -> None:
    chance = random.Random(seed)
    rules, pack_size, players = random_ruleset(chance), chance.choice([36, 52]), chance.randint(2, 6)
    full, order = random_game(chance, rules, pack_size, players)
    seat = chance.randrange(players)
    spectator, player = full.public_view(), full.view(seat)
    while full.phase is not Phase.OVER:
        if full.phase is Phase.REFILL:
            cards = drawn(full, order)
            full, spectator = refill(full, cards), refill(spectator, {})
            player = refill(player, {seat: cards[seat]} if seat in cards else {})
        else:
            action = chance.choice(legal_actions(full))
            check(spectator, action)
            full, spectator, player = (apply(state, action) for state in (full, spectator, player))
        assert spectator == full.public_view()
        assert player == full.view(seat)
        if full.asked == seat:
            assert legal_actions(player) == legal_actions(full)
    assert spectator.asked is None


def test_what_a_seat_sees_holds_no_other_hand() -> None:
    state, _ = random_game(random.Random(2), PEREVODNOY_2, 36, 4)
    seen = state.view(1)
    assert seen.hands[1].known == state.hands[1].known
    assert all(hand.known == hand.public == 0 for seat, hand in enumerate(seen.hands) if seat != 1)


def test_public_cards_of_a_shown_hand_are_known_to_all() -> None:
    state = position("6♣ 9♥", "6♠ 9♦", "8♣ 10♣", turned="K♠", rules=PEREVODNOY_2)
    rules = PEREVODNOY_2.__class__(transfer=PEREVODNOY_2.transfer, transfer_by_showing=True)
    hidden = state._replace(setup=state.setup._replace(rules=rules)).public_view()
    shown = apply(apply(hidden, parse_action("lead 6♣")), parse_action("show 6♠"))
    assert shown.hands[1] == Hand(bits("6♠"), 1, bits("6♠"))
