"""How commands print: text lines for people, or one JSON object a line for programs."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, TypeAlias

Print: TypeAlias = Callable[[dict[str, Any]], None]


def printer(as_json: bool) -> Print:
    """Return what prints a line: its JSON, or its ``text`` if it has one."""
    return _print_json if as_json else _print_text


def _print_json(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def _print_text(line: dict[str, Any]) -> None:
    text = line.get("text")
    if text is not None:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
