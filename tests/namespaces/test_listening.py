"""What somebody sees who listens to everything on the network."""

from __future__ import annotations

import sys
from subprocess import PIPE
from typing import TYPE_CHECKING

import trio

from p2pdurak.wire.gamefile import unpack_file
from tests.namespaces import listening
from tests.namespaces.people import at, finish

if TYPE_CHECKING:
    from pathlib import Path

    from tests.namespaces.network import Network


async def test_nothing_of_a_game_can_be_read_off_the_wire(net: Network, tmp_path: Path) -> None:
    one, two = net.lan("one", "two")
    capture = tmp_path / "capture"
    command = [*one.prefix, sys.executable, listening.__file__, str(capture)]
    listener = await trio.lowlevel.open_process(command, stdout=PIPE)
    try:
        assert listener.stdout is not None
        assert (await listener.stdout.receive_some()).startswith(b"listening")
        async with (
            at(one, tmp_path, "host", "--name", "Anna-Maria", "--table", "kitchen", "--code", "lion-pepper-7") as anna,
            at(two, tmp_path, "bot", "--name", "Wolfgang", "--code", "lion-pepper-7") as bot,
        ):
            await anna.until("seated", 2)
            await anna.type("start")
            report = await finish(anna, bot, moves=3)
            (saved,) = anna.said("saved")
            played = await trio.Path(saved["path"]).read_bytes()
    finally:
        listener.kill()
        await listener.wait()
    seen = capture.read_bytes()
    _, messages, _ = unpack_file(played)
    assert len(seen) > sum(map(len, messages)), "the game did cross this wire"
    assert report.genesis.keys[0].hex().encode() in seen, "the announcement can be read by all"
    for secret in (b"lion-pepper-7", b"Anna-Maria", b"Wolfgang", report.genesis.game_id, report.final_head):
        assert secret not in seen
    for message in messages:
        assert message not in seen
        assert message[-64:] not in seen, "not even a signature"
