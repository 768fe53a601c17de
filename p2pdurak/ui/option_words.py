"""What an option is set to, in a word or two beside its name: the sentence about it stands elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pdurak.ui.language import marked as _

if TYPE_CHECKING:
    from collections.abc import Mapping
    from gettext import NullTranslations

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "lead": {"one": _("one card"), "same-rank": _("any of one rank")},
    "throwers": {
        "all": _("all others"),
        "neighbours": _("neighbours"),
        "leader": _("the leader"),
        "none": _("nobody"),
    },
    "throw_after_take": {"true": _("yes"), "false": _("no")},
    "bout_cap": {"none": _("no limit")},
    "first_bout_cap": {"none": _("the same")},
    "transfer": {"none": _("never"), "before-beat": _("before beating"), "any": _("at any time")},
    "transfer_first_bout": {"true": _("yes"), "false": _("no")},
    "transfer_by_showing": {"true": _("yes"), "false": _("no")},
    "draw_order": {"clockwise": _("clockwise"), "defender-last": _("defender last")},
    "draws": {"true": _("a draw"), "defender-loses": _("defender loses")},
    "no_trump_lead": {"lowest-card": _("lowest card"), "lot": _("by lot")},
    "next_lead": {
        "under": _("fool's right"),
        "from-under": _("fool's left"),
        "lowest-trump": _("lowest trump"),
    },
}
"""The words by option and value; numbers stand for themselves."""


def in_words(say: NullTranslations, option: str, value: str) -> str:
    """Return what the value of an option is, in a word or two."""
    words = WORDS[option].get(value)
    return value if words is None else say.gettext(words)
