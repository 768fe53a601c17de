"""Parts of the sentences that errors of the game are made of, so that those can be told in another language.

A sentence is an error's template; a part of it that is a phrase itself is a value, and a ``Sentence``. Phrases kept in
tables are ``marked`` there for the catalogues, since nothing here may know the languages.
"""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from p2pdurak.errors import Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable


def marked(phrase: str) -> str:
    """Return the phrase as it is: it goes into the catalogues, and is put into a ``Sentence`` where it is used."""
    return phrase


def either(choices: Iterable[object]) -> object:
    """Return the choices, at least one: "one, another or a third"."""
    *others, last = choices
    if not others:
        return last
    first = reduce(lambda one, other: Sentence("{one}, {other}", one=one, other=other), others)
    return Sentence("{one} or {other}", one=first, other=last)
