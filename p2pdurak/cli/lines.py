"""One player at one table, told and asked in lines: what all commands that play in lines share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import trio

from p2pdurak.cli.players import Bot, Typist
from p2pdurak.errors import Sentence
from p2pdurak.net.background import background
from p2pdurak.net.match import play_match
from p2pdurak.net.node import Node
from p2pdurak.net.refusals import Refused

if TYPE_CHECKING:
    from pathlib import Path

    from p2pdurak.cli.players import Player
    from p2pdurak.cli.presence import Presence
    from p2pdurak.cli.telling import Teller
    from p2pdurak.net.lobby import Lobby
    from p2pdurak.net.node import Tell
    from p2pdurak.net.saved import Interrupted

NO_SEAT: Final = Sentence("There is no seat for you at the table now. Later, p2pdurak join looks for one again.")
CHEATED: Final = 1
INPUT_ENDED: Final = 2
"""The exit status of a peer that left the table because nothing more could be typed."""


async def play_in_lines(
    lobby: Lobby,
    player: Player,
    teller: Teller,
    games: Path,
    presence: Presence | None,
    interrupted: Interrupted | None = None,
    tell: Tell | None = None,
) -> int:
    """Play the match at ``lobby``, from an ``interrupted`` game on, or until the person leaves; return the exit status.

    ``games`` is where they are kept, ``presence`` how the table is found, if it is to be found; ``tell`` hears of each
    event in place of the teller. Raises LinkError when
    the table comes to nothing, StorageError when the disk does.
    """

    def moved(lobby: Lobby) -> None:
        teller.lobby = lobby
        if presence is not None:
            presence.move(lobby)

    teller.lobby, player.teller = lobby, teller
    is_bot = isinstance(player, Bot)
    player.node = node = Node(lobby, games, player.decide, tell or teller.of_game, follows=is_bot)
    async with background() as tasks:
        with trio.CancelScope() as leave:
            tasks.start_soon(player.listen, lobby, leave)
            if not is_bot:
                tasks.start_soon(teller.tell_silence)
            try:
                await play_match(lobby, node, teller.finished, interrupted, moved)
            except Refused as error:
                if not teller.has_told_an_end:
                    raise
                teller.warn(error)  # the game that they came back for is over, and told: nothing has gone wrong
                teller.warn(NO_SEAT)
    if teller.convicted:
        return CHEATED
    return INPUT_ENDED if isinstance(player, Typist) and player.input_ended else 0
