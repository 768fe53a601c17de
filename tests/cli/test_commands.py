"""The commands as a person or a program runs them: their lines and exit statuses, and how their processes end."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from p2pdurak.cli.main import FAULT_FILE
from tests.cli.running import events, given_up, run, start
from tests.cli.test_speaking import latin_words

if TYPE_CHECKING:
    from collections.abc import Sequence


@pytest.fixture(scope="session")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short game in a file."""
    path = tmp_path_factory.mktemp("games") / "game.durak"
    path.write_bytes(given_up())
    return path


def test_demo_plays_a_match_and_verifies_it_without_an_english_word_in_russian(tmp_path: Path) -> None:
    with start("bot", "--name", "Intruder", "--json", home=tmp_path / "stranger") as stranger:
        words = ("--players", "2", "--games", "2", "--rules", "albanian", "--json")
        done = run("--lang", "ru", "demo", *words, home=tmp_path)
        stranger.kill()
        stranger.communicate()
    assert done.returncode == 0, done.stderr
    lines = events(done.stdout)
    assert "Intruder" not in {line.get("player") for line in lines}, "a waiting stranger does not land in it"
    names = [line["event"] for line in lines]
    assert names.count("peer") == names.count("seated") == 2
    assert len({line["pid"] for line in lines if line["event"] == "peer"}) == 2
    assert [line["identical"] for line in lines if line["event"] == "compared"] == [True, True]
    verified = [line for line in lines if line["event"] == "verified"]
    assert [line["holds"] for line in verified] == [True, True]
    assert all(line["counts"]["shuffles"] == line["counts"]["books"] == 2 for line in verified)
    again = run("verify", *(line["file"] for line in verified), home=tmp_path)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "All of it holds" in again.stdout
    assert "Dealer and lead are those that the game before decided." in again.stdout
    assert "give its file too" not in again.stdout
    alone = run("verify", verified[1]["file"], home=tmp_path)
    assert "give its file too, to have that checked" in alone.stdout
    terms = [line for line in lines if line["event"] == "terms"]
    assert [(line["rules"], line["pack"]) for line in terms] == [("albanian", 36)]
    assert terms[0]["text"].endswith("rules albanian")
    told = [line for line in lines if "text" in line]
    assert {line["event"] for line in told} >= {"peer", "seated", "game", "heard", "dealt", "played", "bout", "done"}
    # Each profile is named by its player, or by a number.
    assert {word for line in told for word in latin_words(line)} <= {"player"}


def test_demo_tells_the_game_in_plain_lines_and_letters_where_there_are_no_suits(tmp_path: Path) -> None:
    done = run("demo", "--players", "2", home=tmp_path, encoding="ascii")
    assert done.returncode == 0, done.stderr
    assert re.search("; (10|[6-9JQKA])[cdhs] lies open", done.stdout)
    for sentence in (
        "All 2 have committed to their secrets",
        "All 2 have revealed",
        "re-encrypts and shuffles the deck (2 of 2); the proof holds",
        "All 2 have signed the same deck",
        "Bout 1:",
        "The transcripts of all 2 peers are identical.",
        "All of it holds",
        "p2pdurak verify ",
    ):
        assert sentence in done.stdout
    assert "{" not in done.stdout


def test_verify_counts_what_it_checked(game: Path, tmp_path: Path) -> None:
    done = run("verify", str(game), "--json", home=tmp_path)
    (report,) = events(done.stdout)
    assert done.returncode == 0
    assert report["holds"]
    assert (report["counts"]["shuffles"], report["counts"]["books"]) == (2, 1), "who has given up opens no book"
    assert report["counts"]["signatures"] > report["counts"]["rounds"] > report["counts"]["rule_decisions"]


@pytest.mark.parametrize("part", [0.3, 0.6, 0.95])
def test_verify_finds_a_changed_byte_and_says_where(game: Path, tmp_path: Path, part: float) -> None:
    data = bytearray(game.read_bytes())
    data[int(len(data) * part)] ^= 1
    broken = tmp_path / "broken.durak"
    broken.write_bytes(data)
    done = run("verify", str(broken), home=tmp_path)
    assert done.returncode == 1
    assert "DOES NOT HOLD: round " in done.stdout


def test_verify_of_what_is_no_transcript_says_so(tmp_path: Path) -> None:
    stranger = tmp_path / "stranger.txt"
    stranger.write_text("Here is no game.")
    for file in (stranger, tmp_path / "missing.durak", tmp_path):
        done = run("verify", str(file), home=tmp_path)
        assert done.returncode == 2
        assert str(file) in done.stderr


def test_verify_gives_the_worst_status_of_several_files(game: Path, tmp_path: Path) -> None:
    stranger = tmp_path / "stranger.txt"
    stranger.write_text("Here is no game.")
    assert run("verify", str(game), str(stranger), home=tmp_path).returncode == 2
    # A game does not follow upon itself.
    assert run("verify", str(game), str(game), home=tmp_path).returncode == 1


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (["demo", "--rules", "poker"], "perevodnoy-2"),
        (["demo", "--set", "bout_cap"], "bout_cap"),
        (["demo", "--set", "colour=red"], "colour"),
        (["demo", "--set", "transfer=none", "--set", "transfer_by_showing=true"], "transfer"),
        (["demo", "--players", "7"], "invalid choice"),
        (["demo", "--games", "0"], "1 to"),
        (["bot", "--open", "--name", "x" * 30], "24"),
        (["bot", "--open", "--profile", "../up"], "profile"),
        ([], "COMMAND"),
        (["fly"], "invalid choice"),
    ],
)
def test_a_mistake_is_explained_in_a_sentence(words: Sequence[str], hint: str, tmp_path: Path) -> None:
    done = run(*words, home=tmp_path)
    assert done.returncode == 2
    assert hint in done.stderr
    assert done.stdout == ""


def test_a_home_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    home = tmp_path / "file"
    home.write_text("not a folder")
    done = run("bot", "--open", home=home)
    assert done.returncode == 2
    assert str(home) in done.stderr


@pytest.mark.parametrize("words", [["demo", "--json"], ["bot", "--open", "--table", "nobody comes", "--json"]])
def test_an_interrupt_ends_a_command_without_a_traceback(words: Sequence[str], tmp_path: Path) -> None:
    with start(*words, home=tmp_path) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, complaints = process.communicate()
    assert process.returncode == 130
    assert FAULT_FILE not in complaints
    assert "Traceback" not in complaints


def test_whoever_has_read_enough_may_close_the_pipe(tmp_path: Path) -> None:
    with start("demo", "--players", "2", home=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        complaints = process.stderr.read()
        process.wait()
    assert FAULT_FILE not in complaints
    assert "Traceback" not in complaints


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device here")
def test_what_never_ends_is_no_transcript(tmp_path: Path) -> None:
    done = run("verify", "/dev/zero", home=tmp_path)
    assert done.returncode == 2
    assert "not a file with a transcript" in done.stderr
