"""One player at one table, told and asked in lines: what all commands that play in lines share."""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Final

import trio

from p2pdurak.cli.players import Bot, Typist
from p2pdurak.cli.terminal import BY_SIGNAL
from p2pdurak.errors import Sentence
from p2pdurak.net.background import background
from p2pdurak.net.game_files import game_name
from p2pdurak.net.journal import JOURNAL_SUFFIX
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
    from p2pdurak.session.events import Event
    from p2pdurak.session.session import Session

NO_SEAT: Final = Sentence("There is no seat for you at the table now. Later, p2pdurak join looks for one again.")
SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)
"""After SIGHUP there is no terminal any more to tell anything on: it ends the program at once, as it always does."""
CHEATED: Final = 1
INPUT_ENDED: Final = 2
"""The exit status of a peer that left the table because nothing more could be typed."""


class _Signals:
    """Signals that let us leave as a word does; ``number`` is that of the one that came, 0 if none did."""

    def __init__(self) -> None:
        self.number = 0

    async def heed(self, leave: trio.CancelScope) -> None:
        """Leave when one comes; whoever has started us may have had them ignored."""
        heeded = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
        if not heeded:
            return
        with trio.open_signal_receiver(*heeded) as signals:
            async for self.number in signals:
                leave.cancel()


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
    event in place of the teller. Raises LinkError when the table comes to nothing, StorageError when the disk does.
    """

    def moved(lobby: Lobby) -> None:
        teller.lobby = lobby
        if presence is not None:
            presence.move(lobby)

    teller.lobby, player.teller = lobby, teller
    is_bot = isinstance(player, Bot)
    left: Path | None = None

    def of_game(session: Session, event: Event) -> None:
        nonlocal left
        left = games / f"{game_name(session.state.game_id)}{JOURNAL_SUFFIX}"
        (tell or teller.of_game)(session, event)

    def finished(session: Session, path: Path) -> None:
        nonlocal left
        left = None
        teller.finished(session, path)

    player.node = node = Node(lobby, games, player.decide, of_game, follows=is_bot)
    ended_by = _Signals()
    async with background() as tasks:
        with trio.CancelScope() as leave:
            tasks.start_soon(player.listen, lobby, leave)
            if not is_bot:
                tasks.start_soon(teller.tell_silence)
                tasks.start_soon(ended_by.heed, leave)
            try:
                await play_match(lobby, node, finished, interrupted, moved)
            except Refused as error:
                if not teller.has_told_an_end:
                    raise
                teller.warn(error)  # the game that they came back for is over, and told: nothing has gone wrong
                teller.warn(NO_SEAT)
    if left is not None and left.exists() and not is_bot:
        teller.leaves(left)
    if ended_by.number:
        return BY_SIGNAL + ended_by.number
    if teller.convicted:
        return CHEATED
    return INPUT_ENDED if isinstance(player, Typist) and player.input_ended else 0
