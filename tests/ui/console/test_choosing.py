"""From keys to decisions, and why a key does nothing."""

from __future__ import annotations

import pytest

from p2pdurak.cards import cards_in, parse_card
from p2pdurak.errors import IllegalAction
from p2pdurak.game.actions import Action, Cover, Pass, Take, ThrowIn, Transfer, parse_action
from p2pdurak.game.rules import apply, start
from p2pdurak.game.ruleset import PRESETS
from p2pdurak.game.state import Hand, State
from p2pdurak.ui.console.choosing import Chooser
from p2pdurak.ui.console.keys import CARD_KEYS, NAMES, positioned
from p2pdurak.ui.console.refusing import meaningless, refused
from p2pdurak.ui.language import catalogue
from p2pdurak.ui.line import answer, choices, question

MINE = "6♣ 6♦ 9♠ J♣ K♥ 8♥"


def hand(text: str) -> Hand:
    return Hand(sum(1 << parse_card(card) for card in text.split()))


def position(mine: str = MINE, *actions: str, seat: int = 0, rules: str = "podkidnoy") -> State:
    """Hearts are trump, seat 0 leads, these things have been done; the other hands are not known."""
    hands = [Hand(0, 6), Hand(0, 6)]
    hands.insert(seat, hand(mine))
    state = start(PRESETS[rules], 36, 2, parse_card("7♥"), hands, 0)
    for action in actions:
        state = apply(state, parse_action(action))
    return state


def chooser(state: State, seat: int = 0) -> Chooser:
    made = Chooser()
    made.hold(cards_in(state.hands[seat].known), state.trump)
    made.ask(state)
    return made


def pressed(choosing: Chooser, *keys: str) -> Action | None:
    """What comes of the last key."""
    result = None
    for key in keys:
        assert result is None, "decided too early"
        result = choosing.press(key)
    return result


def test_the_hand_is_sorted_with_trumps_last_and_each_card_has_a_key() -> None:
    assert [str(card) for card in chooser(position()).hand] == ["6♣", "J♣", "6♦", "9♠", "8♥", "K♥"]


@pytest.mark.parametrize(
    ("keys", "action"),
    [
        (["1"], "lead 6♣"),
        (["4"], "lead 9♠"),
        (["enter"], "lead 6♣"),
        (["right", "right", "enter"], "lead 6♦"),
        (["end", "enter"], "lead K♥"),
        (["end", "right", "left", "enter"], "lead 8♥"),
        ([" ", "3", "enter"], "lead 6♣ 6♦"),
        (["up", "right", "right", "up", "enter"], "lead 6♣ 6♦"),
        ([" ", " ", "4"], "lead 9♠"),
        ([" ", "3", "escape", "4"], "lead 9♠"),
        (["up", "down", "home", "4"], "lead 9♠"),
    ],
)
def test_a_lead(keys: list[str], action: str) -> None:
    assert pressed(chooser(position()), *keys) == parse_action(action)


def test_a_card_with_one_meaning_is_played_at_once() -> None:
    state = position("8♣ 9♣ 6♥ A♠ K♦ Q♦", "lead 7♣", seat=1)
    assert pressed(chooser(state, 1), "1") == Cover(parse_card("7♣"), parse_card("8♣"))
    assert pressed(chooser(state, 1), "t") == Take()


def test_a_card_with_several_meanings_is_asked_about() -> None:
    state = position("7♠ 9♣ 6♥ A♠ K♦ Q♦", "lead 7♣", seat=1, rules="perevodnoy")
    assert pressed(chooser(state, 1), "4") == Transfer(parse_card("7♠"))
    both = position("8♣ 9♣ 6♥ A♠ K♦ Q♦", "lead 7♣ 7♦", seat=1)
    choosing = chooser(both, 1)
    trump = str(1 + choosing.hand.index(parse_card("6♥")))
    assert pressed(choosing, trump) is None
    assert [str(option) for option in choosing.options] == ["cover 7♣ 6♥", "cover 7♦ 6♥"]
    assert pressed(choosing, "9", "2") == Cover(parse_card("7♦"), parse_card("6♥"))
    assert pressed(choosing, trump, "escape", trump, "enter") == Cover(parse_card("7♣"), parse_card("6♥"))


def test_throwing_in_one_or_several_or_passing() -> None:
    state = position("6♣ 6♦ 9♠ J♣ K♥ 8♥", "lead 6♣", "cover 6♣ Q♣")
    choosing = chooser(state)
    assert not choosing.only_pass
    assert pressed(choosing, "2") == ThrowIn((parse_card("6♦"),))
    assert pressed(chooser(state), "p") == Pass()
    assert chooser(position("6♣ 9♦ 9♠ J♣ K♥ 8♥", "lead 6♣", "cover 6♣ Q♣")).only_pass


@pytest.mark.parametrize(
    ("state", "seat", "keys", "en", "ru"),
    [
        (position(), 0, [" ", "2", "enter"], "A bout is opened with one card or several of one rank.", "Ходят одной"),
        (position(), 0, ["t"], "You are to lead: there is nothing to take", "Сейчас ваш ход"),
        (position(), 0, ["p"], "Possible now: 6♣ J♣ 6♦ 9♠ 8♥ K♥.", "Сейчас можно: 6♣"),
        (position("8♣ 9♣ 6♥ A♠ K♦ Q♦", "lead 7♣", seat=1), 1, ["p"], "a defender cannot pass", "не пасует"),
        (position(MINE, "lead 6♣", "cover 6♣ Q♣"), 0, ["t"], "there is nothing for you to take", "брать вам нечего"),
        (position("8♣ 9♣ 6♥ A♠ K♦ Q♦", "lead 7♣", seat=1), 1, ["3"], "Possible now: 8♣ 9♣ 6♥, or take.", "или взять"),
        (position("A♠ K♠ Q♠ J♦ K♦ Q♦", "lead 7♣", seat=1), 1, ["3"], "You can only take.", "Остаётся только взять."),
        (position(MINE, "lead 6♣", "cover 6♣ Q♣"), 0, ["1"], "Possible now: 6♦, or pass.", "или пас"),
        (position("6♣ 9♦ 9♠ J♣ K♥ 8♥", "lead 6♣", "cover 6♣ Q♣"), 0, ["1"], "You can only pass.", "только пас"),
    ],
)
def test_a_refusal_says_the_rule_and_what_is_possible(
    state: State, seat: int, keys: list[str], en: str, ru: str
) -> None:
    choosing = chooser(state, seat)
    with pytest.raises(IllegalAction) as caught:
        pressed(choosing, *keys)
    assert en in refused(catalogue("en"), choosing, caught.value)
    assert ru in refused(catalogue("ru"), choosing, caught.value)
    assert choosing.view is not None, "the question stands"


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("7", "You hold no card number 7."),
        ("0", "You hold no card number 10."),
        ("z", "Z does nothing now"),
        ("1", None),
        ("t", None),
        ("enter", None),
        ("pageup", None),
        (" ", None),
    ],
)
def test_a_key_that_means_nothing_is_told_so(key: str, why: str | None) -> None:
    told = meaningless(chooser(position()), key, key.upper())
    assert (told is None) if why is None else str(told).startswith(why)


def test_marking_is_refused_where_one_card_at_a_time_is_laid() -> None:
    one = chooser(position(rules="perevodnoy-2"))
    assert "Only one card at a time" in str(meaningless(one, " ", " "))
    both = chooser(position("8♣ 9♣ 6♥ A♠ K♦ Q♦", "lead 7♣ 7♦", seat=1), 1)
    assert pressed(both, str(1 + both.hand.index(parse_card("6♥")))) is None
    assert [meaningless(both, key, key) is None for key in ("1", "2", "3", "enter", " ")] == [
        True,
        True,
        False,
        True,
        True,
    ]


def test_a_card_that_cannot_be_laid_is_not_marked_either() -> None:
    state = position("6♣ 6♦ 6♠ J♣ Q♥ 8♥", "lead 6♣", "cover 6♣ Q♣")
    for key in (" ", "up"):
        choosing = chooser(state)
        assert pressed(choosing, " ", "right") is None
        before, choosing._at = choosing.marked, parse_card("J♣")
        assert before
        with pytest.raises(IllegalAction) as caught:
            pressed(choosing, key)
        assert "Possible now: 6♦ 6♠ Q♥, or pass." in refused(catalogue("en"), choosing, caught.value)
        assert choosing.marked == before
    choosing._at = parse_card("6♠")
    assert pressed(choosing, " ", "enter") == ThrowIn((parse_card("6♦"), parse_card("6♠")))


def test_choices_to_be_typed_stand_as_the_hand_does() -> None:
    view = position("6♦ A♦ A♥ J♠ Q♠ 6♣")
    lines = [line.split(maxsplit=1) for line in question(view, catalogue("en"))[-8:]]
    cards = ["6♣", "6♦", "A♦", "J♠", "Q♠", "A♥", "6♣ 6♦", "A♦ A♥"]
    assert "Your hand: 6♣ 6♦ A♦ J♠ Q♠ A♥" in "".join(question(view, catalogue("en")))
    assert lines == [[str(at), f"lay {laid}"] for at, laid in enumerate(cards, 1)]
    assert [str(answer(view, str(at))) for at in (1, 5, 8)] == ["lead 6♣", "lead Q♠", "lead A♦ A♥"]
    attacked = position("8♣ 9♣ 6♥ 7♠ K♣ Q♥", "lead 7♣ 7♦", seat=1)
    covers = [str(action) for action in choices(attacked) if isinstance(action, Cover)]
    assert covers == [
        *("cover 7♣ 8♣", "cover 7♣ 9♣", "cover 7♣ K♣", "cover 7♣ 6♥", "cover 7♣ Q♥", "cover 7♦ 6♥", "cover 7♦ Q♥"),
    ]


def test_nothing_is_decided_when_nothing_is_asked() -> None:
    choosing = chooser(position())
    choosing.rest()
    assert [choosing.press(key) for key in ("1", "enter", " ", "t", "p", "left", "escape")] == [None] * 7


def test_russian_letters_are_read_by_their_place() -> None:
    assert [positioned(sign) for sign in "еЕзйtT1?"] == ["t", "t", "p", "q", "t", "t", "1", "?"]
    assert not set(CARD_KEYS) & set("hlpqt"), "letters of commands"
    assert len(set(CARD_KEYS)) == len(CARD_KEYS)
    assert set(NAMES.values()) >= {"enter", "escape", "left", "right", "quit"}
