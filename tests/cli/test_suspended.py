"""The console is suspended, as a shell does with its jobs, and goes on: meanwhile the terminal is the shell's."""

from __future__ import annotations

import signal
import sys
import termios
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.cli.person import PATIENCE_SECONDS, Person

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="whether a process is stopped is read in /proc")

ON_AND_OFF = (("\x1b[?1049h", "\x1b[?1049l"), ("\x1b[?25l", "\x1b[?25h"), ("\x1b[?1000h", "\x1b[?1000l"))
"""The alternate screen, the hidden cursor and reports of the mouse."""


COOKED = termios.ICANON | termios.ECHO | termios.ISIG


def is_on(person: Person) -> list[bool]:
    return [person.raw.rfind(on) > person.raw.rfind(off) for on, off in ON_AND_OFF]


def local_modes(person: Person) -> int:
    return int(termios.tcgetattr(person.child.child_fd)[3])


def await_stop(person: Person) -> None:
    """Wait until its process is stopped, and all that it has drawn before is seen."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    state = ""
    while state != "T":
        assert time.monotonic() < deadline, f"it is not stopped, but {state}"
        person.glance()
        stat = Path("/proc", str(person.number), "stat").read_text(encoding="utf-8")
        state = stat.rpartition(")")[2].split()[0]
    person.glance()


@pytest.mark.parametrize(
    "words", [(), ("play", "--bots", "1", "--pace", "0", "--profile", "zoe")], ids=["start", "play"]
)
def test_the_terminal_is_given_back_while_suspended_and_had_again_afterwards(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    person = Person(tmp_path, *words)
    with closing(person.child):
        seen = person.until("trump", "talon") if words else person.until("Tables on this network")
        person.child.kill(signal.SIGTSTP)
        await_stop(person)
        assert not any(is_on(person))
        assert local_modes(person) & COOKED == COOKED
        person.screen.reset()
        person.child.kill(signal.SIGCONT)
        person.until(*(("trump", "talon") if words else ("Tables on this network",)))
        assert all(is_on(person))
        assert seen.splitlines()[0] in person.text()
        assert local_modes(person) & COOKED == 0
        person.press("\x04")  # it hears keys
        if words:
            person.until("Leave?")
            person.press("\x04")
        assert person.ended() == 0
