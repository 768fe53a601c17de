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
from p2pdurak.game.rules import legal_actions
from p2pdurak.net.opener import Opener
from p2pdurak.ui.line import answer, question, say

if TYPE_CHECKING:
    from p2pdurak.cli.output import Print
    from p2pdurak.game.state import State
    from p2pdurak.net.lobby import Lobby

HELP = (
    "Before a game: 'ready' (or just Enter) when you want to play; the opener may 'start' with free seats. "
    "In a game: type the number of your choice. 'quit' leaves."
)


PASSING = 0.4
"""Passing takes a bot this part of its pace: everybody waits for it, and there is nothing to look at."""


QUIT = ("quit", "q", "exit")


class Player(ABC):
    """What a peer needs from whoever plays it; ``always_ready`` tells that no word is needed before a game."""

    always_ready = True

    @abstractmethod
    async def decide(self, view: State) -> Action:
        """Return the decision of the asked seat."""

    async def listen(self, lobby: Lobby, leave: trio.CancelScope) -> None:  # noqa: B027 - most have nothing to say
        """Take what is typed, until cancelled."""


class Bot(Player):
    """A program; ``pace`` is how many seconds it takes to decide, more or less, and less for passing.

    A ``leashed`` one leaves when its standard input ends: when whoever started it is gone.
    """

    def __init__(self, pace: float = 0.0, *, leashed: bool = False) -> None:
        self._pace = pace
        self._leashed = leashed
        self._chance = secrets.SystemRandom()

    async def decide(self, view: State) -> Action:
        action = choose(view)
        await trio.sleep(self._pace * self._chance.uniform(0.7, 1.3) * (PASSING if isinstance(action, Pass) else 1))
        return action

    async def listen(self, lobby: Lobby, leave: trio.CancelScope) -> None:
        del lobby
        if self._leashed:
            await trio.to_thread.run_sync(sys.stdin.read, abandon_on_cancel=True)
            leave.cancel()


class Watcher(Player):
    """Somebody who only watches."""

    async def decide(self, view: State) -> Action:
        raise NotImplementedError("a watcher is never asked")


class Typist(Player):
    """A person at a terminal, or a program that types like one."""

    always_ready = False

    def __init__(self, show: Print) -> None:
        self._show = show
        self._view: State | None = None
        self._leaving = False
        self._answers, self._answered = trio.open_memory_channel[Action](0)

    async def decide(self, view: State) -> Action:
        options = [say(action) for action in legal_actions(view)]
        self._show({"event": "asked", "options": options, "text": "\n".join(question(view))})
        self._view = view
        try:
            return await self._answered.receive()
        finally:
            self._view = None

    async def listen(self, lobby: Lobby, leave: trio.CancelScope) -> None:
        while True:
            if sys.stdin is None:  # nobody can type
                return
            line = await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)
            if not line or (line.strip() in QUIT and (self._leaving or not lobby.history.running)):
                leave.cancel()
                return
            self._leaving = line.strip() in QUIT
            if self._leaving:
                reason = "The game cannot go on without you. Type quit again to leave all the same."
                self._show({"event": "refused", "reason": reason, "text": f"  {reason}"})
                continue
            try:
                await self._take(line.strip(), lobby)
            except IllegalAction as error:
                reason = f"{error} ({error.rule})"
                self._show({"event": "refused", "rule": error.rule, "reason": reason, "text": f"  {reason}"})
            except DurakError as error:
                self._show({"event": "refused", "reason": str(error), "text": f"  {error}"})

    async def _take(self, typed: str, lobby: Lobby) -> None:
        if typed in ("help", "?"):
            self._show({"event": "help", "text": HELP})
        elif self._view is not None:
            await self._answers.send(answer(self._view, typed))
        elif typed == "start" and isinstance(lobby, Opener):
            lobby.say_start()
            await lobby.mesh.wake()
            missing = ", ".join(place.nickname for place in lobby.places if not place.ready)
            if missing:
                text = f"  The game begins as soon as all are ready; not yet: {missing}."
                self._show({"event": "waiting", "text": text})
        elif typed in ("", "ready", "start"):
            lobby.say_ready(ready=True)
            await lobby.mesh.wake()
        else:
            self._show({"event": "refused", "reason": HELP, "text": f"  It is not your turn. {HELP}"})
