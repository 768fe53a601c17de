"""People at the machines of a network, and what must hold when they have played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import trio

from p2pdurak.session.audit import Report, audit
from tests.cli.typing import Terminal, terminal

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from tests.namespaces.network import Machine

# Nothing is measured by it: it only turns a hang into a failure.
PATIENCE_SECONDS = 100.0


def at(machine: Machine, folder: Path, *words: str, seed: int = 0) -> AbstractAsyncContextManager[Terminal]:
    """Run a command of p2pdurak on a machine, whose files are in a folder of its own."""
    return terminal(folder / machine.name, *words, prefix=machine.prefix, seed=seed)


async def finish(*people: Terminal) -> Report:
    """Play to the end; all must have the same transcript, which holds; return its report."""
    with trio.fail_after(PATIENCE_SECONDS):
        async with trio.open_nursery() as nursery:
            for person in people:
                nursery.start_soon(person.play)
    transcripts = {Path(person.said("saved")[0]["path"]).read_bytes() for person in people}
    assert len(transcripts) == 1
    report = audit(transcripts.pop())
    assert report.holds
    return report
