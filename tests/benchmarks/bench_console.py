"""What a person feels of the console, in real terminals: ``python -m tests.benchmarks.bench_console``.

From a key press to the own screen, and to those of all others at the table; the processor while somebody is waited
for; and from the command to the first screen.
"""

from __future__ import annotations

import os
import select
import statistics
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import pexpect

from tests.cli.person import Person

STARTS = 9
PRESSES = 60
MOVES = 40
WATCH_SECONDS = 10.0
GUESTS = ("Boris", "Clara")
STARTED = "p2pdurak.__main__"
"""The program as a person starts it: it is not forked from one that has imported all that it needs."""


def starting(home: Path) -> float:
    """Return the seconds from starting the program to its first screen."""
    before = time.perf_counter()
    person = Person(home, program=STARTED)
    person.until("Tables on this network")
    seconds = time.perf_counter() - before
    person.press("q")
    person.ended()
    return seconds


def gathered(home: Path) -> list[Person]:
    """Return three consoles at one table, with the cards dealt."""
    anna = Person(home, "host", "--name", "Anna", "--players", "3", program=STARTED)
    people = [anna]
    anna.until("Are you ready to play?")
    for name in GUESTS:
        people.append(Person(home, "join", "--name", name, program=STARTED))
        people[-1].until("Are you ready to play?")
    for person in people:
        person.company = people
        person.press("\r")
    for person in people:
        person.until("trump", "checked")
    return people


def settled(people: list[Person]) -> None:
    """Take in what the screens still have to draw, until they rest."""
    quiet = 0
    while quiet < 3:
        fds = [person.child.child_fd for person in people]
        if select.select(fds, [], [], 0.05)[0]:
            quiet = 0
            for person in people:
                person.glance()
        else:
            quiet += 1


def drawn(people: list[Person], before: dict[Person, str]) -> dict[Person, float]:
    """Return when each of these screens had changed."""
    changed: dict[Person, float] = {}
    while len(changed) < len(people):
        fds = {person.child.child_fd: person for person in people if person not in changed}
        for fd in select.select(list(fds), [], [], 5)[0]:
            now = time.perf_counter()
            person = fds[fd]
            person.glance()
            if checked(person) != before[person]:
                changed[person] = now
    return changed


def checked(person: Person) -> str:
    """The line that counts the messages checked; every move adds one."""
    return next((line for line in person.text().splitlines() if "checked" in line), "")


def own_screen(person: Person) -> list[float]:
    """Return the milliseconds from an arrow key to the first thing drawn."""
    took: list[float] = []
    for number in range(PRESSES):
        settled([person])
        before = time.perf_counter()
        person.press("\x1b[C" if number % 2 else "\x1b[D")
        select.select([person.child.child_fd], [], [], 5)
        took.append(1000 * (time.perf_counter() - before))
    return took


def other_screens(people: list[Person]) -> list[float]:
    """Return the milliseconds from a key that makes a move to the last of the other screens."""
    took: list[float] = []
    while len(took) < MOVES:
        settled(people)
        asked = next((person for person in people if person.first_key() and person.first_key() != "V"), None)
        if asked is None or asked.first_key() == "Enter":
            break
        others = [person for person in people if person is not asked]
        state = {person: checked(person) for person in others}
        before = time.perf_counter()
        asked.press(asked.first_key()[0].lower())
        with suppress(pexpect.TIMEOUT):
            took.append(1000 * (max(drawn(others, state).values()) - before))
    return took


def processor(people: list[Person]) -> list[float]:
    """Return the share of a processor, in percent, that each console takes while a decision is waited for."""
    settled(people)
    before = [ticks(person) for person in people]
    deadline = time.monotonic() + WATCH_SECONDS
    while time.monotonic() < deadline:
        for person in people:
            person.glance()
        time.sleep(0.1)
    used = [ticks(person) - then for person, then in zip(people, before, strict=True)]
    return [100 * one / os.sysconf("SC_CLK_TCK") / WATCH_SECONDS for one in used]


def ticks(person: Person) -> int:
    fields = Path(f"/proc/{person.number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def told(meaning: str, values: list[float], unit: str) -> None:
    ordered = sorted(values)
    last = ordered[int(0.95 * (len(ordered) - 1))]
    print(f"  {meaning}: median {statistics.median(ordered):.2f} {unit}, 95 of 100 within {last:.2f} {unit}")


def main() -> None:
    print(f"\nThe console, three peers on the loopback, {os.cpu_count()} cores:")
    os.environ["P2PDURAK_LOOPBACK"] = "1"
    with tempfile.TemporaryDirectory() as home:
        told("from the command to the first screen", [starting(Path(home)) for _ in range(STARTS)], "s")
        people = gathered(Path(home))
        try:
            told("processor while waiting", processor(people), "%")
            told("from a key to the own screen", own_screen(people[0]), "ms")
            told("from a move's key to the last of the other screens", other_screens(people), "ms")
        finally:
            for person in people:
                person.kill()


if __name__ == "__main__":
    main()
