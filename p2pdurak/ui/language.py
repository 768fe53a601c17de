"""In which language the program speaks to a person, and how a sentence gets there.

English sentences stand in the code, marked where they stand, and are the keys of GNU gettext catalogues: one folder
for each other language in ``locale``, with the ``.po`` file that people translate and the ``.mo`` file that is read.
Symbolic keys were rejected, since translators would have to look up elsewhere what they translate; so was compiling
at installation, which would need a build tool: the ``.mo`` files are kept beside their sources, and a test compares.
"""

from __future__ import annotations

import gettext
import locale
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from p2pdurak.errors import DurakError, Sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from p2pdurak.errors import Said

LANGUAGES: Final = ("en", "ru")
"""The languages that the program speaks; the first is that of the code."""

DOMAIN: Final = "p2pdurak"
CATALOGUES: Final = Path(__file__).parent / "locale"

# The variables that gettext goes by, in its order; LANGUAGE may name several languages, separated by colons.
_VARIABLES: Final = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


def marked(sentence: str) -> str:
    """Return the sentence as it is: it goes into the catalogues, and is translated where it is said."""
    return sentence


def preferred(environment: Mapping[str, str], system: str | None = None) -> str:
    """Return the first of our languages that the environment asks for, English if it asks for none of them.

    ``system`` is the name of the locale to go by where no variable is set, as on Windows.
    """
    wanted = next((environment[name] for name in _VARIABLES if environment.get(name)), system or "")
    known = [ours for name in wanted.split(":") for ours in LANGUAGES if name.lower().startswith(ours)]
    return known[0] if known else LANGUAGES[0]


def system_locale() -> str | None:
    """Return what the operating system calls the person's locale, None if it does not say."""
    return locale.getlocale()[0]


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """Return the messages of one of ``LANGUAGES``; an English one returns each sentence as it is."""
    if language == LANGUAGES[0]:
        return gettext.NullTranslations()
    return gettext.translation(DOMAIN, CATALOGUES, [language])


def told(say: gettext.NullTranslations, said: Said | str) -> str:
    """Return in the language of ``say`` what an error or a sentence says; a text that is neither is as it is.

    What it is about, such as the error that led to this one, is told in that language too.
    """
    if isinstance(said, str):
        return said
    values = {
        name: told(say, value) if isinstance(value, DurakError | Sentence) else value
        for name, value in said.values.items()
    }
    return say.gettext(said.sentence).format_map(values) if values else say.gettext(said.sentence)
