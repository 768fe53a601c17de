"""Golden texts: whole games and parts of games, first leads, and matches; each is a page to read, and a test.

A remark ``# refused R26: transfer 9♣`` stands where the seat that is asked may not do that, by that rule.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from p2pdurak.cards import card_set, cards_in, parse_card
from p2pdurak.game.lines import Lines, read_number
from p2pdurak.game.match import format_match, parse_match
from p2pdurak.game.notation import parse_game
from p2pdurak.game.opening import find_leader, lowest_trump_calls
from p2pdurak.game.rules import outcome
from p2pdurak.game.ruleset import PRESETS, parse_ruleset
from tests.game.positions import refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GOLDEN = Path(__file__).parent / "golden"
REFUSED = re.compile(r"# refused (R\d+): (.+)\n")


def texts(folder: str = "") -> list[object]:
    paths = sorted((GOLDEN / folder).glob("*.txt"), key=lambda path: path.name)
    return [pytest.param(path.read_text("utf-8"), id=path.stem) for path in paths]


def told(text: str) -> str:
    """The text without remarks."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))


@pytest.mark.parametrize("text", [*texts(), *texts("leads"), *texts("matches")])
def test_the_first_lines_say_which_rules_it_shows(text: str) -> None:
    opening = " ".join(re.match(r"(# .+\n)+", text).group().splitlines())  # type: ignore[union-attr]
    assert re.search(r"\bR\d+\b", opening)


def refusals() -> Iterator[object]:
    for path in sorted(GOLDEN.glob("*.txt"), key=lambda path: path.name):
        text = path.read_text("utf-8")
        for remark in REFUSED.finditer(text):
            name = f"{path.stem}-{remark[1]}-{remark[2].replace(' ', '-')}"
            yield pytest.param(text[: remark.start()], remark[1], remark[2], id=name)


@pytest.mark.parametrize(("text", "rule", "action"), list(refusals()))
def test_refusals_within_games(text: str, rule: str, action: str) -> None:
    *_, state = parse_game(text).states()
    assert refused(state, action) == rule


def test_each_preset_has_a_whole_golden_game() -> None:
    finished = set()
    for path in GOLDEN.glob("*.txt"):
        record = parse_game(path.read_text("utf-8"))
        if outcome(list(record.states())[-1]) is not None:
            finished.add(record.start.rules.name)
    assert finished >= set(PRESETS)


def first_lead(text: str) -> Iterator[str]:
    """What must stand in a text about the first lead, up to who leads."""
    lines = Lines(text)
    rules, pack_size = parse_ruleset(lines.field("rules")), read_number(lines.field("pack"))
    face_up = parse_card(lines.field("turned"))
    hands = []
    while lines.word == "hand":
        hands.append(card_set(map(parse_card, lines.take().split()[1:])))
    yield from (f"rules {rules}", f"pack {pack_size}", f"turned {face_up}")
    for seat, hand in enumerate(hands):
        yield f"hand {seat} {' '.join(map(str, cards_in(hand)))}"
    for call in lowest_trump_calls(rules, pack_size, len(hands), face_up):
        answering = [str(seat) for seat, hand in enumerate(hands) if hand & call]
        yield f"call {' '.join(map(str, cards_in(call)))}" + (
            f", answered by {' '.join(answering)}" if answering else ""
        )
        if answering:
            break
    lots: list[str] = []

    def lot(seats: Sequence[int]) -> int:
        lots.append(" ".join(map(str, seats)))
        return seats[0]

    leader = find_leader(rules, pack_size, hands, face_up, lot)
    yield f"leader by lot of {lots[0]}" if lots else f"leader {leader}"


@pytest.mark.parametrize("text", texts("leads"))
def test_first_leads(text: str) -> None:
    Lines(text).compare(first_lead(text))


@pytest.mark.parametrize("text", texts("matches"))
def test_matches(text: str) -> None:
    assert format_match(parse_match(text)) == told(text)
