"""The one place that knows the terminal: it shows a screen, brings it keys, and leaves the terminal as it was.

The terminal is restored on every way out, because prompt_toolkit's application is an asyncio coroutine awaited in a
trio task: whatever ends the program, a signal or an error anywhere, cancels that task, and so unwinds it.
"""

from __future__ import annotations

import asyncio
import signal
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import trio
from prompt_toolkit.application import Application, in_terminal
from prompt_toolkit.filters import Condition
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import Layout, UIContent, UIControl, Window
from prompt_toolkit.mouse_events import MouseEventType
from prompt_toolkit.styles import DynamicStyle

from p2pdurak.ui.console.guest import await_asyncio
from p2pdurak.ui.console.help_screen import HelpScreen, SettingsScreen
from p2pdurak.ui.console.keys import NAMES, positioned
from p2pdurak.ui.console.sieve import Sieve, clicked
from p2pdurak.ui.console.style import style_of
from p2pdurak.ui.language import LANGUAGES, catalogue

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from gettext import NullTranslations

    from prompt_toolkit.input import Input
    from prompt_toolkit.key_binding import KeyPressEvent
    from prompt_toolkit.mouse_events import MouseEvent
    from prompt_toolkit.output import Output

    from p2pdurak.game.ruleset import Ruleset
    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.screen import Screen
    from p2pdurak.ui.console.settings import Settings

Result = TypeVar("Result")

TICK_SECONDS = 1.0
ESCAPE_SECONDS = 0.05
"""How long a lone Escape is taken for the beginning of a longer sequence."""

_STOP = getattr(signal, "SIGTSTP", None)
_SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGTSTP") if hasattr(signal, name))


class Shell:
    """What is on the terminal: a screen, and perhaps help or settings over it.

    ``keep`` hears of changed settings; ``rules`` are those that help explains. ``ended_by`` is the number of the signal
    that ended the program, 0 if none did.
    """

    def __init__(
        self,
        settings: Settings,
        keep: Callable[[Settings], object],
        *,
        input_: Input | None = None,
        output: Output | None = None,
    ) -> None:
        self.settings = settings
        self.rules: Ruleset | None = None
        self.ended_by = 0
        self._keep = keep
        self._screen: Screen | None = None
        self._over: Screen | None = None
        self._failure: BaseException | None = None
        self._painted = _Painted(self)
        self._app: Application[None] = Application(
            layout=Layout(Window(self._painted)),
            style=DynamicStyle(lambda: style_of(self.settings.colours)),
            include_default_pygments_style=False,
            key_bindings=self._bindings(),
            full_screen=True,
            max_render_postpone_time=None,  # a key is to be seen at once, however busy the links are
            mouse_support=Condition(lambda: self._heeds_mouse),
            input=input_,
            output=output,
        )
        self._app.ttimeoutlen = ESCAPE_SECONDS
        terminal: Any = self._app.input
        if hasattr(terminal, "vt100_parser"):  # the console of old Windows sends no sequences
            terminal.vt100_parser = Sieve(terminal.vt100_parser)

    @property
    def _heeds_mouse(self) -> bool:
        return self.settings.mouse and self.top is not None and self.top.mouse

    # For the program

    @property
    def top(self) -> Screen | None:
        """The screen that is seen."""
        return self._over or self._screen

    @property
    def say(self) -> NullTranslations:
        """The catalogue of the person's language."""
        return catalogue(self.settings.language)

    def show(self, screen: Screen) -> None:
        """Show this screen from now on."""
        screen.settings = self.settings
        self._screen = screen
        self.refresh()

    def lay_over(self, screen: Screen) -> None:
        """Show this screen over the other one, until it is uncovered."""
        screen.settings = self.settings
        self._over = screen
        self.refresh()

    def uncover(self) -> None:
        """Take away what lies over the screen."""
        self._over = None
        self.refresh()

    def refresh(self) -> None:
        """Paint anew, because something has changed."""
        self._app.invalidate()

    async def run(self, program: Callable[[], Awaitable[Result]]) -> Result | None:
        """Have the terminal while ``program`` runs; return what it returns, None if a signal came before."""
        result: Result | None = None
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._heed_signals, nursery.cancel_scope)
            nursery.start_soon(self._draw, nursery.cancel_scope)
            nursery.start_soon(self._tick)
            try:
                result = await program()
            except Exception as error:  # raised again below, outside the nursery, when the terminal is restored
                self._failure = self._failure or error
            nursery.cancel_scope.cancel()
        if self._failure is not None:
            raise self._failure
        return result

    def change(self, settings: Settings) -> None:
        """Go by other settings from now on, and keep them."""
        self.settings = settings
        for screen in (self._screen, self._over):
            if screen is not None:
                screen.settings = settings
        self._keep(settings)
        self.refresh()

    # Keys

    def press(self, key: str) -> None:
        """Take a key: those that work everywhere here, the others for the screen."""
        if self.top is None:
            return
        match key:
            case "f1" | "?" if not isinstance(self.top, HelpScreen):
                back = self.uncover if self._over is None else partial(self.lay_over, self._over)
                self.lay_over(HelpScreen(self.settings, self.top, self.rules, back))
            case "f2":
                following = LANGUAGES[(LANGUAGES.index(self.settings.language) + 1) % len(LANGUAGES)]
                self.change(replace(self.settings, language=following))
            case "f3" if self._over is None:
                self.lay_over(SettingsScreen(self.settings, self.change, self.uncover))
            case "repaint":
                self._app.renderer.clear()
            case _:
                self.top.press(key)
        self.refresh()

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()

        def press_name(event: KeyPressEvent) -> None:
            self.press(NAMES[event.key_sequence[0].key])

        for key in NAMES:
            bindings.add(key, eager=True)(press_name)

        @bindings.add(Keys.Any)
        def _sign(event: KeyPressEvent) -> None:
            sign = event.key_sequence[0].key
            if isinstance(sign, Keys) or not sign.isprintable():
                return  # a key that means nothing here, such as F5
            if self.top is not None and self.top.typed(sign):
                self.refresh()
            else:
                self.press(positioned(sign))

        @bindings.add(Keys.Vt100MouseEvent, eager=True)
        def _mouse(event: KeyPressEvent) -> None:
            place = clicked(event.data)
            if place is not None and self._heeds_mouse:
                self._painted.click(*place)

        @bindings.add(Keys.BracketedPaste)
        def _paste(event: KeyPressEvent) -> None:
            if self.top is not None:
                self.top.typed(event.data)
            self.refresh()

        return bindings

    # Tasks

    async def _draw(self, everything: trio.CancelScope) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._on_error)
        try:
            await await_asyncio(self._app.run_async(set_exception_handler=False, handle_sigint=False))
        except (EOFError, OSError):
            pass  # the terminal is gone
        except Exception as error:
            self._failure = self._failure or error
        finally:
            loop.set_exception_handler(None)
        everything.cancel()

    def _on_error(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Let an exception in a callback of the terminal end the program, which unwinds and then raises it."""
        del loop
        error = context.get("exception")
        self._failure = self._failure or error or RuntimeError(context["message"])
        if self._app.is_running and self._app.future is not None and not self._app.future.done():
            self._app.exit()

    async def _heed_signals(self, everything: trio.CancelScope) -> None:
        with trio.open_signal_receiver(*_SIGNALS) as signals:
            async for number in signals:
                if number == _STOP:
                    await await_asyncio(_stop())
                    continue
                self.ended_by = number
                everything.cancel()

    async def _tick(self) -> None:
        while True:
            await trio.sleep(TICK_SECONDS)
            if self.top is not None and self.top.restless:
                self.refresh()


async def _stop() -> None:
    """Give the terminal back and be stopped; when we are to go on, have it again, and paint everything."""
    async with in_terminal():
        signal.raise_signal(signal.SIGSTOP)


class _Painted(UIControl):
    """The screen as prompt_toolkit wants it: lines of styled text, and clicks."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._canvas: Canvas | None = None

    def create_content(self, width: int, height: int) -> UIContent:
        screen = self._shell.top
        canvas = None if screen is None else screen.canvas(width, height, trio.current_time())
        self._canvas = canvas
        if canvas is None:
            return UIContent()
        lines = [[(run.style, run.text) for run in canvas.runs(row)] for row in range(height)]
        return UIContent(lambda row: list(lines[row]), line_count=height, show_cursor=False)

    def is_focusable(self) -> bool:
        return True

    def mouse_handler(self, mouse_event: MouseEvent) -> None:
        """Take a click on the console of Windows; all other terminals send it as a key does."""
        if mouse_event.event_type is MouseEventType.MOUSE_UP:
            self.click(mouse_event.position.x, mouse_event.position.y)

    def click(self, column: int, row: int) -> None:
        """Press the key that the clicked cell stands for."""
        key = "" if self._canvas is None else self._canvas.key_at(column, row)
        if key:
            self._shell.press(key)
