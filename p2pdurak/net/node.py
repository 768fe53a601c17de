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
from p2pdurak.game.state import State
from p2pdurak.net.addresses import candidates
from p2pdurak.net.background import background
from p2pdurak.net.journal import SECRET_BYTES, Journal
from p2pdurak.net.lobby import Beginning, Lobby
from p2pdurak.net.mesh import Arrived, Frame, Left, Woken
from p2pdurak.net.saved import Interrupted, encode_header
from p2pdurak.net.storage import write_whole
from p2pdurak.session.events import Event, OtherHead, Send
from p2pdurak.session.session import Session
from p2pdurak.wire.gamefile import SUFFIX
from p2pdurak.wire.messages import Kind
from p2pdurak.wire.talk import Begin, Have, Knock, Look, Places, Say, Sit, Watch, decode_talk, encode_talk

if TYPE_CHECKING:
    from pathlib import Path

    from p2pdurak.wire.genesis import Genesis

LAST_ROUNDS = (Kind.RESULT, Kind.BOOKS)
"""Who has said all that was theirs to say may go."""

Decide = Callable[[State], Awaitable[Action]]
Tell = Callable[[Session, Event], object]


class Node:
    """Plays the games of one match at one seat, or watches them.

    ``tell`` hears of every event but the sending, ``decide`` is asked for our decisions; ``games`` is the folder for
    journals and transcripts.
    """

    def __init__(self, lobby: Lobby, games: Path, decide: Decide, tell: Tell) -> None:
        self._lobby = lobby
        self._mesh = lobby.mesh
        self._games = games
        self._decide = decide
        self._tell = tell
        self._decision: Action | None = None
        self._asked_again: set[int] = set()
        self._away: set[bytes] = set()

    async def play(self, genesis: Genesis, interrupted: Interrupted | None = None) -> tuple[Session, Path]:
        """Play one game to its end, or to a conviction; return the session and the transcript's path.

        An ``interrupted`` game is taken up where it was. Raises StorageError if the journal cannot be written; nothing
        that is not on the disk has been said then.
        """
        name = f"game-{genesis.game_id.hex()[:16]}"
        session, journal = await trio.to_thread.run_sync(self._begin, genesis, name, interrupted)
        self._lobby.history.add(session)
        self._asked_again.clear()
        self._away.clear()
        for place in self._lobby.places:
            if place.host:
                self._mesh.want(place.key, candidates(place.host, place.port))
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

    def _begin(self, genesis: Genesis, name: str, interrupted: Interrupted | None) -> tuple[Session, Journal]:
        """Open session and journal: with a fresh secret that is on the disk before anything is said, or the old one."""
        if interrupted is None:
            header = encode_header(self._lobby.saved(genesis))
            journal = Journal.create(self._games, name, header, secrets.token_bytes(SECRET_BYTES))
        else:
            journal = interrupted.journal
        key = self._mesh.identity
        if key.public in genesis.keys:
            session = Session(genesis, seat=genesis.keys.index(key.public), key=key, secret=journal.secret)
        else:
            session = Session(genesis)
        if interrupted is not None:
            session.restore(interrupted.messages)
        return session, journal

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
                    case Arrived(peer) if peer in self._lobby.hears(session.genesis):
                        self._lobby.returns(peer, session.genesis)
                        since = 0 if session.state.round in self._asked_again else session.state.round
                        self._mesh.send(peer, encode_talk(Have(session.state.game_id, since)))
                    case Left(peer) if peer in session.genesis.keys and session.kind not in LAST_ROUNDS:
                        self._away.add(peer)
                        self._lobby.warn(f"{_name(session, peer)} is away; the game waits where it needs them.")
                    case Woken() if self._decision is not None:
                        action, self._decision = self._decision, None
                        events = await trio.to_thread.run_sync(session.act, action)
                        await self._happen(session, journal, events)
                    case _:
                        pass

    async def _ask(self, view: State) -> None:
        self._decision = await self._decide(view)
        await self._mesh.wake()

    async def _hear(self, session: Session, journal: Journal, frame: Frame) -> None:
        """Take what somebody said: a message of this game, a wish to catch up, or something whose time has not come.

        Of strangers only what they want of the table is heard; nothing of the game is said to them.
        """
        peer, genesis = frame.peer, session.genesis
        try:
            match decode_talk(frame.data):
                case Look() | Watch() | Knock() as talk:
                    was = self._lobby.watchers
                    self._lobby.attend(peer, talk)
                    if self._lobby.watchers != was:
                        self._lobby.returns(peer, genesis)
                case talk if peer not in self._lobby.hears(genesis):
                    if isinstance(talk, Sit):
                        self._lobby.attend(peer, talk)
                case Say(game_id, message) if game_id == session.state.game_id and peer in genesis.keys:
                    self._is_here(session, peer)
                    events = await trio.to_thread.run_sync(session.receive, message)
                    await self._happen(session, journal, events)
                case Have(game_id) as have if game_id in self._lobby.history:
                    self._is_here(session, peer)
                    self._lobby.history.answer(peer, have)
                case Say(game_id, _) if game_id in self._lobby.history:
                    pass  # a late message of a game that is over here
                case Begin():
                    pass  # we have begun
                case Sit(number) if number <= genesis.number:
                    pass  # asked again for a seat in this game
                case Places() as shown:
                    self._lobby.learn(peer, shown)
                case _:
                    self._lobby.keep(frame)
        except MalformedMessage as error:
            self._mesh.drop(peer, str(error))

    def _is_here(self, session: Session, peer: bytes) -> None:
        """Tell that a player who was away takes part again: by what it says, since a link alone may only look."""
        if peer in self._away:
            self._away.discard(peer)
            self._lobby.warn(f"{_name(session, peer)} is back.")

    async def _happen(self, session: Session, journal: Journal, events: Sequence[Event]) -> None:
        """Write down and send what is to be sent, and tell the rest."""
        for event in events:
            if isinstance(event, Send):
                await trio.to_thread.run_sync(partial(journal.append, event.message, sync=event.own))
                said = encode_talk(Say(session.state.game_id, event.message))
                self._mesh.broadcast(said, self._lobby.hears(session.genesis))
                continue
            if isinstance(event, OtherHead) and event.round not in self._asked_again:
                # Somebody told two peers two things, perhaps rounds ago: only the old messages can show who.
                self._asked_again.add(event.round)
                self._mesh.broadcast(encode_talk(Have(session.state.game_id, 0)), session.genesis.keys)
            self._tell(session, event)


def _name(session: Session, peer: bytes) -> str:
    return session.genesis.name(session.genesis.keys.index(peer))


async def play_match(
    lobby: Lobby,
    node: Node,
    finished: Callable[[Session, Path], object],
    interrupted: Interrupted | None = None,
) -> None:
    """Play game after game, as many as the table offers, from an ``interrupted`` one on; ``finished`` hears of each.

    Ends early when a game ends with a conviction. Raises LinkError when the lobby comes to nothing.
    """
    beginning: Beginning | None = None
    while True:
        genesis = await lobby.gather(beginning) if interrupted is None else interrupted.header.genesis
        session, path = await node.play(genesis, interrupted)
        interrupted = None
        finished(session, path)
        if not session.finished or (lobby.terms is not None and genesis.number == lobby.terms.games):
            return
        beginning = Beginning.after(session)
