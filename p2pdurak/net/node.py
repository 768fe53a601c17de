"""A peer at work: its links, its journal, and one session after the other.

Everything that happens goes through one task in the order in which it happens: news from the links and the person's
decisions come in through one inbox, events go out. The session's arithmetic runs in a thread, so that heartbeats and
screens go on meanwhile; only one call is ever under way. What is our own is on the disk before it goes out.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import trio

from p2pdurak.errors import MalformedMessage, StorageError
from p2pdurak.net.addresses import candidates
from p2pdurak.net.attendance import LAST_ROUNDS, Attendance
from p2pdurak.net.background import background
from p2pdurak.net.game_files import game_name
from p2pdurak.net.journal import JOURNAL_SUFFIX, SECRET_BYTES, SECRET_SUFFIX, Journal, remove_journal
from p2pdurak.net.mesh import Arrived, Frame, Left, Woken
from p2pdurak.net.questions import Decide, Questions, Wish
from p2pdurak.net.resuming import take_up_game
from p2pdurak.net.saved import Interrupted, encode_header
from p2pdurak.net.storage import write_whole
from p2pdurak.session.events import Event, Heard, OtherHead, Send
from p2pdurak.session.session import Session
from p2pdurak.wire.gamefile import SUFFIX
from p2pdurak.wire.talk import (
    Begin,
    Chat,
    Have,
    Knock,
    Linked,
    Look,
    Places,
    Say,
    Sit,
    Stand,
    Watch,
    decode_talk,
    encode_talk,
)

if TYPE_CHECKING:
    from pathlib import Path

    from p2pdurak.net.lobby import Lobby
    from p2pdurak.wire.genesis import Genesis

Tell = Callable[[Session, Event], object]


class _Game(NamedTuple):
    """The game that is going on."""

    session: Session
    journal: Journal
    attendance: Attendance


class Node:
    """Plays the games of one match at one seat, or watches them.

    ``tell`` hears of every event but the sending, ``decide`` is asked for our decisions; ``games`` is the folder for
    journals and transcripts. With ``follows`` it joins the others' votes to end a game without somebody, as soon as the
    grace time is over here too, but never begins one: what a bot does.
    """

    def __init__(self, lobby: Lobby, games: Path, decide: Decide, tell: Tell, *, follows: bool = False) -> None:
        self.lobby = lobby
        self._mesh = lobby.mesh
        self._games = games
        self._decide = decide
        self._tell = tell
        self._follows = follows
        self._wishes: list[Wish] = []
        self._attendance: Attendance | None = None
        self._asked_again: set[int] = set()

    async def play(self, genesis: Genesis, interrupted: Interrupted | None = None) -> tuple[Session, Path]:
        """Play one game to its end, or to a conviction; return the session and the transcript's path.

        An ``interrupted`` game is taken up where it was. Raises StorageError if the journal cannot be written; nothing
        that is not on the disk has been said then.
        """
        name = game_name(genesis.game_id)
        session, journal, before = await trio.to_thread.run_sync(self._begin, genesis, name, interrupted)
        self.lobby.begin(session)
        self._attendance, self._wishes = Attendance(self.lobby, genesis), []
        game = _Game(session, journal, self._attendance)
        self._asked_again.clear()
        for place in self.lobby.places:
            if place.host:
                self._mesh.want(place.key, candidates(place.host, place.port))
        with journal:
            for event in before:
                self._tell(session, event)
            await self._happen(game, await trio.to_thread.run_sync(session.start))
            self._mesh.broadcast(encode_talk(Have(genesis.game_id, session.state.round)), genesis.keys)
            for frame in self.lobby.take_kept():
                await self._hear(game, frame)
            await self._go_on(game)
            # Others may leave when they hear that we miss nothing, so by then nothing may be lost again.
            await trio.to_thread.run_sync(journal.sync)
        if session.finished:
            self._mesh.broadcast(encode_talk(Have(genesis.game_id, session.state.round)), genesis.keys)
        path = self._games / f"{name}{SUFFIX}"
        await trio.to_thread.run_sync(write_whole, path, session.transcript())
        return session, path

    def put_away(self, session: Session) -> None:
        """Forget how to take up a game that is over, and whose transcript is on the disk; raises StorageError."""
        remove_journal(self._games / f"{game_name(session.state.game_id)}{JOURNAL_SUFFIX}")

    def kept(self, genesis: Genesis) -> Interrupted | None:
        """Return what is kept here of a game that we have a seat in and have left.

        Raises StorageError if it is damaged, or its secret another one.
        """
        path = self._games / f"{game_name(genesis.game_id)}{JOURNAL_SUFFIX}"
        if not path.exists():
            return None
        interrupted = take_up_game(path, self._mesh.identity.public)
        if interrupted.header.genesis == genesis:
            return interrupted
        interrupted.journal.close()
        return None

    def _begin(
        self, genesis: Genesis, name: str, interrupted: Interrupted | None
    ) -> tuple[Session, Journal, list[Event]]:
        """Open session and journal, with a fresh secret that is on the disk before anything is said, or the old one.

        Also returns what has happened before in an interrupted game.
        """
        if interrupted is None:
            header = encode_header(self.lobby.saved(genesis))
            journal = Journal.create(self._games, name, header, secrets.token_bytes(SECRET_BYTES))
        else:
            journal = interrupted.journal
        key = self._mesh.identity
        if key.public in genesis.keys:
            session = Session(genesis, seat=genesis.keys.index(key.public), key=key, secret=journal.secret)
        else:
            session = Session(genesis)
        if interrupted is None:
            return session, journal, []
        try:
            before = session.restore(interrupted.messages)
        except MalformedMessage as error:
            journal.close()
            raise StorageError(
                "{path} holds what nobody said in this game: {error}", path=journal.path, error=error
            ) from error
        if not session.has_its_secret():
            journal.close()
            raise StorageError(
                "{path} is damaged: it is not the secret of this game, which cannot go on here without it.",
                path=journal.path.with_suffix(SECRET_SUFFIX),
            )
        return session, journal, before

    # What the person wants

    async def resign(self) -> None:
        """Give up the game that is going on; nothing happens if there is none."""
        await self._wish(Session.resign)

    async def vote(self) -> None:
        """Vote to end the game without those that are overdue; nothing happens if nobody is."""
        out = () if self._attendance is None else self._attendance.overdue()
        if out:
            await self._wish(lambda session: session.vote_out(out) if session.may_vote_out(out) else [])

    def overdue(self) -> tuple[str, ...]:
        """Return the nicknames of those without whom we could vote to end the game now."""
        return () if self._attendance is None else self._attendance.overdue_names()

    def in_reach(self) -> tuple[bytes, ...]:
        """Return the keys of the players that can be heard, directly or through others; of nobody before a game.

        After a game nobody says any more whom they hear. Then a link is enough, and whoever was heard through others at
        its end is taken to be there still.
        """
        if self._attendance is None:
            return ()
        if self.lobby.history.running:
            return self._attendance.in_reach()
        return (*self._attendance.through_others(), *self._mesh.peers())

    async def _wish(self, wish: Wish) -> None:
        self._wishes.append(wish)
        await self._mesh.wake()

    # What happens

    async def _go_on(self, game: _Game) -> None:
        """Take news and decisions until nothing is left to be said."""
        session, attendance = game.session, game.attendance
        async with background() as tasks:
            tasks.start_soon(partial(attendance.be_patient, self.vote, follows=self._follows))
            tasks.start_soon(attendance.notice)
            questions = Questions(self._decide, self._wish, tasks)
            while session.kind is not None:
                await questions.look(session)
                match await self._mesh.news.receive():
                    case Frame() as frame:
                        await self._hear(game, frame)
                    case Arrived(peer) if peer in self.lobby.hears(session.genesis):
                        self.lobby.returns(peer, session.genesis)
                        since = 0 if session.state.round in self._asked_again else session.state.round
                        self._mesh.send(peer, encode_talk(Have(session.state.game_id, since)))
                        attendance.look(session)
                    case Left(peer) if peer in session.genesis.keys:
                        attendance.leaves(peer)
                        attendance.look(session)
                    case Woken():
                        wishes, self._wishes = self._wishes, []
                        for wish in wishes:
                            await self._happen(game, await trio.to_thread.run_sync(wish, session))
                        attendance.look(session)
                    case _:
                        pass

    async def _hear(self, game: _Game, frame: Frame) -> None:
        """Take what somebody said: a message of this game, a wish to catch up, or something whose time has not come.

        Of strangers only what they want of the table is heard; nothing of the game is said to them.
        """
        session, attendance = game.session, game.attendance
        peer, genesis = frame.peer, session.genesis
        try:
            match decode_talk(frame.data):
                case Look() | Stand() | Watch() | Knock() as talk:
                    was = self.lobby.watchers
                    self.lobby.attend(peer, talk)
                    if self.lobby.watchers != was:
                        self.lobby.returns(peer, genesis)
                case talk if peer not in self.lobby.hears(genesis):
                    if isinstance(talk, Sit):
                        self.lobby.attend(peer, talk)
                case Say(game_id, message) if game_id == session.state.game_id and peer in genesis.keys:
                    attendance.speaks(peer)
                    events = await trio.to_thread.run_sync(session.receive, message)
                    await self._happen(game, events)
                case Chat() as chat:
                    self.lobby.chat.hear(peer, chat)
                case Have(game_id) as have if game_id in self.lobby.history:
                    self.lobby.history.answer(peer, have)
                    if game_id == session.state.game_id:
                        attendance.speaks(peer)
                        attendance.tell(peer)
                        attendance.look(session)
                case Linked(game_id) as linked if game_id == session.state.game_id and peer in genesis.keys:
                    attendance.hears(peer, linked)
                    attendance.look(session)
                case Say(game_id, _) | Linked(game_id, _) if game_id in self.lobby.history:
                    pass  # a late one of a game that is over here
                case Begin():  # we have begun; but a watcher is let in by it, perhaps anew
                    if self._mesh.identity.public not in genesis.keys:
                        self._mesh.send(peer, encode_talk(Have(session.state.game_id, session.state.round)))
                case Sit(number) if number <= genesis.number:
                    pass  # asked again for a seat in this game
                case Places() as shown:
                    self.lobby.learn(peer, shown)
                case _:
                    self.lobby.keep(frame)
        except MalformedMessage as error:
            self._mesh.drop(peer, error)
            if peer in genesis.keys:
                attendance.talks_nonsense(peer, error)

    async def _happen(self, game: _Game, events: Sequence[Event]) -> None:
        """Write down and send what is to be sent, and tell the rest."""
        session = game.session
        for event in events:
            if isinstance(event, Send):
                await trio.to_thread.run_sync(partial(game.journal.append, event.message, sync=event.own))
                said = encode_talk(Say(session.state.game_id, event.message))
                self._mesh.broadcast(said, self.lobby.hears(session.genesis))
                continue
            if isinstance(event, OtherHead) and event.round not in self._asked_again:
                # Somebody told two peers two things, perhaps rounds ago: only the old messages can show who.
                self._asked_again.add(event.round)
                self._mesh.broadcast(encode_talk(Have(session.state.game_id, 0)), session.genesis.keys)
            if isinstance(event, Heard) and event.kind in LAST_ROUNDS:
                game.attendance.signs(event.seat)
            self._tell(session, event)
        game.attendance.look(session)
