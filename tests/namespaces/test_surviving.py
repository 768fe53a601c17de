"""Games on networks that change while they are played."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import trio

from tests.namespaces.network import network
from tests.namespaces.people import at, finish

if TYPE_CHECKING:
    from pathlib import Path

# Longer than the silence after which a link counts as lost: links must be made anew.
OUTAGE_SECONDS = 6.0


async def test_a_machine_gets_another_address_in_the_middle_of_the_game(tmp_path: Path) -> None:
    with network() as net:
        one, two, three = net.lan("one", "two", "three", ipv6=False)
        async with (
            at(one, tmp_path, "host", "--name", "Anna", "--games", "1", "--players", "3", seed=1) as anna,
            at(two, tmp_path, "bot", "--name", "Boris") as boris,
            at(three, tmp_path, "bot", "--name", "Clara") as clara,
        ):
            await anna.until("seated", 3)
            await anna.type("start")
            await anna.answer(2)
            two.remove_address("10.1.0.2/24")
            two.add_address("10.1.0.77/24")
            await finish(anna, boris, clara)


async def test_the_opener_gets_another_address_in_the_middle_of_the_game(tmp_path: Path) -> None:
    with network() as net:
        one, two = net.lan("one", "two", ipv6=False)
        async with (
            at(one, tmp_path, "host", "--name", "Anna", "--games", "1", "--players", "2", seed=1) as anna,
            at(two, tmp_path, "bot", "--name", "Boris") as boris,
        ):
            await anna.until("seated", 2)
            await anna.type("start")
            await anna.answer(2)
            one.remove_address("10.1.0.1/24")
            one.add_address("10.1.0.77/24")
            await finish(anna, boris)


async def test_a_cable_pulled_for_a_while(tmp_path: Path) -> None:
    with network() as net:
        one, two, three = net.lan("one", "two", "three")
        async with (
            at(one, tmp_path, "host", "--name", "Anna", "--games", "1", "--players", "3", seed=1) as anna,
            at(two, tmp_path, "bot", "--name", "Boris") as boris,
            at(three, tmp_path, "bot", "--name", "Clara") as clara,
        ):
            await anna.until("seated", 3)
            await anna.type("start")
            await anna.answer(2)
            await anna.until("asked", 3)
            with three.cut_off():
                await anna.answer()
                await trio.sleep(OUTAGE_SECONDS)
            await finish(anna, boris, clara)


@pytest.mark.soak
async def test_a_network_that_falls_into_halves_for_a_while(tmp_path: Path) -> None:
    with network() as net:
        left, right = net.switch("left"), net.switch("right")
        left.join(right)
        one, two, three, four = (net.host(name) for name in ("one", "two", "three", "four"))
        for number, (machine, switch) in enumerate(((one, left), (two, left), (three, right), (four, right)), 1):
            machine.plug(switch, f"10.1.0.{number}/24")
        async with (
            at(one, tmp_path, "host", "--name", "Anna", "--games", "1", "--players", "4", seed=1) as anna,
            at(two, tmp_path, "bot", "--name", "Boris") as boris,
            at(three, tmp_path, "join", "--name", "Clara", seed=3) as clara,
            at(four, tmp_path, "bot", "--name", "Dmitri") as dmitri,
        ):
            await anna.until("seated", 4)
            await clara.type("ready")
            await anna.type("start")
            async with trio.open_nursery() as nursery:
                nursery.start_soon(clara.answer, 2)
                nursery.start_soon(anna.answer, 2)
            with left.cut_off():
                await trio.sleep(OUTAGE_SECONDS)
            await finish(anna, boris, clara, dmitri)
