"""Who was the fool how often in a match, counted from the games that this player has kept.

Each game names the final head of the one before, so the transcripts in the folder of games form a chain that no counter
is needed for: who went away and came back counts the same as who stayed. A player who came later has only the games
since then, and so the count says from which game on it counts. Kept games are looked through without their proofs: each
was checked when it was played.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Final, NamedTuple

from p2pdurak.errors import MalformedMessage, NotationError
from p2pdurak.net.game_files import latest
from p2pdurak.session.skim import skim
from p2pdurak.wire.gamefile import SUFFIX, unpack_file
from p2pdurak.wire.genesis import decode_genesis

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from p2pdurak.session.session import Session
    from p2pdurak.wire.genesis import Genesis

MOST_LOOKED_THROUGH: Final = 12
"""Kept games for one count; each takes up to a quarter of a second."""
MOST_FILES: Final = 200


class Standing(NamedTuple):
    """The score: from which game of the match on, and how often each nickname was the fool, those at the table first.

    Draws count for nobody.
    """

    since: int
    fools: Mapping[str, int]


class Score:
    """Counts through the games in the folder ``games``, and remembers what it has looked through."""

    def __init__(self, games: Path) -> None:
        self._games = games
        self._ended: dict[bytes, Session] = {}

    def after(self, session: Session) -> Standing:
        """Return the score when the game of ``session`` is over; blocks, for seconds at most."""
        if session.finished:
            self._ended[session.state.final_head] = session
        names = {key: session.genesis.name(seat) for seat, key in enumerate(session.genesis.keys)}
        fools: Counter[bytes] = Counter(dict.fromkeys(names, 0))
        since = session.genesis.number
        for game in (session, *self._before(session.genesis)):
            since = game.genesis.number
            for seat, key in enumerate(game.genesis.keys):
                names.setdefault(key, game.genesis.name(seat))
                fools[key] += seat in game.state.fools
        total: Counter[str] = Counter()
        for key, number in fools.items():  # two of the same name who were never here together count together
            total[names[key]] += number
        return Standing(since, total)

    def _before(self, genesis: Genesis) -> Iterator[Session]:
        """Yield the games before, the latest first, as far as they are kept here."""
        looked_through = 0
        while genesis.number > 1:
            if genesis.previous not in self._ended:
                for found in self._kept(genesis):
                    looked_through += 1
                    if looked_through > MOST_LOOKED_THROUGH:
                        return
                    if found.finished:
                        self._ended[found.state.final_head] = found
                    if genesis.previous in self._ended:
                        break
                else:
                    return
            game = self._ended[genesis.previous]
            yield game
            genesis = game.genesis

    def _kept(self, genesis: Genesis) -> Iterator[Session]:
        """Yield the games kept here that may be the one before ``genesis``, looked through, the latest first."""
        with suppress(OSError):
            for _, path in latest(self._games.glob(f"*{SUFFIX}"))[:MOST_FILES]:
                with suppress(OSError, NotationError, MalformedMessage):
                    beginning, messages, _ = unpack_file(path.read_bytes())
                    before = decode_genesis(beginning)
                    if (before.table, before.number) == (genesis.table, genesis.number - 1):
                        yield skim(before, messages)
