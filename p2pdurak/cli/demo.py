"""``p2pdurak demo``: a whole match between bot peers, each a process of its own, told and then verified.

The demo only starts the processes, listens to what they print and compares what they leave behind: the peers find
each other, shuffle and play over loopback exactly as people's peers do.
"""

from __future__ import annotations

import json
import os
import secrets
import shlex
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import trio

from p2pdurak.cli.options import CODE_VARIABLE, rules_of
from p2pdurak.cli.output import printer, program
from p2pdurak.cli.speaking import language_of, spoken
from p2pdurak.cli.verify import DOES_NOT_HOLD, describe
from p2pdurak.errors import DurakError, Sentence
from p2pdurak.net.addresses import LOOPBACK_VARIABLE
from p2pdurak.net.code import CODE_ENTROPY_BYTES, make_code
from p2pdurak.net.profile import HOME_VARIABLE, default_home
from p2pdurak.net.storage import make_folder, write_whole
from p2pdurak.session.audit import Report, audit, match_problem

if TYPE_CHECKING:
    import argparse

NICKNAMES = ("Anna", "Boris", "Clara", "Dmitri", "Elena", "Fyodor")
DEMO_FOLDER = "demo"
MAX_COMPLAINT_BYTES = 4_000
SILENCE_SECONDS = 60.0
"""A bot decides in milliseconds; a minute without a word means that something hangs."""


BLAME_SECONDS = 2.0
"""How long others may take to fail after the first one has."""
DECLINED = 2
"""The exit status of a peer that has only met with trouble; any other is that of a crash, which is the cause."""

_Failure: TypeAlias = "tuple[bool, int, PeerFailed]"


class PeerFailed(DurakError):
    """A peer of the demo ended with an error, or fell silent."""


def run(args: argparse.Namespace) -> int:
    """Play the demo and verify it; return 0 when everything holds."""
    args.table = f"demo-{os.getpid()}"
    # Others on this machine may be waiting for a table; this one is not for them.
    args.code = make_code(secrets.token_bytes(CODE_ENTROPY_BYTES))
    make_folder(default_home() / DEMO_FOLDER)
    rules_of(args)  # refuses contradicting options before anything is started
    with tempfile.TemporaryDirectory(prefix="p2pdurak-") as scratch:
        demo = _Demo(args, Path(scratch))
        trio.run(demo.play)
        return demo.conclude()


class _Demo:
    """One run: its peers, and the transcripts that they left, by game."""

    def __init__(self, args: argparse.Namespace, scratch: Path) -> None:
        self._args = args
        self._scratch = scratch
        self._show = printer(args.json)
        self._say = spoken(args)
        self._saved: list[list[Path]] = [[] for _ in range(args.games)]
        self._failures: list[_Failure] = []

    async def play(self) -> None:
        """Run all peers to the end; raises PeerFailed."""
        players = self._args.players
        text = self._say.gettext("{number} peers, each a process of its own, meet on the loopback interface.")
        text = text.format(number=players)
        self._show({"event": "demo", "players": players, "text": text})
        async with trio.open_nursery() as nursery:
            for at in range(players):
                nursery.start_soon(self._run_peer, at, nursery.cancel_scope)
        if self._failures:
            raise min(self._failures, key=lambda failure: failure[:2])[2]

    async def _run_peer(self, at: int, everybody: trio.CancelScope) -> None:
        """Run one peer as a process; the first one opens the table and tells the game."""
        name = NICKNAMES[at]
        environment = {**os.environ, LOOPBACK_VARIABLE: "1", HOME_VARIABLE: str(self._scratch / name)}
        environment[CODE_VARIABLE] = self._args.code  # a command line could be read by everybody on this machine
        async with trio.open_nursery() as nursery:
            process: trio.Process = await nursery.start(
                partial(
                    trio.run_process,
                    self._command(at),
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    check=False,
                    env=environment,
                )
            )
            complaints = bytearray()
            nursery.start_soon(_collect, process.stderr, complaints)
            if not await self._listen(process.stdout, tells=at == 0):
                silence = round(SILENCE_SECONDS)
                self._fail(
                    everybody,
                    at,
                    DECLINED,
                    PeerFailed("Nothing was heard from {name} for {seconds} seconds.", name=name, seconds=silence),
                )
        if process.returncode:
            said = complaints.decode(errors="replace").strip() or Sentence("exit status {n}", n=process.returncode)
            self._fail(
                everybody,
                at,
                process.returncode,
                PeerFailed("The process of {name} failed: {complaint}", name=name, complaint=said),
            )

    def _fail(self, everybody: trio.CancelScope, at: int, status: int, why: PeerFailed) -> None:
        """Take note; a peer that crashed takes others with it, which may end sooner, so all are waited for a moment."""
        self._failures.append((status == DECLINED, at, why))
        everybody.deadline = min(everybody.deadline, trio.current_time() + BLAME_SECONDS)

    def _command(self, at: int) -> list[str]:
        args = self._args
        opening = ["--players", str(args.players), "--deck", str(args.deck), "--games", str(args.games)]
        opening += ["--rules", args.rules, *(word for setting in args.set for word in ("--set", setting))]
        opening += ["--closed-books"] if args.closed_books else []
        role = ["--open", "--table", args.table, *opening] if at == 0 else [args.table]
        who = ["--name", NICKNAMES[at], "--lang", language_of(args), "--json"]
        return [sys.executable, "-m", "p2pdurak", "bot", *role, *who]

    async def _listen(self, stream: trio.abc.ReceiveStream | None, *, tells: bool) -> bool:
        """Take a peer's lines until it ends; return False if it falls silent."""
        if stream is None:
            return True
        rest = b""
        while True:
            with trio.move_on_after(SILENCE_SECONDS) as patience:
                data = await stream.receive_some()
            if patience.cancelled_caught:
                return False
            if not data:
                return True
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                self._take(json.loads(line), tells)

    def _take(self, line: dict[str, Any], tells: bool) -> None:
        if line["event"] == "saved":
            game = next(paths for paths in self._saved if len(paths) < self._args.players)
            game.append(Path(line["path"]))
        elif line["event"] == "peer" or (tells and line["event"] != "open"):
            self._show(line)

    def conclude(self) -> int:
        """Compare and verify what the peers saved, and keep one copy of each game; return the exit status."""
        reports: list[Report] = []
        good = True
        folder = default_home() / DEMO_FOLDER
        make_folder(folder)
        for paths in self._saved:
            transcripts = {path.read_bytes() for path in paths}
            same = len(transcripts) == 1 and len(paths) == self._args.players
            self._show({"event": "compared", "identical": same, "text": f"\n{self._compared(len(paths), same)}"})
            if not transcripts:
                return DOES_NOT_HOLD
            data = transcripts.pop()
            report = audit(data)
            path = folder / paths[0].name
            write_whole(path, data)
            chain = match_problem(reports[-1], report) if reports else None
            self._show(describe(report, str(path), self._say, chain, follows=bool(reports)))
            reports.append(report)
            good = good and same and report.holds and chain is None
        verify = " ".join(shlex.quote(str(folder / paths[0].name)) for paths in self._saved)
        check = self._say.gettext("Check it yourself:")
        self._show({"event": "done", "text": f"\n{check}\n  {program()} verify {verify}"})
        return 0 if good else DOES_NOT_HOLD

    def _compared(self, number: int, same: bool) -> str:
        gettext = self._say.gettext
        sentence = (
            gettext("The transcripts of all {number} peers are identical.")
            if same
            else gettext("The transcripts of all {number} peers are NOT identical.")
        )
        return sentence.format(number=number)


async def _collect(stream: trio.abc.ReceiveStream | None, into: bytearray) -> None:
    if stream is not None:
        async for data in stream:
            into += data[: max(0, MAX_COMPLAINT_BYTES - len(into))]
