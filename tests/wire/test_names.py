from __future__ import annotations

import pytest

from p2pdurak.errors import NotationError
from p2pdurak.wire.names import NICKNAME_CHARACTERS, clean_nickname, clean_table_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ann", "Ann"),
        ("  Дядя   Фёдор ", "Дядя Фёдор"),
        ("И\u0306горь", "Йгорь"),
        ("q\u0301\u0302\u0303", "q\u0301\u0302\u0303"),
        ("♠ 6 of spades", "♠ 6 of spades"),
        ("x" * NICKNAME_CHARACTERS, "x" * NICKNAME_CHARACTERS),
    ],
)
def test_names_are_cleaned(text: str, name: str) -> None:
    assert clean_nickname(text) == name
    assert clean_nickname(name) == name


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "x" * (NICKNAME_CHARACTERS + 1),
        "x" * 1_000_000,
        "line\nbreak",
        "\x1b[31mred",
        "bell\a",
        "tab\tbed",
        "no\u00a0break",
        "right\u202eleft",
        "zero\u200bwidth",
        "\ud800",
        "\u0301accent",
        "q\u0301\u0302\u0303\u0308",
        "\u3164",
    ],
)
def test_what_could_disturb_a_terminal_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        clean_nickname(text)


def test_table_names_may_be_longer() -> None:
    assert clean_table_name("x" * 40) == "x" * 40
    with pytest.raises(NotationError, match="table"):
        clean_table_name("x" * 41)
