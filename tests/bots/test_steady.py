from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

import pytest

from p2pdurak.bots.steady import choose, price
from p2pdurak.cards import parse_card
from p2pdurak.game.rules import Outcome, apply, check, legal_actions, outcome, refill
from p2pdurak.game.ruleset import PRESETS, Ruleset
from p2pdurak.game.simulate import drawn
from p2pdurak.game.state import Phase, State
from tests.game.positions import PEREVODNOY_2, PODKIDNOY, after, position
from tests.game.strategies import random_game, random_ruleset

if TYPE_CHECKING:
    from p2pdurak.game.actions import Action


def seen_choice(state: State) -> Action:
    """What the bot does; it is shown no card of another hand that is not public."""
    assert state.asked is not None
    view = state.view(state.asked)
    assert all(hand.known == hand.public for seat, hand in enumerate(view.hands) if seat != state.asked)
    action = choose(view)
    check(view, action)
    check(state, action)
    return action


def play(chance: random.Random, rules: Ruleset, pack_size: int, players: int, bots: set[int]) -> Outcome:
    state, order = random_game(chance, rules, pack_size, players)
    while state.phase is not Phase.OVER:
        if state.phase is Phase.REFILL:
            state = refill(state, drawn(state, order))
        else:
            action = seen_choice(state) if state.asked in bots else chance.choice(legal_actions(state))
            state = apply(state, action)
    result = outcome(state)
    assert result is not None
    return result


@pytest.mark.parametrize(("name", "players"), list(product(PRESETS, range(2, 7))))
def test_whole_games_of_bots_are_legal_and_end(name: str, players: int) -> None:
    chance = random.Random(f"{name} {players}")
    for pack_size in (36, 52):
        play(chance, PRESETS[name], pack_size, players, set(range(players)))


@pytest.mark.parametrize("seed", range(20))
def test_bots_cope_with_any_rules_and_any_company(seed: int) -> None:
    chance = random.Random(seed)
    players = chance.randint(2, 6)
    bots = set(chance.sample(range(players), chance.randint(1, players)))
    play(chance, random_ruleset(chance), chance.choice([36, 52]), players, bots)


@pytest.mark.parametrize("name", PRESETS)
def test_it_beats_a_random_player_clearly(name: str) -> None:
    chance = random.Random(name)
    results = [(seat, play(chance, PRESETS[name], 36, 2, {seat})) for seat in (0, 1) * 100]
    lost = sum(result.fool == seat for seat, result in results)
    won = sum(result.fool == 1 - seat for seat, result in results)
    assert won > 180
    assert lost < 12


def test_the_same_view_gives_the_same_choice() -> None:
    state, _ = random_game(random.Random(4), PEREVODNOY_2, 36, 3)
    assert state.asked is not None
    assert len({choose(state.view(state.asked)) for _ in range(5)}) == 1


def test_it_leads_low_and_keeps_trumps() -> None:
    state = position("6♠ 9♣ A♥", "7♣ 8♣ 9♦", turned="7♠", talon=10)
    assert str(choose(state.view(0))) == "lead 9♣"
    pairs = position("6♠ 6♣ 6♦ 9♣", "7♣ 8♣ 9♦", turned="7♠", talon=10, rules=PODKIDNOY)
    assert str(choose(pairs.view(0))) == "lead 6♣ 6♦"


def test_it_beats_with_the_lowest_card_that_serves() -> None:
    state = after(position("6♣ 9♣ A♥", "7♠ 8♣ 10♣ 9♦", turned="K♠", talon=10), "lead 6♣")
    assert str(choose(state.view(1))) == "cover 6♣ 8♣"


def test_it_takes_early_rather_than_spend_a_high_trump_and_does_not_when_the_talon_is_gone() -> None:
    early = after(position("6♣ 9♣ A♥", "A♠ 9♦ 10♦", turned="K♠", talon=12), "lead 6♣")
    assert str(choose(early.view(1))) == "take"
    late = after(position("6♣ 9♣ A♥", "A♠ 9♦ 10♦", turned="K♠"), "lead 6♣")
    assert str(choose(late.view(1))) == "cover 6♣ A♠"


def test_it_takes_at_once_what_it_cannot_beat_as_a_whole() -> None:
    state = after(position("6♣ 6♦ A♥", "8♣ 9♥ 10♥", rules=PODKIDNOY), "lead 6♣ 6♦")
    assert str(choose(state.view(1))) == "take"


def test_it_transfers_with_a_plain_card() -> None:
    state = after(position("6♣ 9♣ A♥", "6♦ 8♣ 10♥", "7♣ 7♦"), "lead 6♣")
    assert str(choose(state.view(1))) == "transfer 6♦"


def test_it_throws_in_low_cards_but_no_trumps() -> None:
    state = after(position("6♣ 6♦ 6♠ A♥", "8♣ 9♥ 10♥ J♥", turned="K♠", talon=12), "lead 6♣", "cover 6♣ 8♣")
    assert str(choose(state.view(0))) == "throw 6♦"
    high = after(position("K♣ K♦ 6♠ 7♥", "A♣ 9♥ 10♥ J♥", turned="Q♠", talon=12), "lead K♣", "cover K♣ A♣")
    assert str(choose(high.view(0))) == "pass"


def test_even_the_lowest_trump_is_dearer_than_an_ace() -> None:
    state = position("6♣ 9♣", "6♦ 8♣", turned="K♠")
    assert price(state, parse_card("2♠")) > price(state, parse_card("A♥"))


def test_there_is_nothing_to_choose_when_nobody_is_asked() -> None:
    state = after(position("6♣ 9♣", "6♦ 8♣"), "lead 6♣", "take")
    with pytest.raises(ValueError, match="nobody is asked"):
        choose(state)
