"""How a person likes the console, kept between starts as a small JSON text.

What is missing or makes no sense counts as not set: settings are never a reason not to play.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Final

from p2pdurak.errors import NotationError
from p2pdurak.ui.language import LANGUAGES
from p2pdurak.wire.names import clean_nickname

FILE_NAME: Final = "console.json"


class Colours(StrEnum):
    """How many colours the suits have."""

    FOUR = "four"
    TWO = "two"
    NONE = "none"


class CardSize(StrEnum):
    """How large cards are drawn; AUTO goes by the window."""

    AUTO = "auto"
    SMALL = "small"
    MEDIUM = "medium"
    LARGE = "large"


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices; ``name`` is the nickname, empty where the profile's name does.

    ``auto_pass``: pass by itself, after a moment, where no card could be thrown in.
    """

    name: str = ""
    language: str = LANGUAGES[0]
    colours: Colours = Colours.FOUR
    size: CardSize = CardSize.AUTO
    ascii_only: bool = False
    auto_pass: bool = True
    mouse: bool = True


def encode_settings(settings: Settings) -> bytes:
    """Return the text to be kept."""
    return (json.dumps(asdict(settings), ensure_ascii=False, indent=1) + "\n").encode()


def decode_settings(data: bytes, default: Settings) -> Settings:
    """Return the settings in ``data``; those that are not there, or are none, are as in ``default``."""
    try:
        kept = json.loads(data)
    except (ValueError, RecursionError):
        return default
    if not isinstance(kept, dict):
        return default
    return Settings(
        name=_name(kept.get("name"), default.name),
        language=kept["language"] if kept.get("language") in LANGUAGES else default.language,
        colours=Colours(kept["colours"]) if kept.get("colours") in list(Colours) else default.colours,
        size=CardSize(kept["size"]) if kept.get("size") in list(CardSize) else default.size,
        ascii_only=_switch(kept.get("ascii_only"), default.ascii_only),
        auto_pass=_switch(kept.get("auto_pass"), default.auto_pass),
        mouse=_switch(kept.get("mouse"), default.mouse),
    )


def _switch(value: object, default: bool) -> bool:
    return value if isinstance(value, bool) else default


def _name(value: object, default: str) -> str:
    try:
        return clean_nickname(value) if isinstance(value, str) else default
    except NotationError:
        return default
