"""What the keys of the start screen do, in words: in its rows, and in its help.

``cap`` is always what is written on the key of a letter: see ``Screen.cap``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from p2pdurak.ui.console.choices import OpenTable

if TYPE_CHECKING:
    from collections.abc import Callable
    from gettext import NullTranslations

    from p2pdurak.ui.console.left_games import LeftGame

Key: TypeAlias = tuple[str, str, str]
"""What is written on a key, what it does, and its name for a click."""

SPACIOUS_ROWS: Final = 22
"""From so many rows on each command has a row for itself."""
OWN_COMMANDS: Final = 4
"""The first ones of the commands are those of this screen only."""


def command_rows(say: NullTranslations, cap: Callable[[str], str], rows: int) -> list[list[Key]]:
    """Return the commands row by row: one in each, but on low screens those that are the same everywhere in one."""
    gettext = say.gettext
    commands = [
        (cap("B"), gettext("play against bots now"), "b"),
        (cap("N"), gettext("open a new table"), "n"),
        (cap("J"), gettext("go to a table by address, invite or name"), "j"),
        (cap("A"), gettext("change your name"), "a"),
        ("F1", gettext("help"), "f1"),
        ("F2", "English / Русский" if rows >= SPACIOUS_ROWS else "EN / РУ", "f2"),
        ("F3", gettext("settings"), "f3"),
        (cap("Q"), gettext("quit"), "q"),
    ]
    alone = len(commands) if rows >= SPACIOUS_ROWS else OWN_COMMANDS
    return [[command] for command in commands[:alone]] + [commands[alone:]] * (alone < len(commands))


def keys_of(say: NullTranslations, cap: Callable[[str], str], chosen: LeftGame | OpenTable) -> list[Key]:
    """Return what can be done with what is chosen."""
    gettext = say.gettext
    if isinstance(chosen, OpenTable):
        keys = [("1 2 …", gettext("sit down"), ""), ("Enter", gettext("sit down at the chosen"), "enter")]
        return [*keys, (cap("W"), gettext("watch it"), "w")]
    return [("Enter", gettext("take it up"), "enter"), (cap("X"), gettext("give it up"), "x")]


def explained(say: NullTranslations, cap: Callable[[str], str]) -> tuple[str, ...]:
    """Return what help says of the keys, line by line."""
    gettext = say.gettext
    return (
        gettext("{key}  a game with three bots, at once").format(key=cap("B")),
        gettext("{key}  a table of your own, with rules as you like; others on this network see it.").format(
            key=cap("N")
        ),
        gettext(
            "{key}  to a table that is not listed: by its address, such as 192.168.1.7:47800, by its name, or by "
            "an invite, which begins with p2pdurak: and can be pasted."
        ).format(key=cap("J")),
        gettext("1 2 3 …  take up the game or sit down at the table of that number; ↑ ↓ and Enter do so too."),
        gettext("{watch}  watch the chosen table      {give_up}  give the chosen game up").format(
            watch=cap("W"), give_up=cap("X")
        ),
        gettext(
            "Friends who compare the words of your key aloud with what they see know that it is you, whatever your "
            "name."
        ),
    )
