"""Text of strangers, fit to be shown."""

from __future__ import annotations

import pytest

from p2pdurak.ui.language import catalogue
from p2pdurak.ui.phrases import PHRASES, chat_help, remark_text, typed_remark
from p2pdurak.ui.visible import visible
from p2pdurak.wire.chat import PHRASES as NUMBER
from p2pdurak.wire.chat import Remark


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Привет, Анна! ♥ 你好 😀", "Привет, Анна! ♥ 你好 😀"),
        ("\x1b[2J\x1b]0;title\a", "␛[2J␛]0;title␇"),
        ("one\ntwo\r\tthree\x00\x7f", "one␊two␍␉three␀␡"),
        ("\x9b31m", "\\u009b31m"),
        ("\u202egnp.exe\u2066", "\\u202egnp.exe\\u2066"),
        ("a\u200bb\ufeffc\u2060", "a\\u200bb\\ufeffc\\u2060"),
        ("\u2028\u2029\u00a0\u3000", "\\u2028\\u2029\\u00a0\\u3000"),
        ("\U000e0041\ue000\U0010ffff", "\\U000e0041\\ue000\\U0010ffff"),
        ("\u3164\u115f\u2800", "\\u3164\\u115f\\u2800"),
        ("q\u0301\u0302\u0303", "q\u0301\u0302\u0303"),
        ("q" + "\u0301" * 199, "q\u0301\u0301\u0301…"),
        ("\u0301\u0302x", "◌\u0301\u0302x"),
        ("❤\ufe0f1\ufe0f\u20e3", "❤1\u20e3"),
        ("", ""),
    ],
)
def test_what_a_terminal_might_obey_is_shown(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(shown) == shown


def test_of_all_characters_none_reaches_a_terminal_that_it_could_obey() -> None:
    assert visible("x".join(map(chr, range(0x110000)))).isprintable()


def test_each_phrase_is_said_in_both_languages() -> None:
    assert len(PHRASES) == NUMBER
    texts = {remark_text(catalogue(language), number) for language in ("en", "ru") for number in range(1, NUMBER + 1)}
    assert len(texts) == 2 * NUMBER
    assert remark_text(catalogue("ru"), 1) == "Привет!"
    assert remark_text(catalogue("ru"), "\x1b[2J") == "␛[2J"
    assert "/8 До встречи!" in chat_help(catalogue("ru"))


@pytest.mark.parametrize(
    ("typed", "remark"),
    [
        ("say Well, well", "Well, well"),
        ("SAY no", "no"),
        ("скажи Привет всем", "Привет всем"),
        ("ыфн привет", "привет"),
        ("say", ""),
        ("/1", 1),
        (" /8 ", 8),
        (".3", 3),
        ("/9", "9"),
        ("/привет", "привет"),
        (".9", None),
        ("...", None),
        ("1", None),
        ("", None),
        ("sayonara", None),
        ("take", None),
    ],
)
def test_what_is_typed_to_be_said(typed: str, remark: Remark | None) -> None:
    assert typed_remark(typed) == remark
