"""The catalogues are complete and fresh, and the person's language is found."""

from __future__ import annotations

import re
import string

import pytest

from p2pdurak.ui.language import LANGUAGES, catalogue, preferred
from tests.ui.make_catalogues import TRANSLATED, compiled, forms, messages, sentences, translated, untranslated


def test_the_sentences_of_the_code_are_collected() -> None:
    found = {forms(message.id)[0] for message in messages(sentences())}
    assert "Nothing is transferred: whoever is attacked beats or takes." in found
    assert "A bout has {number} attack card at most." in found
    assert "as {rules}, but {changes}" in found


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_catalogue_has_every_sentence_of_the_code_and_no_other(language: str) -> None:
    catalog = translated(language)
    assert {forms(message.id) for message in messages(catalog)} == {forms(it.id) for it in messages(sentences())}
    assert untranslated(catalog) == []
    assert all(len(forms(it.string)) == catalog.num_plurals for it in messages(catalog) if it.pluralizable)


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_compiled_is_what_people_translated(language: str) -> None:
    """If this fails, run ``python -m tests.ui.make_catalogues``."""
    compiled_texts = {forms(message.id): forms(message.string) for message in messages(compiled(language))}
    assert compiled_texts == {forms(message.id): forms(message.string) for message in messages(translated(language))}


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_keep_what_is_filled_in(language: str) -> None:
    for message in messages(translated(language)):
        wanted = placeholders(forms(message.id)[0])
        assert all(placeholders(text) == wanted for text in forms(message.string)), message.id


def words_of(text: str) -> str:
    """A sentence without what is filled in."""
    return "".join(literal for literal, *_ in string.Formatter().parse(text))


def test_russian_is_written_in_russian() -> None:
    for message in messages(translated("ru")):
        for text in forms(message.string):
            assert re.search("[а-яё]", text) or not re.search("[a-z]", words_of(forms(message.id)[0])), text


def test_english_is_what_stands_in_the_code() -> None:
    assert catalogue("en").gettext("The attack") == "The attack"
    assert catalogue("ru").gettext("The attack") == "Ход"
    assert LANGUAGES[0] == "en"


@pytest.mark.parametrize(
    ("environment", "system", "language"),
    [
        ({}, None, "en"),
        ({"LANG": "ru_RU.UTF-8"}, None, "ru"),
        ({"LANG": "ru"}, None, "ru"),
        ({"LANG": "en_GB.UTF-8"}, "ru_RU", "en"),
        ({"LANG": "de_DE.UTF-8"}, None, "en"),
        ({"LANG": "C"}, None, "en"),
        ({"LANG": "ru_RU.UTF-8", "LC_ALL": "en_US"}, None, "en"),
        ({"LANG": "en_US", "LC_MESSAGES": "ru_UA.UTF-8"}, None, "ru"),
        ({"LANG": "en_US", "LC_ALL": "", "LANGUAGE": "de:ru:en"}, None, "ru"),
        ({}, "Russian_Russia", "ru"),
    ],
)
def test_the_language_is_the_locales(environment: dict[str, str], system: str | None, language: str) -> None:
    assert preferred(environment, system) == language
