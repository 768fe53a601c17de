from __future__ import annotations

import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from p2pdurak.errors import NotationError, StorageError
from p2pdurak.net.profile import HOME_VARIABLE, Profile, clean_profile_name, default_home

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
