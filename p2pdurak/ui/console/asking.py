"""The line of the start screen in which something is typed: what it asks for, and how it looks."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from p2pdurak.ui.console.canvas import width_of
from p2pdurak.ui.console.screen import key_row
from p2pdurak.ui.language import marked as _

if TYPE_CHECKING:
    from gettext import NullTranslations

    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.field import Field

_LEAST_FIELD = 10


class Asking(Enum):
    """Which line is being typed, in the words of its question."""

    NAME = _("Your name:")
    TARGET = _("Address, invite or name of the table:")
    CODE = _("Code of the table:")


def paint_question(canvas: Canvas, say: NullTranslations, asking: Asking, field: Field, row: int) -> None:
    """Paint the question with the end of what is typed, and in the next row the keys."""
    question = f"{say.gettext(asking.value)} "
    canvas.put(1, row, question, "class:wanted")
    room = max(_LEAST_FIELD, canvas.columns - width_of(question) - 3)
    canvas.put(1 + width_of(question), row, field.text[-room:] + "_", "class:field")
    keys = [("Enter", say.gettext("done"), "enter"), ("Esc", say.gettext("back"), "escape")]
    erase = [("Ctrl-U", say.gettext("erase all"), "empty")] if field.text else []
    key_row(canvas, row + 1, [*keys, *erase])
