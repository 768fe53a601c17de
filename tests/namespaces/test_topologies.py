"""Whole games on networks of many shapes."""

from __future__ import annotations

import subprocess
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

import pytest

from tests.namespaces.network import network
from tests.namespaces.people import at, finish

if TYPE_CHECKING:
    from pathlib import Path

    from p2pdurak.session.audit import Report
    from tests.namespaces.network import Machine

NICKNAMES = ("Anna", "Boris", "Clara", "Dmitri", "Elena", "Fyodor")


async def play_bots(folder: Path, *machines: Machine, deck: int = 36) -> Report:
    """Open a table on the first machine, have all others find it, and play."""
    options = ["--open", "--players", str(len(machines)), "--deck", str(deck)]
    async with AsyncExitStack() as stack:
        bots = []
        for number, (machine, name) in enumerate(zip(machines, NICKNAMES, strict=False)):
            words = ["bot", "--name", name, *(options if number == 0 else [])]
            bots.append(await stack.enter_async_context(at(machine, folder, *words)))
        return await finish(*bots)


async def test_guests_on_two_networks_play_through_the_host_between_them(tmp_path: Path) -> None:
    with network() as net:
        left, right = net.switch("left"), net.switch("right")
        one, two, three = net.host("one"), net.host("two"), net.host("three")
        one.plug(left, "10.1.0.1/24")
        one.plug(right, "10.2.0.1/24")
        two.plug(left, "10.1.0.2/24")
        three.plug(right, "10.2.0.3/24")
        with pytest.raises(subprocess.CalledProcessError):
            two.run("ip route get 10.2.0.3")
        await play_bots(tmp_path, one, two, three)


async def test_a_network_with_nothing_but_link_local_ipv6(tmp_path: Path) -> None:
    with network() as net:
        await play_bots(tmp_path, *net.lan("one", "two", "three", ipv4=False))


async def test_an_address_that_every_machine_has(tmp_path: Path) -> None:
    """Containers get a bridge whose address is the same everywhere, and lower than the real one here."""
    with network() as net:
        switch = net.switch()
        machines = [net.host(name) for name in ("one", "two", "three")]
        for number, machine in enumerate(machines, 1):
            machine.plug(switch, f"192.168.1.{number}/24")
            machine.run("ip link add docker0 type bridge && ip link set docker0 up")
            machine.add_address("172.17.0.1/16", "docker0")
        await play_bots(tmp_path, *machines)


def from_host(number: int) -> list[str]:
    """Return rules against whom this host calls, by either protocol."""
    call = "tcp flags & (syn | ack) == syn"
    return [f"ip saddr 10.1.0.{number} {call}", f"ip6 saddr fe80::1:{number} {call}"]


@pytest.mark.parametrize(("caller", "called"), [(0, 1), (1, 2), (2, 1)])
async def test_a_firewall_that_is_open_in_one_direction(tmp_path: Path, caller: int, called: int) -> None:
    with network() as net:
        machines = net.lan("one", "two", "three")
        machines[called].drop(*from_host(caller + 1))
        await play_bots(tmp_path, *machines)


async def test_two_guests_whose_firewalls_let_nobody_in(tmp_path: Path) -> None:
    with network() as net:
        machines = net.lan("one", "two", "three")
        for machine in machines[1:]:
            machine.drop("tcp flags & (syn | ack) == syn")
        await play_bots(tmp_path, *machines)


@pytest.mark.parametrize("deck", [36, pytest.param(52, marks=pytest.mark.soak)])
async def test_six_machines(tmp_path: Path, deck: int) -> None:
    with network() as net:
        report = await play_bots(tmp_path, *net.lan("one", "two", "three", "four", "five", "six"), deck=deck)
        assert len(report.genesis.seats) == 6
        assert report.genesis.pack_size == deck
