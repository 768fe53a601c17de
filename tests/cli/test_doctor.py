"""``p2pdurak doctor`` as people and programs read it, confined to this machine."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from p2pdurak.cli import doctor
from p2pdurak.cli.main import main
from p2pdurak.errors import Sentence
from p2pdurak.net.doctor import Finding, Level

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest


def run(*words: str) -> int:
    return main(["--lang", "en", "doctor", *words])


def test_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert run() == 0
    told = capsys.readouterr().out
    assert "warning  P2PDURAK_LOOPBACK is set" in told
    assert "ok  Multicast works on lo" in told
    assert told.splitlines()[-1].startswith("Nothing keeps this machine from playing")


def test_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json") == 0
    first, *findings, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["event"], last["event"], last["healthy"]) == ("examining", "examined", True)
    assert {finding["event"] for finding in findings} == {"finding"}
    assert {finding["level"] for finding in findings} <= {level.value for level in Level}


def test_a_problem_is_an_exit_status(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    command = f"sudo {'very ' * 40}long command"
    advice = (Sentence(f"What {'really ' * 20}helps:"), command)

    def examine() -> Iterator[Finding]:
        yield Finding(Level.PROBLEM, "interfaces", Sentence("There is no network."), advice)

    monkeypatch.setattr(doctor, "examine", examine)
    assert run() == 1
    told = capsys.readouterr().out.splitlines()
    assert "PROBLEM  There is no network." in told
    assert f"             {command}" in told
    assert max(len(line) for line in told if "very" not in line) <= 100
    assert told[-1].startswith("Something keeps this machine")


def test_a_healthy_machine(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(doctor, "examine", lambda: iter([Finding(Level.OK, "ports", Sentence("All is free."))]))
    assert run() == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("All is well here.")
