"""What people type is understood in both languages, and on the wrong keyboard layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from p2pdurak.cards import PACK, parse_card
from p2pdurak.errors import NotationError
from p2pdurak.game.actions import Action, Cover, Lead, Pass, Show, Take, ThrowIn, Transfer, parse_action
from p2pdurak.ui.console.keys import POSITIONS, RUSSIAN_POSITIONS
from p2pdurak.ui.language import LANGUAGES, catalogue, told
from p2pdurak.ui.line import choice
from p2pdurak.ui.typed import _VERBS, _WORDS, Word, notation, word

if TYPE_CHECKING:
    from collections.abc import Mapping


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("quit", Word.QUIT),
        (" Q \n", Word.QUIT),
        ("йгше", Word.QUIT),
        ("выход", Word.QUIT),
        ("ready", Word.READY),
        ("куфвн", Word.READY),
        ("Готова", Word.READY),
        ("start", Word.START),
        ("ыефке", Word.START),
        ("старт", Word.START),
        ("?", Word.HELP),
        (",", Word.HELP),  # the key of the question mark, on the Russian layout
        ("помощь", Word.HELP),
        ("рудз", Word.HELP),
        ("ujnjd", Word.READY),
        ("Ujnjdf", Word.READY),
        ("cnfhn", Word.START),
        ("gjvjom", Word.HELP),
        ("cghfdrf", Word.HELP),
        ("cLf.cm", Word.RESIGN),
        ("ujkjce.", Word.VOTE),
        ("ds[j;e", Word.QUIT),
        ("", None),
        ("3", None),
        ("take", None),
        ("quite", None),
    ],
)
def test_words(text: str, meant: Word | None) -> None:
    assert word(text) is meant


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "action",
    [
        parse_action("lead 6♣ 6♦"),
        parse_action("cover 6♣ Q♣"),
        parse_action("throw 10♥"),
        parse_action("transfer 6♥"),
        parse_action("show 6♠"),
        Take(),
        Pass(),
    ],
)
def test_a_choice_can_be_typed_as_it_is_offered(action: Action, language: str) -> None:
    assert parse_action(notation(told(catalogue(language), choice(action)))) == action
    assert parse_action(notation(str(action))) == action


def test_every_kind_of_action_is_among_the_choices() -> None:
    first, second = PACK[0], PACK[4]
    for action in (Lead((first,)), Cover(second, first), ThrowIn((first,)), Transfer(first), Show(first)):
        assert parse_action(notation(str(choice(action)))) == action


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("6ч", "6♥"),
        ("10б", "10♦"),
        ("Вп", "J♠"),
        ("дт", "Q♣"),
        ("Кк", "K♣"),
        ("ТП", "A♠"),
        ("йы", "Q♠"),
        ("лв", "K♦"),
        ("фр", "A♥"),
        ("ос", "J♣"),
        ("ес", "10♣"),
        ("Qп", "Q♠"),
        ("Д♠️", "Q♠"),
    ],
)
def test_cards_in_russian_and_by_their_keys(text: str, card: str) -> None:
    assert parse_action(notation(f"хожу {text}")) == Lead((parse_card(card),))


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("gfc", "pass"),
        (",bnj", "pass"),
        (",the", "take"),
        ("<the", "take"),
        ("[j;e 6x", "lead 6♥"),
        ("[j;e 10, 10n", "lead 10♦ 10♣"),
        ("[j;e 6c", "lead 6♣"),
        (",m. 6n Ln", "cover 6♣ Q♣"),
        ("gj,bnm 6, rfhnjq L,", "cover 6♦ Q♦"),
        ("gjlrbyenm Dg", "throw J♠"),
        ("gthtdtcnb gjrfpfd Rr", "show K♣"),
        ("beat 6c, 7c", "cover 6♣ 7♣"),
    ],
)
def test_russian_words_with_latin_letters_on_the_keys(text: str, action: str) -> None:
    assert parse_action(notation(text)) == parse_action(action)


@pytest.mark.parametrize("words", [_WORDS, _VERBS], ids=["words", "verbs"])
def test_every_word_is_read_by_its_keys_on_the_other_layout(words: Mapping[object, tuple[str, ...]]) -> None:
    for meant, forms in words.items():
        for form in forms:
            if form == "?":
                continue
            other = form.translate(RUSSIAN_POSITIONS if form.isascii() else POSITIONS)
            assert (word(other) if words is _WORDS else notation(other)) == meant, form


def test_each_card_has_one_russian_name() -> None:
    ranks = {"J": "в", "Q": "д", "K": "к", "A": "т"}
    suits = {"♣": "т", "♦": "б", "♥": "ч", "♠": "п"}
    for card in PACK:
        written = ranks.get(str(card)[:-1], str(card)[:-1]) + suits[str(card)[-1]]
        assert parse_action(notation(f"ход {written}")) == Lead((card,))


@pytest.mark.parametrize("text", ["", "хожу", "танцую 6ч", "бью 6ч", "хожу 1ч", "хожу чч", "lead 6", "хожу 6ж"])
def test_what_is_nothing_stays_nothing(text: str) -> None:
    with pytest.raises(NotationError):
        parse_action(notation(text))
