from __future__ import annotations

import random

from p2pdurak.cards import card_set, pack
from p2pdurak.game.actions import Take
from p2pdurak.game.rules import apply, legal_actions, outcome
from p2pdurak.game.simulate import deal, drawn, play
from p2pdurak.game.state import Phase
from tests.game.positions import PEREVODNOY_2


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
