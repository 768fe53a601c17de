"""People at terminals, played by the tests: processes whose JSON lines are read and that are typed to."""

from __future__ import annotations

import json
import os
import random
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from subprocess import PIPE
from typing import TYPE_CHECKING, Any

import trio

from p2pdurak.cli.main import FAULT_FILE

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@dataclass
class Terminal:
    """One running command; ``lines`` are all it has said so far."""

    process: trio.Process
    chance: random.Random
    lines: list[dict[str, Any]] = field(default_factory=list)
    complaints: bytearray = field(default_factory=bytearray)
    answered: int = 0
    heard: trio.Event = field(default_factory=trio.Event)
    ended: bool = False

    async def type(self, text: str) -> None:
        assert self.process.stdin is not None
        await self.process.stdin.send_all(f"{text}\n".encode())

    def said(self, event: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["event"] == event]

    async def until(self, event: str, times: int = 1) -> dict[str, Any]:
        """Wait until it has said ``event`` so often; return the last."""
        while len(self.said(event)) < times:
            assert not self.ended, f"ended without saying {event}: {self.complaints.decode()}"
            await self.heard.wait()
        return self.said(event)[times - 1]

    async def play(self, games: int = 1) -> None:
        """Answer every question by the number of some choice, until so many games are saved."""
        while len(self.said("saved")) < games:
            if len(self.said("asked")) > self.answered:
                await self.answer()
            else:
                assert not self.ended, self.complaints.decode()
                await self.heard.wait()

    async def answer(self, times: int = 1) -> None:
        """Answer so many questions, each by the number of some choice, as they are asked."""
        for _ in range(times):
            question = await self.until("asked", self.answered + 1)
            self.answered += 1
            await self.type(str(1 + self.chance.randrange(len(question["options"]))))

    async def listen(self) -> None:
        assert self.process.stdout is not None
        rest = b""
        async for data in self.process.stdout:
            *whole, rest = (rest + data).split(b"\n")
            self.lines += [json.loads(line) for line in whole]
            self._tell()
        self.ended = True
        self._tell()

    async def collect(self) -> None:
        assert self.process.stderr is not None
        async for data in self.process.stderr:
            self.complaints += data

    def _tell(self) -> None:
        self.heard.set()
        self.heard = trio.Event()


@asynccontextmanager
async def terminal(home: Path, *words: str, prefix: tuple[str, ...] = (), seed: int = 0) -> AsyncIterator[Terminal]:
    """Run ``p2pdurak WORDS --json`` in a process of its own; it is ended with the body."""
    environment = {**os.environ, "P2PDURAK_HOME": str(home), "P2PDURAK_LOOPBACK": "1"}
    command = [*prefix, sys.executable, "-m", "p2pdurak", *words, "--json"]
    process = await trio.lowlevel.open_process(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment)
    try:
        async with trio.open_nursery() as nursery:
            there = Terminal(process, random.Random(seed))
            nursery.start_soon(there.listen)
            nursery.start_soon(there.collect)
            yield there
            process.kill()
            await process.wait()
            nursery.cancel_scope.cancel()
        for fault in ("Traceback", FAULT_FILE):
            assert fault.encode() not in there.complaints, there.complaints.decode()
    finally:
        process.kill()
        with trio.CancelScope(shield=True):
            await process.wait()
            for stream in (process.stdin, process.stdout, process.stderr):
                assert stream is not None
                await trio.aclose_forcefully(stream)
