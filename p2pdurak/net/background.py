"""Tasks that work beside a piece of code and end with it.

A bare nursery would wrap every exception of the code in an ExceptionGroup, and so the callers of ``dial`` could no
longer say ``except LinkBroken``.  The tasks here are not expected to raise; if one does, that is a bug, the group is
left as it is, and the program stops.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import trio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def background() -> AsyncIterator[trio.Nursery]:
    """Open a nursery whose tasks are cancelled when the body ends; the body's exceptions leave as they are."""
    failure: Exception | None = None
    async with trio.open_nursery() as nursery:
        try:
            yield nursery
        except Exception as error:  # raised again below, outside the nursery
            failure = error
        nursery.cancel_scope.cancel()
    if failure is not None:
        raise failure
