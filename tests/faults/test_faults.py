"""Games on networks that fail, between machines that crash; the seeds of the long run are those from 0 on."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from tests.faults.game import play
from tests.faults.scenario import Lost, Scenario, When, draw, draw_impatient
from tests.faults.wire import Fate

EVERYDAY = (12, 18, 19, 26, 33, 50, 54, 76, 563)
"""Fast ones with something of everything."""

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


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(SOAK))
def test_a_thousand_games_survive(seed: int) -> None:
    check(draw(seed))


def check(scenario: Scenario) -> None:
    report = play(scenario)
    assert not report.problems, str(report)


@pytest.mark.parametrize("seed", IMPATIENT)
def test_a_vote_ends_a_game_for_all_alike(seed: int) -> None:
    check(draw_impatient(seed))


def test_a_seed_is_a_game() -> None:
    """The same in another process, with another seed for the order of sets and dictionaries."""

    def course(hash_seed: str) -> bytes:
        command = [sys.executable, "-m", "tests.faults", "18", "--log"]
        return subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": hash_seed}, stdout=subprocess.PIPE, check=True
        ).stdout

    first = course("1")
    assert first.count(b"\n") > 300
    assert first == course("2")


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
