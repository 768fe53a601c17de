"""The lobby: all its keys in every size, what is to be passed on, notes that go again, and the way to the table."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.errors import Sentence
from p2pdurak.ui.console.chat_line import ChatLine
from p2pdurak.ui.console.conversation import Conversation
from p2pdurak.ui.console.help_screen import HelpScreen
from p2pdurak.ui.console.invite_screen import Invitation, InviteScreen
from p2pdurak.ui.console.settings import Settings
from p2pdurak.wire.talk import Place
from tests.ui.console.test_screens import KEYS, RUSSIAN, Gathered, text

SIZES = [(60, 20), (80, 24), (120, 40)]
INVITATION = Invitation("red-fox-12", ("192.168.1.7:47800", "10.0.0.4:47800"), "p2pdurak:" + "abcdefghij" * 14)
LONG = Sentence("{name} was not let in: {why}", name="player-1", why="for a reason that takes many words, " * 6)


def gathered(number: int, settings: Settings | None = None) -> Gathered:
    """So many of six at a table of ours, with a code and people who may talk."""
    lobby = Gathered(settings)
    screen = lobby.screen
    assert screen.terms is not None
    screen.terms = replace(screen.terms, seats=6)
    screen.places = tuple(Place(KEYS[at], f"player-{at}", "", 1) for at in range(number))
    screen.chat = ChatLine(Conversation(KEYS[0], lambda _: None), lambda: None)
    screen.invitation = INVITATION
    return lobby


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("number", [1, 2, 5, 6])
def test_all_keys_are_seen(number: int, size: tuple[int, int]) -> None:
    english = {"Enter ready", "S begin with free seats", "I invite", "Q leave", "Tab chat", "F1 help"}
    russian = {
        "Enter готов",
        "S/Ы начать со свободными местами",
        "I/Ш приглашение",
        "Q/Й выйти",
        "Tab чат",
        "F1 справка",
    }
    for settings, keys in ((Settings(), english), (RUSSIAN, russian)):
        lines = text(gathered(number, settings).screen, *size).splitlines()
        shown = {part for line in lines[-2:] for part in line.strip().split("   ")}
        free = {key for key in keys if key.startswith("S")}
        assert shown >= (keys if 1 < number < 6 else keys - free), lines[-2:]


@pytest.mark.parametrize("settings", [Settings(), RUSSIAN])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("number", range(1, 7))
def test_code_and_address_are_always_seen_and_the_invite_whole_or_not_at_all(
    number: int, size: tuple[int, int], settings: Settings
) -> None:
    screen = gathered(number, settings).screen
    for screen.note in ("", LONG):
        painted = text(screen, *size)
        assert "red-fox-12 · 192.168.1.7:47800" in painted
        whole = INVITATION.invite in painted.replace("\n ", "")
        assert whole or "p2pdurak:" not in painted


@pytest.mark.parametrize("size", SIZES)
def test_a_key_shows_all_that_can_be_passed_on(size: tuple[int, int]) -> None:
    shown: list[Invitation] = []
    lobby = gathered(6)
    lobby.screen._show_invitation = shown.append
    lobby.screen.press("i")
    closed: list[str] = []
    screen = InviteScreen(Settings(), shown[0], lambda: closed.append("closed"))
    assert not screen.mouse, "it is to be copied"
    painted = text(screen, *size)
    for words in ("red-fox-12", "192.168.1.7:47800, 10.0.0.4:47800"):
        assert words in painted
    assert INVITATION.invite in painted.replace("\n  ", "")
    screen.press("escape")
    assert closed == ["closed"]
    assert "I  code, address and invite" in text(HelpScreen(Settings(), lobby.screen, None, lambda: None))
    lobby.screen.invitation = None
    lobby.screen.press("i")
    assert len(shown) == 1
    assert "invite" not in text(lobby.screen)


def test_what_finds_no_room_is_marked() -> None:
    assert "F1 tells all" not in (painted := text(gathered(5).screen, 60, 20))
    assert "…\n────" in painted


@pytest.mark.parametrize("size", SIZES)
def test_a_note_is_whole_and_goes_with_the_next_thing_that_happens(size: tuple[int, int]) -> None:
    screen = gathered(6).screen
    screen.tell(LONG, passing=True)
    assert str(LONG).strip() in " ".join(text(screen, *size).split())
    assert screen.terms is not None
    screen.seat(screen.terms, screen.places, screen.watchers, screen.met)
    assert "was not let in" in text(screen, *size), "nothing has happened"
    screen.seat(screen.terms, screen.places[:3], screen.watchers, screen.met)
    assert "was not let in" not in text(screen, *size)


def test_another_note_stays_until_a_key_is_pressed() -> None:
    screen = gathered(2).screen
    screen.tell(LONG)
    assert screen.terms is not None
    screen.seat(screen.terms, screen.places[:1], screen.watchers, screen.met)
    assert "was not let in" in text(screen)
    screen.press("z")
    assert "was not let in" not in text(screen)


def test_on_the_way_to_a_table_it_is_told_for_what_one_waits_how_long_and_what_ends_it() -> None:
    lobby = gathered(1)
    lobby.screen.terms = None
    lobby.screen.coming = Sentence(
        "Looking on this network for a table named {name}, up to {seconds} s", name="a" * 40, seconds=30
    )
    assert lobby.screen.restless
    first, later = (" ".join(lobby.screen.canvas(60, 20, now).text().split()) for now in (100.0, 117.5))
    assert f"a table named {'a' * 40}, up to 30 s … 0 s" in first
    assert "up to 30 s … 17 s" in later
    assert "Esc leave" in later
    lobby.screen.press("enter")
    lobby.screen.press("escape")
    assert lobby.wishes == ["leave"]


def test_rules_are_named_once() -> None:
    assert "36 cards, perevodnoy-2 – one card attacks" in text(Gathered().screen)
    assert "36 карт, perevodnoy-2 – переводной 2: ходят" in text(Gathered(RUSSIAN).screen)
