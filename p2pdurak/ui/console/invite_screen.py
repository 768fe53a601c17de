"""How others come to a table: its code, its addresses and an invite, as they are shown where one sits there."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from p2pdurak.ui.console.help_screen import TextScreen
from p2pdurak.ui.console.screen import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from gettext import NullTranslations

    from p2pdurak.ui.console.settings import Settings


class Invitation(NamedTuple):
    """What others can be told: the code, empty if there is none; addresses, the likeliest first; the invite if any."""

    code: str
    addresses: tuple[str, ...]
    invite: str

    def in_short(self, say: NullTranslations) -> str:
        """Return code and likeliest address in a line."""
        parts = [say.gettext("code {code}").format(code=self.code)] if self.code else []
        return " · ".join([*parts, *self.addresses[:1]])

    def whole(self, say: NullTranslations) -> list[tuple[str, str]]:
        """Return all of it in paragraphs, each with its style."""
        gettext = say.gettext
        lines = [(gettext("The table's code:"), "class:name"), (self.code, "")] if self.code else []
        what = gettext("Others see the table by themselves; if not, they go to this address:")
        lines += [(what, "class:name"), (", ".join(self.addresses), "")]
        if self.invite:
            with_code = gettext("Or with this invite, which holds the code too:")
            lines.append((with_code if self.code else gettext("Or with this invite:"), "class:name"))
            lines.append((self.invite, ""))
        return lines

    def in_lines(self, say: NullTranslations, columns: int) -> list[tuple[str, str]]:
        """Return all of it in lines of so many columns, each with its style.

        An invite has no blanks to break it at; chat programs and our own reader take it in pieces.
        """
        return [(line, style) for text, style in self.whole(say) for line in wrapped(text, columns)]


class InviteScreen(TextScreen):
    """All of it, however small the window, to be copied or read aloud."""

    def __init__(self, settings: Settings, invitation: Invitation, close: Callable[[], object]) -> None:
        super().__init__(settings, close)
        self._invitation = invitation

    @property
    def mouse(self) -> bool:
        """Whether clicks are wanted: not where there is text to be copied."""
        return False

    def text(self) -> Sequence[tuple[str, str]]:
        """Return the paragraphs, with room between them."""
        return [
            paragraph
            for text, style in self._invitation.whole(self.say)
            for paragraph in ([("", ""), (text, style)] if style else [(text, style)])
        ][1:]
