"""``p2pdurak doctor``: what a person needs to know when friends cannot see each other."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from p2pdurak.cli.output import printer
from p2pdurak.net.doctor import LISTEN_SECONDS, Finding, Level, examine

if TYPE_CHECKING:
    import argparse

HEALTHY, SICK = 0, 1
_WIDTH = 100
_MARKS = {Level.OK: "ok", Level.NOTE: "note", Level.WARNING: "warning", Level.PROBLEM: "PROBLEM"}
_INDENT = " " * 9
_DEEPER = " " * 13


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the others."""
    parser = commands.add_parser("doctor", help="find out why friends cannot see each other, and what helps")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, for programs")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Examine this machine and print what is found; the exit status is 1 if something makes playing impossible."""
    show = printer(args.json)
    show({"event": "examining", "seconds": LISTEN_SECONDS, "text": "Examining this machine and its networks ..."})
    levels = []
    for finding in examine():
        levels.append(finding.level)
        show(
            {
                "event": "finding",
                "level": finding.level.value,
                "topic": finding.topic,
                "sentence": finding.sentence,
                "advice": list(finding.advice),
                "text": _text(finding),
            }
        )
    sick = Level.PROBLEM in levels
    show({"event": "examined", "healthy": not sick, "text": _verdict(levels)})
    return SICK if sick else HEALTHY


def _text(finding: Finding) -> str:
    lines = _wrapped(finding.sentence, f"{_MARKS[finding.level]:>7}  ", _INDENT)
    for line in finding.advice:
        # A command must stay one line to be copied; sentences end as sentences do.
        lines += _wrapped(line, _DEEPER, _DEEPER) if line.endswith((".", ":")) else [_DEEPER + line]
    return "\n".join(lines)


def _wrapped(sentence: str, first: str, others: str) -> list[str]:
    return textwrap.wrap(sentence, _WIDTH, initial_indent=first, subsequent_indent=others, break_on_hyphens=False)


def _verdict(levels: list[Level]) -> str:
    if Level.PROBLEM in levels:
        return "Something keeps this machine from playing with others: see PROBLEM above."
    if Level.WARNING in levels:
        return "Nothing keeps this machine from playing, but a warning above may be why friends do not see it."
    return "All is well here. If friends still cannot see you, let them run p2pdurak doctor too."
