"""What people say at a table: phrases, which each speaks and reads in their own language, and lines that are typed.

The numbers of the phrases are those of ``protocol/chat.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pdurak.ui.language import marked as _
from p2pdurak.ui.visible import visible

if TYPE_CHECKING:
    from gettext import NullTranslations

    from p2pdurak.wire.chat import Remark

PHRASES: Final = (
    _("Hello!"),
    _("Good luck!"),
    _("Well played!"),
    _("Thank you!"),
    _("Your turn!"),
    _("One moment …"),
    _("Once more?"),
    _("Goodbye!"),
)


_SAY: Final = ("say", "ыфн", "скажи", "сказать", "говорю", "crf;b", "crfpfnm", "ujdjh.")
"""The words before a line that is said; the second is the first, typed with Russian letters on the keys, and the last
are Russian words typed with Latin ones. What is said stays as it is: it may be in any language."""


def typed_remark(typed: str) -> Remark | None:
    """Return what is to be said by ``say TEXT``, ``/TEXT`` or ``/NUMBER``, None if something else was typed.

    The key of the stroke is a full stop on a Russian layout, which counts before a number.
    """
    head, _, text = typed.strip().partition(" ")
    if head.lower() in _SAY:
        return text
    mark, rest = typed.strip()[:1], typed.strip()[1:]
    if mark and mark in "/." and rest in tuple("123456789")[: len(PHRASES)]:
        return int(rest)
    return rest if mark == "/" else None


def chat_help(say: NullTranslations) -> str:
    """Return how one talks by typing, with all phrases."""
    phrases = ", ".join(f"/{number} {say.gettext(phrase)}" for number, phrase in enumerate(PHRASES, 1))
    return say.gettext("'say TEXT' talks to the others at the table; phrases: {phrases}.").format(phrases=phrases)


def remark_text(say: NullTranslations, remark: Remark) -> str:
    """Return what was said as text that can be shown."""
    return visible(remark) if isinstance(remark, str) else say.gettext(PHRASES[remark - 1])
