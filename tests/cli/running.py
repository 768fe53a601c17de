"""Commands as a program runs them: most in the process of the tests, which has imported already what they need.

Such a command finds its streams, its environment and an empty standard input as a process of its own would, and what
it could leave behind is put back. Where the process itself is the point, its signals, its locale, its pipes or its
death, it has one: see ``start`` here, and ``tests.cli.typing`` for people at terminals.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache, partial
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any, NamedTuple, cast

import pytest

from p2pdurak.cli import games, main
from p2pdurak.cli.main import FAULT_FILE
from tests.helpers import make_genesis
from tests.session.kitchen import Kitchen

FEW_ROUNDS = 20


class Done(NamedTuple):
    """A command that has ended: its exit status, and all that it said."""

    returncode: int
    stdout: str
    stderr: str


def run(*words: str, home: Path, encoding: str = "utf-8") -> Done:
    """Run ``p2pdurak WORDS`` here, on streams of that encoding, with nothing to read."""
    out, err = (TextIOWrapper(BytesIO(), encoding=encoding) for _ in range(2))
    with (
        pytest.MonkeyPatch.context() as patch,
        Path(os.devnull).open(encoding=encoding) as nothing,
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        for name, value in surroundings(home).items():
            patch.setenv(name, value)
        patch.setattr(sys, "stdin", nothing)
        games._key.cache_clear()  # a process forgets which keys it has read
        try:
            status = main(words)
        except SystemExit as end:  # this is how mistakes in the words end
            status = cast("int", end.code)
    done = Done(status, *(said(stream) for stream in (out, err)))
    for fault in ("Traceback", FAULT_FILE):
        assert fault not in done.stderr
        assert fault not in done.stdout
    return done


def said(stream: TextIOWrapper) -> str:
    """Return what was written to a stream, as who reads it in its encoding sees it."""
    stream.seek(0)
    return stream.read()


def surroundings(home: Path) -> dict[str, str]:
    """Return the variables that keep a command to this machine and to a folder."""
    return {"P2PDURAK_HOME": str(home), "P2PDURAK_LOOPBACK": "1"}


def start(*words: str, home: Path) -> subprocess.Popen[str]:
    """Start ``p2pdurak WORDS`` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "p2pdurak", *words],
        env={**os.environ, **surroundings(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Who runs the tests in the background may have had the shell ignore it for them and for all that they start.
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )


def events(lines: str) -> list[dict[str, Any]]:
    """Return the objects of JSON lines."""
    return [json.loads(line) for line in lines.splitlines()]


@cache
def given_up() -> bytes:
    """The transcript of a game of two that somebody gave up after a few moves, which is verified in half the time."""
    table = Kitchen(make_genesis(2, seed=5), seed=5)
    table.run(until=lambda table: table.sessions[0].state.round >= FEW_ROUNDS)
    return table.resign(1).go_on().sessions[0].transcript()
