"""What was said at one table, and who is not to be heard there, as the person at this console has it. Data only."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.wire.chat import Remark

MAX_LINES: Final = 200
MAX_OTHERS: Final = 9
"""Each of the others has a digit for muting; those who spoke last have them."""
FRESH_SECONDS: Final = 30.0
"""How long words stand at the table by themselves; later they are to be found among all that was said."""


class Line(NamedTuple):
    """What somebody said at the time ``at`` in seconds; ``remark`` is None where it was too much to be shown."""

    speaker: bytes
    nickname: str
    watching: bool
    remark: Remark | None
    at: float


class Conversation:
    """The talk at one table; ``say`` says something there, and raises DurakError where it cannot.

    ``me`` is our own key; ``unread`` counts what others said while something else was on the screen.
    """

    def __init__(self, me: bytes, say: Callable[[Remark], object]) -> None:
        self.me = me
        self.say = say
        self.muted: set[bytes] = set()
        self.unread = 0
        self._lines: deque[Line] = deque(maxlen=MAX_LINES)

    def hear(self, line: Line, *, seen: bool) -> None:
        """Take a line, in which nobody is interested who has muted its speaker."""
        if line.speaker not in self.muted:
            self._lines.append(line)
            self.unread += not seen and line.speaker != self.me

    def lines(self) -> list[Line]:
        """Return all that is remembered, the oldest first, without those who are muted now."""
        return [line for line in self._lines if line.speaker not in self.muted]

    def fresh(self, now: float) -> list[Line]:
        """Return what was said a short time ago."""
        return [line for line in self.lines() if now - line.at < FRESH_SECONDS]

    def others(self) -> list[Line]:
        """Return the last line of each of those who spoke last, in the order in which they first did."""
        last = {line.speaker: line for line in self._lines if line.speaker != self.me}
        return list(last.values())[-MAX_OTHERS:]

    def toggle(self, speaker: bytes) -> None:
        """Hear somebody no longer, or again."""
        self.muted ^= {speaker}
