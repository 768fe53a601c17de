"""A peer at work: its links, its journal, and one session after the other.

Everything that happens goes through one task in the order in which it happens: news from the links and the person's
decisions come in through one inbox, events go out. The session's arithmetic runs in a thread, so that heartbeats and
screens go on meanwhile; only one call is ever under way. What is our own is on the disk before it goes out.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import trio

from p2pdurak.errors import MalformedMessage
from p2pdurak.game.actions import Action
from p2pdurak.game.opening import next_opening
from p2pdurak.game.rules import outcome
from p2pdurak.game.state import State
from p2pdurak.net.addresses import Address
from p2pdurak.net.background import background
from p2pdurak.net.journal import SECRET_BYTES, Journal
from p2pdurak.net.lobby import FULL, Lobby, Next
from p2pdurak.net.mesh import Arrived, Frame, Mesh, Woken
from p2pdurak.net.storage import write_whole
from p2pdurak.session.events import Event, Send
from p2pdurak.session.session import Session
from p2pdurak.wire.gamefile import SUFFIX
from p2pdurak.wire.talk import Begin, Have, Refuse, Say, Sit, decode_talk, encode_talk

if TYPE_CHECKING:
    from pathlib import Path

    from p2pdurak.wire.genesis import Genesis

Decide = Callable[[State], Awaitable[Action]]
Tell = Callable[[Session, Event], object]


class Node:
    """Plays the games of one match at one seat.

    ``tell`` hears of every event but the sending, ``decide`` is asked for our decisions; ``games`` is the folder for
    journals and transcripts.
    """

    def __init__(self, mesh: Mesh, lobby: Lobby, games: Path, decide: Decide, tell: Tell) -> None:
        self._mesh = mesh
        self._lobby = lobby
        self._games = games
        self._decide = decide
        self._tell = tell
        self._decision: Action | None = None

    async def play(self, genesis: Genesis) -> tuple[Session, Path]:
        """Play one game to its end, or to a conviction; return the session and the transcript's path.

        Raises StorageError if the journal cannot be written; nothing that is not on the disk has been said then.
        """
        key = self._mesh.identity
        secret = secrets.token_bytes(SECRET_BYTES)
        name = f"game-{genesis.game_id.hex()[:16]}"
        journal = await trio.to_thread.run_sync(Journal.create, self._games, name, genesis.encode(), secret)
        session = Session(genesis, seat=genesis.keys.index(key.public), key=key, secret=secret)
        self._lobby.history.add(session)
        for place in self._lobby.places:
            if place.host:
                self._mesh.want(place.key, [Address(place.host, place.port)])
        with journal:
            await self._happen(session, journal, await trio.to_thread.run_sync(session.start))
            self._mesh.broadcast(encode_talk(Have(genesis.game_id, session.state.round)), genesis.keys)
            for frame in self._lobby.take_kept():
                await self._hear(session, journal, frame)
            await self._go_on(session, journal)
        path = self._games / f"{name}{SUFFIX}"
        await trio.to_thread.run_sync(write_whole, path, session.transcript())
        await trio.to_thread.run_sync(journal.remove)
        return session, path

    async def _go_on(self, session: Session, journal: Journal) -> None:
        """Take news and decisions until nothing is left to be said."""
        async with background() as tasks:
            asked = -1
            while session.kind is not None:
                if session.my_decision and asked != session.state.round:
                    asked = session.state.round
                    tasks.start_soon(self._ask, session.view())
                match await self._mesh.news.receive():
                    case Frame() as frame:
                        await self._hear(session, journal, frame)
                    case Arrived(peer):
                        self._greet(peer, session)
                    case Woken() if self._decision is not None:
                        action, self._decision = self._decision, None
                        events = await trio.to_thread.run_sync(session.act, action)
                        await self._happen(session, journal, events)
                    case _:
                        pass

    def _greet(self, peer: bytes, session: Session) -> None:
        """Tell a player that comes back where we are, and, as the opener, which game it is."""
        if peer not in session.genesis.keys:
            return
        if self._lobby.opens:
            self._mesh.send(peer, encode_talk(Begin(session.genesis.encode())))
        self._mesh.send(peer, encode_talk(Have(session.state.game_id, session.state.round)))

    async def _ask(self, view: State) -> None:
        self._decision = await self._decide(view)
        await self._mesh.wake()

    async def _hear(self, session: Session, journal: Journal, frame: Frame) -> None:
        """Take what a player said: a message of this game, a wish to catch up, or something whose time has not come.

        Strangers are told that there is no seat; nothing of the game is said to them.
        """
        member = frame.peer in session.genesis.keys
        try:
            match decode_talk(frame.data):
                case Sit() if not member:
                    self._mesh.send(frame.peer, encode_talk(Refuse(FULL)))
                case _ if not member:
                    pass
                case Say(game_id, message) if game_id == session.state.game_id:
                    events = await trio.to_thread.run_sync(session.receive, message)
                    await self._happen(session, journal, events)
                case Have(game_id) as have if game_id in self._lobby.history:
                    self._lobby.history.answer(frame.peer, have)
                case Say(game_id, _) if game_id in self._lobby.history:
                    pass  # a late message of a game that is over here
                case Begin():
                    pass  # we have begun
                case _:
                    self._lobby.keep(frame)
        except MalformedMessage as error:
            self._mesh.drop(frame.peer, str(error))

    async def _happen(self, session: Session, journal: Journal, events: Sequence[Event]) -> None:
        """Write down and send what is to be sent, and tell the rest."""
        for event in events:
            if isinstance(event, Send):
                await trio.to_thread.run_sync(partial(journal.append, event.message, sync=event.own))
                self._mesh.broadcast(encode_talk(Say(session.state.game_id, event.message)), session.genesis.keys)
            else:
                self._tell(session, event)


async def play_match(lobby: Lobby, node: Node, genesis: Genesis, finished: Callable[[Session, Path], object]) -> None:
    """Play game after game from the first ``genesis`` on, as many as the table offers; ``finished`` hears of each.

    Ends early when a game ends with a conviction.
    """
    after = Next()
    while True:
        session, path = await node.play(genesis)
        finished(session, path)
        over = outcome(session.state.play) if session.finished else None
        if over is None or lobby.offer is None or after.number >= lobby.offer.games:
            return
        opening = next_opening(genesis.rules, over, session.state.dealer, genesis.players)
        after = Next(after.number + 1, opening, session.state.final_head)
        genesis = await lobby.gather(after)
