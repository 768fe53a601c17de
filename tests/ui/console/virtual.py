"""A terminal made of memory: what is typed goes into a pipe, what is drawn onto a pyte screen."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pyte
import trio
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from p2pdurak.ui.console.guest import run_guest
from p2pdurak.ui.console.settings import Settings
from p2pdurak.ui.console.shell import Shell

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from prompt_toolkit.input import PipeInput


class Virtual(io.StringIO):
    """The screen; ``until`` waits for something to be seen on it."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        super().__init__()
        self.size = Size(rows, columns)
        self.screen = pyte.Screen(columns, rows)
        self.raw = ""
        self._stream = pyte.Stream(self.screen)
        self._changed = trio.Event()
        self.keys: PipeInput | None = None

    def write(self, text: str) -> int:
        self.raw += text
        self._stream.feed(text)
        self._changed.set()
        self._changed = trio.Event()
        return len(text)

    def text(self) -> str:
        return "".join(line.rstrip() + "\n" for line in self.screen.display)

    async def until(self, *parts: str) -> str:
        """Wait until all parts are on the screen; return its text."""
        while not all(part in self.text() for part in parts):
            await self._changed.wait()
        return self.text()

    def type(self, text: str) -> None:
        assert self.keys is not None
        self.keys.send_text(text)


def run_shell(
    program: Callable[[Shell, Virtual], Awaitable[object]],
    *,
    settings: Settings | None = None,
    size: tuple[int, int] = (80, 24),
    kept: list[Settings] | None = None,
) -> tuple[Shell, Virtual]:
    """Run ``program`` with a shell on a virtual terminal, to its end."""
    terminal = Virtual(*size)
    shells: list[Shell] = []

    async def main() -> None:
        with create_pipe_input() as keys:
            terminal.keys = keys
            output = Vt100_Output(terminal, lambda: terminal.size, term="xterm", enable_cpr=False)
            keep = [] if kept is None else kept
            shell = Shell(settings or Settings(), keep.append, input_=keys, output=output)
            shells.append(shell)
            with trio.fail_after(20):
                await shell.run(lambda: program(shell, terminal))

    run_guest(main)
    return shells[0], terminal
