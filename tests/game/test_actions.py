from __future__ import annotations

from itertools import combinations

import pytest

from p2pdurak.cards import PACK, parse_card
from p2pdurak.errors import NotationError
from p2pdurak.game.actions import Action, Cover, Lead, Pass, Show, Take, ThrowIn, Transfer, opened, parse_action
from tests.game.positions import cards

EVERY_KIND: dict[str, Action] = {
    "lead 6♣": Lead(cards("6♣")),
    "lead 6♣ 6♦": Lead(cards("6♣ 6♦")),
    "cover 6♣ 8♣": Cover(parse_card("6♣"), parse_card("8♣")),
    "throw 8♦ 8♥": ThrowIn(cards("8♥ 8♦")),
    "transfer 8♦": Transfer(parse_card("8♦")),
    "show 8♠": Show(parse_card("8♠")),
    "take": Take(),
    "pass": Pass(),
}


@pytest.mark.parametrize("text", EVERY_KIND)
def test_text_of_an_action_comes_back(text: str) -> None:
    assert str(EVERY_KIND[text]) == text
    assert parse_action(text) == EVERY_KIND[text]


def test_cards_and_words_are_read_as_people_write_them() -> None:
    assert parse_action(" Throw 8h  8D ") == ThrowIn(cards("8♦ 8♥"))
    assert parse_action("COVER 6c Tc") == Cover(parse_card("6♣"), parse_card("10♣"))


def test_cards_of_one_action_are_in_the_order_of_the_pack() -> None:
    assert Lead(cards("6♠ 6♣")).cards == cards("6♣ 6♠")
    assert ThrowIn(cards("6♣ A♠ 10♥")).cards == cards("A♠ 10♥ 6♣")


@pytest.mark.parametrize("kind", [Lead, ThrowIn])
def test_one_card_twice_in_an_action_is_refused(kind: type[Lead | ThrowIn]) -> None:
    with pytest.raises(NotationError, match="each card once"):
        kind(cards("6♣ 6♣"))
    with pytest.raises(NotationError, match="at least one"):
        kind(())


def test_different_actions_with_equal_content_are_not_equal() -> None:
    same_content = [
        (Lead(cards("6♣")), ThrowIn(cards("6♣"))),
        (Transfer(PACK[0]), Show(PACK[0])),
        (Take(), Pass()),
    ]
    assert all(one != other for one, other in same_content)
    assert all(one != other for one, other in combinations(EVERY_KIND.values(), 2))
    assert len(set(EVERY_KIND.values())) == len(EVERY_KIND)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fold",
        "lead",
        "lead x",
        "lead 6♣ 6♣",
        "cover 6♣",
        "cover 6♣ 7♣ 8♣",
        "throw",
        "transfer",
        "transfer 6♣ 6♦",
        "show",
        "take 6♣",
        "pass now",
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_action(text)


def test_a_wrong_number_of_cards_is_answered_with_an_example() -> None:
    with pytest.raises(NotationError, match=r"After 'cover' come the attack card and yours, .* cover 6♣ 8♣"):
        parse_action("cover 6♣")


def test_an_action_opens_the_cards_that_everybody_then_knows() -> None:
    opens = {text: " ".join(map(str, opened(action))) for text, action in EVERY_KIND.items()}
    assert opens == {
        "lead 6♣": "6♣",
        "lead 6♣ 6♦": "6♣ 6♦",
        "cover 6♣ 8♣": "8♣",
        "throw 8♦ 8♥": "8♦ 8♥",
        "transfer 8♦": "8♦",
        "show 8♠": "8♠",
        "take": "",
        "pass": "",
    }
