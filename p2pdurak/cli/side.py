"""The console's side of one table: what it shows of lobby and games, and what the person there wants.

Screens say what is wanted in plain calls; what has to wait for the table is done by one task, in order.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

import trio

from p2pdurak.cli.deciding import Decisions
from p2pdurak.cli.meeting import meet
from p2pdurak.cli.output import program
from p2pdurak.cli.score import Score
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.errors import LinkError, LocalProtocolError, Sentence, StorageError
from p2pdurak.net.chat import Spoken, TooMuch
from p2pdurak.net.game_files import game_name
from p2pdurak.net.guest import Guest
from p2pdurak.net.journal import JOURNAL_SUFFIX
from p2pdurak.net.lobby import Lobby, LobbyEvent, Seated, Warned
from p2pdurak.net.opener import Opener
from p2pdurak.net.storage import ensure_room
from p2pdurak.session.events import Removed
from p2pdurak.ui.console.chat_line import ChatLine
from p2pdurak.ui.console.chat_screen import ChatScreen
from p2pdurak.ui.console.conversation import Conversation, Line
from p2pdurak.ui.console.invite_screen import InviteScreen
from p2pdurak.ui.console.lobby_screen import LobbyScreen, Met
from p2pdurak.ui.console.model import TableModel
from p2pdurak.ui.console.saying import ended_without
from p2pdurak.ui.console.table_screen import TableScreen

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from gettext import NullTranslations
    from pathlib import Path

    from p2pdurak.cli.presence import Presence
    from p2pdurak.errors import Said
    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State
    from p2pdurak.net.known import KnownPlayers
    from p2pdurak.net.node import Node
    from p2pdurak.session.events import Event
    from p2pdurak.session.session import Session
    from p2pdurak.ui.console.invite_screen import Invitation
    from p2pdurak.ui.console.shell import Shell
    from p2pdurak.wire.chat import Remark
    from p2pdurak.wire.talk import Place

WISHES = 16


class Wish(Enum):
    """What the person wants of the table."""

    READY = "ready"
    NOT_YET = "not yet"
    START = "start"
    LEAVE = "leave"
    RESIGN = "resign"
    VOTE = "vote"
    COUNT = "count"
    """Not the person's, but ours: the score is to be counted."""


def _ended(say: NullTranslations, session: Session, me: bytes) -> str:
    """Return how a game ended, to the player with the key ``me``, or to a watcher."""
    genesis, removal, fools = session.genesis, session.state.removal, session.state.fools
    names = [genesis.name(seat) for seat in range(genesis.players)]
    if removal is not None:
        seat = genesis.keys.index(me) if me in genesis.keys else None
        return ended_without(say, names, Removed(removal.seats, removal.resigned, removal.fools), seat)
    return say.gettext("{name} is the fool.").format(name=names[fools[0]]) if fools else say.gettext("A draw.")


class ConsoleSide:
    """One person at one table; ``at_once`` tells that the first game begins without a word.

    ``bots`` gives the keys of the bots that are ours, who are neither strangers nor acquaintances. ``lobby``, ``node``
    and ``presence`` are None until the table is reached, the last also where nobody is to find it. ``left`` is the
    journal in ``games`` of the game that goes on, ``kept`` the transcript of the last one that is over.
    """

    def __init__(
        self,
        shell: Shell,
        me: bytes,
        known: KnownPlayers,
        *,
        opens: bool,
        at_once: bool = False,
        bots: Callable[[], Collection[bytes]] = frozenset,
    ) -> None:
        self._shell = shell
        self._bots = bots
        self._me = me
        self._known = known
        self._at_once = at_once
        self.lobby: Lobby | None = None
        self.node: Node | None = None
        self.presence: Presence | None = None
        self.games: Path | None = None
        self.left: Path | None = None
        self.kept: Path | None = None
        self._screen: TableScreen | None = None
        self._session: Session | None = None
        self._score: Score | None = None
        self._post, self._wishes = trio.open_memory_channel[Wish](WISHES)
        self._decisions = Decisions(shell)
        self._conversation = Conversation(me, self._say)
        self._chat = ChatLine(self._conversation, self._show_all)
        self.lobby_screen = LobbyScreen(
            shell.settings,
            me,
            words=fingerprint_words,
            ready=lambda ready: self._wish(Wish.READY if ready else Wish.NOT_YET),
            start=(lambda: self._wish(Wish.START)) if opens else None,
            leave=lambda: self._wish(Wish.LEAVE),
            chat=self._chat,
            show_invitation=self._show_invitation,
        )
        if at_once:
            self.lobby_screen.coming = Sentence("The bots are coming")
        self.lobby_screen.tell(known.note or "")

    def _wish(self, wish: Wish) -> None:
        with suppress(trio.WouldBlock):  # somebody leans on a key
            self._post.send_nowait(wish)

    async def attend(self, leave: trio.CancelScope) -> None:
        """Bring the person's wishes to the table, until they leave."""
        async for wish in self._wishes:
            match wish, self.lobby:
                case Wish.LEAVE, _:
                    leave.cancel()
                    return
                case ((Wish.READY | Wish.START), Lobby()) if not await self._has_room():
                    pass
                case ((Wish.READY | Wish.NOT_YET), Lobby() as lobby):
                    lobby.say_ready(ready=wish is Wish.READY)
                    await lobby.mesh.wake()
                case Wish.START, Opener() as opener:
                    opener.say_start()
                    await opener.mesh.wake()
                case ((Wish.RESIGN | Wish.VOTE), _) if self.node is not None:
                    await (self.node.resign() if wish is Wish.RESIGN else self.node.vote())
                case Wish.COUNT, _:
                    await self._count()
                case _:
                    pass

    async def _has_room(self) -> bool:
        """Tell whether a game would find room on the disk, and the person if not."""
        if self.games is None:
            return True
        try:
            await trio.to_thread.run_sync(ensure_room, self.games)
        except StorageError as error:
            self.warn(error)
            return False
        return True

    async def _count(self) -> None:
        """Show the score, which may take looking through games of this match that were played before we came back."""
        session, screen, score = self._session, self._screen, self._score
        if session is not None and screen is not None and score is not None:
            screen.since, screen.score = await trio.to_thread.run_sync(score.after, session)
            self._shell.refresh()

    # What the table tells

    def at_table(self, event: LobbyEvent) -> None:
        """Show who sits at the table."""
        screen = self.lobby_screen
        match event:
            case Warned(said):
                screen.tell(said, passing=True)
                if self._screen is not None and self._screen.over:  # in a game, the table itself shows who is away
                    self._screen.warn(said)
            case Spoken(speaker, nickname, watching, remark):
                self._hear(Line(speaker, nickname, watching, remark, trio.current_time()))
            case TooMuch(speaker, nickname, watching):
                self._hear(Line(speaker, nickname, watching, None, trio.current_time()))
            case Seated(terms, places, watchers):
                self._shell.rules = terms.rules
                if self._at_once and any(place.key == self._me for place in places):
                    self._at_once = False
                    self._wish(Wish.READY)
                    # The question is answered before it is seen.
                    places = tuple(replace(one, ready=one.ready or one.key == self._me) for one in places)
                known = screen.met
                newcomers = [place for place in places if place.key != self._me and place.key not in known]
                met = self._meet(newcomers)
                screen.seat(terms, places, watchers, {**known, **met})
                if isinstance(self.lobby, Guest):
                    screen.watching = self.lobby.watches
        self._shell.refresh()

    def _meet(self, newcomers: Sequence[Place]) -> dict[bytes, Met]:
        """Return who these are; tell what is wrong with the list of known players, once."""
        trouble = self._known.note
        met = meet(newcomers, self._known, self._bots() if newcomers else ())
        if self._known.note is not None and self._known.note != trouble:
            self.warn(self._known.note)
        return met

    def _hear(self, line: Line) -> None:
        # With help or the like over the table, nobody sees what is said there.
        self._conversation.hear(line, seen=self._shell.top in (self.lobby_screen, self._screen))

    def _say(self, remark: Remark) -> None:
        if self.lobby is None:
            raise LocalProtocolError("You are not at the table yet; nobody would hear you.")
        self.lobby.chat.say(remark)

    def _show_all(self) -> None:
        self._shell.lay_over(ChatScreen(self._shell.settings, self._conversation, self._shell.uncover))

    def _show_invitation(self, invitation: Invitation) -> None:
        self._shell.lay_over(InviteScreen(self._shell.settings, invitation, self._shell.uncover))

    def comes(self, said: Said) -> None:
        """Show what happens on the way to the table."""
        self.lobby_screen.coming = said
        self._shell.refresh()

    def moved(self, lobby: Lobby) -> None:
        """Take note that the table has passed on, and that this is our side of it now."""
        self.lobby = lobby
        if self.presence is not None:
            self.presence.move(lobby)

    def warn(self, said: Said | str) -> None:
        """Show something that went wrong with somebody else."""
        self.lobby_screen.tell(said)
        if self._screen is not None:
            self._screen.warn(said)
        self._shell.refresh()

    def of_game(self, session: Session, event: Event) -> None:
        """Show an event of a game."""
        if self._session is not session or self._screen is None:
            self._session, self._screen = session, self._new_screen(session)
            if self.games is not None:
                self.left = self.games / f"{game_name(session.state.game_id)}{JOURNAL_SUFFIX}"
                self.kept = None
            self._shell.show(self._screen)
        screen = self._screen
        screen.hear(session, event, trio.current_time())
        self._shell.refresh()

    def _new_screen(self, session: Session) -> TableScreen:
        seat = None if session.player is None else session.player.seat
        return TableScreen(
            self._shell.settings,
            TableModel(session.genesis, seat),
            decide=self._decisions.take,
            next_game=self._next_game,
            leave=lambda: self._wish(Wish.LEAVE),
            linked=self._linked,
            resign=lambda: self._wish(Wish.RESIGN),
            vote=lambda: self._wish(Wish.VOTE),
            overdue=lambda: () if self.node is None else self.node.overdue(),
            chat=self._chat,
        )

    def _linked(self) -> tuple[bytes, ...]:
        return () if self.node is None else self.node.in_reach()

    def _next_game(self) -> None:
        self._wish(Wish.READY)
        self._shell.show(self.lobby_screen)

    def finished(self, session: Session, path: Path) -> None:
        """Show the result, and where the game is kept."""
        self.left, self.kept = None, path
        self.lobby_screen.tell("")  # what was told in the game is no news after it
        if self._screen is not None and self.lobby is not None:
            self._score = self._score or Score(path.parent)
            self._wish(Wish.COUNT)
            terms = self.lobby.terms
            last = terms is not None and session.genesis.number == terms.games
            self._screen.path, self._screen.program = str(path), program()
            self._screen.more = session.finished and not last
        self._shell.refresh()

    def last_word(self, error: LinkError) -> LinkError:
        """Return what is to be told of a table that has no seat for us now.

        The game that we came back for has ended and the next one is going on: nobody has seen its result then.
        """
        if self.kept is None or self._session is None:
            return error
        return LinkError(
            "{how} The command 'p2pdurak games' lists it. {why}",
            how=_ended(self._shell.say, self._session, self._me),
            why=error,
        )

    # What the table asks

    async def decide(self, view: State) -> Action:
        """Ask the person."""
        if self._screen is None:
            raise RuntimeError("a decision is due in a game that was not shown")
        return await self._decisions.ask(self._screen, view)
