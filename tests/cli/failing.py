"""``p2pdurak`` with a fault of its own, for tests: a game that begins raises, and so does each key at the start."""

from __future__ import annotations

import sys
from typing import NoReturn

from p2pdurak.cli import main
from p2pdurak.cli.side import ConsoleSide
from p2pdurak.ui.console.start_screen import StartScreen


def fail(*_: object) -> NoReturn:
    raise RuntimeError("a fault inside the program")


if __name__ == "__main__":
    setattr(ConsoleSide, "of_game", fail)  # noqa: B010 - to the type checker this is no method
    setattr(StartScreen, "press", fail)  # noqa: B010
    sys.exit(main())
