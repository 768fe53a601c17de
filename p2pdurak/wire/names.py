"""What people may call themselves and their tables.

Names of strangers are shown in a terminal, so everything that could move the cursor, reverse the writing direction or
hide itself is refused: only what :meth:`str.isprintable` allows, and no blank but the plain space.  Unicode's own
advice (UTS 39) would also refuse look-alike letters; that was left out, because a key and not a name says who somebody
is, and mixed scripts are everyday life for the players of this game.
"""

from __future__ import annotations

import unicodedata

from p2pdurak.errors import NotationError

NICKNAME_CHARACTERS = 24
TABLE_NAME_CHARACTERS = 40


def clean_nickname(text: str) -> str:
    """Return the player's name in its one canonical form; raise NotationError if it cannot be one."""
    return _clean(text, "A nickname", NICKNAME_CHARACTERS)


def clean_table_name(text: str) -> str:
    """Return the table's name in its one canonical form; raise NotationError if it cannot be one."""
    return _clean(text, "A table's name", TABLE_NAME_CHARACTERS)


def _clean(text: str, what: str, characters: int) -> str:
    # Normalizing can lengthen a text manyfold, so absurd input is turned away before.
    if len(text) > 8 * characters:
        raise NotationError(f"{what} may have at most {characters} characters.")
    words = unicodedata.normalize("NFC", text).split(" ")
    name = " ".join(word for word in words if word)
    if not 1 <= len(name) <= characters:
        raise NotationError(f"{what} must have 1 to {characters} characters.")
    if not name.isprintable():
        raise NotationError(f"{what} may hold only letters, digits, signs and single spaces.")
    # A leading combining mark would sit on whatever is drawn before the name.
    if unicodedata.category(name[0]).startswith("M"):
        raise NotationError(f"{what} cannot begin with a combining mark.")
    return name
