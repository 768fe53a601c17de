"""Games on networks that fail, between machines that crash; the seeds of the long run are those from 0 on."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from tests.faults.game import play
from tests.faults.machine import Crash
from tests.faults.scenario import Blocked, Lost, Scenario, When, draw, draw_impatient
from tests.faults.wire import Fate
from tests.helpers import NAMES, signing_key

EVERYDAY = (12, 19, 47, 50, 76, 563)
"""Fast ones with something of everything; in 47, whoever crashes in the last round needs the others to stay."""

IMPATIENT = (5, 18, 29, 133)
"""Somebody is voted out and comes back too late, has voted out the other as well, or comes back in time; and a vote
does not reach somebody who has gone on.
"""

SOAK = 1000


@pytest.mark.parametrize("seed", EVERYDAY)
def test_a_game_survives(seed: int) -> None:
    check(draw(seed))


@pytest.mark.parametrize("seconds", [0.08, 0.3])
def test_a_match_survives_lost_links_between_its_games(seconds: float) -> None:
    """Somebody is in the game still, and somebody waits for the next, when all links break."""
    scenario = draw(33)
    lost = Lost(When(seconds, late=True), Fate.BROKEN, pair=None)
    report = play(
        replace(
            scenario, terms=replace(scenario.terms, games=2), crashes=((), ()), closed=frozenset(), troubles=(lost,)
        )
    )
    assert not report.problems, str(report)
    assert len(report.transcripts) == 2


def test_whoever_is_heard_through_others_is_not_away() -> None:
    """Two guests never reach each other; for a while one of them has lost its only link, that to the opener."""
    lost = Blocked(When(6, late=False), ((0, 1), (1, 0)), seconds=10.0)
    report = play(calm(3, troubles=(lost,), closed=frozenset({(1, 2), (2, 1)})))
    assert not report.problems, str(report)
    course = [line.split(maxsplit=1)[1] for line in report.log]
    told = [(at, line) for at, line in enumerate(course) if "is away" in line]
    anna, boris, clara = NAMES[:3]
    pairs = (anna, boris), (boris, anna), (boris, clara), (clara, boris)
    assert {line.partition(";")[0] for _, line in told} == {f"{one} is told: {other} is away" for one, other in pairs}
    assert min(told)[0] > next(at for at, line in enumerate(course) if line.startswith("Trouble"))
    assert sum("is back" in line for line in course) == len(told) == len(pairs)


def test_whoever_comes_back_at_once_after_a_power_cut_was_never_away() -> None:
    """The other end has not noticed yet that the old link is dead, and it is its own link that would be preferred."""
    crash = Crash(75, 0, power=True, down=0.5)
    higher, lower = sorted((1, 2), key=lambda number: signing_key(number).public, reverse=True)
    report = play(calm(2, identities=(higher, lower), crashes=((crash,), ())))
    assert not report.problems, str(report)
    assert report.crashes == 1
    assert not [line for line in report.log if "is away" in line]


@pytest.mark.parametrize("steps", [0, 3])
def test_what_has_left_a_program_is_on_its_disk(steps: int) -> None:
    """The power fails again and again just when a message has left, and whoever comes back decides otherwise."""
    crashes = tuple(Crash(None, steps, power=True, down=0.1, said=1 + number % 2) for number in range(24))
    report = play(calm(2, crashes=((), crashes)))
    assert not report.problems, str(report)
    assert report.crashes > 12


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(SOAK))
def test_a_thousand_games_survive(seed: int) -> None:
    check(draw(seed))


def calm(players: int, **changes: Any) -> Scenario:
    """Return a game of so many players to which nothing happens but what ``changes`` say."""
    scenario = next(scenario for scenario in map(draw, range(SOAK)) if scenario.players == players)
    quiet = replace(scenario, closed=frozenset(), crashes=((),) * players, troubles=())
    return replace(quiet, **changes)


def check(scenario: Scenario) -> None:
    report = play(scenario)
    assert not report.problems, str(report)


@pytest.mark.parametrize("seed", IMPATIENT)
def test_a_vote_ends_a_game_for_all_alike(seed: int) -> None:
    check(draw_impatient(seed))


def test_a_seed_is_a_game() -> None:
    """The same in another process, with another seed for the order of sets and dictionaries."""
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "tests.faults", "18", "--log"]
    there = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=True)
    here = play(draw(18))
    course = [*here.scenario.describe(), *here.log]
    assert len(course) > 300
    assert there.stdout.splitlines()[: len(course)] == course


def test_everything_goes_wrong_somewhere() -> None:
    """What the scenarios of the long run are made of."""
    scenarios = [draw(seed) for seed in range(SOAK)]
    crashes = [crash for scenario in scenarios for crashes in scenario.crashes for crash in crashes]
    troubles = [trouble for scenario in scenarios for trouble in scenario.troubles]
    assert {scenario.players for scenario in scenarios} == {2, 3, 4, 5, 6}
    assert len({scenario.terms.rules for scenario in scenarios}) == 6
    assert {(crash.power, crash.steps == 0, crash.syncs is None) for crash in crashes} >= {
        (power, in_sync, late) for power in (True, False) for in_sync in (True, False) for late in (True, False)
    }
    assert {(type(trouble).__name__, trouble.when.late) for trouble in troubles} == {
        (kind, late) for kind in ("Lost", "Blocked", "RoughWeather") for late in (True, False)
    }
    assert any(scenario.closed for scenario in scenarios)
