"""Our own decisions: each is asked for once, and taken back when it is no longer ours to take.

A vote may come in between; and whoever comes back on a disk that was rolled back is asked again what the others have
heard already, until they tell. Whoever is asked must not be left with a question that nobody wants an answer to.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

import trio

from p2pdurak.game.actions import Action
from p2pdurak.game.state import State
from p2pdurak.session.events import Event
from p2pdurak.session.session import Session

if TYPE_CHECKING:
    from typing import Final

Decide = Callable[[State], Awaitable[Action]]
Wish = Callable[[Session], list[Event]]


class _Question:
    """One decision that is asked for: in which round, how it is taken back, and that nobody is asked any more."""

    def __init__(self, round_: int) -> None:
        self.round: Final = round_
        self.scope = trio.CancelScope()
        self.ended = trio.Event()


class Questions:
    """The decisions of one game: ``decide`` is asked in a task of ``tasks``, and what it answers becomes a ``wish``."""

    def __init__(self, decide: Decide, wish: Callable[[Wish], Awaitable[None]], tasks: trio.Nursery) -> None:
        self._decide = decide
        self._wish = wish
        self._tasks = tasks
        self._question: _Question | None = None

    async def look(self, session: Session) -> None:
        """Ask for the decision that the game waits for, if it is ours; take back another one that was asked for."""
        wanted = session.state.round if session.my_decision else None
        if self._question is not None and self._question.round != wanted:
            self._question.scope.cancel()
            await self._question.ended.wait()  # or the end of the old question could be taken for that of the next
            self._question = None
        if self._question is None and wanted is not None:
            self._question = _Question(wanted)
            self._tasks.start_soon(self._ask, self._question, session.view())

    async def _ask(self, question: _Question, view: State) -> None:
        try:
            with question.scope:
                action = await self._decide(view)
                await self._wish(lambda session: self._act(session, question, action))
        finally:
            question.ended.set()

    def _act(self, session: Session, question: _Question, action: Action) -> list[Event]:
        """Do what was decided, unless the question has been taken back meanwhile."""
        if question is not self._question:
            return []
        self._question = None
        return session.act(action) if session.my_decision else []
