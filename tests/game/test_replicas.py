"""Every peer replicates the game from public facts: a machine that plays any game and compares all replicas."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from p2pdurak.errors import IllegalAction
from p2pdurak.game.actions import Pass
from p2pdurak.game.rules import apply, check, legal_actions, outcome, refill
from p2pdurak.game.simulate import drawn
from p2pdurak.game.state import Phase, State
from tests.game.strategies import any_action, random_game, rulesets

if TYPE_CHECKING:
    from p2pdurak.game.actions import Action
    from p2pdurak.game.ruleset import Ruleset


def verdict(state: State, action: Action) -> str | None:
    """The rule that forbids the action, None if it is legal."""
    try:
        check(state, action)
    except IllegalAction as error:
        return error.rule
    return None


class Replicas(RuleBasedStateMachine):
    """The engine that knows all hands, a spectator's, and one for each seat, which knows that seat's hand alone."""

    @initialize(
        rules=rulesets(), pack_size=st.sampled_from([36, 52]), players=st.integers(2, 6), seed=st.integers(0, 1 << 32)
    )
    def deal(self, rules: Ruleset, pack_size: int, players: int, seed: int) -> None:
        self.full, self.order = random_game(random.Random(seed), rules, pack_size, players)
        self.spectator = self.full.public_view()
        self.seats = [self.full.view(seat) for seat in range(players)]

    def asked(self) -> bool:
        return self.full.phase is Phase.BOUT

    @precondition(asked)
    @rule(choice=st.integers(0, 1 << 16))
    def act(self, choice: int) -> None:
        actions = legal_actions(self.full)
        action = actions[choice % len(actions)]
        assert self.full.asked is not None
        assert legal_actions(self.seats[self.full.asked]) == actions
        self.full = apply(self.full, action)
        self.spectator = apply(self.spectator, action)
        self.seats = [apply(state, action) for state in self.seats]

    @precondition(lambda self: self.full.phase is Phase.REFILL)
    @rule()
    def draw(self) -> None:
        cards = drawn(self.full, self.order)
        self.full, self.spectator = refill(self.full, cards), refill(self.spectator, {})
        self.seats = [
            refill(state, {seat: cards[seat]} if seat in cards else {}) for seat, state in enumerate(self.seats)
        ]

    @precondition(asked)
    @rule(action=any_action())
    def try_anything(self, action: Action) -> None:
        """All agree whether it is legal, and why not; only whether it is held (R12) some cannot know."""
        right = verdict(self.full, action)
        assert (action in legal_actions(self.full)) == (right is None)
        for seat, state in enumerate(self.seats):
            assert verdict(state, action) == right or (seat != self.full.asked and right == "R12")
        seen = verdict(self.spectator, action)
        assert seen == right or right == "R12"
        if right is None:
            assert seen is None

    @precondition(lambda self: self.full.phase is Phase.OVER)
    @rule()
    def rest(self) -> None:
        for state in (self.full, self.spectator, *self.seats):
            assert (state.asked, legal_actions(state), verdict(state, Pass())) == (None, (), "R11")

    @invariant()
    def all_know_the_same_public_facts(self) -> None:
        assert self.spectator == self.full.public_view()
        assert self.seats == [self.full.view(seat) for seat in range(self.full.players)]
        assert outcome(self.spectator) == outcome(self.full)


TestReplicas = Replicas.TestCase
TestReplicas.settings = settings(max_examples=20, stateful_step_count=200)


@pytest.mark.soak
def test_replicas_of_many_games() -> None:
    run_state_machine_as_test(Replicas, settings=settings(max_examples=2000, stateful_step_count=200))
