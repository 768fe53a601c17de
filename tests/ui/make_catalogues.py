"""The catalogues of messages: ``python -m tests.ui.make_catalogues`` brings them up to date.

It collects the sentences marked in the code and those that errors are raised with, adds new ones to the ``.po`` files
and drops those that are gone, and compiles. What is left untranslated then is translated by hand, and the script run
again.
"""

from __future__ import annotations

import inspect
import pkgutil
from datetime import UTC, datetime
from functools import cache
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po, write_po

import p2pdurak
from p2pdurak.errors import DurakError
from p2pdurak.ui.language import CATALOGUES, DOMAIN, LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT = Path(__file__).parents[2]
TRANSLATED = LANGUAGES[1:]
MARKED = {"_": None, "marked": None, "gettext": None, "ngettext": (1, 2), "Sentence": None, "refusal": (2,)}
# When a catalogue was made is in the history of the files; in the files it would only make differences.
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)


@cache
def errors() -> dict[str, int]:
    """By the name of an error's class: which of its arguments is the sentence, counted from 1.

    Those that make their sentence themselves are not among them; they do so by ``super().__init__``.
    """
    for module in pkgutil.walk_packages(p2pdurak.__path__, "p2pdurak."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    found: dict[str, int] = {}
    kinds: list[type[DurakError]] = [DurakError, *_descendants(DurakError)]
    for kind in kinds:
        for at, (name, argument) in enumerate(inspect.signature(kind).parameters.items(), start=1):
            if name in ("sentence", "reason") and argument.annotation == "str":
                found[kind.__name__] = at
    return found


def _descendants(kind: type[DurakError]) -> Iterator[type[DurakError]]:
    for inner in kind.__subclasses__():
        yield inner
        yield from _descendants(inner)


def keywords() -> dict[str, tuple[int, ...] | None]:
    """By the name of what is called: which of its arguments are sentences, None for the first."""
    return {**MARKED, "__init__": None, **{name: (at,) for name, at in errors().items()}}


def sentences() -> Catalog:
    """The sentences in the code, untranslated, with the files that they stand in."""
    catalog = Catalog(project=DOMAIN, creation_date=NO_DATE)
    package = ROOT / "p2pdurak"
    for file, line, message, comments, _ in extract_from_dir(package, [("**.py", "python")], keywords=keywords()):
        catalog.add(message, None, [(f"p2pdurak/{file}", line)], auto_comments=comments)
    return catalog


def folder(language: str) -> Path:
    return CATALOGUES / language / "LC_MESSAGES"


def translated(language: str) -> Catalog:
    """The catalogue that people have translated."""
    with (folder(language) / f"{DOMAIN}.po").open("rb") as file:
        return read_po(file, locale=language)


def compiled(language: str) -> Catalog:
    """The catalogue that the program reads."""
    with (folder(language) / f"{DOMAIN}.mo").open("rb") as file:
        return read_mo(file)


def messages(catalog: Catalog) -> list[Message]:
    """All messages but the header."""
    return [message for message in catalog if message.id]


def untranslated(catalog: Catalog) -> list[str]:
    """The sentences that have no translation, or lack a plural form."""
    return [forms(message.id)[0] for message in messages(catalog) if message.fuzzy or not all(forms(message.string))]


def forms(text: str | Sequence[str] | None) -> tuple[str, ...]:
    """A sentence, or all plural forms of one."""
    return (text or "",) if text is None or isinstance(text, str) else tuple(text)


def up_to_date(language: str) -> tuple[Catalog, bytes, bytes]:
    """The catalogue with exactly the sentences of the code, and the bytes of its two files."""
    path = folder(language) / f"{DOMAIN}.po"
    new = Catalog(
        language, project=DOMAIN, revision_date=NO_DATE, header_comment=f"# The messages of p2pdurak: {language}"
    )
    catalog = translated(language) if path.exists() else new
    catalog.update(sentences(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    catalog.fuzzy = False
    catalog.msgid_bugs_address = catalog.last_translator = catalog.language_team = ""
    text, binary = BytesIO(), BytesIO()
    write_po(text, catalog, width=100, include_lineno=False, sort_by_file=True)
    write_mo(binary, catalog)
    return catalog, text.getvalue(), binary.getvalue()


def main() -> None:
    for language in TRANSLATED:
        catalog, text, binary = up_to_date(language)
        folder(language).mkdir(parents=True, exist_ok=True)
        (folder(language) / f"{DOMAIN}.po").write_bytes(text)
        (folder(language) / f"{DOMAIN}.mo").write_bytes(binary)
        print(f"{language}: {len(messages(catalog))} sentences, {len(untranslated(catalog))} to be translated")


if __name__ == "__main__":
    main()
