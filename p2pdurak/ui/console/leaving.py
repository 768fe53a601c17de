"""The question whether to leave, which the screens of a table ask before they let go whom others would miss."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.ui.console.screen import Screen

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from p2pdurak.ui.console.settings import Settings

LEAVES = ("enter", "q", "quit")
"""The keys that answer yes: whoever presses twice what asks the question means it."""


class LeavableScreen(Screen):
    """A screen that is left only by a second key; ``leaving`` tells that it asks, ``leave`` goes."""

    def __init__(self, settings: Settings, leave: Callable[[], object]) -> None:
        super().__init__(settings)
        self.leaving = False
        self._leave = leave

    def answer_leaving(self, key: str, others: Mapping[str, Callable[[], object]] | None = None) -> bool:
        """Take the key that answers the question, if it is asked; every key but these and ``others`` stays."""
        if not self.leaving:
            return False
        self.leaving = False
        if key in LEAVES:
            self._leave()
        elif others is not None and key in others:
            others[key]()
        return True

    def leave_keys(self, *others: tuple[str, str, str]) -> list[tuple[str, str, str]]:
        """Return the keys that answer the question, with what is written on them and what they do."""
        gettext = self.say.gettext
        return [("Enter", gettext("leave"), "enter"), *others, ("Esc", gettext("stay"), "escape")]
