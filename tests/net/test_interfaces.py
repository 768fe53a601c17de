"""Which of a machine's addresses are worth telling others."""

from __future__ import annotations

from ipaddress import ip_interface

from p2pdurak.net.interfaces import Interface, Kind, Way, ways

LAN = Interface("wlan0", 2, (ip_interface("192.168.1.5/24"), ip_interface("fe80::5/64")))
DOCKER = Interface("docker0", 3, (ip_interface("172.17.0.1/16"),))
VPN = Interface("tun0", 4, (ip_interface("10.8.0.2/24"),))
LOOPBACK = Interface("lo", 1, (ip_interface("127.0.0.1/8"),))
ALL = (LOOPBACK, LAN, DOCKER, VPN)


def test_the_local_network_comes_first_and_a_bridge_of_containers_not_at_all() -> None:
    addresses = ("10.8.0.2", "127.0.0.1", "172.17.0.1", "192.168.1.5", "fe80::5")
    assert ways(addresses, ALL) == (
        Way("192.168.1.5", Kind.LAN),
        Way("fe80::5", Kind.LAN),
        Way("10.8.0.2", Kind.VPN),
    )


def test_what_else_there_is_must_do_without_a_local_network() -> None:
    assert ways(("10.8.0.2", "127.0.0.1", "172.17.0.1"), ALL) == (
        Way("10.8.0.2", Kind.VPN),
        Way("172.17.0.1", Kind.VIRTUAL),
    )
    assert ways(("127.0.0.1",), ALL) == (Way("127.0.0.1", Kind.LOOPBACK),)


def test_an_address_that_nobody_knows_is_taken_for_a_local_one() -> None:
    assert ways(("172.17.0.1", "192.168.9.9"), (DOCKER,)) == (Way("192.168.9.9", Kind.LAN),)
