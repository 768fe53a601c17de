"""What kind of terminal there is, and so how a person can be talked with."""

from __future__ import annotations

import os
import sys
from enum import Enum
from typing import TextIO

from p2pdurak.errors import Sentence
from p2pdurak.ui.console import LEAST_COLUMNS, LEAST_ROWS

BY_SIGNAL = 128
"""What a shell adds to the number of the signal that ended a program, for its exit status."""


class Terminal(Enum):
    """None at all, one for lines only, or one with a whole screen."""

    NONE = "none"
    LINES = "lines"
    SCREEN = "screen"


def terminal() -> Terminal:
    """Return what standard input and output are."""
    if not (_is_terminal(sys.stdin) and _is_terminal(sys.stdout)):
        return Terminal.NONE
    return Terminal.SCREEN if no_screen() is None else Terminal.LINES


def no_screen() -> Sentence | None:
    """Return why there is no terminal with a whole screen, None if there is one."""
    if not _is_terminal(sys.stdin):
        return Sentence("its input is not a terminal.")
    if not _is_terminal(sys.stdout):
        return Sentence("its output is not a terminal.")
    kind = os.environ.get("TERM", "")
    if sys.platform != "win32" and not kind:
        return Sentence("the variable TERM does not say what kind of terminal this is.")
    if sys.platform != "win32" and kind == "dumb":
        return Sentence("the variable TERM says that this terminal can only show lines ({kind}).", kind=kind)
    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    if columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        return Sentence(
            "the window has {columns} columns by {rows} rows, and at least {least_columns} by {least_rows} are needed.",
            columns=columns,
            rows=rows,
            least_columns=LEAST_COLUMNS,
            least_rows=LEAST_ROWS,
        )
    return None


def _is_terminal(stream: TextIO | None) -> bool:
    # Of a program that was started with one of them closed, Python has none.
    return stream is not None and not stream.closed and stream.isatty()


def wanted_terminal(*, lines: bool) -> Terminal:
    """Return what there is, but no screen where the person wants ``lines``."""
    there = terminal()
    return Terminal.LINES if lines and there is Terminal.SCREEN else there


def knows_unicode() -> bool:
    """Tell whether the terminal can show suits and frames, as far as its encoding goes."""
    return (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") in ("utf8", "cp65001")
