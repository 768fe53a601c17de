"""What both descriptions of the game say about bouts and the end, sentence by sentence; see ``docs/sources.md``."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from p2pdurak.cards import pack
from p2pdurak.game.actions import Cover, Transfer
from p2pdurak.game.rules import legal_actions, outcome
from p2pdurak.game.ruleset import PRESETS, DrawOrder, LeadCards, Throwers, Transfers
from p2pdurak.game.simulate import deal, play
from p2pdurak.game.state import Decision, Phase, State
from tests.game.positions import after, bits, everybody_asked, hand, legal, of_kind, position, refilled, refused, table

if TYPE_CHECKING:
    from collections.abc import Iterator

SOURCES = ("albanian", "perevodnoy-2")
PEREVODNOY_2 = PRESETS["perevodnoy-2"]

both = pytest.mark.parametrize("name", SOURCES)


@both
def test_the_leader_lays_any_card_against_the_left_neighbour(name: str) -> None:
    state = position("6♣ 9♦ A♠ K♥", "7♣ 8♣", "9♣ 8♦", rules=PRESETS[name], leader=0)
    assert sorted(legal(state)) == sorted(["lead 6♣", "lead 9♦", "lead A♠", "lead K♥"])
    assert state.defender == 1
    assert position("6♣", "7♣ 8♣", "9♣ 8♦", rules=PRESETS[name], leader=2).defender == 0


@both
def test_the_left_neighbour_has_to_beat_it(name: str) -> None:
    state = after(position("6♣ 9♦", "7♣ 8♣ 9♥", "9♣ 8♦", rules=PRESETS[name]), "lead 6♣")
    assert (state.asked, state.decision) == (1, Decision.DEFEND)
    # Nobody else can do anything about it, and whoever does not beat takes.
    assert legal(state) == ["cover 6♣ 8♣", "cover 6♣ 7♣", "take"]


@both
def test_a_higher_card_of_the_suit_beats(name: str) -> None:
    state = after(position("9♣ 6♦", "8♣ 10♣ A♣ A♦ 10♥", rules=PRESETS[name]), "lead 9♣")
    assert of_kind(state, Cover) == ["cover 9♣ A♣", "cover 9♣ 10♣"]
    assert refused(state, "cover 9♣ 8♣") == refused(state, "cover 9♣ A♦") == "R17"


@both
def test_any_trump_beats_a_card_that_is_none(name: str) -> None:
    state = after(position("A♣ 6♦", "6♠ A♠ K♣ A♦", rules=PRESETS[name], turned="7♠"), "lead A♣")
    assert of_kind(state, Cover) == ["cover A♣ A♠", "cover A♣ 6♠"]


@both
def test_only_a_higher_trump_beats_a_trump(name: str) -> None:
    state = after(position("9♠ 6♦", "6♠ A♠ 10♠ A♦ A♣", rules=PRESETS[name], turned="7♠"), "lead 9♠")
    assert of_kind(state, Cover) == ["cover 9♠ A♠", "cover 9♠ 10♠"]


@both
def test_after_a_beat_the_others_throw_in_ranks_that_lie_on_the_table(name: str) -> None:
    state = after(position("6♣ 6♦ K♥", "8♣ 9♥ J♥", "8♦ 6♥ Q♥", rules=PRESETS[name]), "lead 6♣")
    assert state.asked == 1
    state = after(state, "cover 6♣ 8♣")
    assert (state.asked, legal(state)) == (0, ["throw 6♦", "pass"])
    assert refused(state, "throw K♥") == "R21"
    state = after(state, "pass")
    assert (state.asked, legal(state)) == (2, ["throw 8♦", "throw 6♥", "throw 8♦ 6♥", "pass"])
    state = after(state, "throw 8♦")
    assert (state.asked, state.unbeaten) == (1, (next(card for card in pack(36) if str(card) == "8♦"),))


@both
@pytest.mark.parametrize("leader", range(4))
def test_who_led_throws_in_first_and_then_the_right_goes_clockwise(name: str, leader: int) -> None:
    hands = ["6♣ 9♥", "7♣ J♥", "9♣ 10♦", "10♣ Q♣"]
    turned = [hands[(seat - leader) % 4] for seat in range(4)]
    state = after(position(*turned, rules=PRESETS[name], leader=leader), "lead 6♣", "cover 6♣ 7♣")
    assert everybody_asked(state) == [leader, *((leader + step) % 4 for step in (2, 3))]


def random_game(name: str, players: int, seed: int) -> Iterator[State]:
    """A game of random moves, state by state."""
    chance = random.Random(f"{name} {seed}")
    order = chance.sample(pack(36), 36)
    return play(deal(PRESETS[name], order, players), order, lambda state: chance.choice(legal_actions(state)))


@both
def test_what_is_beaten_goes_to_the_discard_and_never_comes_back(name: str) -> None:
    state = after(position("6♣ 9♥", "7♣ J♥", rules=PRESETS[name], discard=""), "lead 6♣", "cover 6♣ 7♣", "pass")
    assert (state.discard, state.table) == (bits("6♣ 7♣"), ())
    gone = 0
    for moment in random_game(name, players=3, seed=1):
        assert moment.discard & gone == gone
        assert not any(held.known & moment.discard for held in moment.hands)
        gone = moment.discard
    assert gone


@both
def test_who_does_not_beat_everything_takes_everything(name: str) -> None:
    state = position("6♣ 6♦ K♥", "8♣ 9♥ J♥", "Q♥ K♦", rules=PRESETS[name])
    state = after(state, "lead 6♣", "cover 6♣ 8♣", "throw 6♦", "take")
    assert state.ended is not None
    assert (state.ended.taken, hand(state, 1)) == (True, "J♥ 9♥ 8♣ 6♣ 6♦")


@both
def test_who_holds_fewer_than_six_draws_up_to_six_the_leader_first_then_clockwise(name: str) -> None:
    hands = ("9♣ 9♥ J♣ Q♣", "6♣ J♥", "7♣ 10♦ K♦ A♦ A♥ A♣", "10♣")
    state = position(*hands, rules=PRESETS[name], talon=20, leader=1)
    state = after(state, "lead 6♣", "cover 6♣ 7♣", "pass", "pass", "pass")
    assert state.draws == ((1, 5), (2, 1), (3, 5), (0, 2))
    assert [held.size for held in refilled(state).hands] == [6] * 4
    short = after(position(*hands, rules=PRESETS[name], talon=7, leader=1), "lead 6♣", "take")
    # The taker holds seven cards and draws none; the talon ends with the third.
    assert short.draws == ((1, 5), (3, 2))


@both
def test_when_only_one_holds_too_few_that_one_draws(name: str) -> None:
    hands = ("6♣ 9♥ J♣ Q♣ K♣ A♣", "7♣ 8♥ 10♦ K♦ A♦ A♥ 10♣")
    state = position(*hands, rules=PRESETS[name], talon=9)
    state = after(state, "lead 6♣", "cover 6♣ 7♣", "pass")
    assert state.draws == ((0, 1),)


@both
def test_the_trump_is_drawn_too_when_the_talon_ends(name: str) -> None:
    state = position("6♣ 9♥ J♣ Q♣", "7♣ J♥", rules=PRESETS[name], talon=4, turned="7♠")
    state = refilled(after(state, "lead 6♣", "cover 6♣ 7♣", "pass"))
    assert (state.talon, state.hands[0].size, hand(state, 1)) == (0, 6, "J♥ 7♠")


@both
def test_the_last_one_with_cards_is_the_fool_and_the_others_got_rid_of_theirs(name: str) -> None:
    fools = 0
    for seed in range(20):
        *_, last = random_game(name, players=4, seed=seed)
        result = outcome(last)
        assert result is not None
        holders = [seat for seat, held in enumerate(last.hands) if held.size]
        if result.fool is not None:
            assert (last.talon, holders) == (0, [result.fool])
            fools += 1
    assert fools > 10


@both
def test_the_same_game_is_also_played_by_the_simple_and_by_the_transferring_rules(name: str) -> None:
    rules = PRESETS[name]
    assert replace(rules, throwers=Throwers.NONE, transfer=Transfers.NONE) == PRESETS["prostoy"]
    assert replace(rules, transfer=Transfers.BEFORE_BEAT) == PRESETS["perevodnoy"]
    assert (rules.lead, rules.draw_order) == (LeadCards.ONE, DrawOrder.CLOCKWISE)


def transferring() -> State:
    return after(position("6♣ 9♥ K♥", "6♦ 7♣ J♥", "6♥ 9♦ 7♦ 8♥", "9♣ 10♣ Q♣", rules=PEREVODNOY_2), "lead 6♣")


def test_instead_of_beating_a_card_of_the_same_rank_passes_both_to_the_next_player() -> None:
    state = transferring()
    assert legal(state) == ["cover 6♣ 7♣", "transfer 6♦", "take"]
    state = after(state, "transfer 6♦")
    assert (state.asked, state.defender, state.table) == (2, 2, table("6♣", "6♦"))


def test_the_next_player_may_transfer_on_with_such_a_card() -> None:
    state = after(transferring(), "transfer 6♦")
    assert of_kind(state, Transfer) == ["transfer 6♥"]
    state = after(state, "transfer 6♥")
    assert (state.asked, state.table) == (3, table("6♣", "6♦", "6♥"))


def test_without_such_a_card_or_the_wish_to_transfer_one_beats() -> None:
    state = after(transferring(), "cover 6♣ 7♣")
    assert (state.asked, state.decision) == (0, Decision.THROW_IN)
    without = after(position("6♣ 9♥", "7♣ J♥", "10♣ Q♣", rules=PEREVODNOY_2), "lead 6♣")
    assert legal(without) == ["cover 6♣ 7♣", "take"]


def test_a_card_thrown_in_is_transferred_with_everything_on_the_table() -> None:
    state = position("6♣ 9♥ K♥", "8♣ 8♦ J♥", "8♥ 7♦ Q♣", "9♣ 10♣ Q♦", rules=PEREVODNOY_2)
    state = after(state, "lead 6♣", "cover 6♣ 8♣", "pass", "throw 8♥")
    assert of_kind(state, Transfer) == ["transfer 8♦"]
    state = after(state, "transfer 8♦")
    assert (state.asked, state.table) == (2, table("6♣ 8♣", "8♥", "8♦"))


def example() -> State:
    """A is seat 0 and leads the six of clubs to B, seat 1."""
    hands = ("6♣ 8♥ 9♥ 9♦ K♣", "8♣ 8♦ J♥")
    return after(position(*hands, rules=PEREVODNOY_2, discard=""), "lead 6♣", "cover 6♣ 8♣", "throw 8♥", "transfer 8♦")


def test_the_example_leaves_two_eights_to_the_first_attacker() -> None:
    state = example()
    assert (state.asked, state.decision) == (0, Decision.DEFEND)
    assert [str(card) for card in state.unbeaten] == ["8♥", "8♦"]


def test_if_the_example_is_beaten_everything_goes_to_the_discard() -> None:
    state = after(example(), "cover 8♥ 9♥", "cover 8♦ 9♦", "pass")
    assert state.phase is Phase.REFILL
    assert state.discard == bits("6♣ 8♣ 8♥ 9♥ 8♦ 9♦")


def test_if_the_example_is_not_beaten_everything_laid_is_taken() -> None:
    state = after(example(), "cover 8♥ 9♥", "take")
    assert hand(state, 0) == "K♣ 9♦ 9♥ 8♣ 8♦ 8♥ 6♣"
