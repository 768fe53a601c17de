"""A disk that is full in the middle of a game: a real one, a small file system in memory that only its peer sees."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
import trio

from tests.cli.typing import terminal

if TYPE_CHECKING:
    from pathlib import Path

MOUNT = 'mount -t tmpfs -o size="$SIZE" none "$P2PDURAK_HOME"'
FILL = """
(
    until ls "$P2PDURAK_HOME"/profiles/*/games/*.journal; do sleep 0.01; done
    head -c $((1048576 - ${SIZE%k} * 1024)) /dev/zero >"$P2PDURAK_HOME"/litter
) >/dev/null 2>&1 &
"""
"""Something else takes the space when the game has begun, all but so much."""
LOOK_AFTERWARDS = (
    '"$@"; status=$?; "$2" -m p2pdurak verify --json "$P2PDURAK_HOME"/profiles/*/games/*.journal; exit $status'
)
"""The file system is gone with the last process that sees it, so its journal is looked at before."""


def with_a_disk_of(size: str, home: Path, *, later: str | None = None) -> tuple[str, ...]:
    """Return what to run a command with, so that its home is a file system of that size; skip if that cannot be.

    As soon as there is a game, only the size ``later`` is left, if it is given; the first one is 1 MiB then.
    """
    home.mkdir()
    alone = ("unshare", "--user", "--map-root-user", "--mount")
    trial = ("env", "SIZE=4k", f"P2PDURAK_HOME={home}", *alone, "sh", "-c", MOUNT)
    try:
        subprocess.run(trial, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no file system of our own: {error}")
    script = f"{MOUNT}; {LOOK_AFTERWARDS}" if later is None else f"{MOUNT}; SIZE={later}; {FILL} {LOOK_AFTERWARDS}"
    return ("env", f"SIZE={size}", *alone, "sh", "-c", script, "sh", "env")


@pytest.mark.parametrize("size", ["24k", *(pytest.param(size, marks=pytest.mark.soak) for size in ("36k", "48k"))])
async def test_a_full_disk_is_told_and_what_was_written_still_verifies(tmp_path: Path, size: str) -> None:
    prefix = with_a_disk_of("1m", tmp_path / "small", later=size)
    code = ("--code", "red-fox-12")
    bot = ("bot", "--open", "--players", "2", "--name", "Anna", "--games", "1", *code)
    async with terminal(tmp_path / "large", *bot) as anna:
        opened = await anna.until("open")
        async with terminal(tmp_path / "small", "bot", opened["invite"], "--name", "Boris", prefix=prefix) as boris:
            assert await boris.process.wait() == 2
            verdict = await boris.until("verified")
        assert "No space left on device" in boris.complaints.decode()
        assert "Free some space, then: p2pdurak resume " in boris.complaints.decode()
        assert verdict["holds"]
        assert verdict["running"]
        assert not verdict["problems"]
        assert verdict["counts"]["rounds"] >= 1
        await anna.until("warning")
        assert not anna.said("convicted")


async def test_where_there_is_no_room_for_a_game_none_is_begun(tmp_path: Path) -> None:
    prefix = with_a_disk_of("100k", tmp_path / "small")
    async with terminal(tmp_path / "small", "bot", "nowhere", "--name", "Boris", prefix=prefix) as boris:
        while b"There is no room here for a game" not in boris.complaints:
            await trio.lowlevel.checkpoint()
