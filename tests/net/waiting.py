"""Waiting in a test for what peers of its own process bring about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trio.testing import wait_all_tasks_blocked

if TYPE_CHECKING:
    from collections.abc import Callable

LULL_SECONDS = 0.002


async def until(condition: Callable[[], bool]) -> None:
    """Wait until it holds, looking whenever nobody has anything to do: asking all the time would keep them from it."""
    while not condition():
        await wait_all_tasks_blocked(LULL_SECONDS)
