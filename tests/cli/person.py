"""A person at a real terminal, played by the tests: a pty with the console in it, keys, and eyes on a pyte screen."""

from __future__ import annotations

import os
import re
import sys
import termios
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pexpect
import pyte

from p2pdurak.cli.main import FAULT_FILE
from tests.cli.forking import AtTerminal

if TYPE_CHECKING:
    from pathlib import Path

PATIENCE_SECONDS = 20
KEYS_ROW = -2


class Person:
    """One ``p2pdurak WORDS`` in a terminal of its own, or another ``program``.

    The first is forked from a process that has imported everything, any other is started. ``company`` are all whose
    terminals must be kept drained.
    """

    def __init__(
        self,
        home: Path,
        *words: str,
        columns: int = 80,
        rows: int = 24,
        program: str = "p2pdurak",
        **environment: str,
    ) -> None:
        self.company: list[Person] = [self]
        self.screen = pyte.Screen(columns, rows)
        self.raw = ""
        self._stream = pyte.Stream(self.screen)
        ours = {"P2PDURAK_HOME": str(home), "P2PDURAK_LOOPBACK": "1", "PROMPT_TOOLKIT_NO_CPR": "1"}
        settings = {**os.environ, **ours, "TERM": "xterm-256color", "LANG": "C.UTF-8", "PYTHONUTF8": "1", **environment}
        self.child: Any
        if program == "p2pdurak" and sys.platform == "linux":  # elsewhere not all libraries bear being forked
            self.child = AtTerminal(*words, environment=settings, rows=rows, columns=columns, patience=PATIENCE_SECONDS)
        else:
            self.child = pexpect.spawn(
                sys.executable,
                ["-m", program, *words],
                env=settings,
                dimensions=(rows, columns),
                encoding="utf-8",
                timeout=PATIENCE_SECONDS,
            )
            self.child.delaybeforesend = None
        self._before = termios.tcgetattr(self.child.child_fd)

    @property
    def number(self) -> int:
        """The number of its process."""
        child = self.child
        return child.number if isinstance(child, AtTerminal) else int(child.pid)

    def text(self) -> str:
        return "".join(line.rstrip() + "\n" for line in self.screen.display)

    def look(self) -> str:
        """Wait for something to be drawn; return what is on the screen then."""
        for other in self.company:
            if other is not self:
                other.glance()
        self._read(1 if len(self.company) > 1 else PATIENCE_SECONDS)
        return self.text()

    def glance(self) -> None:
        """Take what has been drawn; a terminal that nobody looks at is full some day, and then its program waits."""
        with suppress(pexpect.EOF, pexpect.TIMEOUT):
            while not self.child.closed:
                self._read(0)

    def _read(self, timeout: float) -> None:
        data = self.child.read_nonblocking(65536, timeout=timeout)
        self.raw += data
        self._stream.feed(data)

    def until(self, *parts: str) -> str:
        """Look until all parts are on the screen."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not all(part in self.text() for part in parts):
            try:
                self.look()
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                deadline = 0
            if time.monotonic() > deadline:  # seconds that are counted are drawn for ever
                raise AssertionError(f"not seen: {parts}\n{self.text()}")
        return self.text()

    def read(self, sentence: str) -> None:
        """Where there is no screen: wait for a sentence, wherever its lines are broken."""
        self.child.expect(r"\s+".join(map(re.escape, sentence.split())))

    def press(self, keys: str) -> None:
        self.child.send(keys)

    def first_key(self) -> str:
        """The first key that the screen offers, as it is written there; empty if it offers none."""
        offered = self.screen.display[KEYS_ROW].split()
        return offered[0] if offered else ""

    def resize(self, columns: int, rows: int) -> None:
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def ended(self, *, faultless: bool = True) -> int:
        """Wait for the end; return the exit status, or the negative number of the signal that killed it.

        With ``faultless`` it must not have ended by a fault of the program.
        """
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            try:
                self.look()
            except pexpect.TIMEOUT:
                continue
            except pexpect.EOF:
                break
        after = termios.tcgetattr(self.child.child_fd)
        self.child.close()
        assert after[:4] == self._before[:4], "the terminal's modes are not what they were"
        assert self.raw.rfind("\x1b[?1049l") > self.raw.rfind("\x1b[?1049h"), "the alternate screen was not left"
        assert self.raw.rfind("\x1b[?25h") > self.raw.rfind("\x1b[?25l"), "the cursor is still hidden"
        assert "Traceback" not in self.raw, self.raw[self.raw.index("Traceback") :]
        assert not (faultless and FAULT_FILE in self.raw), self.raw[self.raw.rindex("\x1b[?1049l") :]
        status: int = -self.child.signalstatus if self.child.signalstatus else self.child.exitstatus
        return status

    def kill(self) -> None:
        self.child.close()
