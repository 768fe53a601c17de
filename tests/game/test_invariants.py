"""What must hold in every game of every ruleset: random games, checked after each step."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pdurak.cards import card_set, pack
from p2pdurak.errors import IllegalAction
from p2pdurak.game.actions import Cover, Lead, Pass, Show, Take, ThrowIn, Transfer
from p2pdurak.game.rules import apply, check, legal_actions, outcome, refill
from p2pdurak.game.ruleset import PRESETS, Ruleset
from p2pdurak.game.simulate import drawn
from p2pdurak.game.state import Phase, State
from tests.game.strategies import random_game, random_ruleset, rulesets

if TYPE_CHECKING:
    from p2pdurak.cards import Card
    from p2pdurak.game.actions import Action

SIZES = list(product(PRESETS, (36, 52), range(2, 7)))


def check_cards(state: State, order: list[Card]) -> None:
    """Every card is in exactly one place."""
    talon = [*order[len(order) - state.talon + 1 :], state.face_up] if state.talon else []
    places = [state.discard, card_set(state.on_table), card_set(talon), *[hand.known for hand in state.hands]]
    assert sum(place.bit_count() for place in places) == len(order)
    union = 0
    for place in places:
        union |= place
    assert union == card_set(order)
    assert all(hand.public & ~hand.known == 0 for hand in state.hands)
    assert sorted(state.emptied) == [seat for seat, hand in enumerate(state.hands) if not hand.size]


def check_limits(state: State) -> None:
    """Unbeaten cards never exceed the defender's hand, attack cards never the cap."""
    assert len(state.unbeaten) <= state.hands[state.defender].size
    cap = state.attack_cap()
    assert cap is None or len(state.table) <= cap


def check_asked(state: State) -> None:
    """Exactly one seat is asked, which is in and holds cards, and it has something legal to do."""
    actions = legal_actions(state)
    if state.phase is not Phase.BOUT:
        assert (state.asked, actions) == (None, ())
        return
    assert state.asked is not None
    assert state.hands[state.asked].size > 0
    assert state.asked not in state.places
    assert state.defender not in state.places
    assert actions
    assert len(set(actions)) == len(actions)


def check_refill(before: State, after: State) -> None:
    """A refill only raises hands below six, in order, to six or until the talon is empty."""
    talon = before.talon
    gained = [new.size - old.size for old, new in zip(before.hands, after.hands, strict=True)]
    assert gained == [dict(before.draws).get(seat, 0) for seat in range(before.players)]
    for seat, number in before.draws:
        talon -= number
        assert after.hands[seat].size == 6 or talon == 0
        assert after.hands[seat].size <= 6
    assert after.talon == talon
    if talon:
        assert all(hand.size >= 6 for hand in after.hands)


def play_checked(chance: random.Random, rules: Ruleset, pack_size: int, players: int) -> State:
    state, order = random_game(chance, rules, pack_size, players)
    steps = 0
    while state.phase is not Phase.OVER:
        before = state
        if state.phase is Phase.REFILL:
            state = refill(state, drawn(state, order))
            check_refill(before, state)
        else:
            state = apply(state, chance.choice(legal_actions(state)))
        check_cards(state, order)
        check_limits(state)
        check_asked(state)
        steps += 1
        assert steps < 20_000, "a game must end"
    result = outcome(state)
    assert result is not None
    assert (result.fool is None) == (result.draw_reason is not None)
    assert len(set(result.places)) == len(result.places)
    assert result.fool not in result.places
    return state


@pytest.mark.parametrize(("name", "pack_size", "players"), SIZES)
def test_games_of_every_preset_deck_and_number_of_players(name: str, pack_size: int, players: int) -> None:
    chance = random.Random(f"{name} {pack_size} {players}")
    for _ in range(4):
        play_checked(chance, PRESETS[name], pack_size, players)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(rulesets(), st.sampled_from([36, 52]), st.integers(2, 6), st.integers())
def test_games_of_any_mixture_of_options(rules: Ruleset, pack_size: int, players: int, seed: int) -> None:
    play_checked(random.Random(seed), rules, pack_size, players)


def every_action(state: State, chance: random.Random) -> list[Action]:
    """All actions of one card, and some of several."""
    cards = pack(state.pack_size)
    several = [tuple(chance.sample(cards, chance.randint(2, 3))) for _ in range(20)]
    ranked = [tuple(card for card in cards if card.rank == rank) for rank in {card.rank for card in cards}]
    groups = [(card,) for card in cards] + several + [group[: chance.randint(2, 4)] for group in ranked]
    return [
        *[kind(group) for group in groups for kind in (Lead, ThrowIn)],
        *[kind(card) for card in cards for kind in (Transfer, Show)],
        *[Cover(attack, card) for attack in (*state.on_table, cards[0]) for card in cards],
        Take(),
        Pass(),
    ]


@pytest.mark.parametrize("seed", range(12))
def test_legal_actions_are_exactly_those_that_pass_the_check(seed: int) -> None:
    chance = random.Random(seed)
    state, order = random_game(chance, random_ruleset(chance), chance.choice([36, 52]), chance.randint(2, 6))
    while state.phase is not Phase.OVER:
        if state.phase is Phase.REFILL:
            state = refill(state, drawn(state, order))
            continue
        legal = legal_actions(state)
        for action in legal:
            check(state, action)
        # The brute force takes its time: now and then is enough.
        for action in every_action(state, chance) if chance.random() < 0.1 else ():
            if action not in legal:
                with pytest.raises(IllegalAction):
                    check(state, action)
        state = apply(state, chance.choice(legal))


@pytest.mark.soak
def test_a_hundred_thousand_games(capsys: pytest.CaptureFixture[str]) -> None:
    chance = random.Random(2024)
    of_presets = [(PRESETS[name], pack_size, players) for name, pack_size, players in SIZES * 500]
    mixed = [(random_ruleset(chance), chance.choice([36, 52]), chance.randint(2, 6)) for _ in range(70_000)]
    endings: Counter[str] = Counter()
    longest = 0
    for rules, pack_size, players in of_presets + mixed:
        state = play_checked(chance, rules, pack_size, players)
        result = outcome(state)
        assert result is not None
        endings["fool" if result.draw_reason is None else result.draw_reason.value] += 1
        longest = max(longest, state.bouts)
    assert endings.total() == 100_000
    with capsys.disabled():
        print(f"\n{dict(endings)}, the longest game had {longest} bouts")
