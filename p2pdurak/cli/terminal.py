"""What kind of terminal there is, and so how a person can be talked with."""

from __future__ import annotations

import os
import sys
from enum import Enum

from p2pdurak.ui.console import LEAST_COLUMNS, LEAST_ROWS


class Terminal(Enum):
    """None at all, one for lines only, or one with a whole screen."""

    NONE = "none"
    LINES = "lines"
    SCREEN = "screen"


def terminal() -> Terminal:
    """Return what standard input and output are."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Terminal.NONE
    columns, rows = os.get_terminal_size(sys.stdout.fileno())
    dumb = sys.platform != "win32" and os.environ.get("TERM", "dumb") in ("", "dumb")
    if dumb or columns < LEAST_COLUMNS or rows < LEAST_ROWS:
        return Terminal.LINES
    return Terminal.SCREEN


def wanted_terminal(*, lines: bool) -> Terminal:
    """Return what there is, but no screen where the person wants ``lines``."""
    there = terminal()
    return Terminal.LINES if lines and there is Terminal.SCREEN else there


def knows_unicode() -> bool:
    """Tell whether the terminal can show suits and frames, as far as its encoding goes."""
    return (sys.stdout.encoding or "").lower().replace("-", "") in ("utf8", "cp65001")
