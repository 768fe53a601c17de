from __future__ import annotations

import random

import pytest

from p2pdurak.cards import card_set, pack
from p2pdurak.game.actions import Take
from p2pdurak.game.rules import apply, legal_actions, outcome
from p2pdurak.game.ruleset import PRESETS, Ruleset
from p2pdurak.game.simulate import deal, drawn, play
from p2pdurak.game.state import Phase, State
from tests.game.positions import PEREVODNOY_2

# Sequences of actions within the first bout after a fixed deal, by number of actions: they change only with the rules.
SEQUENCES = {
    "prostoy": [6, 12, 0, 0, 0, 0],
    "albanian": [6, 12, 8, 22, 30, 26],
    "perevodnoy": [6, 15, 26, 64, 95, 194],
    "perevodnoy-2": [6, 15, 26, 71, 136, 285],
    "podkidnoy": [7, 15, 19, 35, 37, 48],
    "perevodnoy-apps": [7, 18, 37, 80, 125, 278],
}


def test_a_game_is_played_to_its_end_with_every_state_on_the_way() -> None:
    chance = random.Random(8)
    order = chance.sample(pack(36), 36)
    states = list(
        play(deal(PEREVODNOY_2, order, 3, dealer=2), order, lambda state: chance.choice(legal_actions(state)))
    )
    assert states[0].bouts == 0
    assert states[-1].phase is Phase.OVER
    assert outcome(states[-1]) is not None
    assert all(outcome(state) is None for state in states[:-1])
    assert {state.phase for state in states} == set(Phase)


def test_the_lot_is_the_first_seat_for_those_who_do_not_care() -> None:
    # Two players without trumps: the lowest cards decide, and the lot between equals.
    low = [card for card in pack(36) if card.suit != 3 and card.rank <= 9]
    order = [*low, *[card for card in pack(36)[::-1] if card not in low]]
    state = deal(PEREVODNOY_2, order, 2, dealer=0)
    assert state.trump == 3
    assert state.leader == 0
    assert deal(PEREVODNOY_2, order, 2, dealer=0, lot=lambda seats: seats[-1]).leader == 1


def test_draws_take_the_order_from_the_top_and_leave_the_face_up_card_to_the_engine() -> None:
    order = pack(36)
    state = deal(PEREVODNOY_2, order, 5, dealer=4, leader=0)
    state = apply(apply(state, legal_actions(state)[0]), Take())
    assert state.draws == ((0, 1),)
    assert drawn(state, order) == {0: card_set(order[31:32])}
    assert drawn(state._replace(talon=1), order) == {0: 0}


def sequences(state: State, depth: int) -> int:
    """How many ways there are to act so often before the bout ends."""
    if depth == 0:
        return 1
    return sum(sequences(apply(state, action), depth - 1) for action in legal_actions(state))


@pytest.mark.parametrize("name", SEQUENCES)
def test_the_number_of_ways_to_play_a_bout_stays_as_it_is(name: str) -> None:
    rules: Ruleset = PRESETS[name]
    order = random.Random(1).sample(pack(36), 36)
    state = deal(rules, order, 3, dealer=0, leader=0)
    assert [sequences(state, depth) for depth in range(1, 1 + len(SEQUENCES[name]))] == SEQUENCES[name]
