"""Decisions of the person at the console, asked for on the table's screen; and passing by itself, not at once.

A pass that came at once, where nothing else was possible, would tell everybody that nothing else was.
"""

from __future__ import annotations

import math
import secrets
from typing import TYPE_CHECKING, Final

import trio

from p2pdurak.game.actions import Action, Pass

if TYPE_CHECKING:
    import random

    from p2pdurak.game.state import State
    from p2pdurak.ui.console.shell import Shell
    from p2pdurak.ui.console.table_screen import TableScreen

PASS_SECONDS: Final = 1.5
PASS_SPREAD: Final = 0.7
LONGEST_PASS_SECONDS: Final = 8.0
"""How long a pass by itself waits: the median, the spread of its logarithm, and the most.

People's times for such decisions have a long tail. With a bounded one, every later pass would show that there was a
choice; with this one, a late pass makes that likelier and no more.
"""


def pass_seconds(chance: random.Random) -> float:
    """Return how long to wait before passing where nothing else is possible."""
    return min(LONGEST_PASS_SECONDS, chance.lognormvariate(math.log(PASS_SECONDS), PASS_SPREAD))


class Decisions:
    """What is decided on the screens of ``shell``."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._wanted: trio.MemorySendChannel[Action] | None = None
        self._chance = secrets.SystemRandom()

    def take(self, action: Action) -> None:
        """Take the person's decision, if one is wanted."""
        if self._wanted is not None:
            self._wanted.send_nowait(action)
            self._wanted = None

    async def ask(self, screen: TableScreen, view: State) -> Action:
        """Ask the person; pass by itself where nothing else is possible, if they want that."""
        # A channel for each decision: what comes too late for one must not be taken for the next.
        self._wanted, decided = trio.open_memory_channel[Action](1)
        screen.ask(view)
        self._shell.refresh()
        by_itself = screen.chooser.only_pass and self._shell.settings.auto_pass
        try:
            with trio.move_on_after(pass_seconds(self._chance) if by_itself else float("inf")):
                return await decided.receive()
        finally:  # by the person, by itself, or taken back
            self._wanted = None
            screen.chooser.rest()
            self._shell.refresh()
        return Pass()
