"""Game after game at one table: gathering, playing, seeing the others off, and who has the table next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from p2pdurak.errors import Sentence
from p2pdurak.net.history import Beginning
from p2pdurak.net.lobby import GameLeft
from p2pdurak.net.succession import succeed
from p2pdurak.wire.terms import GRACE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from p2pdurak.net.lobby import Lobby
    from p2pdurak.net.node import Node
    from p2pdurak.net.saved import Interrupted
    from p2pdurak.session.session import Session


async def play_match(
    lobby: Lobby,
    node: Node,
    finished: Callable[[Session, Path], object],
    interrupted: Interrupted | None = None,
    moved: Callable[[Lobby], object] = lambda _: None,
) -> None:
    """Play game after game, as many as the table offers, from an ``interrupted`` one on; ``finished`` hears of each.

    ``moved`` hears when the opener has left for good, so that somebody else has the table: our lobby is another then.
    A game that the table is in, and that we have left, is taken up from its journal, if that is here; so is one that is
    over, to hear of its end. Ends early when a game ends with a conviction, else when all players have all of the last
    game, or after the grace time. Raises LinkError when the lobby comes to nothing.
    """
    beginning: Beginning | None = None
    lobby.recall = node.kept
    while True:
        if interrupted is None:
            try:
                genesis = await lobby.gather(beginning)
            except GameLeft as left:
                if left.interrupted is None:
                    raise
                interrupted = left.interrupted
                lobby.warn(
                    Sentence("A game that you were away from is over. This is how it went, and how it ended:")
                    if left.over
                    else Sentence("You have a seat in the game that this table is in; it is taken up again. So far:")
                )
                lobby.take_up(interrupted.header)
        if interrupted is not None:
            genesis = interrupted.header.genesis
        session, path = await node.play(genesis, interrupted)
        interrupted = None
        finished(session, path)
        last = not session.finished or (lobby.terms is not None and genesis.number == lobby.terms.games)
        try:
            if last and session.finished and session.player is not None:
                with trio.move_on_after(GRACE_SECONDS if lobby.terms is None else lobby.terms.grace):
                    await lobby.see_off(session)
        finally:
            node.put_away(session)  # who leaves now does so on purpose; after a crash we are back to help
        if last:
            return
        successor = succeed(lobby, session)
        if successor is not lobby:
            lobby = node.lobby = successor
            moved(lobby)
        beginning = Beginning.after(session)
