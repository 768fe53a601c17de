"""All that was said at the table, over the whole screen, and who is not to be heard any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.ui.console.canvas import shortened
from p2pdurak.ui.console.chat_line import paint_row, rows_of
from p2pdurak.ui.console.screen import Screen, key_row, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.conversation import Conversation
    from p2pdurak.ui.console.settings import Settings


class ChatScreen(Screen):
    """The conversation, from its end on upwards; digits mute those who spoke. ``close`` is called to go away."""

    def __init__(self, settings: Settings, conversation: Conversation, close: Callable[[], object]) -> None:
        super().__init__(settings)
        self._conversation = conversation
        self._close = close
        self._back = 0

    def press(self, key: str) -> None:
        """Scroll, mute somebody, or go away."""
        steps = {"up": 1, "down": -1, "pageup": 10, "pagedown": -10, " ": 10}
        others = self._conversation.others()
        if key in steps:
            self._back = max(0, self._back + steps[key])
        elif key in tuple("123456789")[: len(others)]:
            self._conversation.toggle(others[int(key) - 1].speaker)
        elif key not in tuple("0123456789"):
            self._close()

    @property
    def keys_help(self) -> Sequence[tuple[str, str]]:
        """What help tells of the keys, in lines, each with its style."""
        gettext = self.say.gettext
        return (
            (gettext("↑ ↓  to what was said before, or after"), ""),
            (
                gettext("1 2 3 …  mutes the person of that number: what they say is not shown until you undo it."),
                "",
            ),
            self.keys_everywhere,
        )

    def paint(self, canvas: Canvas, now: float) -> None:
        """Paint the conversation, those who can be muted under it, and the keys."""
        del now
        gettext, conversation = self.say.gettext, self._conversation
        conversation.unread = 0
        canvas.put(1, 0, gettext("All that was said"), "class:title")
        canvas.rule(1)
        others = [
            (f"{number}", f"{shortened(line.nickname, 12)}{' ✗' if line.speaker in conversation.muted else ''}")
            for number, line in enumerate(conversation.others(), 1)
        ]
        halves = [half for half in (others[:5], others[5:]) if half]
        end = canvas.rows - 2 - len(halves) - bool(halves)
        rows = [row for line in conversation.lines() for row in rows_of(self.say, line, canvas.columns - 2)]
        room = end - 2
        self._back = max(0, min(self._back, len(rows) - room))
        last = len(rows) - self._back
        for at, one in enumerate(rows[max(0, last - room) : last], 2):
            paint_row(canvas, at, one)
        if not rows:
            for at, text in enumerate(wrapped(gettext("Nobody has said anything yet."), canvas.columns - 2), 2):
                canvas.put(1, at, text, "class:dim")
        canvas.rule(end)
        if halves:
            canvas.put(1, end + 1, gettext("Mute (✗), or hear again:"), "class:dim")
        for at, half in enumerate(halves, end + 2):
            key_row(canvas, at, [(number, name, number) for number, name in half])
        more = [("↑ ↓", gettext("scroll"), "up")] if len(rows) > room else []
        key_row(canvas, canvas.rows - 1, [*more, ("Esc", gettext("back"), "escape")])
