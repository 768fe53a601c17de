"""The engine and ``protocol/rules.md`` speak of the same rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2pdurak.game.ruleset import OPTIONS, PRESETS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "protocol" / "rules.md").read_text("utf-8")
RULES = re.findall(r"^\| (R\d+) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
NUMBERS = [number for number, _, _ in RULES]


def cited(*folders: str) -> set[str]:
    """The numbers named in the Python files there; a test's name cites in small letters, "R14 to R16" all three."""
    numbers = set()
    for folder in folders:
        for path in (ROOT / folder).glob("*.py"):
            text = path.read_text("utf-8")
            numbers |= {f"R{number}" for number in re.findall(r"(?:\bR|_r)(\d+)(?=\b|_)", text)}
            for first, last in re.findall(r"\bR(\d+) to R(\d+)\b", text):
                numbers |= {f"R{number}" for number in range(int(first), int(last) + 1)}
    return numbers


def test_rules_are_numbered_in_order() -> None:
    assert [f"R{number}" for number in range(1, len(NUMBERS) + 1)] == NUMBERS


def test_every_rule_that_the_engine_cites_exists() -> None:
    assert cited("p2pdurak/game", "tests/game") <= set(NUMBERS)


def test_every_rule_is_cited_by_the_engine_or_a_test() -> None:
    assert set(NUMBERS) - cited("p2pdurak/game", "tests/game", "tests") == set()


@pytest.mark.parametrize(("number", "rule", "source"), RULES)
def test_every_rule_names_its_source(number: str, rule: str, source: str) -> None:
    assert rule.endswith((".", ". "))
    assert re.match(r"(alb|per2|ours)\b", source)


def test_the_page_has_a_row_for_each_option_with_the_values_of_each_preset() -> None:
    rows = re.findall(r"^\| `(\w+)` \(R\d+\) \| .+? \| (.+) \|$", PAGE, re.MULTILINE)
    assert [option for option, _ in rows] == list(OPTIONS)
    for option, values in rows:
        texts = [dict(word.split("=") for word in str(rules).split())[option] for rules in PRESETS.values()]
        assert values.split(" | ") == texts
