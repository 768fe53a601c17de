r"""What a terminal sends, before it is read as keys: whatever means no key that is known is left out here, as a whole.

prompt_toolkit reads an unknown control sequence as Escape and then each of its signs as a key, so that an answer of the
terminal, or a key that only some keyboards have, would play cards; and it looks into mouse events only when it handles
them, with an exception where they are not as it expects. So sequences are recognized here by their form, which is the
same for all, known or not. Rejected was a list of those that do harm: there are always more.

Source: ECMA-48, 5.3 (the forms of eight bits), 5.4 (control sequences) and 5.6 (control strings); "XTerm Control
Sequences", "Mouse Tracking".
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Final

from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES

if TYPE_CHECKING:
    from collections.abc import Callable

    from prompt_toolkit.input.vt100_parser import Vt100Parser

_ESCAPE: Final = "\x1b"
_OPEN: Final = ("\x1b[", "\x1bO")
_STRINGS: Final = ("\x1b]", "\x1bP", "\x1bX", "\x1b^", "\x1b_")
_SPLIT: Final = ("[", "O", "\\")
"""What makes a sequence of an Escape that has come before it."""
_PASTE: Final = "\x1b[200~"
_PASTED: Final = "\x1b[201~"
PASTE_SECONDS: Final = 1.0
"""After so long a silence a paste whose end has not come is given up."""
_SEVEN_BITS: Final = {0x80 + sign: f"\x1b{chr(0x40 + sign)}" for sign in b"\x0f\x10\x18\x1b\x1c\x1d\x1e\x1f"}
"""What introduces or ends a sequence by one sign of eight bits, as the two of seven that mean the same."""
_TOKEN: Final = re.compile(
    r"[^\x1b]+"
    r"|\x1b\[200~.*?\x1b\[201~"
    r"|\x1b(?=\x1b)"
    r"|\x1b\[(?:M...|\[.)"  # mice of the oldest kind, and function keys of the Linux console
    r"|\x1b(?:\[(?!200~|[M\[])|O)[^\x00-\x1f@-\x7f]*(?:[@-~]|(?=[\x00-\x1f\x7f]))"  # or one that breaks off
    r"|\x1b[]PX^_].*?(?:\x07|\x1b\\)"
    r"|\x1b[^\x1b\[O\]PX^_]",  # with Alt
    re.DOTALL,
)
"""What stands together: text, a paste, or a sequence."""
_INTERRUPTED_PASTE: Final = re.compile(r"\x1b\[200~[^\x03]*(?=\x03)")
_LATE_STRING: Final = re.compile(
    r"\x1b[]PX^_][^\x00-\x1f\x7f]*(?:\x07|\x1b\\|(?=[\x00-\x1a\x1c-\x1f\x7f]|\x1b[^\\]))", re.DOTALL
)
"""A control string that has come in parts: to its end, or to a key that can be none of it."""

_MOUSE: Final = re.compile(
    r"\x1b\[(?:<[0-9]{1,4};[0-9]{1,4};[0-9]{1,4}[Mm]|[0-9]{1,4};[0-9]{1,4};[0-9]{1,4}M|M...)", re.S
)
_CLICK: Final = re.compile(r"\x1b\[(?:<0;([0-9]{1,4});([0-9]{1,4})m|35;([0-9]{1,4});([0-9]{1,4})M)")
_OLD_CLICK: Final = re.compile(r"\x1b\[M#(.)(.)", re.DOTALL)
_OLD_ORIGIN, _UNDECODED = 32, 0xDC00
"""What is added to a number to make it a sign; and to a byte above 127, when the input is no text."""


class Sieve:
    """Stands before a ``parser`` in an input of prompt_toolkit, and passes on what it knows.

    ``clock`` tells the time in seconds.
    """

    def __init__(self, parser: Vt100Parser, clock: Callable[[], float] = time.monotonic) -> None:
        self._parser = parser
        self._clock = clock
        self._heard = clock()
        self._held = ""
        self._cut = self._late = False

    def feed(self, data: str) -> None:
        """Take what was read; the beginning of a sequence is kept until its end comes.

        Over a slow line its Escape may have come so much earlier that it was taken for a key: the rest is none. A
        paste is given up where nothing of it has come for long, and what comes now does not end it.
        """
        if self._cut and data.startswith(_SPLIT):
            data = _ESCAPE + data
        self._cut = False
        before, now = self._heard, self._clock()
        held, self._heard = self._held + data.translate(_SEVEN_BITS), now
        stale = self._held.startswith(_PASTE) and now - before >= PASTE_SECONDS and _PASTED not in held
        self._held = held[len(self._held) :] if stale else held
        self._sift()

    def _sift(self) -> None:
        """Pass on whatever is whole, and is known."""
        while token := (
            (_LATE_STRING.match(self._held) if self._late else None)
            or _TOKEN.match(self._held)
            or _INTERRUPTED_PASTE.match(self._held)
        ):
            self._held, self._late = self._held[token.end() :], False
            if _is_known(token[0]):
                self._parser.feed(token[0])

    def flush(self) -> None:
        """Take note that nothing more comes for now: an Escape was a key, any other beginning is none.

        A slow line may still bring the rest of a control sequence, which any key but those of digits and signs ends, or
        of a control string: since a key with Alt may have begun that, Enter, Escape and all keys with Control end it.
        """
        self._late = self._held.startswith(_STRINGS)
        self._sift()
        if self._held == _ESCAPE or (self._held.startswith(_STRINGS) and self._held.endswith(_ESCAPE)):
            self._held = ""
            self._cut = True
            self._parser.feed(_ESCAPE)
        self._late = self._held.startswith(_STRINGS)
        if not self._late and not self._held.startswith(_OPEN):
            self._held = ""
        self._parser.flush()

    def feed_and_flush(self, data: str) -> None:
        """Take all there is."""
        self.feed(data)
        self.flush()

    def reset(self, request: bool = False) -> None:
        """Forget what was begun."""
        self._held, self._cut, self._late = "", False, False
        self._parser.reset(request)


def _is_known(token: str) -> bool:
    """Tell whether something is text, a key, a paste or the mouse; where in the terminal the cursor is, nobody asks."""
    plain = not token.startswith(_ESCAPE) or token == _ESCAPE
    pasted = token.startswith(_PASTE) and token.endswith(_PASTED)
    return plain or pasted or token in ANSI_SEQUENCES or _MOUSE.fullmatch(token) is not None


def clicked(event: str) -> tuple[int, int] | None:
    """Return the column and row, from 0, where the first button was let go, with no other key; None for all else."""
    if click := _CLICK.fullmatch(event):
        column, row = (int(number) for number in click.groups() if number is not None)
    elif click := _OLD_CLICK.fullmatch(event):
        column, row = (_number(sign) for sign in click.groups())
    else:
        return None
    return column - 1, row - 1


def _number(sign: str) -> int:
    number = ord(sign)
    return (number - _UNDECODED if number >= _UNDECODED else number) - _OLD_ORIGIN
