"""Who has been met before: trust on first use, a profile at a time.

A key says who somebody is, a nickname only what they like to be called.  So what matters is told when two of these no
longer go together as before: somebody known has a new name, or a known name comes with a key never seen.  Names are
compared as people see them: capitals do not count, nor which of the alphabets a letter of the same look is from.
(UTS 39 has thousands of such pairs; those of Latin, Cyrillic and Greek are the ones that our players can type.)

The file is text that a person can read and mend, written anew as a whole at every change, at most some hundred
kilobytes.  A damaged one is put aside under another name, one that cannot be read or put aside is left alone and never
overwritten.  Nothing here is worth keeping anybody from playing, so trouble is told in ``note`` and never raised.

Rejected: certificates of players for players (there is nobody to issue them), and refusing a namesake (there are two
Anns in many a family).
"""

from __future__ import annotations

import json
import os
import unicodedata
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from p2pdurak.errors import NotationError, Said, Sentence, StorageError
from p2pdurak.net.hello import PUBLIC_KEY_BYTES
from p2pdurak.net.storage import read_whole, storage_errors, write_whole
from p2pdurak.wire.names import clean_nickname

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FILE_NAME: Final = "known-players.json"
MAX_PLAYERS: Final = 1000
"""Whoever has not been met for longest is forgotten first."""
MAX_NICKNAMES: Final = 8
"""The latest of one player."""
MAX_FILE_BYTES: Final = 2 * 1024 * 1024

_FORMAT = 1
_ALIKE = str.maketrans("авекмнорстухіјѕԁԛԝαεικνορτυχ", "abekmhopctyxijsdqwaeikvoptux")


class Kind(Enum):
    """What the meeting of a key and a nickname means."""

    NEW = "new"
    KNOWN = "known"
    RENAMED = "renamed"
    NAMESAKE = "namesake"
    """A key never seen under a nickname, or one of the same look, by which somebody else is known."""


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who has been met: 32-byte key, nicknames with the latest last, first and last day."""

    public: bytes
    nicknames: tuple[str, ...]
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Acquaintance:
    """What a meeting means.

    ``before`` is what was known of this key, None if nothing; ``namesakes`` are the others who use a nickname of that
    look, the one last met first.
    """

    kind: Kind
    nickname: str
    before: Player | None
    namesakes: tuple[Player, ...] = ()

    @property
    def sentence(self) -> Sentence:
        """What a person should be told."""
        name = self.nickname
        match self.kind, self.before:
            case Kind.NAMESAKE, _:
                other = self.namesakes[0]
                return Sentence(
                    "Beware: this {name} is not the {known} that you know, last met on {day}, but has another key. "
                    "Ask who it is.",
                    name=name,
                    known=other.nicknames[-1],
                    day=other.last.isoformat(),
                )
            case Kind.RENAMED, Player() as before if self.namesakes:
                return Sentence(
                    "{name} is known to you as {before}. Mind that you know others of that name; this one was first "
                    "met on {day}.",
                    name=name,
                    before=before.nicknames[-1],
                    day=before.first.isoformat(),
                )
            case Kind.RENAMED, Player() as before:
                return Sentence("{name} is known to you as {before}.", name=name, before=before.nicknames[-1])
            case _, Player() as before if self.namesakes:
                return Sentence(
                    "You know {name}, last met on {last}. Mind that you know others of that name; this one was first "
                    "met on {first}.",
                    name=name,
                    last=before.last.isoformat(),
                    first=before.first.isoformat(),
                )
            case _, Player() as before:
                return Sentence("You know {name}, last met on {day}.", name=name, day=before.last.isoformat())
        return Sentence("You have not met {name} before.", name=name)


class KnownPlayers:
    """The players whom the owner of one profile has met.

    ``note`` is a sentence about trouble with the file, for a person, or None.
    """

    def __init__(self, path: Path | None, players: Iterable[Player] = (), note: Said | None = None) -> None:
        """Start from ``players``, and remember new ones in the file ``path`` if there is one; use ``open`` instead."""
        self.note = note
        self._path = path
        self._players = {player.public: player for player in players}

    @classmethod
    def open(cls, folder: Path) -> KnownPlayers:
        """Read who is known in the profile's ``folder``; blocks for a moment, raises nothing."""
        path = folder / FILE_NAME
        try:
            with storage_errors("read", path):
                if not path.exists():
                    return cls(path)
                size = path.stat().st_size
            return cls(path, _decode(read_whole(path) if size <= MAX_FILE_BYTES else b""))
        except NotationError:
            return _put_aside(path)
        except StorageError as error:
            note = Sentence(
                "Whom you have met before is not known now, and will not be remembered. {trouble}", trouble=error
            )
            return cls(None, note=note)

    @property
    def players(self) -> tuple[Player, ...]:
        """All who are known, the one last met first."""
        return tuple(sorted(self._players.values(), key=lambda player: (player.last, player.public), reverse=True))

    def recall(self, public: bytes, nickname: str) -> Acquaintance:
        """Tell what meeting this key under this cleaned nickname means, and remember nothing."""
        look = _look(nickname)
        before = self._players.get(public)
        namesakes = tuple(
            other for other in self.players if other.public != public and look in map(_look, other.nicknames)
        )
        if before is None:
            kind = Kind.NAMESAKE if namesakes else Kind.NEW
        elif nickname == before.nicknames[-1]:
            kind = Kind.KNOWN
        elif namesakes and look not in map(_look, before.nicknames):
            kind = Kind.NAMESAKE
        else:
            kind = Kind.RENAMED
        return Acquaintance(kind, nickname, before, namesakes)

    def meet(self, public: bytes, nickname: str, day: date) -> Acquaintance:
        """Tell what meeting this 32-byte key under this cleaned nickname means, and remember it.

        The file is written, which blocks for milliseconds, only if something changed; if that fails, ``note`` says so.
        """
        acquaintance = self.recall(public, nickname)
        before = acquaintance.before or Player(public, (), day, day)
        nicknames = (*(name for name in before.nicknames if name != nickname), nickname)[-MAX_NICKNAMES:]
        # A clock that was set back must not make a meeting look older than it is.
        after = replace(before, nicknames=nicknames, last=max(before.last, day))
        if after != acquaintance.before:
            self._players[public] = after
            for forgotten in self.players[MAX_PLAYERS:]:
                del self._players[forgotten.public]
            self._write()
        return acquaintance

    def _write(self) -> None:
        if self._path is not None:
            try:
                write_whole(self._path, _encode(self.players))
            except StorageError as error:
                self.note = Sentence("Whom you meet will not be remembered. {trouble}", trouble=error)


def _look(nickname: str) -> str:
    """Return the same text for nicknames that people cannot tell apart at a glance."""
    folded = unicodedata.normalize("NFKC", nickname).casefold().translate(_ALIKE)
    return "".join(folded.split())


def _put_aside(path: Path) -> KnownPlayers:
    """Rename a damaged file to a name that is free, and begin a new one."""
    number = 1
    while (aside := path.with_name(f"{path.stem}.damaged-{number}{path.suffix}")).exists():
        number += 1
    try:
        with storage_errors("put aside", path):
            os.replace(path, aside)
    except StorageError as error:
        note = Sentence("The list of players you have met is damaged, and stays as it is. {trouble}", trouble=error)
        return KnownPlayers(None, note=note)
    note = Sentence(
        "The list of players you have met was damaged. It is kept as {aside}, and a new list begins.", aside=aside
    )
    return KnownPlayers(path, note=note)


def _encode(players: Iterable[Player]) -> bytes:
    entries = [
        {
            "key": player.public.hex(),
            "nicknames": list(player.nicknames),
            "first": player.first.isoformat(),
            "last": player.last.isoformat(),
        }
        for player in players
    ]
    return (json.dumps({"format": _FORMAT, "players": entries}, ensure_ascii=False, indent=1) + "\n").encode()


def _decode(data: bytes) -> list[Player]:
    """Return the players in a file; raise NotationError if it is not exactly one that ``_encode`` makes."""
    try:
        value = json.loads(data)
        if value["format"] != _FORMAT:
            raise NotationError("The file is of another format.")
        players = [_player(entry) for entry in value["players"]]
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise NotationError("The file is not a list of players.") from error
    if len(players) > MAX_PLAYERS or len({player.public for player in players}) != len(players):
        raise NotationError("The file lists too many players, or one of them twice.")
    return players


def _player(entry: dict[str, Any]) -> Player:
    public = bytes.fromhex(entry["key"])
    nicknames = tuple(clean_nickname(name) for name in entry["nicknames"])
    first, last = date.fromisoformat(entry["first"]), date.fromisoformat(entry["last"])
    if len(public) != PUBLIC_KEY_BYTES or not 1 <= len(nicknames) <= MAX_NICKNAMES or last < first:
        raise NotationError("An entry of the file is out of bounds.")
    return Player(public, nicknames, first, last)
