"""Finding tables on networks of several machines."""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from tests.namespaces.network import network
from tests.namespaces.people import at, finish

if TYPE_CHECKING:
    from pathlib import Path


async def test_three_machines_find_each_other_and_a_fourth_watches(tmp_path: Path) -> None:
    with network() as net:
        one, two, three, four = net.lan("one", "two", "three", "four")
        async with (
            at(two, tmp_path, "join", "--name", "Boris", seed=2) as boris,
            at(three, tmp_path, "join", "--name", "Clara", seed=3) as clara,
        ):
            await boris.until("peer")
            await clara.until("peer")
            async with at(one, tmp_path, "host", "--name", "Anna", "--games", "1", seed=1) as anna:
                await anna.until("open")
                opened = trio.current_time()
                for guests in (2, 3):
                    await anna.until("seated", guests)
                    print(f"guest {guests - 1} found the table {trio.current_time() - opened:.3f} s after its opening")
                async with at(four, tmp_path, "watch", "--name", "Wanda") as wanda:
                    await wanda.until("seated", 3)
                    for guest in (boris, clara):
                        await guest.type("ready")
                    await anna.type("start")
                    report = await finish(anna, boris, clara, wanda)
        assert not wanda.said("asked")
        assert sorted(seat.nickname for seat in report.genesis.seats) == ["Anna", "Boris", "Clara"]
