"""Names of keys, the same for every keyboard layout.

A terminal sends letters and not positions, so a Russian letter is read as the Latin one on the same key. A name is the
sign itself for printable keys, or a word: ``enter``, ``escape``, ``left`` …
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_CYRILLIC: Final = "йцукенгшщзхъфывапролджэячсмитьбю"
_LATIN: Final = "qwertyuiop[]asdfghjkl;'zxcvbnm,."
POSITIONS: Final = str.maketrans(_CYRILLIC + _CYRILLIC.upper(), _LATIN + _LATIN.upper())
"""By the Russian letter of a key: the Latin sign on it."""
RUSSIAN_POSITIONS: Final = str.maketrans(_LATIN + '{}:"<>', _CYRILLIC + "хъжэбю")
"""By the Latin sign of a key, in small letters: the small Russian letter on it."""

LETTERS: Final = tuple((latin, russian) for latin, russian in zip(_LATIN, _CYRILLIC, strict=True) if latin.isalpha())
"""The letters that share a key: the Latin one, and the Russian one."""

NAMES: Final[Mapping[str, str]] = {
    "c-m": "enter",
    "c-j": "enter",
    "escape": "escape",
    "c-i": "tab",
    "s-tab": "back-tab",
    "c-h": "backspace",
    "delete": "delete",
    "c-u": "empty",
    "c-w": "word",
    "left": "left",
    "right": "right",
    "up": "up",
    "down": "down",
    "home": "home",
    "end": "end",
    "pageup": "pageup",
    "pagedown": "pagedown",
    "f1": "f1",
    "f2": "f2",
    "f3": "f3",
    "c-c": "quit",
    "c-d": "quit",
    "c-l": "repaint",
}
"""What prompt_toolkit calls a key, and what we call it; other keys that are no signs mean nothing."""

CARD_KEYS: Final = "1234567890abcdefgijkmnorsuvwxyz"
"""The keys that play the first, second … card of a hand; the letters left out are those of commands."""


def positioned(sign: str) -> str:
    """Return the Latin sign, in small letters, on the key of ``sign``; what is no sign of those layouts stays."""
    return sign.translate(POSITIONS).lower() if len(sign) == 1 else sign
