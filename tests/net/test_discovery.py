from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import sys
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial

import pytest
import trio
from zeroconf import ServiceInfo, Zeroconf

from p2pdurak.crypto.identity import SigningKey
from p2pdurak.errors import LinkBroken, LinkError
from p2pdurak.net.addresses import LOOPBACK_VARIABLE, ROOM_VARIABLE
from p2pdurak.net.announcement import Announcement, encode_properties, service_type
from p2pdurak.net.dial import dial
from p2pdurak.net.discovery import Found, Lost, TableEvent, Updated, announce, browse
from tests.net.wires import BOB

# Another program that opens a table: finds a port, serves, announces, and goes on until it is killed.
OPENER = """
import sys, trio
from p2pdurak.crypto.identity import SigningKey
from p2pdurak.net.announcement import Announcement
from p2pdurak.net.discovery import announce
from p2pdurak.net.serve import open_listeners, port_of, serve

async def main(seed):
    async def greet(link):
        link.send(b"welcome")
        await link.receive()

    identity = SigningKey(seed)
    listeners = await open_listeners()
    async with trio.open_nursery() as nursery:
        await nursery.start(serve, identity, "Ann", listeners, greet)
        async with announce(Announcement("Стол Ани", identity.public, "perevodnoy-2", 36, 4, port_of(listeners))):
            print("open", flush=True)
            await trio.sleep_forever()

trio.run(main, bytes.fromhex(sys.argv[1]))
"""


def a_table() -> Announcement:
    """A table of somebody new: other programs may be playing on this machine's loopback as well."""
    return Announcement("Стол Ани", secrets.token_bytes(32), "perevodnoy-2", 36, 4, 47800)


async def next_of(public: bytes, tables: trio.MemoryReceiveChannel[TableEvent]) -> TableEvent:
    with trio.fail_after(20):
        while True:
            event = await tables.receive()
            if event.table.public == public:
                return event


async def test_a_table_appears_changes_and_disappears() -> None:
    table = a_table()
    there = replace(table, addresses=("127.0.0.1",))
    async with browse() as tables:
        async with announce(table):
            assert await next_of(table.public, tables) == Found(there)
            # The same player opens another table: the same name in DNS-SD says something new.
            async with announce(replace(table, name="Другой стол", port=47801)):
                assert await next_of(table.public, tables) == Updated(replace(there, name="Другой стол", port=47801))
        assert isinstance(await next_of(table.public, tables), Lost)


async def test_a_table_that_is_open_already_is_found() -> None:
    table = a_table()
    async with announce(table), browse() as one, browse(("127.0.0.1",)) as other:
        for tables in (one, other):
            assert await next_of(table.public, tables) == Found(replace(table, addresses=("127.0.0.1",)))


async def test_a_program_is_found_linked_to_and_missed_when_it_is_killed() -> None:
    seed = secrets.token_bytes(32)
    public = SigningKey(seed).public
    command = [sys.executable, "-c", OPENER, seed.hex()]
    async with browse() as tables:
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as opener:
            event = await next_of(public, tables)
            assert isinstance(event, Found)
            async with dial(BOB, "Bob", event.table.candidates, expected=public) as link:
                assert await link.receive() == b"welcome"
                opener.kill()
                with pytest.raises(LinkBroken):
                    await link.receive()


async def test_strangers_can_announce_what_they_like() -> None:
    """Only what is exactly an announcement is shown, and the proper one comes through."""
    table = a_table()
    properties = encode_properties(table)
    instance = table.instance
    garbage = [
        ("garbage", properties, 47800),
        (instance[:-1] + "x", properties, 47800),
        (instance[:-1] + "y", {**properties, "table": "\x1b[2J"}, 47800),
        (instance[:-1] + "z", {}, 1),
    ]
    stranger = await trio.to_thread.run_sync(lambda: Zeroconf(["127.0.0.1"], use_asyncio=False))
    try:
        async with browse() as tables:
            for name, pairs, port in garbage:
                info = ServiceInfo(
                    service_type(),
                    f"{name}.{service_type()}",
                    port=port,
                    properties=pairs,
                    parsed_addresses=["127.0.0.1", "192.0.2.1"],
                )
                await trio.to_thread.run_sync(partial(stranger.register_service, info, cooperating_responders=True))
            async with announce(table):
                with trio.fail_after(20):
                    while (event := await tables.receive()).table.name != table.name:
                        assert event.table.name.isprintable()
                assert event == Found(replace(table, addresses=("127.0.0.1",)))
    finally:
        await trio.to_thread.run_sync(stranger.close)


async def test_other_rooms_are_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    table = a_table()
    async with browse() as tables, AsyncExitStack() as others:
        with monkeypatch.context() as elsewhere:
            elsewhere.setenv(ROOM_VARIABLE, "attic")
            await others.enter_async_context(announce(a_table()))
        async with announce(table):
            with trio.fail_after(20):
                assert (await tables.receive()).table.public == table.public


@pytest.mark.parametrize("room", ["a room", "Attic", "atticus", "-"])
async def test_what_cannot_be_a_room_is_refused(monkeypatch: pytest.MonkeyPatch, room: str) -> None:
    monkeypatch.setenv(ROOM_VARIABLE, room)
    with pytest.raises(LinkError, match="must be one to six of a-z and 0-9"):
        async with browse():
            pass


async def test_nobody_need_listen_to_the_end() -> None:
    async with browse() as tables:
        await tables.aclose()
        async with announce(a_table()), announce(a_table()):
            pass


async def test_an_exception_leaves_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        async with announce(a_table()), browse():
            raise ZeroDivisionError


def in_a_network_of_its_own(script: str) -> str:
    """Run a script in a network namespace that has nothing but a loopback interface; return what it prints."""
    unshare, ip = shutil.which("unshare"), shutil.which("ip")
    if unshare is None or ip is None:
        pytest.skip("network namespaces are a matter of Linux")
    lines = f"{ip} link set lo up && exec {sys.executable} -c '{script}'"
    command = [unshare, "--user", "--map-root-user", "--net", "sh", "-c", lines]
    environment = {name: value for name, value in os.environ.items() if name != LOOPBACK_VARIABLE}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if "unshare" in done.stderr:
        pytest.skip("network namespaces are not allowed here")
    assert done.returncode == 0, done.stderr
    return done.stdout


PORT_IN_USE = """
import socket, trio
from p2pdurak.errors import LinkError
from p2pdurak.net.discovery import browse

selfish = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
selfish.bind(("", 5353))

async def main():
    async with browse():
        pass

try:
    trio.run(main)
except LinkError as error:
    print(error)
"""


def test_a_port_held_by_somebody_else_is_told() -> None:
    told = in_a_network_of_its_own(PORT_IN_USE)
    assert "multicast DNS (UDP port 5353) cannot be used" in told
    assert "Joining by address still works" in told


NEW_NETWORK = """
import subprocess, trio
from p2pdurak.net.announcement import Announcement
from p2pdurak.net.discovery import announce, browse

async def main():
    table = Announcement("Table", bytes(32), "albanian", 36, 2, 47800)
    with trio.fail_after(30):
        async with announce(table), browse() as tables:
            print(await tables.receive())
            subprocess.run(["ip", "address", "add", "10.1.2.3/24", "dev", "lo"], check=True)
            print(await tables.receive())

trio.run(main)
"""


def test_a_table_moves_to_a_network_that_comes_up() -> None:
    first, second = in_a_network_of_its_own(NEW_NETWORK).splitlines()
    assert first.startswith("Found(")
    assert "('127.0.0.1',)" in first
    assert second.startswith("Updated(")
    assert "'10.1.2.3'" in second
