"""``p2pdurak`` with a fault of its own, for tests: the first thing that happens in a game raises."""

from __future__ import annotations

import sys
from typing import NoReturn

from p2pdurak.cli import main
from p2pdurak.cli.side import ConsoleSide


def fail(*_: object) -> NoReturn:
    raise RuntimeError("a fault inside the program")


if __name__ == "__main__":
    setattr(ConsoleSide, "of_game", fail)  # noqa: B010 - to the type checker this is no method
    sys.exit(main())
