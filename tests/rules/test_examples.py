"""The examples in the rules for players are real play: the engine goes through each of them, step by step."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2pdurak.game.actions import parse_action
from p2pdurak.game.rules import apply, check
from p2pdurak.game.ruleset import PRESETS
from p2pdurak.game.state import Phase, State
from tests.game.positions import position, refilled

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "rules.md": ("On the table", ["Anna", "Boris", "Clara", "Dmitri"]),
    "rules.ru.md": ("На столе", ["Анна", "Борис", "Клара", "Дмитрий"]),
}

# For each example: its rules, the hands, and what the seats do.
EXAMPLES = [
    (
        "albanian",
        ["7♦ 9♥ 10♣ Q♦ K♦ A♦", "9♦ J♥ 6♠ 8♦ 8♥ Q♥", "7♣ 10♥ 8♣ K♣ Q♣ A♣"],
        "lead 7♦, cover 7♦ 9♦, throw 9♥, cover 9♥ J♥, pass, throw 7♣, cover 7♣ 6♠, pass, pass",
    ),
    (
        "perevodnoy",
        ["8♣ 6♦ 9♥ K♣ K♦ K♥", "8♥ 6♥ J♦ Q♥ 9♦ 10♥", "8♦ 6♣ J♥ Q♦ A♦ A♥", "10♣ 7♠ 7♥ 7♦ J♣ Q♣"],
        "lead 8♣, transfer 8♥, transfer 8♦, cover 8♣ 10♣, cover 8♥ 7♠, take",
    ),
    (
        "perevodnoy-2",
        ["6♣ 8♥ K♥ 10♦ 7♣ 9♣", "8♣ 8♦ J♣ Q♦ A♥ A♣"],
        "lead 6♣, cover 6♣ 8♣, throw 8♥, transfer 8♦, cover 8♥ K♥, cover 8♦ 10♦, pass",
    ),
    (
        "podkidnoy",
        ["6♦ 6♥ 10♣ Q♦ K♦ A♦", "10♦ 8♦ 8♣ 7♦ 9♦ 9♣", "6♣ J♣ 7♣ K♣ Q♣ A♣"],
        "lead 6♦ 6♥, cover 6♦ 10♦, take, throw 10♣, throw 6♣",
    ),
]


def played(rules: str, hands: list[str], actions: str) -> list[tuple[int, State]]:
    """Who acts, and the state after it, for each action of an example."""
    state = position(*hands, rules=PRESETS[rules], talon=36 - 6 * len(hands), discard="", bouts=0, turned="Q♠")
    steps = []
    for text in actions.split(", "):
        action, actor = parse_action(text), state.asked
        check(state, action)
        state = apply(state, action)
        assert actor is not None
        steps.append((actor, state))
    assert state.phase is Phase.REFILL
    return steps


def on_table(state: State) -> str:
    return " ".join(f"{attack}/{cover}" if cover is not None else str(attack) for attack, cover in state.table) or "–"


def tables(page: str) -> list[list[tuple[str, str]]]:
    """The examples of a page: names and tables, row by row."""
    heading, _ = PAGES[page]
    example = rf"^\| [^|]+ \| [^|]+ \| {heading} \|\n\|---\|---\|---\|\n((?:\|.*\n)+)"
    # Each language has its own dash.
    text = (DOCS / page).read_text("utf-8").replace("—", "–")
    found = re.findall(example, text, re.MULTILINE)
    return [re.findall(r"^\| (\w+) \| [^|]+ \| ([^|]+) \|$", rows, re.MULTILINE) for rows in found]


@pytest.mark.parametrize("page", PAGES)
def test_each_example_of_the_page_is_real_play(page: str) -> None:
    _, names = PAGES[page]
    expected = [[(names[actor], on_table(state)) for actor, state in played(*example)] for example in EXAMPLES]
    assert tables(page) == expected


def test_what_follows_the_examples_is_as_told() -> None:
    thrown_in, transferred, home, added = (played(*example)[-1][1] for example in EXAMPLES)
    assert thrown_in.draws == ((0, 2), (1, 3), (2, 1))
    assert refilled(thrown_in).leader == 1
    assert transferred.ended is not None
    assert (transferred.ended.defender, len(transferred.ended.cards)) == (3, 5)
    assert (transferred.draws[0][0], refilled(transferred).leader) == (0, 0)
    assert home.ended is not None
    assert (home.ended.defender, home.ended.taken) == (0, False)
    assert added.ended is not None
    assert (added.ended.defender, len(added.ended.cards)) == (1, 5)
    assert ([seat for seat, _ in added.draws], refilled(added).leader) == ([0, 2], 2)
