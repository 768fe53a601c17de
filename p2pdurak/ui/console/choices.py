"""What can be chosen on the start screen, as plain data: the tables that are seen there, and what a person wants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from p2pdurak.game.ruleset import Ruleset


class OpenTable(NamedTuple):
    """A table that is there: how it is reached, and what it says of itself."""

    key: bytes
    address: str
    name: str
    host: str
    rules: Ruleset
    pack: int
    seats: int
    taken: int
    playing: bool
    code: bool
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TakeUp:
    """Go on with an interrupted game."""

    path: str


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Go on with an interrupted game never more."""

    path: str


@dataclass(frozen=True, slots=True)
class PlayBots:
    """Play against bots at once."""


@dataclass(frozen=True, slots=True)
class OpenNew:
    """Open a table."""


@dataclass(frozen=True, slots=True)
class Join:
    """Go to a table; ``target`` is an address, an invite or a table's name, ``key`` that of its opener if known."""

    target: str
    code: str = ""
    key: bytes = b""
    watch: bool = False


@dataclass(frozen=True, slots=True)
class Quit:
    """Go home."""


Choice: TypeAlias = TakeUp | GiveUp | PlayBots | OpenNew | Join | Quit
