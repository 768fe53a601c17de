from __future__ import annotations

import stat
import subprocess
import sys
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from p2pdurak.errors import NotationError, StorageError
from p2pdurak.net.journal import Journal
from p2pdurak.net.profile import (
    HOME_VARIABLE,
    Profile,
    clean_profile_name,
    default_home,
    profile_folders,
    public_key_of,
)
from p2pdurak.net.saved import Header, encode_header
from p2pdurak.wire.terms import Terms
from tests.helpers import make_genesis

if TYPE_CHECKING:
    from pathlib import Path

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permission bits")


def test_a_profile_keeps_its_key(tmp_path: Path) -> None:
    with Profile.open("Аня", tmp_path) as profile:
        public = profile.signing_key.public
        assert profile.name == "Аня"
        assert profile.games.is_dir()
        assert profile.games.parent == profile.folder
    with Profile.open("Аня", tmp_path) as profile:
        assert profile.signing_key.public == public
    with Profile.open("Боря", tmp_path) as profile:
        assert profile.signing_key.public != public


@posix
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    with Profile.open(None, tmp_path / "home") as profile:
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in profile.folder.iterdir()}
    assert modes == {"seed": 0o600, "lock": 0o600, "games": 0o700}


def test_without_a_name_the_next_free_profile_is_taken(tmp_path: Path) -> None:
    with Profile.open(None, tmp_path) as first, Profile.open(None, tmp_path) as second:
        assert (first.name, second.name) == ("player-1", "player-2")
        assert first.signing_key.public != second.signing_key.public
        first.close()
        first.close()
        with Profile.open(None, tmp_path) as again:
            assert again.name == "player-1"
            assert again.signing_key.public == first.signing_key.public


def leave(home: Path, nickname: str, *, in_a_game: bool = False) -> str:
    """Somebody plays under this name and leaves, perhaps in the middle of a game; return the profile's name."""
    with Profile.open(None, home, nickname=nickname) as profile:
        profile.called(nickname)
        if in_a_game:
            Journal.create(profile.games, "game-1", b"header", b"s" * 32).close()
        return profile.name


def test_whoever_comes_back_under_a_name_gets_that_profile(tmp_path: Path) -> None:
    with Profile.open(None, tmp_path) as first:
        first.called("Anna")
        assert leave(tmp_path, "Boris") == "player-2"
        with Profile.open(None, tmp_path, nickname="Boris") as second:
            assert leave(tmp_path, "Clara") == "player-3"
            assert second.name == "player-2"
    for nickname, name in (("Clara", "player-3"), ("Boris", "player-2"), ("Anna", "player-1"), ("Clara", "player-3")):
        assert leave(tmp_path, nickname) == name


def test_a_profile_whose_game_is_going_on_waits_for_its_player(tmp_path: Path) -> None:
    assert leave(tmp_path, "Anna", in_a_game=True) == "player-1"
    for nickname in ("Boris", None):
        with Profile.open(None, tmp_path, nickname=nickname) as other:
            assert other.name == "player-2"
    with Profile.open(None, tmp_path, nickname="Anna") as again:
        assert again.name == "player-1"
        with Profile.open(None, tmp_path, nickname="Anna") as namesake:
            assert namesake.name == "player-2"


def test_beside_games_no_new_key_is_made_for_one_that_is_lost(tmp_path: Path) -> None:
    leave(tmp_path, "Anna", in_a_game=True)
    (folder,) = profile_folders(tmp_path)
    seed = (folder / "seed").read_bytes()
    (folder / "seed").unlink()
    with pytest.raises(StorageError, match="restore it from a copy, or use another profile"):
        Profile.open(folder.name, tmp_path)
    for resumes in (False, True):
        with Profile.open(None, tmp_path, nickname="Anna", resumes=resumes) as other:
            assert other.name == "player-2"
    assert profile_folders(tmp_path)[0] == folder
    with pytest.raises(StorageError):
        public_key_of(folder)
    assert not (folder / "seed").exists()
    (folder / "seed").write_bytes(seed)
    assert leave(tmp_path, "Anna") == folder.name


def test_whoever_comes_under_the_name_in_a_game_that_waits_gets_its_profile(tmp_path: Path) -> None:
    with Profile.open(None, tmp_path) as first:
        first.called("Zoe")
        genesis = make_genesis(2)
        seats = (replace(genesis.seats[0], key=first.signing_key.public, nickname="anna-2"), genesis.seats[1])
        terms = Terms("kitchen", genesis.rules, seats=2)
        header = encode_header(Header(replace(genesis, seats=seats), terms, (), first.signing_key.public, None, 47800))
        Journal.create(first.games, "game-1", header, b"s" * 32).close()
        Journal.create(first.games, "game-2", b"damaged", b"s" * 32).close()
    for nickname, name in (("anna-2", "player-1"), ("Zoe", "player-1"), (genesis.seats[1].nickname, "player-2")):
        with Profile.open(None, tmp_path, nickname=nickname) as profile:
            assert profile.name == name


def test_a_chosen_name_is_not_forgotten_for_the_login(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOGNAME", "anna")
    with Profile.open(None, tmp_path) as first:
        first.called("Boris")
        first.called(first.player)
        with Profile.open(None, tmp_path) as second:
            second.called(second.player)
    assert first.player == "anna"
    for nickname, name in (("anna-2", "player-2"), ("Boris", "player-1")):
        with Profile.open(None, tmp_path, nickname=nickname) as again:
            assert again.name == name


def test_whoever_resumes_gets_a_profile_whose_game_is_going_on(tmp_path: Path) -> None:
    with Profile.open(None, tmp_path) as busy:
        assert leave(tmp_path, "Boris", in_a_game=True) == "player-2"
        busy.called("Anna")
    with Profile.open(None, tmp_path, resumes=True) as profile:
        assert profile.name == "player-2"
        with Profile.open(None, tmp_path, resumes=True) as other:
            assert other.name == "player-1"


def test_a_nickname_that_cannot_be_kept_keeps_nobody_from_playing(tmp_path: Path) -> None:
    with Profile.open(None, tmp_path) as profile:
        (profile.folder / "nickname").mkdir()
        profile.called("Anna")
    assert leave(tmp_path, "Anna") == "player-1"


def test_many_who_start_at_once_get_a_profile_each(tmp_path: Path) -> None:
    for number in range(3):
        Profile.open(f"player-{number + 1}", tmp_path).close()
    start, chosen = threading.Barrier(8), list[Profile]()

    def choose() -> None:
        start.wait()
        chosen.append(Profile.open(None, tmp_path))

    threads = [threading.Thread(target=choose) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {profile.name for profile in chosen} == {f"player-{number}" for number in range(1, 9)}
    for profile in chosen:
        profile.close()


def test_a_named_profile_in_use_is_refused(tmp_path: Path) -> None:
    with Profile.open("Ann", tmp_path), pytest.raises(StorageError, match="Ann is in use"):
        Profile.open("Ann", tmp_path)


def test_another_program_is_kept_out_and_a_killed_one_keeps_nobody_out(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from p2pdurak.net.profile import Profile;"
        "profile = Profile.open('Ann', Path(sys.argv[1])); print(profile.name, flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", script, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "Ann\n"
        with pytest.raises(StorageError, match="in use"):
            Profile.open("Ann", tmp_path)
        other.kill()
        other.wait()
    Profile.open("Ann", tmp_path).close()


def test_a_damaged_key_is_told_and_the_profile_let_go(tmp_path: Path) -> None:
    with Profile.open("Ann", tmp_path) as profile:
        seed = profile.folder / "seed"
    whole = seed.read_bytes()
    seed.write_bytes(whole[:-1])
    for _ in range(2):
        with pytest.raises(StorageError, match="damaged"):
            Profile.open("Ann", tmp_path)
    seed.write_bytes(whole)
    Profile.open("Ann", tmp_path).close()


def test_a_home_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "home").write_bytes(b"a file")
    with pytest.raises(StorageError, match="Cannot make the folder"):
        Profile.open(None, tmp_path / "home")


def test_a_lock_that_cannot_be_had_is_told(tmp_path: Path) -> None:
    (tmp_path / "profiles" / "Ann" / "lock").mkdir(parents=True)
    with pytest.raises(StorageError, match="Cannot lock"):
        Profile.open("Ann", tmp_path)


def test_the_home_may_be_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    assert default_home() == tmp_path
    with Profile.open() as profile:
        assert profile.folder == tmp_path / "profiles" / "player-1"
    monkeypatch.delenv(HOME_VARIABLE)
    assert default_home().name == "p2pdurak"


@pytest.mark.parametrize("name", ["Ann", "Дядя-Фёдор_2", "1"])
def test_names_of_profiles(name: str) -> None:
    assert clean_profile_name(name) == name


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "a\\b", "-rf", "_", "a b", "x" * 25, "a\0", "~"])
def test_names_that_are_no_names_of_folders_everywhere(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotationError):
        Profile.open(name, tmp_path)


@pytest.mark.parametrize(
    ("login", "players"),
    [
        ("anna", ["anna", "anna-2"]),
        ("Анна Мария", ["Анна Мария", "Анна Мария-2"]),
        ("a" * 30, ["a" * 24, "a" * 22 + "-2"]),
        ("root", ["player-1", "player-2"]),
        ("\x1b[2J", ["player-1", "player-2"]),
    ],
)
def test_who_has_chosen_no_nickname_is_called_by_the_login(
    login: str, players: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", login)
    with Profile.open(home=tmp_path) as first, Profile.open(home=tmp_path) as second:
        assert [first.player, second.player] == players
    with Profile.open("player-x", home=tmp_path) as named:
        assert named.player == "player-x"
