"""Games on networks of many shapes: whole ones, or, where only the links are in question, until the cards are dealt."""

from __future__ import annotations

import subprocess
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import pytest

from tests.namespaces.people import at, company, finish

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from p2pdurak.session.audit import Report
    from tests.cli.typing import Terminal
    from tests.namespaces.network import Machine, Network

NICKNAMES = ("Anna", "Boris", "Clara", "Dmitri", "Elena", "Fyodor")


@asynccontextmanager
async def bots(folder: Path, *machines: Machine, deck: int = 36) -> AsyncIterator[list[Terminal]]:
    """Have a bot open a table on the first machine, and others on all others find it."""
    options = ["--open", "--players", str(len(machines)), "--deck", str(deck)]
    async with AsyncExitStack() as stack:
        there = []
        for number, (machine, name) in enumerate(zip(machines, NICKNAMES, strict=False)):
            words = ["bot", "--name", name, *(options if number == 0 else [])]
            there.append(await stack.enter_async_context(at(machine, folder, *words)))
        yield there


async def play_bots(folder: Path, *machines: Machine, deck: int = 36) -> Report:
    """Have bots at these machines play a whole game."""
    async with bots(folder, *machines, deck=deck) as there:
        return await finish(*there)


async def test_guests_on_two_networks_play_through_the_host_between_them(net: Network, tmp_path: Path) -> None:
    left, right = net.switch("left"), net.switch("right")
    one, two, three = net.host("one"), net.host("two"), net.host("three")
    one.plug(left, "10.1.0.1/24")
    one.plug(right, "10.2.0.1/24")
    two.plug(left, "10.1.0.2/24")
    three.plug(right, "10.2.0.3/24")
    with pytest.raises(subprocess.CalledProcessError):
        two.run("ip route get 10.2.0.3")
    async with (
        at(one, tmp_path, "bot", "--open", "--players", "3", "--name", "Anna") as anna,
        at(two, tmp_path, "bot", "--name", "Boris") as boris,
        at(three, tmp_path, "bot", "--name", "Clara") as clara,
    ):
        assert await company(anna, boris, clara) == {"Anna", "Boris", "Clara"}


async def test_a_network_with_nothing_but_link_local_ipv6(net: Network, tmp_path: Path) -> None:
    one, two, three = net.lan("one", "two", "three", ipv4=False)
    async with (
        at(one, tmp_path, "bot", "--open", "--players", "3", "--name", "Anna") as anna,
        at(two, tmp_path, "bot", "--name", "Boris") as boris,
    ):
        told = (await anna.until("open"))["text"]
        assert "p2pdurak join [fe80::1:1]:" in told
        async with at(three, tmp_path, "bot", "fe80::1:1", "--name", "Clara") as clara:
            assert await company(anna, boris, clara) == {"Anna", "Boris", "Clara"}


@pytest.mark.soak
async def test_an_address_that_every_machine_has(net: Network, tmp_path: Path) -> None:
    """Containers get a bridge whose address is the same everywhere, and lower than the real one here."""
    switch = net.switch()
    machines = [net.host(name) for name in ("one", "two", "three")]
    for number, machine in enumerate(machines, 1):
        machine.plug(switch, f"192.168.1.{number}/24")
        machine.add_containers()
    await play_bots(tmp_path, *machines)


def from_host(number: int) -> list[str]:
    """Return rules against whom this host calls, by either protocol."""
    call = "tcp flags & (syn | ack) == syn"
    return [f"ip saddr 10.1.0.{number} {call}", f"ip6 saddr fe80::1:{number} {call}"]


@pytest.mark.usefixtures("firewalls")
@pytest.mark.parametrize(
    ("caller", "called"), [(1, 2), *(pytest.param(*pair, marks=pytest.mark.soak) for pair in ((0, 1), (2, 1)))]
)
async def test_a_firewall_that_is_open_in_one_direction(net: Network, tmp_path: Path, caller: int, called: int) -> None:
    machines = net.lan("one", "two", "three")
    machines[called].drop(*from_host(caller + 1))
    async with bots(tmp_path, *machines) as there:
        assert await company(*there) == set(NICKNAMES[:3])


@pytest.mark.usefixtures("firewalls")
@pytest.mark.soak
async def test_two_guests_whose_firewalls_let_nobody_in(net: Network, tmp_path: Path) -> None:
    machines = net.lan("one", "two", "three")
    for machine in machines[1:]:
        machine.drop("tcp flags & (syn | ack) == syn")
    await play_bots(tmp_path, *machines)


@pytest.mark.usefixtures("firewalls")
@pytest.mark.soak
async def test_a_table_whose_firewall_lets_nobody_in_is_explained(net: Network, tmp_path: Path) -> None:
    one, two = net.lan("one", "two")
    one.drop("tcp flags & (syn | ack) == syn")
    async with at(one, tmp_path, "host", "--name", "Anna") as anna:
        await anna.until("open")
        for target in ([], ["10.1.0.1"]):
            async with at(two, tmp_path, "join", *target) as boris:
                await boris.process.wait()
            assert b"does no firewall keep them apart?" in boris.complaints


async def test_six_machines_find_each_other(net: Network, tmp_path: Path) -> None:
    async with bots(tmp_path, *net.lan("one", "two", "three", "four", "five", "six")) as there:
        assert await company(*there) == set(NICKNAMES)


@pytest.mark.soak
@pytest.mark.parametrize("deck", [36, 52])
async def test_six_machines_play_to_the_end(net: Network, tmp_path: Path, deck: int) -> None:
    report = await play_bots(tmp_path, *net.lan("one", "two", "three", "four", "five", "six"), deck=deck)
    assert len(report.genesis.seats) == 6
    assert report.genesis.pack_size == deck
