"""How many ways there are to play: counts to fixed depths, which change only when the rules do.

Each number counts the sequences of so many actions from a position, bouts and refills included; a game that ends
earlier counts no more. A wrong turn order, a forgotten action or one too many shows here, whichever rule it is of.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from p2pdurak.cards import pack
from p2pdurak.game.rules import apply, legal_actions, refill
from p2pdurak.game.ruleset import PRESETS, DrawOrder, LeadCards, Ruleset, Throwers, ruleset
from p2pdurak.game.simulate import deal, drawn
from p2pdurak.game.state import Phase, State
from tests.game.positions import PEREVODNOY_2, position

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pdurak.cards import Card

RULESETS = {
    **PRESETS,
    "leader": replace(PEREVODNOY_2, throwers=Throwers.LEADER, draw_order=DrawOrder.DEFENDER_LAST),
    "showing": replace(PEREVODNOY_2, transfer_by_showing=True),
    "small bouts": replace(PEREVODNOY_2, lead=LeadCards.SAME_RANK, bout_cap=2, first_bout_cap=1),
    "no limit": ruleset("perevodnoy-apps", {"bout_cap": "none", "first_bout_cap": "none", "transfer": "any"}),
}

TWO_HANDS = ("6♣ 7♦ 8♥ 9♠", "7♣ 8♦ 6♥ 6♠")
THREE_HANDS = ("6♣ 6♦ 8♥", "8♣ 6♠ 9♦", "8♦ 7♥ 9♥")
FOUR_HANDS = ("6♣ 8♥", "8♣ 9♥", "6♦ 9♣", "8♦ 6♥")


def ways(state: State, depth: int, order: Sequence[Card] = ()) -> list[int]:
    """The numbers of sequences of one action, of two, and so on to ``depth``; a talon is drawn from ``order``."""
    if state.phase is Phase.REFILL:
        state = refill(state, drawn(state, order))
    actions = legal_actions(state)
    counts = [len(actions)] + [0] * (depth - 1)
    for action in actions if depth > 1 else ():
        for further, number in enumerate(ways(apply(state, action), depth - 1, order), 1):
            counts[further] += number
    return counts


TWO = {
    "prostoy": [4, 9, 27, 64, 164, 324, 720, 1196, 1924, 3224],
    "albanian": [4, 9, 21, 54, 100, 249, 393, 935, 1296, 2281, 3770],
    "perevodnoy": [4, 13, 34, 89, 216, 529, 1126, 2776],
    "perevodnoy-2": [4, 13, 34, 91, 223, 540, 1152, 2838],
    "podkidnoy": [4, 9, 13, 38, 84, 123, 291, 517, 706, 1347, 2147, 3576],
    "perevodnoy-apps": [4, 13, 26, 55, 144, 285, 674, 1460, 3062],
    "leader": [4, 13, 34, 91, 219, 540, 1138, 2818],
    "showing": [4, 14, 36, 102, 249, 629, 1395, 3499],
    "small bouts": [4, 9, 29, 81, 205, 446, 987, 1809, 3428],
    "no limit": [4, 13, 26, 57, 151, 296, 698, 1512, 3169],
}
THREE = {
    "prostoy": [3, 8, 19, 21, 58, 76, 248, 401, 948, 1264, 3028],
    "albanian": [3, 8, 23, 42, 109, 162, 419, 777, 1755, 3458],
    "perevodnoy": [3, 11, 28, 52, 136, 270, 618, 1366, 3106],
    "perevodnoy-2": [3, 11, 28, 55, 141, 282, 639, 1428, 3237],
    "podkidnoy": [4, 13, 30, 53, 108, 198, 423, 845, 2136, 3976],
    "perevodnoy-apps": [4, 17, 37, 62, 120, 245, 583, 1306, 3554],
    "leader": [3, 11, 28, 57, 141, 260, 602, 1407, 3109],
    "showing": [3, 13, 31, 63, 168, 336, 741, 1776, 4097],
    "small bouts": [3, 8, 19, 29, 66, 93, 276, 514, 1219, 2168, 4428],
    "no limit": [4, 17, 39, 68, 129, 257, 600, 1351, 3671],
}
FOUR = {
    "all": [2, 4, 7, 12, 17, 26, 44, 75, 144, 271, 509, 935, 1663, 3136],
    "neighbours": [2, 4, 7, 12, 14, 23, 35, 63, 146, 256, 508, 925, 1606, 3023],
    "leader": [2, 4, 7, 10, 13, 21, 34, 57, 118, 177, 362, 533, 930, 1487],
    "none": [2, 4, 6, 9, 11, 18, 38, 50, 108, 165, 291, 406, 728, 1001],
}
DEAL = {
    "prostoy": [6, 12, 72, 212, 1308, 3246],
    "albanian": [6, 12, 44, 108, 425, 1206, 5181],
    "perevodnoy": [6, 15, 62, 178, 665, 2301, 9667],
    "perevodnoy-2": [6, 15, 62, 185, 706, 2452, 10361],
    "podkidnoy": [7, 15, 19, 35, 164, 461, 891, 2007, 7905],
    "perevodnoy-apps": [7, 18, 37, 80, 252, 768, 1956, 5096],
    "leader": [6, 15, 62, 201, 785, 2857],
    "showing": [6, 15, 63, 192, 732, 2662],
    "small bouts": [6, 12, 75, 260, 1160, 3483],
    "no limit": [7, 18, 37, 87, 293, 881, 2356, 6319],
}


@pytest.mark.parametrize("name", RULESETS)
def test_two_players_without_talon(name: str) -> None:
    state = position(*TWO_HANDS, rules=RULESETS[name], turned="K♠", discard="")
    assert ways(state, len(TWO[name])) == TWO[name]


@pytest.mark.parametrize("name", RULESETS)
def test_three_players_without_talon(name: str) -> None:
    state = position(*THREE_HANDS, rules=RULESETS[name], turned="K♠", discard="")
    assert ways(state, len(THREE[name])) == THREE[name]


@pytest.mark.parametrize("throwers", Throwers)
def test_four_players_who_throw_in(throwers: Throwers) -> None:
    state = position(*FOUR_HANDS, rules=Ruleset(throwers=throwers), turned="K♠", discard="")
    assert ways(state, len(FOUR[throwers])) == FOUR[throwers]


@pytest.mark.parametrize("name", RULESETS)
def test_three_players_after_a_deal(name: str) -> None:
    order = random.Random(1).sample(pack(36), 36)
    state = deal(RULESETS[name], order, 3, dealer=0, leader=0)
    assert ways(state, len(DEAL[name]), order) == DEAL[name]
