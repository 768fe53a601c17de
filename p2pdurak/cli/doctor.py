"""``p2pdurak doctor``: what a person needs to know when friends cannot see each other."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from p2pdurak.cli.output import printer
from p2pdurak.cli.speaking import spoken
from p2pdurak.net.doctor import LISTEN_SECONDS, Finding, Level, examine
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.language import told

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping
    from gettext import NullTranslations

HEALTHY, SICK = 0, 1
_WIDTH = 100
_MARKS: Final[Mapping[Level, str]] = {
    Level.OK: _("ok"),
    Level.NOTE: _("note"),
    Level.WARNING: _("warning"),
    Level.PROBLEM: _("PROBLEM"),
}
_COLUMN = 7
"""The words for levels end here, in every language."""
_INDENT = " " * (_COLUMN + 2)
_DEEPER = " " * (_COLUMN + 6)


def run(args: argparse.Namespace) -> int:
    """Examine this machine and print what is found; the exit status is 1 if something makes playing impossible."""
    show, say = printer(args.json), spoken(args)
    text = say.gettext("Examining this machine and its networks ...")
    show({"event": "examining", "seconds": LISTEN_SECONDS, "text": text})
    levels = []
    for finding in examine():
        levels.append(finding.level)
        show(
            {
                "event": "finding",
                "level": finding.level.value,
                "topic": finding.topic,
                "sentence": finding.sentence,
                "advice": [str(line) for line in finding.advice],
                "text": _text(finding, say),
            }
        )
    sick = Level.PROBLEM in levels
    show({"event": "examined", "healthy": not sick, "text": say.gettext(_verdict(levels))})
    return SICK if sick else HEALTHY


def _text(finding: Finding, say: NullTranslations) -> str:
    mark = say.gettext(_MARKS[finding.level])
    lines = _wrapped(told(say, finding.said), f"{mark:>{_COLUMN}}  ", _INDENT)
    for line in finding.advice:
        # A command must stay one line to be copied.
        lines += [_DEEPER + line] if isinstance(line, str) else _wrapped(told(say, line), _DEEPER, _DEEPER)
    return "\n".join(lines)


def _wrapped(sentence: str, first: str, others: str) -> list[str]:
    return textwrap.wrap(sentence, _WIDTH, initial_indent=first, subsequent_indent=others, break_on_hyphens=False)


def _verdict(levels: list[Level]) -> str:
    if Level.PROBLEM in levels:
        return _("Something keeps this machine from playing with others: see PROBLEM above.")
    if Level.WARNING in levels:
        return _("Nothing keeps this machine from playing, but a warning above may be why friends do not see it.")
    return _("All is well here. If friends still cannot see you, let them run p2pdurak doctor too.")
