"""A disk that is full in the middle of a game: a real one, a small file system in memory that only its peer sees."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from tests.cli.typing import terminal

if TYPE_CHECKING:
    from pathlib import Path

MOUNT = 'mount -t tmpfs -o size="$SIZE" none "$P2PDURAK_HOME"'
LOOK_AFTERWARDS = (
    '"$@"; status=$?; "$2" -m p2pdurak verify --json "$P2PDURAK_HOME"/profiles/*/games/*.journal; exit $status'
)
"""The file system is gone with the last process that sees it, so its journal is looked at before."""


def with_a_disk_of(size: str, home: Path) -> tuple[str, ...]:
    """Return what to run a command with, so that its home is a file system of that size; skip if that cannot be."""
    home.mkdir()
    alone = ("unshare", "--user", "--map-root-user", "--mount")
    trial = ("env", "SIZE=4k", f"P2PDURAK_HOME={home}", *alone, "sh", "-c", MOUNT)
    try:
        subprocess.run(trial, capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no file system of our own: {error}")
    return ("env", f"SIZE={size}", *alone, "sh", "-c", f"{MOUNT}; {LOOK_AFTERWARDS}", "sh", "env")


@pytest.mark.parametrize("size", ["24k", "36k", "48k"])
async def test_a_full_disk_is_told_and_what_was_written_still_verifies(tmp_path: Path, size: str) -> None:
    prefix = with_a_disk_of(size, tmp_path / "small")
    code = ("--code", "red-fox-12")
    bot = ("bot", "--open", "--players", "2", "--name", "Anna", "--games", "1", *code)
    async with terminal(tmp_path / "large", *bot) as anna:
        opened = await anna.until("open")
        async with terminal(tmp_path / "small", "bot", opened["invite"], "--name", "Boris", prefix=prefix) as boris:
            assert await boris.process.wait() == 2
            verdict = await boris.until("verified")
        assert "No space left on device" in boris.complaints.decode()
        assert verdict["holds"]
        assert verdict["running"]
        assert not verdict["problems"]
        assert verdict["counts"]["rounds"] >= 1
        await anna.until("warning")
        assert not anna.said("convicted")
