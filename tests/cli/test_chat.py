"""People who talk at a table: by typing, on the screen, and what is printed of it."""

from __future__ import annotations

import io
from contextlib import AsyncExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from p2pdurak.cli.output import printer
from p2pdurak.cli.telling import Teller
from p2pdurak.net.chat import Spoken, TooMuch
from p2pdurak.net.known import KnownPlayers
from p2pdurak.ui.language import catalogue
from tests.cli.person import Person
from tests.cli.typing import terminal
from tests.helpers import signing_key

if TYPE_CHECKING:
    from p2pdurak.net.lobby import LobbyEvent

HOSTILE = "\x1b[2J\x07\u202e two\nlines"


async def test_people_talk_before_and_in_a_game_and_watchers_too(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        anna = await stack.enter_async_context(terminal(tmp_path, "host", "--name", "Anna", "--games", "1"))
        address = f"127.0.0.1:{(await anna.until('peer'))['port']}"
        boris = await stack.enter_async_context(terminal(tmp_path, "join", address, "--name", "Boris"))
        wanda = await stack.enter_async_context(terminal(tmp_path, "watch", address, "--name", "Wanda"))
        for one in (anna, boris, wanda):
            await one.until("seated", 2)
        await boris.type("say Привет, Анна!")
        for one in (anna, boris, wanda):
            line = await one.until("chat")
            assert (line["player"], line["words"], line["watching"]) == ("Boris", "Привет, Анна!", False)
        assert boris.said("chat")[0].get("text") is None, "what we have typed is there already"
        await wanda.type("скажи Удачи")
        assert (await anna.until("chat", 2))["text"] == "> Wanda (watching): Удачи"
        await boris.type("ready")
        await anna.type("start")
        await anna.until("turn")
        await anna.type("/3")
        for one in (boris, wanda):
            line = await one.until("chat", 3)
            assert (line["player"], line["phrase"], line["text"]) == ("Anna", 3, "> Anna: Well played!")
        for _ in range(3):
            await boris.type("/1")
        await boris.type("say")
        await boris.type("say " + "x" * 201)
        for reason in ("nothing to say", "at most 200"):
            assert reason in (await boris.until("refused", 1 + (reason == "at most 200")))["reason"]
        await anna.resign()
        for one in (boris, wanda):
            await one.until("saved")
        paths = [Path(one.said("saved")[0]["path"]) for one in (anna, boris, wanda)]
    assert len({path.read_bytes() for path in paths}) == 1
    assert "Привет, Анна!".encode() not in paths[0].read_bytes()


def test_a_phrase_and_a_line_are_said_on_the_screen_while_bots_play(tmp_path: Path) -> None:
    person = Person(tmp_path, "play", "--bots", "1", "--name", "Zoe", "--profile", "zoe")
    with closing(person.child):
        person.until("trump", "Tab chat")
        person.press("\t")
        person.until("Say: _", "3 Well played!")
        person.press("3")
        person.until("Zoe: Well played!", "trump")
        person.press("/")
        person.until("Say: _")
        person.press("take it easy\r")
        person.until("Zoe: take it easy", "Tab chat")
        person.press("\t\t")
        person.until("All that was said", "Zoe: Well played!", "Zoe: take it easy", "Esc back")
        person.press("\x1b")
        person.until("trump", "Tab chat")
        person.press("q")
        person.until("Leave?")
        person.press("\r")
        assert person.ended() == 0


@pytest.mark.parametrize(
    ("event", "en", "ru"),
    [
        (Spoken(b"", "Anna", False, HOSTILE), "> Anna: ␛[2J␇\\u202e two␊lines\n", "> Anna: ␛[2J␇\\u202e two␊lines\n"),
        (Spoken(b"", "Anna", True, 8), "> Anna (watching): Goodbye!\n", "> Anna (зритель): До встречи!\n"),
        (
            TooMuch(b"", "Anna", False),
            "> Anna says too much; some of it is left out\n",
            "> Anna говорит слишком много; часть пропущена\n",
        ),
    ],
)
def test_what_is_printed(
    event: LobbyEvent, en: str, ru: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for language, text in (("en", en), ("ru", ru)):
        known = KnownPlayers.open(tmp_path)
        Teller(printer(as_json=False), signing_key(0).public, known, catalogue(language)).at_table(event)
        assert capsys.readouterr().out == text


def test_nothing_that_is_printed_moves_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    printer(as_json=False)({"event": "any", "text": "one\n  two\x1b[2J\rthree\u202e"})
    assert capsys.readouterr().out == "one\n  two␛[2J␍three\\u202e\n"


class _Narrow(io.StringIO):
    """Standard output that is a terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_lines_are_broken_between_words(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "> Anna: a line that is longer than the terminal is wide\n    1  beat 9♣ with 10♣"
    monkeypatch.setenv("COLUMNS", "30")
    for stream, told in (
        (_Narrow(), "> Anna: a line that is longer\n  than the terminal is wide\n    1  beat 9♣ with 10♣\n"),
        (io.StringIO(), f"{text}\n".replace("♣", "c")),
    ):
        monkeypatch.setattr("sys.stdout", stream)
        printer(as_json=False)({"event": "any", "text": text})
        assert stream.getvalue() == told
