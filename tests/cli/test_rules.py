"""``p2pdurak rules`` as people and programs use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from p2pdurak.cli import main
from p2pdurak.game.ruleset import OPTIONS, PRESETS, ruleset
from p2pdurak.ui.rule_options import written


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["rules", *words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def objects(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said(capsys, *words, "--json").splitlines()]


def test_without_a_name_all_rules_are_listed_in_a_line_each(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys).splitlines()
    assert [line.split()[0] for line in lines] == list(PRESETS)
    assert "may be transferred" in lines[3]
    listed = objects(capsys)
    assert [line["options"] for line in listed] == [dict(written(rules)) for rules in PRESETS.values()]


@pytest.mark.parametrize("name", PRESETS)
def test_rules_are_explained_with_their_differences_to_the_others(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = said(capsys, name)
    assert text.startswith(f"{name}\n")
    assert text.index("The deal\n") < text.index("The attack\n") < text.index("The next game\n")
    assert text.count("How the other rules differ") == 1
    (line,) = objects(capsys, name)
    assert (line["event"], line["name"], line["same_as"]) == ("rules", name, name)
    assert list(line["differences"]) == [other for other in PRESETS if other != name]
    assert list(line["possible"]) == list(OPTIONS)


def test_set_changes_the_text_and_the_options(capsys: pytest.CaptureFixture[str]) -> None:
    before, after = said(capsys, "podkidnoy"), said(capsys, "podkidnoy", "--set", "first_bout_cap=4")
    assert "a bout has 5 attack cards" in before
    assert "a bout has 4 attack cards" in after
    (line,) = objects(capsys, "podkidnoy", "--set", "first_bout_cap=6", "--set", "draws=defender-loses")
    assert line["options"] == dict(written(ruleset("podkidnoy", {"first_bout_cap": "6", "draws": "defender-loses"})))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("poker",), "There are no rules called 'poker'"),
        (("albanian", "--set", "jokers=2"), "There is no option 'jokers'"),
        (("albanian", "--set", "bout_cap"), "An option is set as OPTION=VALUE, for example bout_cap=6: 'bout_cap' has"),
        (("albanian", "--set", "jokers"), "An option is set as OPTION=VALUE, for example lead=same-rank: 'jokers' has"),
        (("albanian", "--set", "lead="), "lead cannot be ''"),
        (("albanian", "--set", "lead=two"), "lead cannot be 'two': choose one or same-rank"),
        (("podkidnoy", "--set", "throwers=none"), "With throwers=none nobody can throw in after a take"),
        (("podkidnoy", "--set", "transfer_by_showing=true"), "With transfer=none there is no transfer by showing"),
        (("podkidnoy", "--set", "bout_cap=4"), "first_bout_cap=5 is above bout_cap=4"),
        (("--set", "lead=one"), "Say which rules --set is to change"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"p2pdurak: {sentence}")


def test_names_may_be_written_as_people_do(capsys: pytest.CaptureFixture[str]) -> None:
    as_written = said(capsys, "perevodnoy-2", "--set", "first_bout_cap=5")
    assert said(capsys, "Переводной-2", "--set", "First-Bout-Cap=5") == as_written


def test_an_option_without_effect_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(said(capsys, "podkidnoy", "--set", "first_bout_cap=6").split())
    assert "(1 to 52, none); without effect here, since it is not below bout_cap" in text
    (line,) = objects(capsys, "albanian", "--set", "bout_cap=1")
    assert line["idle"] == {"throwers": "a bout has only one attack card"}


def test_refusals_are_told_in_russian_too(capsys: pytest.CaptureFixture[str]) -> None:
    for words, sentence in (
        (
            ["albanian", "--set", "bout_cap=0"],
            "У bout_cap не может быть значения '0': выберите число от 1 до 52 или none.",
        ),
        (["albanian", "--set", "lead=two"], "У lead не может быть значения 'two': выберите one или same-rank."),
        (["podkidnoy", "--set", "bout_cap=4"], "first_bout_cap=5 больше, чем bout_cap=4"),
        (["albanian", "--set", "lead"], "Настройку задают как НАСТРОЙКА=ЗНАЧЕНИЕ, например lead=same-rank"),
        (["--set", "lead=one"], "Скажите, какие правила должна изменить настройка --set"),
    ):
        assert main(["rules", *words, "--lang", "ru"]) == 2
        assert capsys.readouterr().err.startswith(f"p2pdurak: {sentence}")


def test_the_language_is_chosen_or_the_locales(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    russian = said(capsys, "albanian", "--lang", "ru")
    assert "Каждому сдают шесть карт" in russian
    assert "dealt" not in russian
    monkeypatch.setenv("LC_ALL", "ru_RU.UTF-8")
    assert said(capsys, "albanian") == russian
    assert "Everybody is dealt" in said(capsys, "albanian", "--lang", "en")
    with pytest.raises(SystemExit):
        main(["rules", "--lang", "de"])


def test_a_process_prints_russian_even_where_the_terminal_knows_no_cyrillic() -> None:
    environment = {**os.environ, "LC_ALL": "C", "LANGUAGE": "ru", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    words = [sys.executable, "-m", "p2pdurak", "rules", "prostoy"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "???" in done.stdout
