"""The console in real terminals: a game to its end by the keyboard, and every way out."""

from __future__ import annotations

import json
import random
import signal
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from p2pdurak.cli.deciding import LONGEST_PASS_SECONDS, pass_seconds
from p2pdurak.cli.main import FAULT, FAULT_FILE
from p2pdurak.session.audit import audit
from tests.cli.person import Person
from tests.cli.running import run
from tests.helpers import Table, eager, make_genesis

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def at(tmp_path: Path) -> Iterator[SimpleNamespace]:
    """Starts people's consoles, and ends those that are left over."""
    people: list[Person] = []

    def start(*words: str, columns: int = 80, rows: int = 24, **environment: str) -> Person:
        people.append(Person(tmp_path, *words, columns=columns, rows=rows, **environment))
        people[-1].company = people
        return people[-1]

    yield SimpleNamespace(start=start, home=tmp_path)
    for person in people:
        person.kill()


def play_to_the_end(person: Person) -> None:
    """Press the first key that is offered, again and again, as somebody does who does not think."""
    while person.first_key() != "Enter":
        key = person.first_key()
        if key:
            person.press(key[0].lower())
        person.look()


def test_a_game_against_bots_is_played_to_its_end_by_the_keyboard(at: SimpleNamespace) -> None:
    person = at.start("play", "--bots", "1", "--pace", "0", "--name", "Zoe", "--profile", "zoe")
    person.until("Making a deck", "shuffles")
    person.until("trump", "talon")
    person.resize(120, 40)
    person.resize(60, 20)
    person.resize(80, 24)
    play_to_the_end(person)
    text = person.until("Another game?", "Every shuffle and every card was checked here", "p2pdurak verify")
    assert "fool" in text or "draw" in text
    person.press("\r")
    person.until("game 2")
    person.press("q")
    person.until("Leave? The game waits for you.")
    person.press("\r")
    assert person.ended() == 0
    assert "The game waits for you." in parting(person)
    assert "resume" in parting(person)
    games = list((at.home / "profiles" / "zoe" / "practice").glob("*.durak"))
    assert len(games) == 1
    report = audit(games[0].read_bytes())
    assert report.holds
    assert "Zoe" in [seat.nickname for seat in report.genesis.seats]
    assert not (at.home / "profiles" / "zoe" / "known-players.json").exists(), "bots are no acquaintances"


def parting(person: Person) -> str:
    """What stands on the terminal after the screen."""
    return person.raw.split("\x1b[?1049l")[-1]


def test_our_bots_are_no_strangers_and_a_game_that_is_over_is_named_at_the_end(at: SimpleNamespace) -> None:
    person = at.start("play", "--bots", "1", "--pace", "0", "--games", "1", "--profile", "zoe")
    person.until("a bot, started by you")
    assert "not met before" not in person.text()
    assert "compare the words" not in person.text()
    person.until("trump", "talon")
    person.press("q")
    person.until("Leave?", "R give up")
    person.press("r")
    person.until("The match is over.", "Fool so far:")
    person.press("\r")
    assert person.ended() == 0
    (game,) = (at.home / "profiles" / "zoe" / "practice").glob("*.durak")
    assert f"verify {game}" in parting(person).replace("\r\n", "")


def test_a_left_game_is_given_up_only_for_one_that_is_dealt(at: SimpleNamespace) -> None:
    practice = at.home / "profiles" / "zoe" / "practice"
    words = ("play", "--bots", "1", "--pace", "0", "--profile", "zoe")
    first = at.start(*words)
    first.until("trump", "talon")
    first.kill()
    (left,) = practice.glob("*.journal")
    second = at.start(*words[:2], "3", *words[3:])
    second.until("bots are coming")
    second.press("q")
    assert second.ended() == 0
    assert [*practice.glob("*.journal")] == [left]
    assert "The game" not in parting(second)
    third = at.start(*words)
    third.until("trump", "talon")
    third.kill()
    (other,) = practice.glob("*.journal")
    assert other != left


def test_trouble_with_the_known_players_is_told(at: SimpleNamespace) -> None:
    known = at.home / "profiles" / "player-1" / "known-players.json"
    known.parent.mkdir(parents=True)
    known.write_text("no list")
    person = at.start()
    person.until("you have met was damaged")
    person.press("q")
    assert person.ended() == 0


def test_a_pass_by_itself_has_a_long_tail() -> None:
    chance = random.Random(0)
    waited = sorted(pass_seconds(chance) for _ in range(1000))
    assert 1.3 < waited[500] < 1.7
    assert waited[900] > 3.0
    assert waited[-1] == LONGEST_PASS_SECONDS


def test_russian_keys_play_and_settings_are_kept(at: SimpleNamespace) -> None:
    person = at.start("play", "--bots", "1", "--profile", "zoe", LANG="ru_RU.UTF-8")
    person.until("козырь", "колода")
    person.press("\x1bOR")
    person.until("Настройки")
    person.press("3\x1b")
    person.until("козырь")
    person.press("й")
    person.until("Enter выйти")
    person.press("\r")
    assert person.ended() == 0
    kept = json.loads((at.home / "profiles" / "zoe" / "console.json").read_text(encoding="utf-8"))
    assert (kept["size"], kept["language"]) == ("small", "ru")


@pytest.mark.parametrize(
    ("way", "status"), [("ctrl-c", 0), (signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)]
)
def test_the_terminal_is_given_back(at: SimpleNamespace, way: str | signal.Signals, status: int) -> None:
    person = at.start()
    person.until("Tables on this network")
    if isinstance(way, signal.Signals):
        person.child.kill(way)
    else:
        person.press("\x03")
    assert person.ended() == status


def test_a_fault_of_the_program_gives_the_terminal_back_and_says_what_to_do(at: SimpleNamespace) -> None:
    person = at.start("play", "--bots", "1", program="tests.cli.failing")
    assert person.ended(faultless=False) == FAULT
    left = person.raw.split("\x1b[?1049l")[-1]
    assert "a fault inside the program" in left
    assert "p2pdurak resume" in left
    assert "is not lost" in left
    assert "RuntimeError" in (at.home / FAULT_FILE).read_text(encoding="utf-8")


def test_a_fault_where_no_game_was_going_on_speaks_of_none(at: SimpleNamespace) -> None:
    person = at.start(program="tests.cli.failing")
    person.until("Tables on this network")
    person.press("b")
    assert person.ended(faultless=False) == FAULT
    assert "a fault inside the program" in parting(person)
    assert "is not lost" not in parting(person)
    assert "resume" not in parting(person)


def test_people_meet_through_the_start_screen(at: SimpleNamespace) -> None:
    anna, boris = at.start(), at.start()
    for person, name in ((anna, "Anna"), (boris, "Boris")):
        person.until("Tables on this network")
        person.press("a")
        person.until("Your name:")
        person.press("\x7f" * 12 + f"{name}\r")
        person.until(f"{name}\n")
    anna.press("n")
    anna.until("A new table", "Anna's table")
    anna.press("\r")
    anna.until("Are you ready to play?", "p2pdurak:")
    boris.until("Anna's table", "gathering")
    boris.press("1")
    boris.until("Anna's table", "not met before", "Are you ready to play?")
    boris.press("\r")
    anna.until("Boris")
    anna.press("\r")
    anna.until("begin with free seats")
    anna.press("s")
    for person in (anna, boris):
        person.until("trump", "talon")
    for person in (boris, anna):
        person.press("q")
        person.until("stay")
        person.press("\r")
        person.until("Tables on this network")
        person.press("q")
        assert person.ended() == 0


def test_host_join_and_watch_use_the_screen_where_there_is_one(at: SimpleNamespace) -> None:
    anna = at.start("host", "--name", "Anna", "--table", "kitchen", "--code", "red-fox-12", "--games", "1")
    anna.until("kitchen", "red-fox-12", "Are you ready to play?")
    boris = at.start("join", "kitchen", "--name", "Boris", "--code", "red-fox-12")
    boris.until("kitchen", "Are you ready to play?")
    wanda = at.start("watch", "kitchen", "--name", "Wanda", "--code", "red-fox-12")
    wanda.until("You are watching")
    anna.press("\rs")
    boris.press("\r")
    for person in (anna, boris, wanda):
        person.until("trump", "talon")
    assert "you are watching" in wanda.text()
    stranger = at.start("join", "kitchen", "--name", "Xenia", "--code", "red-fox-12")
    assert stranger.ended() == 2, "a game is going on"
    assert "p2pdurak: " in stranger.raw.split("\x1b[?1049l")[-1]


def test_a_code_is_asked_for_when_the_table_wants_one(at: SimpleNamespace) -> None:
    anna = at.start("host", "--name", "Anna", "--table", "kitchen", "--code", "red-fox-12", columns=60, rows=20)
    anna.until("kitchen", "code red-fox-12 · 127.0.0.1:", "I invite")
    boris = at.start("--profile", "boris")
    boris.until("kitchen", "code needed")
    boris.press("jkitchen\r")
    boris.until("This table has a code", "Code of the table: _")
    boris.press("red-fox-13\r")
    boris.until("That is not the code of this table.", "Code of the table: _")
    anna.until("boris was not let in")
    boris.press("red-fox-12\r")
    boris.until("kitchen", "Are you ready to play?")
    assert "was not let in" not in anna.until("boris", "not met before")
    anna.press("i")
    anna.until("Or with this invite, which holds the code too:", "p2pdurak:")
    anna.press("\x1b")
    anna.until("Are you ready to play?")
    clara = at.start("join", "kitchen", "--name", "Clara", "--code", "red-fox-13")
    clara.until("That is not the code of this table.", "Code of the table: _")
    clara.press("red-fox-12\r")
    clara.until("kitchen", "Clara", "Are you ready to play?")


def test_who_comes_back_to_the_start_screen_finds_the_tables_as_they_were(at: SimpleNamespace) -> None:
    for name in ("Anna", "Boris"):
        at.start("host", "--name", name, "--table", "kitchen").until("Are you ready to play?")
    zoe = at.start("--profile", "zoe", columns=60, rows=20)
    lines = zoe.until("kitchen · Anna", "kitchen · Boris").splitlines()[4:6]
    zoe.press("jkitchen\r")
    again = zoe.until("Several tables of one name are open", "Choose").splitlines()[4:6]
    assert [line[2:] for line in again] == [line[2:] for line in lines]


def test_a_long_way_to_a_table_tells_what_for_and_can_be_given_up(at: SimpleNamespace) -> None:
    zoe = at.start("join", "nowhere", "--profile", "zoe", columns=60, rows=20)
    zoe.until("Looking on this network for a table named nowhere", "1 s", "Esc leave")
    zoe.press("\x1b")
    assert zoe.ended() == 0


def test_a_small_or_dumb_terminal_gets_lines(at: SimpleNamespace) -> None:
    for size, kind in (((50, 15), "xterm"), ((80, 24), "dumb")):
        person = at.start("play", "--bots", "1", columns=size[0], rows=size[1], TERM=kind)
        with closing(person.child):
            person.read("type the number of your choice")
            person.read("sits down")
            assert "\x1b" not in person.child.before
            person.read("Play:")  # without another word


def test_what_is_begun_on_the_start_screen_comes_back_to_it(at: SimpleNamespace) -> None:
    zoe = at.start(LANG="ru_RU.UTF-8")
    zoe.until("Столы в этой сети")
    zoe.press("j127.0.0.1:1\r")
    zoe.until("По адресу 127.0.0.1:1 никто не отвечает")
    zoe.press("и")  # the letter on the key of B
    assert "Анна" in zoe.until("с ботами", "козырь", "колода")
    zoe.press("q")
    zoe.until("Выйти?", "сдаться")
    zoe.press("\r")
    zoe.until("Прерванные игры", "Анна", "продолжить")
    zoe.press("x")
    zoe.until("Отказаться от этой игры навсегда?")
    zoe.press("x")
    assert "Прерванные игры" not in zoe.until("От партии вы отказались.", "Столы в этой сети")
    zoe.press("q")
    assert zoe.ended() == 0


@pytest.mark.parametrize(
    ("size", "kind", "why"),
    [
        ((50, 15), "xterm", "the window has 50 columns by 15 rows"),
        ((80, 24), "dumb", "the variable TERM says"),
        ((80, 24), "", "the variable TERM does not say"),
    ],
)
def test_without_a_command_the_reason_is_named_where_there_is_no_screen(
    at: SimpleNamespace, size: tuple[int, int], kind: str, why: str
) -> None:
    person = at.start(columns=size[0], rows=size[1], TERM=kind)
    with closing(person.child):
        person.read(why)
        person.read("p2pdurak host opens a table, p2pdurak join goes to one")
        person.read("type the number of your choice")


def test_without_a_command_and_a_screen_a_game_is_played_by_typing(at: SimpleNamespace) -> None:
    person = at.start("--profile", "zoe", "--lang", "ru", columns=59, rows=20)
    with closing(person.child):
        person.read("размер окна – 59×20 знаков")
        person.read("игра с ботами")
        person.read("zoe садится за стол")


def test_without_a_terminal_a_bot_plays_and_the_game_is_told(tmp_path: Path) -> None:
    done = run("play", "--bots", "1", "--json", home=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[0]["event"] == "no-terminal"
    saved = [line for line in lines if line["event"] == "saved"]
    assert audit(Path(saved[0]["path"]).read_bytes()).holds
    refused = run(home=tmp_path)
    assert refused.returncode == 2
    assert "its input is not a terminal" in refused.stderr


def test_replay_tells_and_shows_a_game_with_all_hands(at: SimpleNamespace, tmp_path: Path) -> None:
    game = tmp_path / "game.durak"
    played = Table(make_genesis(2, seed=5), seed=5, choose=lambda seat: eager).run()
    game.write_bytes(played.sessions[0].transcript())
    done = run("replay", "--text", str(game), home=at.home)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Bout ") >= 3
    assert run("replay", __file__, home=at.home).returncode == 2
    person = at.start("replay", str(game))
    person.until("step 1 of", "Anna", "Boris")
    assert f"Checking the game in {game}" in person.raw.split("\x1b[?1049h")[0].replace("\r\n", "")
    person.press("\x1b[B")
    person.press("\x1b[C")
    person.until("step 3 of")
    person.press("\x1b[F")
    person.until("is the fool")
    person.press("\x1b[H")
    person.until("step 1 of")
    person.press("q")
    assert person.ended() == 0
