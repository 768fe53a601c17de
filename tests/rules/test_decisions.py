"""The page of decisions is whole: every rule and option has its questions, and every question its tests."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from p2pdurak.game.ruleset import OPTIONS
from tests.rules.mutants import MUTANTS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "decisions.md").read_text("utf-8")
ROWS = re.findall(r"^\| (\d+) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)
NUMBERS = re.findall(r"^\| (R\d+) \|", (ROOT / "protocol" / "rules.md").read_text("utf-8"), re.MULTILINE)
TESTS = {number: re.findall(r"`(.+?)`", tests) for number, *_, tests in ROWS}


def pytest_says(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What pytest says of the tests in that folder, which has the package too."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *words]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_questions_are_numbered_and_lead_to_every_rule_and_option() -> None:
    assert [number for number, *_ in ROWS] == [str(number) for number in range(1, len(ROWS) + 1)]
    assert PAGE.count("\n| ") == len(ROWS) + PAGE.count("\n| No. |")
    assert sorted({rule for row in ROWS for rule in row[4].split(", ")}) == sorted(NUMBERS)
    assert [row[3] for row in ROWS if row[3] != "–"] == [row[3] for row in ROWS if row[3].strip("`") in OPTIONS]
    assert sorted(row[3].strip("`") for row in ROWS if row[3] != "–") == sorted(OPTIONS)
    assert all(question.endswith("?") and decision.endswith(".") for _, question, decision, *_ in ROWS)


def test_every_test_that_a_question_names_is_there() -> None:
    named = {test for tests in TESTS.values() for test in tests}
    files = sorted({test.partition("::")[0] for test in named})
    collected = pytest_says(ROOT, "--collect-only", *files)
    assert collected.returncode == 0, collected.stdout
    found = set(collected.stdout.splitlines())
    assert named - found - {test.partition("[")[0] for test in found} == set()
    assert all(TESTS.values())


def test_every_golden_text_answers_a_question() -> None:
    golden = sorted(path.stem for path in (ROOT / "tests" / "game" / "golden").rglob("*.txt"))
    assert sorted(set(re.findall(r"\[(\w+)\]`", PAGE))) == golden


@pytest.mark.parametrize(("number", "file", "right", "wrong"), MUTANTS)
def test_a_mutant_changes_a_line_that_is_there(number: int, file: str, right: str, wrong: str) -> None:
    assert (ROOT / "p2pdurak" / file).read_text("utf-8").count(right) == 1
    assert right != wrong
    assert str(number) in TESTS


def test_every_question_has_a_mutant() -> None:
    assert {str(number) for number, *_ in MUTANTS} == set(TESTS)


@pytest.mark.soak
@pytest.mark.parametrize(("number", "file", "right", "wrong"), MUTANTS)
def test_if_it_were_decided_otherwise_the_named_tests_would_fail(
    number: int, file: str, right: str, wrong: str, tmp_path: Path
) -> None:
    """The engine with this one decision changed: at least one of the tests that its question names must fail."""
    for name in ("p2pdurak", "tests"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "docs").symlink_to(ROOT / "docs")
    (tmp_path / "protocol").symlink_to(ROOT / "protocol")
    changed = tmp_path / "p2pdurak" / file
    changed.write_text(changed.read_text("utf-8").replace(right, wrong), "utf-8")
    done = pytest_says(tmp_path, *TESTS[str(number)])
    assert done.returncode == 1, done.stdout
    assert "error" not in done.stdout.splitlines()[-1].lower(), done.stdout
