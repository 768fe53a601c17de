"""Who decides at a seat: a bot, a person who types, or nobody at all."""

from __future__ import annotations

import secrets
import sys
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

import trio

from p2pdurak.bots.steady import choose
from p2pdurak.errors import DurakError, IllegalAction
from p2pdurak.game.actions import Action, Pass
from p2pdurak.net.opener import Opener
from p2pdurak.net.storage import ensure_room
from p2pdurak.ui.console.saying import not_asked
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.language import told
from p2pdurak.ui.line import answer, choice, choices, question
from p2pdurak.ui.phrases import chat_help, typed_remark
from p2pdurak.ui.typed import Word, word

if TYPE_CHECKING:
    from gettext import NullTranslations
    from pathlib import Path

    from p2pdurak.cli.output import Print
    from p2pdurak.cli.telling import Teller
    from p2pdurak.game.state import State
    from p2pdurak.net.lobby import Lobby
    from p2pdurak.net.node import Node
    from p2pdurak.ui.console.model import TableModel

HELP = _(
    "Before a game: 'ready' (or just Enter) when you want to play, 'start' to begin with free seats. "
    "In a game: type the number of your choice; 'resign' gives the game up; 'vote' "
    "ends it without somebody who is waited for too long. 'quit' leaves."
)
GUEST_HELP = _(
    "Before a game: 'ready' (or just Enter) when you want to play. In a game: type the number of your choice; "
    "'resign' gives the game up; 'vote' "
    "ends it without somebody who is waited for too long. 'quit' leaves."
)
WATCHER_HELP = _("You watch, and nothing is asked of you. 'quit' leaves.")
INPUT_ENDED = _("Standard input has ended, so that nothing more can be typed: you leave the table.")
QUIT_AGAIN = _(
    "The game waits for you if you leave now: 'p2pdurak resume' brings you back. Type quit again to leave. "
    "'resign' gives the game up, so that the others can go on."
)
RESIGN_AGAIN = _("Then you are the fool of this game. Type resign again to give it up.")
NOTHING_TO_RESIGN = _("There is no game now that you could give up.")
NOBODY_OVERDUE = _("Nobody has been waited for so long that the game could be ended without them.")
NOT_YOUR_TURN = _("It is not your turn.")
OUT = _("You are out of this game.")
NOT_UNDERSTOOD = _("That is no word that is understood here.")
SAFE = _(
    "You are out already and safe; resigning makes you the fool. Type resign again to give the game up all the same."
)
VOTED = _("You have voted; not yet: {names}.")
NOTHING_TO_END = _("There is no game now that could be ended.")


PASSING = 0.4
"""Passing takes a bot this part of its pace: everybody waits for it, and there is nothing to look at."""


class Player(ABC):
    """What a peer needs from whoever plays it; ``always_ready`` tells that no word is needed before a game."""

    always_ready = True
    node: Node | None = None
    """What plays the games at this table, once there is one."""
    teller: Teller | None = None
    """What tells of them, and knows how the game stands."""

    @abstractmethod
    async def decide(self, view: State) -> Action:
        """Return the decision of the asked seat."""

    async def listen(self, lobby: Lobby, leave: trio.CancelScope) -> None:  # noqa: B027 - most have nothing to say
        """Take what is typed, until cancelled."""


class Bot(Player):
    """A program; ``pace`` is how many seconds it takes to decide, more or less, and less for passing.

    A ``leashed`` one leaves when its standard input ends: when whoever started it is gone. So it announces no table
    that passes to it, which would be one of practice, or one that nobody on another machine could come to.
    """

    def __init__(self, pace: float = 0.0, *, leashed: bool = False) -> None:
        self._pace = pace
        self.leashed = leashed
        self._chance = secrets.SystemRandom()

    async def decide(self, view: State) -> Action:
        action = choose(view)
        await trio.sleep(self._pace * self._chance.uniform(0.7, 1.3) * (PASSING if isinstance(action, Pass) else 1))
        return action

    async def listen(self, lobby: Lobby, leave: trio.CancelScope) -> None:
        del lobby
        if self.leashed:
            await trio.to_thread.run_sync(sys.stdin.read, abandon_on_cancel=True)
            leave.cancel()


class Watcher(Player):
    """Somebody who only watches, and may do so without anything to type on."""

    def __init__(self, show: Print, say: NullTranslations) -> None:
        self._show = show
        self._say = say

    async def decide(self, view: State) -> Action:
        raise NotImplementedError("a watcher is never asked")

    async def listen(self, lobby: Lobby, leave: trio.CancelScope) -> None:
        while line := await _typed():
            if word(line) is Word.QUIT:
                leave.cancel()
                return
            remark = typed_remark(line)
            if remark is None:
                text = f"{self._say.gettext(WATCHER_HELP)} {chat_help(self._say)}"
                self._show({"event": "help", "text": text})
                continue
            try:
                lobby.chat.say(remark)
            except DurakError as error:
                self._show({"event": "refused", "reason": str(error), "text": f"  {told(self._say, error)}"})


class Typist(Player):
    """A person at a terminal, who speaks the language of ``say``, or a program that types like one.

    ``games`` is the folder that has to have room for a game before they are ready.
    """

    always_ready = False

    def __init__(self, show: Print, say: NullTranslations, games: Path) -> None:
        self._show = show
        self._say = say
        self._games = games
        self._view: State | None = None
        self._leaving = self._resigning = False
        self.input_ended = False
        """Whether the player has left because nothing more could be typed."""
        self._answers, self._answered = trio.open_memory_channel[Action](0)

    async def decide(self, view: State) -> Action:
        options = [str(choice(action)) for action in choices(view)]
        self._show({"event": "asked", "options": options, "text": "\n".join(question(view, self._say))})
        self._view = view
        try:
            return await self._answered.receive()
        finally:
            self._view = None

    async def listen(self, lobby: Lobby, leave: trio.CancelScope) -> None:
        while line := await _typed():
            lobby = lobby if self.node is None else self.node.lobby
            said = word(line)
            if said in (Word.RESIGN, Word.VOTE) and self.node is not None:
                await (self._resign(lobby, self.node) if said is Word.RESIGN else self._vote(lobby, self.node))
                continue
            self._resigning = False
            quits = said is Word.QUIT
            if quits and (self._leaving or not lobby.history.running):
                leave.cancel()
                return
            self._leaving = quits
            if quits:
                self._refuse(QUIT_AGAIN, self._say.gettext(QUIT_AGAIN))
                continue
            try:
                await self._take(line.strip(), lobby)
            except IllegalAction as error:
                self._refuse(f"{error} ({error.rule})", f"{told(self._say, error)} ({error.rule})", rule=error.rule)
            except DurakError as error:
                self._refuse(str(error), told(self._say, error))
        self.input_ended = True
        self._show({"event": "input-ended", "reason": INPUT_ENDED, "text": self._say.gettext(INPUT_ENDED)})
        leave.cancel()

    async def _resign(self, lobby: Lobby, node: Node) -> None:
        running, sure = lobby.history.running, self._resigning
        self._resigning = running and not sure
        if running and sure:
            await node.resign()
        else:
            text = (SAFE if self._is_out() else RESIGN_AGAIN) if running else NOTHING_TO_RESIGN
            self._refuse(text, self._say.gettext(text))

    @property
    def _table(self) -> TableModel | None:
        return None if self.teller is None else self.teller.table

    def _is_out(self) -> bool:
        """Tell whether we have no cards to play any more, so that only resigning can make us the fool."""
        return self._table is not None and self._table.view is not None and self._table.me in self._table.view.places

    async def _vote(self, lobby: Lobby, node: Node) -> None:
        table = self._table
        if node.overdue():
            await node.vote()
        elif not lobby.history.running:
            self._refuse(NOTHING_TO_END, self._say.gettext(NOTHING_TO_END))
        elif table is not None and table.vote is not None and table.me not in (*table.missing, *table.vote.out):
            text, missing = self._say.gettext(VOTED), ", ".join(table.names[seat] for seat in table.missing)
            self._refuse(VOTED.format(names=missing), text.format(names=missing))
        else:
            self._refuse(NOBODY_OVERDUE, self._say.gettext(NOBODY_OVERDUE))

    def _refuse(self, reason: str, text: str, **data: str) -> None:
        self._show({"event": "refused", **data, "reason": reason, "text": f"  {text}"})

    async def _take(self, typed: str, lobby: Lobby) -> None:
        gettext, said = self._say.gettext, word(typed)
        help_text = HELP if isinstance(lobby, Opener) else GUEST_HELP
        if said is Word.HELP:
            self._show({"event": "help", "text": f"{gettext(help_text)} {chat_help(self._say)}"})
        elif (remark := typed_remark(typed)) is not None:
            lobby.chat.say(remark)
        elif self._view is not None:
            await self._answers.send(answer(self._view, typed))
        elif lobby.history.running and (not typed or said in (Word.READY, Word.START)):
            self._not_your_turn(help_text, running=lobby.history.running)
        elif said is Word.START and isinstance(lobby, Opener):
            await trio.to_thread.run_sync(ensure_room, self._games)
            lobby.say_start()
            missing = ", ".join(place.nickname for place in lobby.places if not place.ready)
            await lobby.mesh.wake()
            if missing:
                text = gettext("The game begins as soon as all are ready; not yet: {names}.").format(names=missing)
                self._show({"event": "waiting", "text": f"  {text}"})
        elif not typed or said in (Word.READY, Word.START):
            await trio.to_thread.run_sync(ensure_room, self._games)
            lobby.say_ready(ready=True)
            await lobby.mesh.wake()
        else:
            self._not_your_turn(help_text, running=lobby.history.running)

    def _not_your_turn(self, help_text: str, *, running: bool) -> None:
        """Tell that nothing can be typed now: for whom the game waits, or what can be typed at all."""
        gettext, table = self._say.gettext, self._table
        instead = (OUT if self._is_out() else NOT_YOUR_TURN) if running else NOT_UNDERSTOOD
        text = f"{gettext(instead)} {gettext(help_text)}"
        if table is not None and self.teller is not None and self.teller.waited_for():
            text = not_asked(self._say, table)
        self._refuse(f"{instead} {help_text}", text)


async def _typed() -> str:
    """Return the next line that is typed, empty when standard input has ended or there is none."""
    if sys.stdin is None:
        return ""
    return await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
