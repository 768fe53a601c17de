from __future__ import annotations

import pytest

from p2pdurak.errors import NotationError
from p2pdurak.net.addresses import (
    LOOPBACK_VARIABLE,
    PORTS,
    ROOM_VARIABLE,
    Address,
    candidates,
    is_loopback,
    local_addresses,
    loopback_only,
    own_ports,
    parse_address,
    reachable_addresses,
)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.5:47801", Address("192.168.1.5", 47801)),
        (" kitchen.local:1 ", Address("kitchen.local", 1)),
        ("[fe80::1%eth0]:65535", Address("fe80::1%eth0", 65535)),
    ],
)
def test_an_address_with_a_port_comes_back_as_it_was(text: str, address: Address) -> None:
    assert parse_address(text) == (address,)
    assert parse_address(str(address)) == (address,)


@pytest.mark.parametrize("text", ["192.168.1.5", "kitchen", "fe80::1%eth0", "[::1]"])
def test_without_a_port_all_usual_ports_are_candidates(text: str) -> None:
    addresses = parse_address(text)
    assert [address.port for address in addresses] == list(own_ports())
    assert {address.host for address in addresses} == {text.strip("[]")}


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        ":47800",
        "host:",
        "host:0",
        "host:65536",
        "host:99999999999",
        "host:٣",
        "ho st",
        "[::1]47800",
        "[::1",
        "a/b",
        "x" * 300,
    ],
)
def test_anything_else_is_no_address(text: str) -> None:
    with pytest.raises(NotationError):
        parse_address(text)


@pytest.mark.parametrize(("value", "confined"), [("1", True), ("yes", True), ("0", False), ("", False)])
def test_the_environment_confines_the_program(monkeypatch: pytest.MonkeyPatch, value: str, confined: bool) -> None:
    monkeypatch.setenv(LOOPBACK_VARIABLE, value)
    assert loopback_only() is confined


def test_confined_there_is_the_loopback_address_only() -> None:
    assert local_addresses() == ("127.0.0.1",)


def test_otherwise_all_addresses_that_multicast_can_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(LOOPBACK_VARIABLE)
    addresses = local_addresses()
    assert "127.0.0.1" in addresses
    assert "::1" not in addresses
    assert list(addresses) == sorted(set(addresses))


def test_the_loopback_address_is_announced_only_if_there_is_no_other() -> None:
    assert reachable_addresses(("127.0.0.1", "192.168.1.5")) == ("192.168.1.5",)
    assert reachable_addresses(("127.0.0.1",)) == ("127.0.0.1",)


@pytest.mark.parametrize("host", ["192.168.1.5", "fd00::1", "kitchen.local", "", ":::", "a:b", "%", "::1%lo"])
def test_where_others_see_a_peer_is_where_it_is_dialled(host: str) -> None:
    assert candidates(host, 47800) == (Address(host, 47800),)


def test_a_link_local_address_is_dialled_on_all_our_own_interfaces() -> None:
    found = candidates("fe80::1%none", 47800)
    assert all(address.host.startswith("fe80::1%") and address.port == 47800 for address in found)
    assert "fe80::1%none" not in {address.host for address in found}


def test_what_is_loopback() -> None:
    assert all(map(is_loopback, ["localhost", "127.0.0.1", "127.9.9.9", "::1"]))
    assert not any(map(is_loopback, ["192.168.1.5", "fe80::1%eth0", "localhost.example", ""]))


def test_each_room_has_ports_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[int] = set()
    for name in ("1", "2", "attic", "zzzzzz"):
        monkeypatch.setenv(ROOM_VARIABLE, name)
        assert len(own_ports()) == len(PORTS)
        assert own_ports()[-1] <= 0xFFFF
        assert seen.isdisjoint(own_ports())
        seen |= {*own_ports()}
    assert seen.isdisjoint(PORTS)
    for name in ("", "no room"):
        monkeypatch.setenv(ROOM_VARIABLE, name)
        assert own_ports() == PORTS
