from __future__ import annotations

import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pdurak.cards import PACK, Card, Rank, Suit, card_set, cards_in, pack, parse_card
from p2pdurak.errors import NotationError


def test_the_unshuffled_pack_has_aces_on_top_and_the_lowest_rank_at_the_bottom() -> None:
    assert [str(card) for card in pack(52)[:5]] == ["A♣", "A♦", "A♥", "A♠", "K♣"]
    assert [str(card) for card in pack(36)[-4:]] == ["6♣", "6♦", "6♥", "6♠"]
    assert [str(card) for card in pack(52)[-1:]] == ["2♠"]
    assert pack(36) == pack(52)[:36]


def test_a_card_is_its_number_in_the_pack() -> None:
    for number, card in enumerate(PACK):
        assert card == number == (14 - card.rank) * 4 + card.suit
        assert Card.of(card.rank, card.suit) is card
        assert Card(number) == card


def test_the_rules_know_ranks_from_two_to_ace() -> None:
    # R1: 2 3 4 5 6 7 8 9 10 J Q K A.
    assert [rank.symbol for rank in sorted(Rank)] == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
    assert [suit.symbol for suit in Suit] == list("♣♦♥♠")


@pytest.mark.parametrize("number", [-1, 52, 1 << 70])
def test_there_are_no_other_cards(number: int) -> None:
    with pytest.raises(NotationError, match="0 to 51"):
        Card(number)


@pytest.mark.parametrize("size", [0, 24, 35, 54])
def test_there_are_no_other_packs(size: int) -> None:
    with pytest.raises(NotationError, match="36 or 52"):
        pack(size)


@pytest.mark.parametrize("card", PACK)
def test_text_of_a_card_comes_back(card: Card) -> None:
    assert parse_card(str(card)) is card
    assert parse_card(card.rank.symbol.lower() + card.suit.name[0].lower()) is card
    assert parse_card(f" {card}\ufe0f ") is card
    assert f"{card:>4}" == str(card).rjust(4)
    assert repr(card) == f"<{card}>"
    assert pickle.loads(pickle.dumps(card)) == card  # noqa: S301 - our own bytes


@pytest.mark.parametrize(("text", "card"), [("10♥", "10♥"), ("Th", "10♥"), ("tH", "10♥"), ("ks", "K♠"), ("6C", "6♣")])
def test_cards_are_read_as_people_write_them(text: str, card: str) -> None:
    assert str(parse_card(text)) == card


@pytest.mark.parametrize("text", ["", "6", "♣", "1♣", "11♣", "6♣ 7♣", "♣6", "06c", "Bh", "6x", "x" * 1000])
def test_other_texts_are_refused_with_an_example(text: str) -> None:
    with pytest.raises(NotationError, match="for example 10♥ or Ks") as caught:
        parse_card(text)
    assert len(str(caught.value)) < 200


@settings(derandomize=True, deadline=None)
@given(st.sets(st.sampled_from(PACK)))
def test_sets_of_cards_come_back_in_the_order_of_the_pack(cards: set[Card]) -> None:
    assert cards_in(card_set(cards)) == tuple(sorted(cards))
    assert card_set(cards).bit_count() == len(cards)
