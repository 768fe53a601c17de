from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from p2pdurak.errors import StorageError
from p2pdurak.net.game_files import interrupted_games
from p2pdurak.net.journal import MAX_RECORD_BYTES, Journal
from p2pdurak.net.saved import hindrance
from p2pdurak.net.storage import write_new, write_whole

if TYPE_CHECKING:
    from pathlib import Path

SECRET = bytes(range(32))
RECORDS = (b"one", b"two" * 100, b"\0" * 20, b"four")
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permission bits")


def a_journal(folder: Path, *records: bytes) -> Path:
    with Journal.create(folder, "game.1", b"header", SECRET) as journal:
        for record in records:
            journal.append(record, sync=False)
        return journal.path


def read(path: Path) -> tuple[bytes, ...]:
    header, records, journal = Journal.open(path)
    with journal:
        assert header == b"header"
        assert journal.secret == SECRET
        return records


def test_a_journal_comes_back_as_it_was(tmp_path: Path) -> None:
    path = a_journal(tmp_path)
    assert path == tmp_path / "game.1.journal"
    assert read(path) == ()
    for count, record in enumerate(RECORDS, 1):
        _, _, journal = Journal.open(path)
        with journal:
            journal.append(record, sync=True)
        assert read(path) == RECORDS[:count]


@posix
def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    a_journal(tmp_path)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert (modes, len(list(tmp_path.iterdir()))) == ({0o600}, 2)


def test_a_tail_torn_anywhere_is_dropped_and_writing_goes_on(tmp_path: Path) -> None:
    path = a_journal(tmp_path, *RECORDS[:3])
    start = path.stat().st_size
    with Journal.open(path).journal as journal:
        journal.append(RECORDS[3], sync=True)
    whole = path.read_bytes()
    for size in range(start, len(whole)):
        path.write_bytes(whole[:size])
        assert read(path) == RECORDS[:3]
        assert path.stat().st_size == start
    with Journal.open(path).journal as journal:
        journal.append(RECORDS[3], sync=True)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("zeros", [1, 11, 12, 13, 4096])
def test_zeros_at_the_end_are_a_torn_tail(tmp_path: Path, zeros: int) -> None:
    path = a_journal(tmp_path, *RECORDS)
    whole = path.read_bytes()
    path.write_bytes(whole + bytes(zeros))
    assert read(path) == RECORDS
    path.write_bytes(whole[:-2] + bytes(zeros + 2))
    assert read(path) == RECORDS[:-1]


def test_what_was_not_synced_may_be_left_in_any_order(tmp_path: Path) -> None:
    """Each of the bytes behind the last sync may be there or zero, and there may be zeros behind them."""
    path = a_journal(tmp_path, *RECORDS[:2])
    start = path.stat().st_size
    with Journal.open(path).journal as journal:
        journal.append(RECORDS[2], sync=False)
        between = path.stat().st_size
        journal.append(RECORDS[3], sync=True)
    whole = path.read_bytes()
    for first in range(start, len(whole)):
        for last in {first + 1, between, len(whole)} - {first}:
            lost = whole[:first] + bytes(max(0, last - first)) + whole[max(first, last) :]
            for data in (lost, lost + bytes(40)):
                path.write_bytes(data)
                readable = 4 if lost == whole else 3 if lost[:between] == whole[:between] else 2
                assert read(path) == RECORDS[:readable]


def test_damage_before_the_last_sync_is_told(tmp_path: Path) -> None:
    path = a_journal(tmp_path, *RECORDS[:2])
    with Journal.open(path).journal as journal:
        journal.append(RECORDS[2], sync=True)
        safe = path.stat().st_size
        journal.append(RECORDS[3], sync=False)
    whole = path.read_bytes()
    for at in range(safe):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :])
        with pytest.raises(StorageError, match=r"damaged|not a journal"):
            Journal.open(path)
        assert len(path.read_bytes()) == len(whole), "what is refused stays as it is"


def test_a_killed_program_leaves_nothing_unsynced_to_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = a_journal(tmp_path, *RECORDS)
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: synced.append(os.fstat(descriptor).st_size))
    assert read(path) == RECORDS
    assert synced == [path.stat().st_size]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=100))
def test_noise_is_no_journal_and_nothing_else(tmp_path: Path, noise: bytes) -> None:
    (tmp_path / "noise.secret").write_bytes(SECRET)
    path = tmp_path / "noise.journal"
    path.write_bytes(b"p2pdurak journal 2\n" + noise)
    with pytest.raises(StorageError, match="damaged"):
        Journal.open(path)


def test_a_game_is_not_begun_twice(tmp_path: Path) -> None:
    path = a_journal(tmp_path, *RECORDS)
    with pytest.raises(StorageError, match="exists"):
        Journal.create(tmp_path, "game.1", b"header", bytes(32))
    assert read(path) == RECORDS


def test_without_its_secret_a_game_cannot_go_on(tmp_path: Path) -> None:
    path = a_journal(tmp_path)
    secret = tmp_path / "game.1.secret"
    secret.write_bytes(SECRET[1:])
    with pytest.raises(StorageError, match="damaged"):
        Journal.open(path)
    assert "damaged" in str(hindrance(path))
    secret.unlink()
    with pytest.raises(StorageError, match="is not there"):
        Journal.open(path)
    assert "is not there" in str(hindrance(path))


def test_a_secret_without_its_journal_is_no_interrupted_game(tmp_path: Path) -> None:
    """The program stopped between the two, before anything was said."""
    path = a_journal(tmp_path, *RECORDS)
    assert interrupted_games(tmp_path) == [path]
    path.unlink()
    assert interrupted_games(tmp_path) == []


def test_what_cannot_be_made_is_told_and_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="Cannot write"):
        Journal.create(tmp_path / "missing", "game", b"header", SECRET)
    (tmp_path / "game.journal").mkdir()
    with pytest.raises(StorageError, match="Cannot write"):
        Journal.create(tmp_path, "game", b"header", SECRET)
    assert not (tmp_path / "game.secret").exists()


def test_records_have_bounds(tmp_path: Path) -> None:
    with Journal.create(tmp_path, "game", b"header", SECRET) as journal:
        journal.append(b"x" * MAX_RECORD_BYTES, sync=False)
        for record in (b"", b"x" * (MAX_RECORD_BYTES + 1)):
            with pytest.raises(ValueError, match="a record has"):
                journal.append(record, sync=False)
    with pytest.raises(ValueError, match="32"):
        Journal.create(tmp_path, "other", b"header", b"short")


def test_a_closed_journal_takes_nothing_more(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path, "game", b"header", SECRET)
    journal.close()
    journal.close()
    with pytest.raises(StorageError):
        journal.append(b"late", sync=False)


@posix
def test_a_full_disk_is_told_and_the_journal_stays_whole(tmp_path: Path) -> None:
    import resource

    _, _, journal = Journal.open(a_journal(tmp_path, *RECORDS))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with journal:
        # The limit on the size of files stands for the end of the disk: the write is cut short, and then fails.
        resource.setrlimit(resource.RLIMIT_FSIZE, (journal.path.stat().st_size + 100, limits[1]))
        try:
            with pytest.raises(StorageError, match="Cannot write"):
                journal.append(b"x" * 1000, sync=True)
            journal.append(b"short", sync=True)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert read(journal.path) == (*RECORDS, b"short")


@posix
def test_after_a_failed_sync_nothing_more_is_written(tmp_path: Path) -> None:
    # A pipe takes bytes and cannot be synced, like a disk that has just gone.
    reading, writing = os.pipe()
    with Journal(tmp_path / "game.journal", SECRET, writing, 0) as journal:
        journal.append(b"one", sync=False)
        with pytest.raises(StorageError, match="Cannot write"):
            journal.append(b"two", sync=True)
        with pytest.raises(StorageError, match="cannot be trusted"):
            journal.append(b"three", sync=False)
    os.close(reading)


def test_a_whole_file_is_replaced_at_once(tmp_path: Path) -> None:
    path = tmp_path / "game.durak"
    write_whole(path, b"old")
    write_whole(path, b"new" * 1000)
    assert path.read_bytes() == b"new" * 1000
    assert os.listdir(tmp_path) == ["game.durak"]


def test_a_file_that_cannot_be_replaced_stays_and_leaves_nothing_behind(tmp_path: Path) -> None:
    path = tmp_path / "game.durak"
    path.mkdir()
    (path / "inside").write_bytes(b"")
    with pytest.raises(StorageError, match="Cannot write"):
        write_whole(path, b"new")
    with pytest.raises(StorageError, match="Cannot write"):
        write_new(path, b"new")
    assert os.listdir(tmp_path) == ["game.durak"]
