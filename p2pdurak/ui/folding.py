"""Lines of text on a terminal that is narrower than they are: broken between words, the rest under the first of them.

Left to itself, a terminal breaks inside words and cards. Python's ``textwrap`` was rejected: it knows nothing of wide
signs, and would break a command that is to be copied; that stays whole, as does what is longer than a line.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from p2pdurak.wire.names import is_mark

_LEAD: Final = re.compile(r" *(?:[•>+?-] |\S+  +)?")
"""What the rest of a line stands under: its indent, with the mark, the number or the name that begins a list."""
_PIECE: Final = re.compile(r" *(?:(?<!\S)[\w./~-]*p2pdurak [^;,]*[^.;,]$|\S+)")
"""A word, or a command: at the end, and no part of a sentence that goes on."""


def folded(line: str, columns: int) -> str:
    """Return a line in as many as it takes, each of so many columns at most if its words allow that."""
    if _width(line) <= columns:
        return line
    lead = _LEAD.match(line)
    start = lead.end() if lead is not None else 0
    if start > columns // 2:
        start = len(line) - len(line.lstrip(" "))
    lines, hang = [line[:start]], " " * start
    for piece in _PIECE.findall(line, start):
        if len(lines[-1]) > start and (_width(lines[-1]) - 1) % columns + 1 + _width(piece) > columns:
            lines.append(hang)
            piece = piece.lstrip(" ")
        lines[-1] += piece
    return "\n".join(lines)


def _width(text: str) -> int:
    """Return how many columns a text takes."""
    return sum(0 if is_mark(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)
