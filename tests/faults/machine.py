"""A peer's machine in a simulation: when its program runs, what its disk has kept, and the instant at which it stops.

A crash is three things at one instant: files are copied as they are, wires are cut, and tasks are cancelled. What the
cancelled tasks still do reaches neither the copy nor anybody else, so nothing of a ``finally`` is to be seen, as with a
SIGKILL. The instant is any step of any task, or the middle of a sync; it is counted from a sync of the journal, since
the steps around those are the ones that matter.

Threads, entropy and syncs are replaced where the operating system begins, for as long as a simulation runs. Rejected:
handing them down as arguments through node, lobby and journal, where the first call that was forgotten would cost
reproducibility without a word.
"""

from __future__ import annotations

import os
import random
import secrets
from collections import Counter
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from unittest import mock

import trio
import trio.testing
from trio._core import _run as scheduler  # the only way to the order of its tasks

from p2pdurak.net.journal import JOURNAL_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator
    from pathlib import Path

T = TypeVar("T")
LONGEST_CALCULATION = 0.02
"""Seconds that a call in a thread takes at most."""

MAX_STEPS = 20_000_000
"""More steps than any game takes: whoever gets here turns in circles while no time passes."""


@dataclass(frozen=True, slots=True)
class Crash:
    """The program stops ``steps`` steps after its journal was synced for the ``syncs``-th time in this life.

    With 0 steps it stops in that sync. Without ``syncs`` it is counted from the moment at which the ``said``-th new
    message of its own leaves it, or, without that, from the first message of the last rounds that the program hears.
    ``power`` tells that the power failed: what was not synced may be lost or torn,
    and nobody at the other end of a link is told. It starts again after ``down`` seconds.
    """

    syncs: int | None
    steps: int
    power: bool
    down: float
    said: int | None = None

    def __str__(self) -> str:
        how = "loses its power" if self.power else "is killed"
        since = "the end has begun" if self.syncs is None else f"sync {self.syncs} of its journal"
        since = since if self.said is None else f"message {self.said} of its own"
        return f"{how} {self.steps} steps after {since}, for {self.down:.1f} s"


class Life:
    """One run of a peer's program on its machine, from its start to its end or its crash."""

    def __init__(self, seat: int, number: int, folder: Path, crash: Crash | None, died: Callable[[Life], None]) -> None:
        self.seat, self.number = seat, number
        self.folder = folder
        self.crash = crash
        self.alive = True
        self.may_crash = False
        self.scope = trio.CancelScope()
        self.syncs = self.said = 0
        self._died = died
        self._synced = Counter({path.stat().st_ino: path.stat().st_size for path in folder.iterdir()})
        self._steps_left = crash.steps if crash is not None and crash.syncs == 0 else None

    def near_the_end(self) -> None:
        """Count from now on towards a crash in the last rounds, if there is to be one."""
        crash = self.crash
        if crash is not None and crash.syncs is crash.said is None and self._steps_left is None:
            self._steps_left = crash.steps

    def says(self) -> None:
        """Count a message of our own that leaves the program for the first time."""
        self.said += 1
        if self.crash is not None and self.said == self.crash.said:
            self._steps_left = self.crash.steps
            if not self._steps_left and self.may_crash:
                self._die()

    def step(self) -> None:
        """Count a step of one of our tasks that is about to be run."""
        if self._steps_left is None or not self.alive or not self.may_crash:
            return
        self._steps_left -= 1
        if self._steps_left <= 0:
            self._die()

    def sync(self, descriptor: int) -> None:
        """Have the bytes of an open file on the disk, unless the crash comes first."""
        if not self.alive:
            return
        status = os.fstat(descriptor)
        if any(path.stat().st_ino == status.st_ino for path in self.folder.glob(f"*{JOURNAL_SUFFIX}")):
            self.syncs += 1
            if self.crash is not None and self.syncs == self.crash.syncs:
                self._steps_left = self.crash.steps
                if not self._steps_left and self.may_crash:
                    self._die()
                    return
        self._synced[status.st_ino] = status.st_size

    def remains(self, folder: Path, chance: random.Random) -> None:
        """Copy into the new ``folder`` what is left of ours after the crash."""
        folder.mkdir()
        for path in sorted(self.folder.iterdir()):
            data = path.read_bytes()
            if self.crash is not None and self.crash.power:
                safe = self._synced[path.stat().st_ino]
                kept = chance.randint(safe, len(data))
                # Some file systems lengthen a file before they fill it, or fill it from behind.
                empty = chance.choice((0, 0, 0, len(data) - kept, chance.randint(0, len(data) - kept)))
                data = data[:kept] + bytes(empty) + (data[kept + empty :] if empty else b"")
            (folder / path.name).write_bytes(data)

    def _die(self) -> None:
        self.alive = False
        self._died(self)
        self.scope.cancel()


HERE: ContextVar[Life] = ContextVar("HERE")
"""The life to which the running task belongs."""


class Steps(trio.abc.Instrument):
    """Counts the steps of all lives."""

    def __init__(self) -> None:
        self.taken = 0

    def before_task_step(self, task: trio.lowlevel.Task) -> None:
        self.taken += 1
        life = task.context.get(HERE)
        if life is not None:
            life.step()
        if self.taken == MAX_STEPS:
            trio.lowlevel.current_root_task().parent_nursery.cancel_scope.cancel()  # type: ignore[union-attr]


def simulate(main: Callable[[], Awaitable[T]], seed: int) -> T:
    """Run ``main`` on simulated machines, in virtual time, all choices of the scheduler taken from ``seed``."""
    with _replaced(seed):
        return trio.run(main, clock=trio.testing.MockClock(autojump_threshold=0), instruments=[Steps()])


@contextmanager
def _replaced(seed: int) -> Iterator[None]:
    chance = random.Random(f"machine {seed}")

    async def in_thread(function: Callable[..., T], *args: Any, **_: Any) -> T:
        # Others have their turns before it begins, and before its result is there.
        await trio.sleep(chance.uniform(0, LONGEST_CALCULATION) if chance.random() < 0.5 else 0)
        result = function(*args)
        await trio.lowlevel.checkpoint()
        return result

    def sync(descriptor: int) -> None:
        if HERE.get(None) is not None:
            HERE.get().sync(descriptor)

    with (
        mock.patch.object(trio.to_thread, "run_sync", in_thread),
        mock.patch.object(os, "fsync", sync),
        mock.patch.object(secrets, "token_bytes", chance.randbytes),
        mock.patch.object(scheduler, "_ALLOW_DETERMINISTIC_SCHEDULING", True),
        mock.patch.object(scheduler, "_r", random.Random(f"scheduler {seed}")),
    ):
        yield
