"""Games on networks that change while they are played."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import pytest
import trio

from tests.namespaces.people import at, finish

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.cli.typing import Terminal
    from tests.namespaces.network import Machine, Network

# Longer than the silence after which a link counts as lost: links must be made anew.
OUTAGE_SECONDS = 5.0
LONG_OUTAGE_SECONDS = 10.0
NICKNAMES = ("Boris", "Clara", "Dmitri")


@asynccontextmanager
async def in_the_middle(folder: Path, *machines: Machine) -> AsyncIterator[list[Terminal]]:
    """Have people play whose opener, on the first machine, has been asked for the third time and must answer."""
    opener, *guests = machines
    opening = ("host", "--name", "Anna", "--games", "1", "--players", str(len(machines)))
    async with AsyncExitStack() as stack:
        anna = await stack.enter_async_context(at(opener, folder, *opening))
        bots = [
            await stack.enter_async_context(at(guest, folder, "bot", "--name", name))
            for guest, name in zip(guests, NICKNAMES, strict=False)
        ]
        await anna.until("seated", len(machines))
        await anna.type("start")
        await anna.answer(2)
        await anna.until("asked", 3)
        yield [anna, *bots]


def renumber(machine: Machine, old: str, new: str) -> None:
    machine.remove_address(old)
    machine.add_address(new)


@pytest.mark.soak
@pytest.mark.parametrize("moving", [0, 1], ids=["opener", "guest"])
async def test_a_machine_gets_another_address_in_the_middle_of_the_game(
    net: Network, tmp_path: Path, moving: int
) -> None:
    machines = net.lan("one", "two", "three", ipv6=False)
    async with in_the_middle(tmp_path, *machines) as people:
        renumber(machines[moving], f"10.1.0.{moving + 1}/24", "10.1.0.77/24")
        await finish(*people)


async def test_everybody_comes_to_another_network_in_the_middle_of_the_game(net: Network, tmp_path: Path) -> None:
    """No address that anybody knows is good any more; the opener is found again as it was at first."""
    machines = net.lan("one", "two", "three", ipv6=False)
    async with in_the_middle(tmp_path, *machines) as people:
        for number, machine in enumerate(machines, 1):
            renumber(machine, f"10.1.0.{number}/24", f"192.168.7.{number}/24")
        await finish(*people, moves=2)


@pytest.mark.soak
async def test_a_cable_pulled_for_a_while(net: Network, tmp_path: Path) -> None:
    machines = net.lan("one", "two", "three")
    async with in_the_middle(tmp_path, *machines) as people:
        with machines[2].cut_off():
            await people[0].answer()
            await trio.sleep(OUTAGE_SECONDS)
        await finish(*people)


@pytest.mark.soak
async def test_an_interface_switched_off_for_a_while(net: Network, tmp_path: Path) -> None:
    machines = net.lan("one", "two", "three")
    async with in_the_middle(tmp_path, *machines) as people:
        machines[0].run("ip link set eth0 down")
        await people[0].answer()
        await trio.sleep(OUTAGE_SECONDS)
        machines[0].run("ip link set eth0 up")
        await finish(*people)


@pytest.mark.soak
async def test_a_network_that_falls_into_halves_for_a_while(net: Network, tmp_path: Path) -> None:
    left, right = net.switch("left"), net.switch("right")
    left.join(right)
    machines = [net.host(name) for name in ("one", "two", "three", "four")]
    for number, (machine, switch) in enumerate(zip(machines, (left, left, right, right), strict=True), 1):
        machine.plug(switch, f"10.1.0.{number}/24")
    async with in_the_middle(tmp_path, *machines) as people:
        with left.cut_off():
            await people[0].answer()
            await trio.sleep(LONG_OUTAGE_SECONDS)
        await finish(*people)


async def test_a_firewall_that_lets_nothing_of_one_pair_through_from_now_on(
    net: Network, tmp_path: Path, firewalls: None
) -> None:
    """Packets from the second machine to the third are lost: that pair has no link, and the first passes all on."""
    machines = net.lan("one", "two", "three", ipv6=False)
    async with in_the_middle(tmp_path, *machines) as people:
        machines[2].drop("ip saddr 10.1.0.2")
        await people[0].answer()
        await trio.sleep(OUTAGE_SECONDS)
        await finish(*people, moves=2)
