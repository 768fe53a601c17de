"""Trio as a guest of asyncio: the peer is trio's, the terminal is prompt_toolkit's, and both live in one thread.

Asyncio hosts, trio governs: the program is one trio function, and an asyncio coroutine is awaited in it like any other
call, with trio's cancellation. Rejected were a thread for the terminal, where drawing races the game, and
trio-asyncio, which puts asyncio's callbacks through a second loop and makes every key wait.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, NoReturn, TypeVar

import outcome
import trio

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Coroutine
    from typing import Any

Result = TypeVar("Result")


def run_guest(main: Callable[[], Awaitable[Result]]) -> Result:
    """Run the trio function ``main`` like ``trio.run``, but so that it may use ``await_asyncio``."""

    async def host() -> outcome.Outcome[Result]:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[outcome.Outcome[Result]] = loop.create_future()
        trio.lowlevel.start_guest_run(
            main,
            run_sync_soon_threadsafe=loop.call_soon_threadsafe,
            run_sync_soon_not_threadsafe=loop.call_soon,
            done_callback=done.set_result,
            host_uses_signal_set_wakeup_fd=True,
        )
        return await done

    # The outcome is looked into only when both loops are closed: an exception in the host would leave trio's half open.
    return asyncio.run(host()).unwrap()


async def await_asyncio(work: Coroutine[Any, Any, Result]) -> Result:
    """Await an asyncio coroutine from a trio task; cancelling the trio task cancels it."""
    task = asyncio.get_running_loop().create_task(work)
    waiter = trio.lowlevel.current_task()
    cancelled: Callable[[], NoReturn] | None = None

    def wake(_: asyncio.Task[Result]) -> None:
        if task.cancelled():
            ended: outcome.Outcome[Result] = outcome.capture(cancelled or _torn_down)
        elif (error := task.exception()) is not None:
            ended = outcome.Error(error)
        else:
            ended = outcome.Value(task.result())
        trio.lowlevel.reschedule(waiter, ended)

    def abort(raise_cancel: Callable[[], NoReturn]) -> trio.lowlevel.Abort:
        nonlocal cancelled
        cancelled = raise_cancel
        task.cancel()
        return trio.lowlevel.Abort.FAILED  # it wakes us when it has cleaned up after itself

    task.add_done_callback(wake)
    result: Result = await trio.lowlevel.wait_task_rescheduled(abort)
    return result


def _torn_down() -> NoReturn:
    raise RuntimeError("the asyncio task was cancelled from outside")
