"""People at terminals, played by the tests: processes whose JSON lines are read and that are typed to."""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from subprocess import PIPE
from typing import TYPE_CHECKING, Any

import trio

from p2pdurak.cards import parse_card
from p2pdurak.cli.main import FAULT_FILE
from p2pdurak.net.addresses import LOOPBACK_VARIABLE, ROOM_VARIABLE
from tests.cli.forking import Forked, fork
from tests.cli.running import surroundings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence
    from pathlib import Path


BOUNDS = (LOOPBACK_VARIABLE, ROOM_VARIABLE)
TRUMP_PRICE = 100
LAST_RESORT = 200


def cheapest(options: list[str], trump: str) -> int:
    """Return which of some choices costs least; to take, to pass or to show a card is for who can do nothing else.

    With this a game is over after a third to a half of the rounds that it takes when each picks any choice, since few
    cards are taken, and it has choices of every kind.
    """

    def cost(option: str) -> float:
        *_, laid = re.split("lay|with|throw in|showing|take|pass", option)
        prices = [parse_card(card).rank + TRUMP_PRICE * card.endswith(trump) for card in laid.split()]
        return LAST_RESORT if not prices or "showing" in option else sum(prices) / len(prices)

    return min(range(len(options)), key=lambda at: cost(options[at]))


@dataclass
class Terminal:
    """One running command; ``lines`` are all it has said so far.

    Questions are answered by the number of a choice, or ``in_words``, as it was offered.
    """

    process: trio.Process | Forked
    lines: list[dict[str, Any]] = field(default_factory=list)
    complaints: bytearray = field(default_factory=bytearray)
    answered: int = 0
    in_words: bool = False
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
        """Answer every question by the cheapest choice, until so many games are saved."""
        while len(self.said("saved")) < games:
            if len(self.said("asked")) > self.answered:
                await self.answer()
            else:
                assert not self.ended, self.complaints.decode()
                await self.heard.wait()

    async def answer(self, times: int = 1) -> None:
        """Answer so many questions, each by the cheapest choice, as they are asked."""
        for _ in range(times):
            question = await self.until("asked", self.answered + 1)
            self.answered += 1
            chosen = cheapest(question["options"], trump=self.said("dealt")[-1]["face_up"][-1])
            offered = re.findall(r"^    \d+  (.+)$", question["text"], re.MULTILINE)
            await self.type(offered[chosen] if self.in_words else str(chosen + 1))

    async def resign(self, games: int = 1) -> None:
        """Give the game up, which wants to be said twice, and wait until so many games are saved."""
        for _ in range(2):
            await self.type("resign")
        await self.until("saved", games)
        self.answered = len(self.said("asked"))

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
async def terminal(
    home: Path, *words: str, prefix: Sequence[str] = (), namespaces: Sequence[str] = ()
) -> AsyncIterator[Terminal]:
    """Run ``p2pdurak WORDS --json`` in a process of its own, which ends with the body.

    ``prefix`` is what runs it, if that is another program; ``namespaces`` are the files of those where it runs, free to
    use their network, where no other tests are.
    """
    environment = {**os.environ, **surroundings(home)}
    if namespaces:
        environment = {name: value for name, value in environment.items() if name not in BOUNDS}
    process = await start(*words, "--json", prefix=prefix, namespaces=namespaces, environment=environment)
    try:
        async with trio.open_nursery() as nursery:
            there = Terminal(process)
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


async def start(
    *words: str, prefix: Sequence[str], namespaces: Sequence[str], environment: Mapping[str, str]
) -> trio.Process | Forked:
    """Start a command: forked, which costs little, or on its own where something else is to start it."""
    if not prefix and sys.platform == "linux":  # elsewhere not all libraries bear being forked
        return await fork(*words, environment=environment, namespaces=namespaces)
    command = [*prefix, sys.executable, "-m", "p2pdurak", *words]
    return await trio.lowlevel.open_process(command, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=environment)
