"""``p2pdurak rules``: the rulesets in one line each, or one of them explained to people."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from p2pdurak.cli.options import rules_of
from p2pdurak.cli.output import printer
from p2pdurak.cli.speaking import spoken
from p2pdurak.errors import NotationError
from p2pdurak.game.preset_names import preset_name
from p2pdurak.ui.rulebook import explanation_line, list_lines

if TYPE_CHECKING:
    import argparse

# Shorter lines break up the sentences, longer ones are hard to read.
LEAST_COLUMNS, MOST_COLUMNS = 40, 96


def run(args: argparse.Namespace) -> int:
    """List the rulesets or explain one; return the exit status.

    Raises NotationError for unknown names, options and values, and for contradictions.
    """
    say = spoken(args)
    show = printer(args.json)
    if args.rules is None:
        if args.set:
            raise NotationError("Say which rules --set is to change, for example: p2pdurak rules albanian --set …")
        for line in list_lines(say):
            show(line)
        return 0
    width = max(LEAST_COLUMNS, min(shutil.get_terminal_size().columns, MOST_COLUMNS))
    show(explanation_line(preset_name(args.rules), rules_of(args), say, width))
    return 0
