"""Reading texts that tell one thing a line: the word that says what it is, then the thing.

Games and matches in writing also tell what follows from the rules, so that people can read them. Their readers skip
such lines and write the whole text anew; ``compare`` then holds what was told against that, line by line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.errors import NotationError

if TYPE_CHECKING:
    from collections.abc import Iterable


class Lines:
    """The lines of a text one after the other, without empty lines and remarks, which begin with ``#``."""

    def __init__(self, text: str) -> None:
        lines = [(number, " ".join(line.split())) for number, line in enumerate(text.splitlines(), 1)]
        self._told = [(number, line) for number, line in lines if line and not line.startswith("#")]
        self._taken = 0

    @property
    def number(self) -> int:
        """The number in the text of the line that was taken last; 1 before the first."""
        return self._told[self._taken - 1][0] if self._taken else 1

    @property
    def word(self) -> str:
        """The first word of the next line, empty after the last."""
        return self._told[self._taken][1].partition(" ")[0] if self._taken < len(self._told) else ""

    def take(self) -> str:
        """Return the next line without its first word."""
        line = self._told[self._taken][1]
        self._taken += 1
        return line.partition(" ")[2]

    def field(self, word: str) -> str:
        """Return what the next line says of ``word``; raises NotationError if it speaks of something else."""
        right = self.word == word
        value = self.take() if self.word else ""
        if not right:
            raise NotationError("here should be the word {word!r} and what it is.", word=word)
        return value

    def compare(self, expected: Iterable[str]) -> None:
        """Raise NotationError at the first line that is not as ``expected``, empty ones left out."""
        lines = [line for line in expected if line]
        for (number, line), right in zip(self._told, [*lines, *[""] * len(self._told)], strict=False):
            if line != right:
                if not right:
                    raise NotationError("Line {number}: here the text should end.", number=number)
                raise NotationError(
                    "Line {number}: {line!r} should be {right!r}.", number=number, line=line, right=right
                )
        if len(self._told) < len(lines):
            raise NotationError("The text breaks off before {line!r}.", line=lines[len(self._told)])


def read_number(text: str) -> int:
    """Return the number, of two digits at most; raises NotationError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise NotationError("{text!r} should be a number.", text=text[:40])
    return int(text)
