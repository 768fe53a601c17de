"""Whom the demo blames when one of its processes dies."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
import trio

from tests.cli.typing import terminal

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("victim", ["Anna", "Boris"])
async def test_the_demo_names_the_peer_that_died(tmp_path: Path, victim: str) -> None:
    async with terminal(tmp_path, "demo", "--players", "2") as demo:
        await demo.until("peer", 2)
        await demo.until("seated", 2)
        (pid,) = [line["pid"] for line in demo.said("peer") if line["player"] == victim]
        os.kill(pid, signal.SIGKILL)
        assert await demo.process.wait() == 2
        while not demo.complaints:
            await trio.lowlevel.checkpoint()
        assert f"The process of {victim} failed".encode() in demo.complaints
