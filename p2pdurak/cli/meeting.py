"""Who sits down at the console's table, as far as we know: one met before, somebody new, or a bot of ours."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from p2pdurak.net.known import Acquaintance, Kind, KnownPlayers
from p2pdurak.ui.console.lobby_screen import Met

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from p2pdurak.wire.talk import Place


def meet(newcomers: Iterable[Place], known: KnownPlayers, bots: Collection[bytes]) -> dict[bytes, Met]:
    """Return who these are, by key, and remember them in ``known``, but for ``bots``, who are nobody to be remembered.

    What is wrong with the list of known players then stands in its ``note``.
    """
    return {
        place.key: Met("bot") if place.key in bots else _met(known.meet(place.key, place.nickname, date.today()))
        for place in newcomers
    }


def _met(acquaintance: Acquaintance) -> Met:
    match acquaintance.kind, acquaintance.before:
        case Kind.NAMESAKE, _:
            return Met("namesake", name=acquaintance.namesakes[0].nicknames[-1])
        case Kind.RENAMED, before if before is not None:
            return Met("renamed", name=before.nicknames[-1])
        case Kind.KNOWN, before if before is not None:
            return Met("known", day=before.last.isoformat())
        case _:
            return Met("new")
