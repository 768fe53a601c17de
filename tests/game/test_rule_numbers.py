"""The engine, its tests and golden games, and ``protocol/rules.md`` speak of the same rules in the same words."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from p2pdurak.game.refusals import SENTENCES, refusal
from p2pdurak.game.ruleset import OPTIONS, PRESETS, ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
ENGINE = sorted((ROOT / "p2pdurak" / "game").glob("*.py"))
TESTS = sorted(path for folder in ("game", "bots", "rules") for path in (ROOT / "tests" / folder).rglob("*.py"))
GOLDEN = sorted((ROOT / "tests" / "game" / "golden").rglob("*.txt"))

PAGE = (ROOT / "protocol" / "rules.md").read_text("utf-8")
ROWS = re.findall(r"^\| (R\d+) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
RULES = {number: rule for number, rule, _ in ROWS}


def cited(text: str) -> set[str]:
    """The numbers that the text names; ``R14 to R16`` names all three."""
    numbers = set(re.findall(r"\bR\d+\b", text))
    for first, last in re.findall(r"\bR(\d+) to R(\d+)\b", text):
        numbers |= {f"R{number}" for number in range(int(first), int(last) + 1)}
    return numbers


def named(text: str) -> set[str]:
    """The numbers in names of tests: ``test_r7_r8_this`` names two."""
    names = re.findall(r"def test_((?:r\d+_)+)", text)
    return {number.upper() for name in names for number in name.split("_") if number}


def test_rules_are_numbered_in_order() -> None:
    assert list(RULES) == [f"R{number}" for number in range(1, len(ROWS) + 1)]


@pytest.mark.parametrize("path", [*ENGINE, *TESTS, *GOLDEN], ids=lambda path: path.name)
def test_every_rule_that_is_cited_exists(path: Path) -> None:
    text = path.read_text("utf-8")
    assert cited(text) | named(text) <= set(RULES)


def test_every_rule_that_the_rules_refer_to_exists() -> None:
    assert cited(PAGE) <= set(RULES)


def test_every_rule_is_cited_by_the_engine() -> None:
    engine: set[str] = set().union(*(cited(path.read_text("utf-8")) for path in ENGINE))
    assert set(RULES) - engine == set()


def test_every_rule_is_in_the_name_of_a_test() -> None:
    tests: set[str] = set().union(*(named(path.read_text("utf-8")) for path in TESTS))
    assert set(RULES) - tests == set()


@pytest.mark.parametrize(("number", "rule", "source"), ROWS)
def test_every_rule_names_its_source(number: str, rule: str, source: str) -> None:
    assert rule.endswith((".", ". "))
    assert re.match(r"(alb|per2|ours)\b", source)


def test_the_page_has_a_row_for_each_option_with_the_values_of_each_preset() -> None:
    rows = re.findall(r"^\| `(\w+)` \(R\d+\) \| .+? \| (.+) \|$", PAGE, re.MULTILINE)
    assert [option for option, _ in rows] == list(OPTIONS)
    for option, values in rows:
        texts = [dict(word.split("=") for word in str(rules).split())[option] for rules in PRESETS.values()]
        assert values.split(" | ") == texts


@pytest.mark.parametrize("key", SENTENCES)
def test_what_the_refused_are_told_stands_in_the_rules(key: str) -> None:
    number, _, case = key.partition(" ")
    sentence = SENTENCES[key].format_map({option: f"`{option}`" for option in OPTIONS})
    assert sentence in RULES[number] or sentence[0].lower() + sentence[1:] in RULES[number]
    if case:
        option, _, value = case.partition("=")
        ruleset("perevodnoy-2", {option: value})
        assert f"`{case}`" in RULES[number] or {f"`{option}`", f"`{value}`"} <= set(re.findall("`.+?`", RULES[number]))


def raised() -> Iterator[tuple[str, int, ast.expr]]:
    """Everything that the engine raises, with its place."""
    for path in ENGINE:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Raise) and node.exc is not None:
                yield path.name, node.lineno, node.exc


def test_every_refusal_of_the_engine_comes_from_the_table_and_every_sentence_is_used() -> None:
    used = []
    for name, line, error in raised():
        assert isinstance(error, ast.Call), f"{name}:{line}"
        assert isinstance(error.func, ast.Name), f"{name}:{line}"
        assert error.func.id != "IllegalAction", f"{name}:{line} does not say which rule"
        if error.func.id == "refusal":
            used.append(ast.literal_eval(error.args[0]))
    assert set(used) == set(SENTENCES)


def test_every_check_that_refuses_says_why_in_a_remark_before_it() -> None:
    path = ROOT / "p2pdurak" / "game" / "legality.py"
    text = path.read_text("utf-8")
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, ast.FunctionDef):
            body = ast.get_source_segment(text, function) or ""
            for number in re.findall(r'raise refusal\("(R\d+)', body):
                assert number in cited(" ".join(re.findall(r"# (.+)", body))), f"{function.name}: {number}"


def test_a_refusal_is_one_sentence_with_its_number_and_limits() -> None:
    error = refusal("R15", "lay only one now", bout_cap=6)
    assert (error.rule, str(error)) == ("R15", "The attack cards of a bout are at most 6 in all: lay only one now.")
    assert refusal("R24 transfer=none", "beat, or take").rule == "R24"
