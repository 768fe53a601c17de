"""Every command speaks the person's language: the one asked for, the one set in the console, or the locale's."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from p2pdurak.session.audit import audit
from p2pdurak.ui.console.settings import FILE_NAME, Settings, encode_settings
from tests.cli.running import events, given_up, run
from tests.cli.typing import terminal

COMMANDS = {"p2pdurak", "rules", "verify", "resume", "doctor", "join", "code", "perevodnoy", "albanian", "Enter"}


def latin_words(line: dict[str, Any]) -> set[str]:
    """The words of a line in Latin letters that are no name, command or path."""
    text = line["text"]
    for word in (line.get("key"), line.get("invite"), line.get("code"), *line.get("keys", ())):
        text = text.replace(word or " ", " ")
    text = re.sub(r"\S*[/\\]\S*|\(R\d+\)", " ", text)  # paths, and numbers of rules
    names = {"Anna", "Boris", "Clara", line.get("table")}
    return set(re.findall(r"[A-Za-z][A-Za-z0-9]+", text)) - names - COMMANDS


@pytest.mark.parametrize(
    ("words", "russian"),
    [
        (["rules", "poker", "--lang", "ru"], "Правил"),
        (["--lang", "ru", "rules", "poker"], "Правил"),
        (["--lang", "ru", "demo", "--set", "bout_cap"], "p2pdurak: "),
        (["--lang", "ru", "verify", "nowhere.durak"], "Этот файл не читается: "),
        (["--lang", "ru", "join", "p2pdurak:nonsense"], "Приглашение неполное"),
        (["--lang", "ru", "host", "--name", "x" * 99], "Имя игрока должно быть длиной от 1 до 24 знаков."),
        (["--lang", "ru"], "Консоль показать нельзя"),
    ],
)
def test_errors_are_told_in_russian(words: list[str], russian: str, tmp_path: Path) -> None:
    done = run(*words, home=tmp_path)
    assert done.returncode == 2
    assert russian in done.stderr
    assert re.search("[а-яё]{3}", done.stderr)


def test_the_locale_counts_where_nothing_was_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "ru")
    assert "Этот файл не читается" in run("verify", "nowhere.durak", home=tmp_path).stderr
    assert "This file cannot be read" in run("verify", "nowhere.durak", "--lang", "en", home=tmp_path).stderr
    assert "Осматриваем" in run("doctor", home=tmp_path).stdout


def test_programs_read_the_same_in_every_language(tmp_path: Path) -> None:
    path = tmp_path / "game.durak"
    path.write_bytes(given_up())
    for words in (["verify", str(path)], ["replay", str(path), "--text"], ["verify", "nowhere.durak"]):
        english, russian = (
            events(run(*words, "--json", "--lang", lang, home=tmp_path).stdout) for lang in ("en", "ru")
        )
        assert [{**line, "text": ""} for line in english] == [{**line, "text": ""} for line in russian]
        assert [line.get("text") for line in english] != [line.get("text") for line in russian] or len(english) == 1


async def test_a_person_plays_a_game_in_russian_to_its_end(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "host", "--name", "Anna", "--games", "1", "--lang", "ru") as anna,
        terminal(tmp_path, "bot", "--name", "Boris"),
    ):
        await anna.until("seated", 2)
        await anna.type("помощь")
        assert "готов" in (await anna.until("help"))["text"]
        await anna.type("старт")
        await anna.until("asked")
        await anna.type("99")
        assert "Введите число от 1 до" in (await anna.until("refused"))["text"]
        await anna.type("йгше")  # quit, on the wrong layout; it wants to be said twice
        assert "ещё раз" in (await anna.until("refused", 2))["text"]
        await anna.type("бью 6т Тт")
        assert re.search(r"[а-я]{3}.* \(R\d+\)$", (await anna.until("refused", 3))["text"])
        anna.in_words = True
        await anna.play()
        assert len(anna.said("refused")) == 3, "each choice was understood as it was offered"
        assert audit(Path(anna.said("saved")[0]["path"]).read_bytes()).holds
        english = {word for line in anna.lines if "text" in line for word in latin_words(line)}
    assert english - {"player"} == set()


async def test_the_language_set_in_the_console_is_that_of_the_lines(tmp_path: Path) -> None:
    folder = tmp_path / "profiles" / "anna"
    folder.mkdir(parents=True)
    (folder / FILE_NAME).write_bytes(encode_settings(Settings(language="ru")))
    for words, russian in (((), True), (("--lang", "en"), False)):
        async with terminal(tmp_path, "host", "--name", "Anna", "--profile", "anna", *words) as anna:
            assert ("Вы — Anna" in (await anna.until("peer"))["text"]) == russian
