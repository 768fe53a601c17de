"""Talking on the screen: the line and its keys, what is shown of what others say, muting, and what cannot be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from p2pdurak.ui.console.canvas import Canvas, width_of
from p2pdurak.ui.console.chat_line import last_rows
from p2pdurak.ui.console.chat_screen import ChatScreen
from p2pdurak.ui.console.conversation import FRESH_SECONDS, MAX_LINES, Line
from p2pdurak.ui.console.screen import broken
from p2pdurak.ui.console.settings import Settings
from p2pdurak.ui.language import catalogue
from p2pdurak.wire.chat import MAX_CHARACTERS
from tests.ui.console.chat_scenes import (
    ALWAYS,
    HOSTILE,
    KEYS,
    LONG,
    SCENES,
    Talk,
    lobby_screen,
    picture,
    spoken,
    table_screen,
)
from tests.ui.console.make_golden import FOLDER
from tests.ui.console.scenes import NOW, SIZES
from tests.ui.console.virtual import Virtual, run_shell

if TYPE_CHECKING:
    from p2pdurak.ui.console.screen import Screen
    from p2pdurak.ui.console.shell import Shell

ENGLISH = catalogue("en")


def type_into(screen: Screen, text: str) -> None:
    """Press keys as the shell does: what is no text for the screen is a key of it."""
    for sign in text:
        if not screen.typed(sign):
            screen.press(sign)


@pytest.mark.parametrize("name", SCENES)
def test_it_looks_as_it_should(name: str) -> None:
    """If this fails for a reason: ``python -m tests.ui.console.make_golden``, and look at what has changed."""
    assert picture(name) == (FOLDER / f"chat-{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SCENES)
@pytest.mark.parametrize("size", SIZES)
def test_it_fits_any_size(name: str, size: str) -> None:
    columns, rows = SIZES[size]
    lines = SCENES[name]().canvas(columns, rows, NOW).text().splitlines()
    assert len(lines) == rows
    assert max(map(width_of, lines)) <= columns


@pytest.mark.parametrize("name", ["closed", "unread", "open", "typing", "refused", "hostile"])
def test_what_is_needed_to_decide_stays_in_sight(name: str) -> None:
    silent = table_screen(Talk()).canvas(60, 20, NOW).text().splitlines()
    talking = SCENES[name]().canvas(60, 20, NOW).text().splitlines()
    changed = {row for row, (one, other) in enumerate(zip(silent, talking, strict=True)) if one != other}
    story, own, keys = {10, 11}, {12}, {18, 19}
    assert changed <= story | own | (keys if name in ("open", "typing", "refused") else set())
    assert "▸ Anna · 6 cards · defends" in talking[12]


@pytest.mark.parametrize("key", ["tab", "/", "."])
def test_a_line_is_typed_and_said_and_the_game_does_not_hear_its_keys(key: str) -> None:
    talk = Talk()
    screen = table_screen(talk)
    screen.press(key)
    type_into(screen, "Take 2 or quit? 5 минут")
    screen.press("backspace")
    for nothing in ("left", "up", "f5"):
        screen.press(nothing)
    assert talk.said == []
    screen.press("enter")
    assert talk.said == ["Take 2 or quit? 5 мину"]
    assert not talk.line.open
    assert not screen.leaving
    assert screen.chooser.view is not None, "nothing was played"
    screen.press("tab")
    screen.press("enter")
    assert len(talk.said) == 1, "an empty line is not said"
    assert not talk.line.open


@pytest.mark.parametrize("screen_of", [table_screen, lobby_screen])
def test_a_digit_at_the_beginning_is_a_phrase(screen_of: type[Screen]) -> None:
    talk = Talk()
    screen = screen_of(talk)  # type: ignore[arg-type]
    screen.press("tab")
    type_into(screen, "3")
    assert not talk.line.open
    screen.press("tab")
    screen.press("8")  # by a click
    screen.press("tab")
    type_into(screen, " 8 ")
    screen.press("enter")
    screen.press("tab")
    type_into(screen, "9")
    screen.press("enter")
    assert talk.said == [3, 8, " 8 ", "9"]


def test_escape_and_ctrl_c_close_the_line_and_forget_it() -> None:
    talk = Talk()
    screen = table_screen(talk)
    for key in ("escape", "quit"):
        screen.press("tab")
        type_into(screen, "Never mind")
        screen.press(key)
        assert not talk.line.open
        assert not screen.leaving
    screen.press("tab")
    assert "Never" not in screen.canvas(80, 24, NOW).text()
    screen.press("escape")
    screen.press("quit")
    assert screen.leaving
    screen.press("tab")
    assert not talk.line.open, "a question is answered first"


def test_a_line_has_an_end_and_a_paste_makes_one_line() -> None:
    talk = Talk()
    screen = table_screen(talk)
    screen.press("tab")
    assert screen.typed("one\ntwo\x1b[2J" + "x" * 300)
    screen.press("enter")
    assert isinstance(talk.said[0], str)
    assert talk.said[0].startswith("onetwo[2Jxxx")
    assert len(talk.said[0]) == MAX_CHARACTERS


def test_what_cannot_be_said_is_kept_and_explained() -> None:
    talk = Talk()
    talk.full = True
    screen = table_screen(talk)
    screen.press("tab")
    type_into(screen, "Again")
    screen.press("enter")
    text = screen.canvas(80, 24, NOW).text()
    assert "That is too much at once" in text
    assert "Say: Again_" in text
    talk.full = False
    screen.press("enter")
    assert talk.said == ["Again"]
    assert "That is too much" not in screen.canvas(80, 24, NOW).text()


def test_words_go_away_by_themselves_and_are_found_again() -> None:
    talk = spoken()
    screen = table_screen(talk)
    assert "Nine of clubs" in screen.canvas(80, 24, NOW).text()
    assert screen.restless
    assert "Nine of clubs" not in screen.canvas(80, 24, NOW + FRESH_SECONDS).text()
    assert not talk.line.fading
    screen.press("tab")
    assert "Nine of clubs" in screen.canvas(80, 24, NOW + FRESH_SECONDS).text()
    screen.press("tab")
    assert talk.shown == 1
    assert not talk.line.open


def test_what_came_while_something_else_was_shown_is_counted_until_it_is_read() -> None:
    talk = Talk()
    screen = table_screen(talk)
    talk.hear(1, "seen")
    talk.hear(0, "our own", seen=False)
    assert "chat +" not in screen.canvas(80, 24, NOW).text()
    talk.hear(1, "one", seen=False)
    talk.hear(2, 2, seen=False)
    assert "Tab chat +2" in screen.canvas(80, 24, NOW).text()
    screen.press("tab")
    assert "chat +" not in screen.canvas(80, 24, NOW).text()


def test_whoever_is_muted_is_not_heard_until_they_are_again() -> None:
    talk = spoken()
    closed: list[bool] = []
    everything = ChatScreen(Settings(), talk.conversation, lambda: closed.append(True))
    assert "Nine of clubs" in everything.canvas(80, 24, NOW).text()
    number = 1 + [line.speaker for line in talk.conversation.others()].index(KEYS[3])
    everything.press(str(number))
    talk.hear(3, "Hey, listen!", seen=False)
    text = everything.canvas(80, 24, NOW).text()
    assert f"{number} Dmitri ✗" in text
    assert "Nine of clubs" not in text
    assert "listen" not in table_screen(talk).canvas(80, 24, NOW).text()
    assert talk.conversation.unread == 0
    everything.press(str(number))
    text = everything.canvas(80, 24, NOW).text()
    assert "✗" not in text.splitlines()[-2]
    assert "Nine of clubs" in text
    assert "listen" not in text
    everything.press("9")
    everything.press("0")
    assert not closed
    everything.press("escape")
    assert closed


def test_the_whole_conversation_is_bounded_and_can_be_scrolled() -> None:
    talk = Talk()
    for number in range(MAX_LINES + 50):
        talk.hear(1 + number % 5, f"words {number}.")
    everything = ChatScreen(Settings(), talk.conversation, lambda: None)
    assert f"words {MAX_LINES + 49}." in everything.canvas(80, 24, NOW).text()
    for _ in range(50):
        everything.press("pageup")
    text = everything.canvas(80, 24, NOW).text()
    assert "words 50." in text
    assert "words 49." not in text
    everything.press("down")
    assert "words 50." not in everything.canvas(80, 24, NOW).text()


@pytest.mark.parametrize("columns", [7, 20, 58])
@pytest.mark.parametrize("text", [LONG, "x" * 200, "你" * 200, "a b", ""])
def test_lines_are_broken_and_nothing_is_lost(text: str, columns: int) -> None:
    lines = broken(text, columns - 4, columns)
    assert all(width_of(line) <= columns for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    said = [Line(KEYS[1], "B", False, text or "-", NOW)]
    for rows in range(4):
        assert len(last_rows(ENGLISH, said, columns, rows)) <= rows


def test_marks_are_drawn_on_what_they_belong_to_and_never_pile_up() -> None:
    canvas = Canvas(6, 1)
    canvas.put(0, 0, "你\u0301e" + "\u0301" * 50 + "\ufe0f\u200b|")
    assert canvas.text() == "你\u0301e\u0301\u0301\u0301|\n"
    canvas.put(0, 0, "\u0301x")
    assert canvas.text().startswith("x")


@pytest.mark.parametrize(
    "remark",
    [HOSTILE, "\x1b]0;title\x07" * 9, "\u202e" * 99, "\r" * 200, "z" + "\u0308" * 199],
    ids=["everything", "title", "direction", "returns", "marks"],
)
def test_hostile_words_move_nothing_on_a_terminal(remark: str) -> None:
    """All rows but those of the words are as they are without them, and no sequence of theirs reaches the terminal."""
    seen: dict[str, Virtual] = {}

    def showing(name: str, talk: Talk) -> Virtual:
        screen = table_screen(talk)

        async def program(shell: Shell, terminal: Virtual) -> None:
            shell.show(screen)
            await terminal.until("? help", "Fyodor leads")
            if name == "hostile":
                await terminal.until("Boris: ")
            seen[name] = terminal

        run_shell(program)
        return seen[name]

    calm = Talk()
    calm.conversation.hear(Line(KEYS[1], "Boris", False, "words", ALWAYS), seen=True)
    hostile = Talk()
    hostile.conversation.hear(Line(KEYS[1], "Boris", False, remark, ALWAYS), seen=True)
    one, other = showing("calm", calm), showing("hostile", hostile)
    rows = zip(one.text().splitlines(), other.text().splitlines(), strict=True)
    story = range(11, 15)
    assert [row for row, (before, after) in enumerate(rows) if before != after and row not in story] == []
    for sequence in ("\x1b[2J\x1b[H\r\n\u202e", "\x1b]0;", "\u202e", "\x07", "\u0308" * 4, "\x9b", "\u3164"):
        assert sequence not in other.raw


def test_the_keys_work_on_a_terminal_in_russian_layout() -> None:
    talk = Talk()
    screen = table_screen(talk)

    async def program(shell: Shell, terminal: Virtual) -> None:
        shell.show(screen)
        await terminal.until("Tab чат")
        terminal.type(".")
        await terminal.until("Сказать: _", "8 До встречи!")
        terminal.type("ещё? й")
        await terminal.until("Сказать: ещё? й_")
        terminal.type("\r\t4")
        await terminal.until("Anna: ещё? й", "Anna: Спасибо!")
        assert talk.said == ["ещё? й", 4]

    run_shell(program, settings=Settings(language="ru"))
