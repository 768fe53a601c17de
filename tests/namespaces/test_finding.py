"""Finding tables on networks of several machines."""

from __future__ import annotations

import json
import sys
from itertools import permutations
from typing import TYPE_CHECKING

import pytest
import trio

from tests.namespaces import asking as asking_by_hand
from tests.namespaces.people import at, company, finish

if TYPE_CHECKING:
    from pathlib import Path

    from tests.namespaces.network import Network


async def test_three_machines_find_each_other_and_a_fourth_watches(net: Network, tmp_path: Path) -> None:
    one, two, three, four = net.lan("one", "two", "three", "four")
    async with (
        at(two, tmp_path, "join", "--name", "Boris") as boris,
        at(three, tmp_path, "join", "--name", "Clara") as clara,
    ):
        await boris.until("peer")
        await clara.until("peer")
        async with at(one, tmp_path, "host", "--name", "Anna", "--games", "1") as anna:
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


async def test_a_table_is_shown_by_a_plain_question_of_multicast_dns(net: Network, tmp_path: Path) -> None:
    one, two = net.lan("one", "two")
    async with at(one, tmp_path, "host", "--name", "Anna", "--table", "Кухня") as anna:
        port = (await anna.until("open"))["port"]
        asking = [*two.prefix, sys.executable, asking_by_hand.__file__, "10.1.0.2"]
        done = await trio.run_process(asking, capture_stdout=True)
    said = json.loads(done.stdout)
    service, instance = said["PTR"]
    server, host = said["SRV"], said["A"]
    assert service == "_p2pdurak._tcp.local"
    assert said["TXT"][0] == instance
    assert "table=Кухня" in said["TXT"]
    assert server == [instance, str(port), host[0]]
    assert host[1] == "10.1.0.1"


@pytest.mark.usefixtures("firewalls")
async def test_without_multicast_an_address_is_enough(net: Network, tmp_path: Path) -> None:
    one, two = net.lan("one", "two")
    two.drop("udp dport 5353")
    async with at(one, tmp_path, "bot", "--open", "--players", "2", "--name", "Anna") as anna:
        await anna.until("open")
        async with at(two, tmp_path, "tables", "--once") as listing:
            await listing.until("none")
            assert not listing.said("table")
        async with at(two, tmp_path, "bot", "10.1.0.1", "--name", "Boris") as boris:
            assert await company(anna, boris) == {"Anna", "Boris"}


@pytest.mark.usefixtures("firewalls")
async def test_a_table_behind_a_firewall_is_listed_as_out_of_reach(net: Network, tmp_path: Path) -> None:
    one, two = net.lan("one", "two", ipv6=False)
    one.drop("tcp flags & (syn | ack) == syn")
    async with at(one, tmp_path, "host", "--name", "Anna", "--table", "kitchen") as anna:
        await anna.until("open")
        async with at(two, tmp_path, "tables", "--once") as listing:
            line = await listing.until("unreachable")
    assert (line["table"], line["addresses"]) == ("kitchen", ["10.1.0.1:47800"])
    assert "firewall" in line["reason"]


async def test_a_network_that_comes_up_later(net: Network, tmp_path: Path) -> None:
    switch, one, two = net.switch(), net.host("one"), net.host("two")
    async with (
        at(one, tmp_path, "bot", "--open", "--players", "2", "--name", "Anna") as anna,
        at(two, tmp_path, "bot", "--name", "Boris") as boris,
    ):
        await anna.until("open")
        await boris.until("peer")
        one.plug(switch, "10.1.0.1/24", "fe80::1/64")
        two.plug(switch, "10.1.0.2/24", "fe80::2/64")
        assert await company(anna, boris) == {"Anna", "Boris"}


async def test_two_tables_of_one_name(net: Network, tmp_path: Path) -> None:
    """What is told them apart by is an address that leads to the one that is meant, from here."""
    opening = ("bot", "--open", "--players", "2", "--table", "kitchen", "--name")
    one, two, three, four = net.lan("one", "two", "three", "four", ipv6=False)
    for machine in (one, two, three, four):
        machine.add_containers()
    async with (
        at(one, tmp_path, *opening, "Anna") as anna,
        at(two, tmp_path, *opening, "Boris") as boris,
    ):
        assert (await anna.until("open"))["addresses"] == ["10.1.0.1:47800"], "not that of the containers"
        await boris.until("open")
        async with at(three, tmp_path, "tables") as listing:
            await listing.until("table", 2)
            assert {line["host"] for line in listing.said("table")} == {"Anna", "Boris"}
        async with at(three, tmp_path, "join", "kitchen") as lost:
            await lost.process.wait()
        ways = [f"kitchen ({who}, 10.1.0.{number}:47800)" for number, who in enumerate(("Anna", "Boris"), 1)]
        assert any(f"are open: {one}; {other}." in lost.complaints.decode() for one, other in permutations(ways))
        async with (
            at(three, tmp_path, "bot", "10.1.0.1", "--name", "Clara") as clara,
            at(four, tmp_path, "bot", "10.1.0.2:47800", "--name", "Dmitri") as dmitri,
        ):
            assert await company(anna, clara) == {"Anna", "Clara"}
            assert await company(boris, dmitri) == {"Boris", "Dmitri"}


async def test_a_table_whose_program_was_killed_leaves_every_list(net: Network, tmp_path: Path) -> None:
    one, two, three = net.lan("one", "two", "three")
    async with (
        at(one, tmp_path, "host", "--name", "Anna") as anna,
        at(two, tmp_path, "tables") as listing,
    ):
        await listing.until("table")
        anna.process.kill()
        killed = trio.current_time()
        await listing.until("gone")
        print(f"a killed table was gone from the list after {trio.current_time() - killed:.3f} s")
        async with at(three, tmp_path, "tables", "--once") as later:
            await later.until("none")
            assert not later.said("table")
