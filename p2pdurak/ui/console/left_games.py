"""Interrupted games as the start screen offers them: with whom, and how long ago they were left."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from p2pdurak.ui.language import told

if TYPE_CHECKING:
    from gettext import NullTranslations

    from p2pdurak.errors import Said

MINUTE, HOUR, DAY = 60.0, 3_600.0, 86_400.0
MAX_LEFT: Final = 3
"""The latest are offered; those that nobody comes back to must not push out the tables."""


class LeftGame(NamedTuple):
    """A game that was not played to its end: its file, who plays in it besides us, and when it was left.

    ``trouble`` tells why it cannot go on, if so; ``left_at`` is on the clock of the screens, in seconds.
    """

    path: str
    names: tuple[str, ...]
    left_at: float
    trouble: Said | str = ""


def about(say: NullTranslations, game: LeftGame, now: float) -> str:
    """Return a line about the game."""
    if not game.names:
        return told(say, game.trouble)
    text = say.gettext("with {names}, left {ago}")
    return text.format(names=", ".join(game.names), ago=ago(say, now - game.left_at))


def ago(say: NullTranslations, seconds: float) -> str:
    """Return how long ago something was, in the largest unit that fits."""
    if seconds < MINUTE:
        return say.gettext("just now")
    if seconds < HOUR:
        minutes = int(seconds // MINUTE)
        return say.ngettext("{number} minute ago", "{number} minutes ago", minutes).format(number=minutes)
    if seconds < DAY:
        hours = int(seconds // HOUR)
        return say.ngettext("{number} hour ago", "{number} hours ago", hours).format(number=hours)
    days = int(seconds // DAY)
    return say.ngettext("{number} day ago", "{number} days ago", days).format(number=days)
