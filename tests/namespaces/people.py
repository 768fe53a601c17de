"""People at the machines of a network, and what must hold when they have played."""

from __future__ import annotations

from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from p2pdurak.session.audit import Report, audit
from tests.cli.typing import Terminal, terminal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.namespaces.network import Machine

# Nothing is measured by it: it only turns a hang into a failure.
PATIENCE_SECONDS = 90.0
LAST_LINES = 12


@asynccontextmanager
async def at(machine: Machine, folder: Path, *words: str) -> AsyncIterator[Terminal]:
    """Run a command of p2pdurak on a machine, whose files are in a folder of its own; nothing may take for ever."""
    with trio.fail_after(PATIENCE_SECONDS):
        async with terminal(folder / machine.name, *words, namespaces=machine.namespaces) as there:
            try:
                yield there
            except BaseException as error:
                last = "\n".join(map(str, there.lines[-LAST_LINES:]))
                error.add_note(f"{machine.name} said at last:\n{last}\n{there.complaints.decode()}")
                raise


async def finish(*people: Terminal, moves: int | None = None) -> Report:
    """Play to the end; all must have the same transcript, which holds; return its report.

    With ``moves`` the first, who types, makes only so many and gives the game up then.
    """
    async with trio.open_nursery() as nursery:
        if moves is not None:
            await people[0].answer(moves)
            await people[0].resign()
        for person in people:
            nursery.start_soon(person.play)
    transcripts = {Path(person.said("saved")[0]["path"]).read_bytes() for person in people}
    assert len(transcripts) == 1
    report = audit(transcripts.pop())
    assert report.holds
    return report


async def company(*people: Terminal) -> set[str]:
    """Wait until each of them sees all cards dealt; return who plays, about which they agree."""
    for person in people:
        await person.until("dealt")
    (players,) = {frozenset(line["player"] for line in person.said("seated")) for person in people}
    return set(players)
