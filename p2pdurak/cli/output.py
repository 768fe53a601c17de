"""How commands print: text lines for people, or one JSON object a line for programs."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

from p2pdurak.ui.folding import folded
from p2pdurak.ui.visible import visible

Print: TypeAlias = Callable[[dict[str, Any]], None]

LETTERS = str.maketrans("♣♦♥♠–—…", "cdhs--.")
"""For terminals that have no suits: the letters by which cards can be typed, too."""


def printer(as_json: bool) -> Print:
    """Return what prints a line: its JSON, or its ``text`` if it has one."""
    return _print_json if as_json else _print_text


def program() -> str:
    """Return what to type to run this program again, as it was started."""
    started = Path(sys.argv[0])
    if started.name != "p2pdurak" or str(started.parent) in os.environ.get("PATH", "").split(os.pathsep):
        return "p2pdurak"
    return os.path.relpath(started) if started.is_relative_to(Path.cwd()) else str(started)


def fit(text: str) -> str:
    """Return lines of text, in which names and reasons of others may be, so that none of these moves the cursor."""
    return "\n".join(visible(line) for line in text.split("\n"))


def _print_json(line: dict[str, Any]) -> None:
    # Escaped, so that no locale can spoil what a program reads.
    _print(json.dumps(line))


def _print_text(line: dict[str, Any]) -> None:
    text = line.get("text")
    if text is not None:
        lines = fit(text)
        if sys.stdout is not None and sys.stdout.isatty():
            columns = shutil.get_terminal_size().columns
            lines = "\n".join(folded(line, columns) for line in lines.split("\n"))
        _print(lines if _has_suits() else lines.translate(LETTERS))


def _has_suits() -> bool:
    try:
        "♣".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _print(text: str) -> None:
    if sys.stdout is not None:  # a program without any output may have been started so
        sys.stdout.write(text + "\n")
        sys.stdout.flush()
