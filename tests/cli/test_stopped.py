"""A process that is stopped for a while and goes on, as a laptop does that sleeps."""

from __future__ import annotations

import signal
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest
import trio

from p2pdurak.net.attendance import AWAY_SECONDS
from p2pdurak.net.link import SILENCE_SECONDS
from p2pdurak.session.audit import audit
from tests.cli.test_resume import Company

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("players", "sleeper"),
    [(2, "Anna"), pytest.param(3, "Clara", marks=pytest.mark.soak)],
    ids=["the opener", "a guest"],
)
async def test_a_machine_that_slept_goes_on_and_so_does_the_game(tmp_path: Path, players: int, sleeper: str) -> None:
    """It sleeps for longer than the silence after which the others take the link for lost."""
    async with AsyncExitStack() as stack:
        company = Company(tmp_path, stack)
        await company.meet(players=players)
        await company.at["Boris"].until("played", 5)
        process = company.at[sleeper].process
        process.send_signal(signal.SIGSTOP)
        await trio.sleep(SILENCE_SECONDS + AWAY_SECONDS + 1)
        assert any("away" in line["reason"] for line in company.at["Boris"].said("warning"))
        process.send_signal(signal.SIGCONT)
        (transcript,) = await company.transcripts()
    assert audit(transcript).holds
