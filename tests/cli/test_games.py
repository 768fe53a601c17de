"""``games`` lists what is kept, and ``resume`` says clearly why a game cannot be taken up."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from p2pdurak.cli.waiting import reminders
from p2pdurak.game.ruleset import DEFAULT
from p2pdurak.net.game_files import game_name
from p2pdurak.net.journal import SECRET_SUFFIX, Journal
from p2pdurak.net.profile import Profile
from p2pdurak.net.saved import Header, encode_header
from p2pdurak.session.events import Send
from p2pdurak.session.session import Session
from p2pdurak.wire.envelope import seal
from p2pdurak.wire.gamefile import pack_file
from p2pdurak.wire.messages import Commit, Kind
from p2pdurak.wire.talk import Place
from p2pdurak.wire.terms import Terms
from tests.cli.running import events, run, start
from tests.helpers import Table, eager, make_genesis, signing_key

if TYPE_CHECKING:
    from pathlib import Path

    from p2pdurak.wire.genesis import Genesis


@pytest.fixture(scope="module")
def session() -> Session:
    """A short finished game."""
    return Table(make_genesis(2, seed=5), seed=5, choose=lambda seat: eager).run().sessions[0]


def messages_of(session: Session) -> list[bytes]:
    return [said.envelope.data for round_ in session.rounds for said in round_.spoken]


def profile_games(home: Path, name: str) -> Path:
    with Profile.open(name, home) as profile:
        return profile.games


def interrupt(games: Path, genesis: Genesis, messages: list[bytes]) -> Path:
    """Leave a journal with these messages, as a program does that was killed."""
    places = tuple(Place(seat.key, seat.nickname, "127.0.0.1", 47800) for seat in genesis.seats)
    header = Header(genesis, Terms("kitchen", DEFAULT), places, genesis.keys[0], None, 47801)
    with Journal.create(games, game_name(genesis.game_id), encode_header(header), bytes(32)) as journal:
        for message in messages:
            journal.append(message, sync=True)
        return journal.path


def listed(home: Path, *words: str) -> list[dict[str, Any]]:
    done = run("games", "--json", *words, home=home)
    assert done.returncode == 0, done.stderr
    return events(done.stdout)


def test_all_states_of_games_are_told_newest_first(tmp_path: Path, session: Session) -> None:
    games, messages = profile_games(tmp_path, "anna"), messages_of(session)
    finished = session.transcript()
    contradicted = pack_file(session.genesis.encode(), [*messages[:2], contradiction(session)])
    for at, data in enumerate((finished, finished[:-200], contradicted, b"no transcript")):
        path = games / f"game-{at}.durak"
        path.write_bytes(data)
        os.utime(path, (1_700_000_000 + at, 1_700_000_000 + at))
    interrupt(games, session.genesis, messages[:61])
    lines = listed(tmp_path)
    assert [line["event"] for line in lines] == ["interrupted", "damaged", "convicted", "broken", "finished"]
    left, over = lines[0], lines[-1]
    assert left["players"] == over["players"] == ["Anna", "Boris"]
    assert left["command"].endswith(f"resume {left['game']} --profile anna")
    assert len(left["waiting"]) == 1
    assert lines[2]["cheats"] == ["Anna"]
    (fool,) = over["fools"]
    assert fool in over["players"]
    assert over["command"].endswith(f"verify {over['path']}")
    text = run("games", home=tmp_path).stdout
    assert f"{fool} is the fool." in text
    assert f"Interrupted in bout 6 (agreeing on the cards), waiting for {left['waiting'][0]}." in text
    assert "cheating, proven of: Anna" in text
    assert "в дураках" in run("--lang", "ru", "games", home=tmp_path).stdout


def contradiction(session: Session) -> bytes:
    """A first message of the first seat that is not the one it said."""
    game_id = session.genesis.game_id
    return seal(signing_key(0), game_id, 0, game_id, 0, Kind.COMMIT, Commit(bytes(32), bytes(32)))


def test_of_many_games_only_the_newest_are_looked_at(tmp_path: Path, session: Session) -> None:
    games = profile_games(tmp_path, "anna")
    for number in range(25):
        (games / f"game-{number:02}.durak").write_bytes(b"not looked at" if number < 5 else b"no transcript")
        os.utime(games / f"game-{number:02}.durak", (1_700_000_000 + number,) * 2)
    lines = listed(tmp_path)
    assert [line["event"] for line in lines] == ["damaged"] * 20 + ["more"]
    assert lines[-1]["number"] == 5
    assert len(listed(tmp_path, "--all")) == 25


def test_a_game_in_a_profile_that_is_in_use_is_being_played(tmp_path: Path, session: Session) -> None:
    interrupt(profile_games(tmp_path, "anna"), session.genesis, messages_of(session)[:30])
    with Profile.open("anna", tmp_path):
        (line,) = listed(tmp_path)
        assert (line["event"], line["command"]) == ("playing", "")
        for words, told in (
            ((), "no interrupted game here but those that other running programs play now"),
            (("--profile", "anna"), "another running p2pdurak uses the profile anna"),
        ):
            done = run("resume", *words, home=tmp_path)
            assert done.returncode == 2
            assert told in done.stderr


def test_without_any_game_both_commands_say_so(tmp_path: Path) -> None:
    assert [line["event"] for line in listed(tmp_path)] == ["none"]
    done = run("resume", home=tmp_path)
    assert (done.returncode, "no interrupted game" in done.stderr) == (2, True)
    done = run("games", "--profile", "nobody", home=tmp_path)
    assert (done.returncode, "no profile nobody" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda path: path.with_suffix(SECRET_SUFFIX).unlink(), "its secret, the file"),
        (lambda path: path.with_suffix(SECRET_SUFFIX).write_bytes(b"short"), "is damaged"),
        (lambda path: path.write_bytes(b"rubbish"), "damaged at byte 0"),
        (lambda path: path.write_bytes(b"p2pdurak journal 99\n"), "a journal of another version"),
        (lambda path: path.write_bytes(path.read_bytes()[:1500] + b"x" + path.read_bytes()[1501:]), "damaged at byte"),
    ],
    ids=["no secret", "half a secret", "no journal", "a later version", "a changed byte"],
)
def test_what_is_damaged_is_named_and_not_taken_up(tmp_path: Path, session: Session, damage: Any, told: str) -> None:
    path = interrupt(profile_games(tmp_path, "anna"), session.genesis, messages_of(session)[:30])
    damage(path)
    done = run("resume", home=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr, done.stderr
    assert "anna" in done.stderr
    assert path.exists()


def test_where_several_profiles_have_games_the_list_says_whose_each_is(tmp_path: Path, session: Session) -> None:
    """One game, as it is found after playing with three on one machine: nobody has a key of its seats here."""
    for name in ("anna", "boris"):
        (profile_games(tmp_path, name) / "game-1.durak").write_bytes(session.transcript())
    assert all(line["watched"] for line in listed(tmp_path))
    text = run("games", home=tmp_path).stdout
    assert "in the profile anna · watched\n" in text
    assert "in the profile boris · watched\n" in text
    assert "in the profile" not in run("games", "--profile", "anna", home=tmp_path).stdout


def test_a_home_that_cannot_be_read_is_no_home_without_games(tmp_path: Path) -> None:
    home = tmp_path / "file"
    home.write_text("not a folder")
    done = run("games", home=home)
    assert (done.returncode, str(home) in done.stderr) == (2, True)


def test_copies_of_the_game_that_others_are_playing_are_no_trouble(tmp_path: Path, session: Session) -> None:
    for name in ("anna", "boris"):
        interrupt(profile_games(tmp_path, name), session.genesis, messages_of(session)[:30])
    with Profile.open("boris", tmp_path), start("resume", "--json", home=tmp_path) as process:
        assert process.stdout is not None
        assert json.loads(process.stdout.readline())["event"] != "warning"
        process.kill()


@pytest.mark.parametrize("named", [str, lambda path: path.stem, lambda path: path.stem[5:9]])
def test_a_game_is_named_as_a_person_may_name_it(tmp_path: Path, session: Session, named: Any) -> None:
    games = profile_games(tmp_path, "anna")
    path = interrupt(games, session.genesis, messages_of(session)[:30])
    interrupt(games, make_genesis(2, seed=6), [])
    path.with_suffix(SECRET_SUFFIX).unlink()
    assert f"{path.stem}.secret, is not there" in run("resume", named(path), home=tmp_path).stderr


def test_another_name_means_no_game(tmp_path: Path, session: Session) -> None:
    interrupt(profile_games(tmp_path, "anna"), session.genesis, [])
    assert "no interrupted game beef" in run("resume", "beef", home=tmp_path).stderr


def own_game(home: Path, messages: int) -> tuple[Path, Session]:
    """Leave a game in which the profile anna has the first seat, after so many messages."""
    with Profile.open("anna", home) as profile:
        key, games = profile.signing_key, profile.games
    genesis = make_genesis(2)
    genesis = replace(genesis, seats=(replace(genesis.seats[0], key=key.public), genesis.seats[1]))
    session = Session(genesis, seat=0, key=key, secret=bytes(32))
    said = [event.message for event in session.start() if isinstance(event, Send)]
    return interrupt(games, genesis, said[:messages]), session


@pytest.mark.parametrize("messages", [0, 1])
@pytest.mark.parametrize("secret", [None, b"short", bytes(31) + b"x"], ids=["missing", "half", "of another game"])
def test_a_game_whose_secret_is_lost_is_not_offered(tmp_path: Path, messages: int, secret: bytes | None) -> None:
    path, _ = own_game(tmp_path, messages)
    (line,) = listed(tmp_path)
    assert line["event"] == "interrupted"
    if secret is None:
        path.with_suffix(SECRET_SUFFIX).unlink()
    else:
        path.with_suffix(SECRET_SUFFIX).write_bytes(secret)
    (line,) = listed(tmp_path)
    if not messages and secret is not None and len(secret) == 32:
        assert line["event"] == "interrupted", "nothing was promised yet that another secret could break"
        return
    assert line["event"] == "lost"
    assert line["command"].endswith(f"verify {path}")
    assert f"{path.stem}.secret, is missing or damaged" in line["text"]
    assert "--profile anna' and press X at it" in line["text"]
    with Profile.open("anna", tmp_path) as profile:
        assert reminders(profile) == []


def test_a_game_whose_player_has_lost_the_key_is_neither_offered_nor_watched(tmp_path: Path) -> None:
    path, _ = own_game(tmp_path, 1)
    (path.parents[1] / "seed").unlink()
    (line,) = listed(tmp_path)
    assert line["event"] == "lost"
    assert not line["watched"]
    assert line["command"].endswith(f"verify {path}")
    assert "the key of the profile anna is missing or damaged" in line["text"]
    done = run("resume", "--lines", home=tmp_path)
    assert done.returncode == 2
    assert "seed, is not there, and without it its games cannot go on" in done.stderr


def test_a_wrong_secret_is_refused_before_anything_is_told(tmp_path: Path) -> None:
    path, _ = own_game(tmp_path, 1)
    path.with_suffix(SECRET_SUFFIX).write_bytes(bytes(31) + b"x")
    done = run("resume", "--lines", home=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "it is not the secret of this game" in done.stderr


def test_a_secret_without_a_journal_is_of_a_game_that_did_not_begin_here(tmp_path: Path, session: Session) -> None:
    games = profile_games(tmp_path, "anna")
    (games / "game-1234567890abcdef.secret").write_bytes(bytes(32))
    (games / "game-1.durak").write_bytes(session.transcript())
    (games / "game-1.secret").write_bytes(bytes(32))
    assert sorted(line["event"] for line in listed(tmp_path)) == ["finished", "not-begun"]
    assert "nothing was said in it here" in run("games", home=tmp_path).stdout


def test_a_file_that_vanishes_or_leads_nowhere_hides_no_other_game(tmp_path: Path, session: Session) -> None:
    games = profile_games(tmp_path, "anna")
    (games / "game-1.durak").write_bytes(session.transcript())
    (games / "game-1234567890abcdef.journal").symlink_to(tmp_path / "nowhere")
    assert [line["event"] for line in listed(tmp_path)] == ["finished"]
    assert "no interrupted game" in run("resume", home=tmp_path).stderr


def test_a_secret_whose_journal_is_gone_goes_when_the_profile_is_used_next(tmp_path: Path, session: Session) -> None:
    path = interrupt(profile_games(tmp_path, "anna"), session.genesis, [])
    stray = path.with_name("game-1234567890abcdef.secret")
    stray.write_bytes(bytes(32))
    with Profile.open("anna", tmp_path):
        assert not stray.exists()
        assert path.exists()
        assert path.with_suffix(SECRET_SUFFIX).exists()
