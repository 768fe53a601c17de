"""What people may call themselves and their tables.

Names of strangers are shown in a terminal, so everything that could move the cursor, reverse the writing direction or
hide itself is refused: only what :meth:`str.isprintable` allows, no blank but the plain space, no letter without a
form, and no heap of marks that would be drawn over other lines.  Unicode's own
advice (UTS 39) would also refuse look-alike letters; that was left out, because a key and not a name says who somebody
is, and mixed scripts are everyday life for the players of this game.
"""

from __future__ import annotations

import unicodedata

from p2pdurak.errors import NotationError, Sentence

NICKNAME_CHARACTERS = 24
TABLE_NAME_CHARACTERS = 40

MAX_MARKS = 3
"""Combining marks in a row; living languages need no more."""

FORMLESS = frozenset("\u115f\u1160\u3164\uffa0\u2800")
"""Letters and signs that count as printable and are drawn as nothing: Hangul fillers, the empty Braille cell."""


def clean_nickname(text: str) -> str:
    """Return the player's name in its one canonical form; raise NotationError if it cannot be one."""
    return _clean(text, Sentence("A nickname"), NICKNAME_CHARACTERS)


def clean_table_name(text: str) -> str:
    """Return the table's name in its one canonical form; raise NotationError if it cannot be one."""
    return _clean(text, Sentence("A table's name"), TABLE_NAME_CHARACTERS)


def _clean(text: str, what: Sentence, characters: int) -> str:
    # Normalizing can lengthen a text manyfold, so absurd input is turned away before.
    if len(text) > 8 * characters:
        raise NotationError("{what} may have at most {most} characters.", what=what, most=characters)
    words = unicodedata.normalize("NFC", text).split(" ")
    name = " ".join(word for word in words if word)
    if not 1 <= len(name) <= characters:
        raise NotationError("{what} must have 1 to {most} characters.", what=what, most=characters)
    if not name.isprintable() or not FORMLESS.isdisjoint(name) or has_heap(name):
        raise NotationError("{what} may hold only letters, digits, signs and single spaces.", what=what)
    # A leading combining mark would sit on whatever is drawn before the name.
    if is_mark(name[0]):
        raise NotationError("{what} cannot begin with a combining mark.", what=what)
    return name


def is_mark(sign: str) -> bool:
    """Tell whether a character is drawn on the one before it."""
    return unicodedata.category(sign).startswith("M")


def has_heap(text: str) -> bool:
    """Tell whether more marks than ``MAX_MARKS`` stand in a row."""
    row = 0
    for sign in text:
        row = row + 1 if is_mark(sign) else 0
        if row > MAX_MARKS:
            return True
    return False
