"""How people write the names of presets and options, and what they mean by it.

Capitals do not matter, nor whether words are joined by a hyphen, a low line or a blank, and the presets can be called
in Russian. Guessing at misspelt names was rejected: a refusal lists all names, which is a better help.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

RUSSIAN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "простой": "prostoy",
        "албанский": "albanian",
        "переводной": "perevodnoy",
        "переводной-2": "perevodnoy-2",
        "подкидной": "podkidnoy",
    }
)
"""What the presets are called in Russian; for ``perevodnoy-apps`` there is no such name."""


def preset_name(text: str) -> str:
    """Return the name that the preset called ``text`` has, if there is one."""
    name = "-".join(text.lower().replace("_", " ").replace("-", " ").split())
    return RUSSIAN.get(name, name)


def option_name(text: str) -> str:
    """Return the name that the option called ``text`` has, if there is one."""
    return "_".join(text.lower().replace("_", " ").replace("-", " ").split())


def value_name(text: str) -> str:
    """Return how the value ``text`` of an option is written, if it is one."""
    return text.strip().lower().replace("_", "-")
