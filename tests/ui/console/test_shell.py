"""The shell on a virtual terminal: keys arrive, what is painted is seen, and every way out gives the terminal back."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
import trio
from prompt_toolkit.data_structures import Size

from p2pdurak.game.ruleset import DEFAULT
from p2pdurak.ui.console.screen import Screen
from p2pdurak.ui.console.settings import CardSize, Settings
from tests.ui.console.virtual import Virtual, run_shell

if TYPE_CHECKING:
    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.shell import Shell

LEAVE_ALTERNATE_SCREEN = "\x1b[?1049l"


class Echo(Screen):
    """Shows the keys that were pressed; ``x`` is a fault of the program."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.pressed: list[str] = []
        self.field: str | None = None

    def press(self, key: str) -> None:
        if key == "x":
            raise ZeroDivisionError("a fault in a key")
        self.pressed.append(key)

    def typed(self, text: str) -> bool:
        if self.field is None:
            return False
        self.field += text
        return True

    def paint(self, canvas: Canvas, now: float) -> None:
        canvas.put(0, 0, f"size {canvas.columns} {canvas.rows}")
        canvas.put(0, 1, f"keys {' '.join(self.pressed)}.")
        canvas.put(0, 2, f"field {self.field}.")
        canvas.put(0, 3, "a suit: ♥", key="h")
        canvas.put(0, 4, self.say.gettext("You are the fool."))


def test_keys_arrive_from_both_layouts_and_as_words() -> None:
    async def program(shell: Shell, terminal: Virtual) -> None:
        echo = Echo(shell.settings)
        shell.show(echo)
        await terminal.until("size 80 24")
        terminal.type("1tе\x1b[D\x1b[C\rЙ \x7f\x1b[A")
        await terminal.until("keys 1 t t left right enter q   backspace up.")
        terminal.type("\x1b")
        await terminal.until("up escape.")
        terminal.type("\x03\x04")
        await terminal.until("quit quit.")

    _, terminal = run_shell(program)
    assert LEAVE_ALTERNATE_SCREEN in terminal.raw


def test_text_goes_to_a_field_as_it_is_and_a_paste_is_no_keys() -> None:
    async def program(shell: Shell, terminal: Virtual) -> None:
        echo = Echo(shell.settings)
        echo.field = ""
        shell.show(echo)
        await terminal.until("size 80 24")
        terminal.type("Йо")
        terminal.type("\x1b[200~q\nw\x1b[201~")
        await terminal.until("field Йоq")
        assert echo.pressed == []

    run_shell(program)


def test_a_click_is_the_key_of_the_cell() -> None:
    async def program(shell: Shell, terminal: Virtual) -> None:
        shell.show(Echo(shell.settings))
        await terminal.until("a suit")
        terminal.type("\x1b[<0;9;4M\x1b[<0;9;4m")
        await terminal.until("keys h.")

    run_shell(program)


def test_the_language_changes_at_once_and_is_kept() -> None:
    kept: list[Settings] = []

    async def program(shell: Shell, terminal: Virtual) -> None:
        shell.show(Echo(shell.settings))
        await terminal.until("You are the fool.")
        terminal.type("\x1bOQ")
        await terminal.until("Вы в дураках.")

    run_shell(program, kept=kept)
    assert [settings.language for settings in kept] == ["ru"]


def test_help_and_settings_lie_over_the_screen_and_go_away() -> None:
    kept: list[Settings] = []

    async def program(shell: Shell, terminal: Virtual) -> None:
        shell.rules = DEFAULT
        shell.show(Echo(shell.settings))
        await terminal.until("size 80 24")
        terminal.type("?")
        await terminal.until("plays the card above it", "Players and cards")
        for _ in range(12):
            terminal.type("\x1b[6~")
        await terminal.until("The next game")
        terminal.type("\x1b")
        await terminal.until("size 80 24")
        terminal.type("\x1bOR")
        await terminal.until("Size of the cards", "as the window allows")
        terminal.type("\x1bOP")
        await terminal.until("What is set is kept")
        terminal.type("\x1bOQ")
        await terminal.until("Клавиши")
        terminal.type("\x1bOQ\x1b")
        await terminal.until("Size of the cards", "as the window allows")
        terminal.type("3")
        await terminal.until("small")
        terminal.type("4\x1b[D\x1b")
        await terminal.until("size 80 24")

    run_shell(program, kept=kept)
    assert [settings.language for settings in kept[:2]] == ["ru", "en"]
    assert kept[2].size is CardSize.SMALL
    assert [settings.ascii_only for settings in kept[2:]] == [False, True, False]


def test_without_unicode_only_ascii_is_drawn() -> None:
    async def program(shell: Shell, terminal: Virtual) -> None:
        shell.show(Echo(shell.settings))
        await terminal.until("a suit: h")

    _, terminal = run_shell(program, settings=Settings(ascii_only=True))
    assert terminal.text().isascii()


def test_a_resized_window_is_painted_anew() -> None:
    async def program(shell: Shell, terminal: Virtual) -> None:
        shell.show(Echo(shell.settings))
        await terminal.until("size 80 24")
        for columns, rows in ((120, 40), (60, 20), (61, 21)):
            terminal.size = Size(rows, columns)
            terminal.screen.resize(rows, columns)
            os.kill(os.getpid(), signal.SIGWINCH)
            await terminal.until(f"size {columns} {rows}")
        terminal.size = Size(10, 30)
        os.kill(os.getpid(), signal.SIGWINCH)
        await terminal.until("This window is too small")

    run_shell(program)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(number: signal.Signals) -> None:
    async def program(shell: Shell, terminal: Virtual) -> None:
        shell.show(Echo(shell.settings))
        await terminal.until("size 80 24")
        os.kill(os.getpid(), number)
        await trio.sleep_forever()

    shell, terminal = run_shell(program)
    assert shell.ended_by == number
    assert LEAVE_ALTERNATE_SCREEN in terminal.raw


@pytest.mark.parametrize("where", ["program", "key", "paint"])
def test_an_error_gives_the_terminal_back_and_is_raised(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Virtual] = []

    async def program(shell: Shell, terminal: Virtual) -> None:
        seen.append(terminal)
        shell.show(Echo(shell.settings))
        await terminal.until("size 80 24")
        if where == "program":
            raise ZeroDivisionError("a fault in a task")
        if where == "paint":
            monkeypatch.setattr(Echo, "paint", lambda self, canvas, now: 1 / 0)
        terminal.type("x" if where == "key" else "1")
        await trio.sleep_forever()

    with pytest.raises(ZeroDivisionError):
        run_shell(program)
    assert LEAVE_ALTERNATE_SCREEN in seen[0].raw
