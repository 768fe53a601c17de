"""How a table is found: announced while it is ours, its opener looked for while it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from p2pdurak.cli.finding import follow
from p2pdurak.cli.invitation import announce_table
from p2pdurak.net.opener import Opener

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.errors import Said
    from p2pdurak.net.lobby import Lobby


class Presence:
    """Our presence at one table; ``warn`` is told what cannot be done."""

    def __init__(self, tasks: trio.Nursery, warn: Callable[[Said], object]) -> None:
        self._tasks = tasks
        self._warn = warn
        self._scope = trio.CancelScope()

    async def begin(self, lobby: Lobby) -> None:
        """Be at the table; returns when it is announced, if it is ours."""
        await self._tasks.start(self._keep, lobby)

    def move(self, lobby: Lobby) -> None:
        """Be at the table in another way from now on: somebody else has it."""
        self._scope.cancel()
        self._tasks.start_soon(self._keep, lobby)

    async def _keep(self, lobby: Lobby, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        self._scope = scope = trio.CancelScope()
        with scope:
            if isinstance(lobby, Opener):
                await announce_table(lobby.terms, lobby.mesh, self._warn, task_status=task_status)
            else:
                task_status.started()
                await follow(lobby.opener, lobby.mesh)
