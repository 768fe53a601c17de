from __future__ import annotations

import ipaddress
import socket
from typing import TYPE_CHECKING

import pytest

from p2pdurak.errors import Sentence
from p2pdurak.net import advice
from p2pdurak.net.addresses import PORTS, own_ports
from p2pdurak.net.doctor import (
    Finding,
    Level,
    check_confinement,
    check_firewall,
    check_interfaces,
    check_link_local,
    check_multicast,
    check_ports,
    check_system,
    examine,
    guarded,
)
from p2pdurak.net.interfaces import Interface, Kind, interfaces
from p2pdurak.net.probe import Echo, free_ports, multicast_echoes

if TYPE_CHECKING:
    from collections.abc import Iterator


def interface(name: str, *addresses: str) -> Interface:
    return Interface(name, 7, tuple(map(ipaddress.ip_interface, addresses)))


LO = interface("lo", "127.0.0.1/8", "::1/128")
WIFI = interface("wlan0", "192.168.1.5/24", "fe80::5/64")
CABLE = interface("enp3s0", "10.1.2.3/8")


@pytest.mark.parametrize(
    ("name", "address", "kind"),
    [
        ("lo", "127.0.0.1/8", Kind.LOOPBACK),
        ("Software Loopback Interface 1", "::1/128", Kind.LOOPBACK),
        ("eth0", "192.168.1.5/24", Kind.LAN),
        ("Intel(R) Wi-Fi 6 AX201 160MHz", "192.168.1.5/24", Kind.LAN),
        ("en0", "169.254.1.2/16", Kind.LAN),
        ("br0", "192.168.1.5/24", Kind.LAN),
        ("tun0", "10.8.0.2/24", Kind.VPN),
        ("utun3", "fe80::1/64", Kind.VPN),
        ("wg-home", "10.9.0.2/24", Kind.VPN),
        ("tailscale0", "100.100.1.2/32", Kind.VPN),
        ("something", "100.100.1.2/32", Kind.VPN),
        ("TAP-Windows Adapter V9", "10.8.0.2/24", Kind.VPN),
        ("WireGuard Tunnel", "10.8.0.2/24", Kind.VPN),
        ("docker0", "172.17.0.1/16", Kind.VIRTUAL),
        ("br-0123456789ab", "172.18.0.1/16", Kind.VIRTUAL),
        ("veth12ab34c", "fe80::1/64", Kind.VIRTUAL),
        ("eth0", "172.17.0.2/16", Kind.VIRTUAL),
        ("eth0", "10.0.2.15/24", Kind.VIRTUAL),
        ("Hyper-V Virtual Ethernet Adapter", "172.20.0.1/20", Kind.VIRTUAL),
        ("vEthernet (WSL)", "172.20.0.1/20", Kind.VIRTUAL),
        ("VirtualBox Host-Only Ethernet Adapter", "192.168.56.1/24", Kind.VIRTUAL),
        ("bridge100", "192.168.64.1/24", Kind.VIRTUAL),
        ("awdl0", "fe80::1/64", Kind.SYSTEM),
    ],
)
def test_what_is_behind_an_interface(name: str, address: str, kind: Kind) -> None:
    assert interface(name, address).kind is kind


def test_confined_there_is_the_loopback_interface_only() -> None:
    assert {one.kind for one in interfaces()} == {Kind.LOOPBACK}


def levels(findings: Iterator[Finding]) -> list[Level]:
    return [finding.level for finding in findings]


def text(findings: Iterator[Finding]) -> str:
    return "\n".join("\n".join((finding.sentence, *map(str, finding.advice))) for finding in findings)


def test_confinement_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "unset P2PDURAK_LOOPBACK" in text(check_confinement())
    monkeypatch.delenv("P2PDURAK_LOOPBACK")
    monkeypatch.delenv("P2PDURAK_ROOM")
    assert not list(check_confinement())


def test_a_room_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("P2PDURAK_LOOPBACK")
    monkeypatch.setenv("P2PDURAK_ROOM", "attic")
    assert text(check_confinement()).endswith(
        f"only programs in the room attic, on its ports {own_ports()[0]} to {own_ports()[-1]}."
    )
    monkeypatch.setenv("P2PDURAK_ROOM", "The Attic")
    (refused,) = check_confinement()
    assert refused.level is Level.WARNING
    assert "P2PDURAK_ROOM must be one to six of a-z and 0-9" in refused.sentence


@pytest.mark.parametrize(
    ("system", "release", "container", "told"),
    [
        ("Linux", "6.8.0-45-generic", False, ""),
        ("Linux", "5.15.153.1-microsoft-standard-WSL2", False, "networkingMode=mirrored"),
        ("Linux", "6.8.0-45-generic", True, "--network=host"),
        ("Darwin", "24.1.0", False, "Local Network"),
        ("Windows", "11", False, ""),
    ],
)
def test_what_the_platform_puts_in_the_way(system: str, release: str, container: bool, told: str) -> None:
    said = text(check_system(system, release, container))
    assert (told in said) if told else not said


def test_a_machine_on_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("P2PDURAK_LOOPBACK")
    for found in ([], [LO], [LO, interface("docker0", "172.17.0.1/16")]):
        assert levels(check_interfaces(found))[-1] is Level.PROBLEM
        assert "on no local network" in text(check_interfaces(found))


@pytest.mark.parametrize(
    ("found", "level", "told"),
    [
        (LO, Level.OK, "lo (127.0.0.1) connects terminals"),
        (WIFI, Level.OK, "wlan0 (192.168.1.5) is a local network"),
        (interface("eth0", "192.168.1.5/24", "192.168.2.5/24"), Level.OK, "(192.168.1.5, 192.168.2.5)"),
        (interface("eth0", "169.254.3.4/16"), Level.WARNING, "gave itself an address"),
        (interface("eth0", "fe80::1/64"), Level.NOTE, "has IPv6 only"),
        (interface("wg0", "10.8.0.2/24"), Level.WARNING, "allow access to the local network"),
        (interface("docker0", "172.17.0.1/16"), Level.NOTE, "does no harm"),
        (interface("awdl0", "fe80::1/64"), Level.NOTE, "Apple"),
    ],
)
def test_each_kind_of_interface_is_explained(found: Interface, level: Level, told: str) -> None:
    assert levels(check_interfaces([found])) == [level]
    assert told in text(check_interfaces([found]))


def test_link_local_ipv6_is_told_of_local_networks() -> None:
    findings = list(check_link_local([LO, WIFI, CABLE, interface("docker0", "172.17.0.1/16")]))
    assert [(finding.level, finding.sentence.split()[0]) for finding in findings] == [
        (Level.OK, "wlan0"),
        (Level.NOTE, "enp3s0"),
    ]


def test_ports() -> None:
    assert "TCP port 47800." in text(check_ports(lambda: list(PORTS)))
    assert "TCP port 47802; ports in use, by players on this machine perhaps: 2." in text(
        check_ports(lambda: list(PORTS)[2:])
    )
    assert "TCP port 47801; another port is in use" in text(check_ports(lambda: list(PORTS)[1:]))
    assert levels(check_ports(list)) == [Level.WARNING]
    assert "--port" in text(check_ports(list))


def test_a_port_that_is_listened_on_is_not_free() -> None:
    free = free_ports()
    if not free:
        pytest.skip("other programs hold all the ports")
    with socket.create_server(("127.0.0.1", free[-1])):
        assert free[-1] not in free_ports()


def test_multicast_comes_back_on_the_loopback_interface() -> None:
    (echo,) = multicast_echoes(interfaces(), 20)
    assert (echo.version, echo.back, echo.others, echo.trouble) == (4, True, set(), None)


def test_confined_nothing_is_sent_elsewhere() -> None:
    assert multicast_echoes([WIFI, CABLE], 0) == []


def test_multicast_findings() -> None:
    def told(*echoes: Echo) -> list[tuple[Level, str]]:
        return [(finding.level, finding.topic) for finding in check_multicast(lambda: echoes)][1:]

    works, alone = (Level.OK, "multicast"), (Level.WARNING, "isolation")
    assert told(Echo(LO, 4, back=True)) == [works]
    assert told(Echo(WIFI, 4, back=True)) == [works, alone]
    assert told(Echo(WIFI, 4, back=True), Echo(CABLE, 4, back=True, others={"10.1.1.1"})) == [works, works]
    assert told(Echo(WIFI, 4)) == [(Level.WARNING, "multicast")]
    assert told(Echo(WIFI, 4, trouble="Network is unreachable")) == [(Level.WARNING, "multicast")]
    assert told(Echo(WIFI, 4, back=True, others={"192.168.1.6"}), Echo(WIFI, 6)) == [works, (Level.NOTE, "multicast")]
    assert told(Echo(interface("eth0", "fe80::1/64"), 6)) == [(Level.WARNING, "multicast")]
    assert told(Echo(interface("wg0", "10.8.0.2/24"), 4, trouble="No such device")) == [(Level.NOTE, "multicast")]


def test_a_port_held_by_another_program_is_a_problem() -> None:
    def held() -> list[Echo]:
        raise OSError(98, "Address already in use")

    (finding,) = check_multicast(held)
    assert finding.level is Level.PROBLEM
    assert "UDP port 5353 cannot be used (Address already in use)" in finding.sentence


@pytest.mark.parametrize(
    ("system", "tools", "command"),
    [
        ("Linux", {"ufw", "nft", "iptables"}, "sudo ufw allow 47800:47815/tcp"),
        ("Linux", {"firewall-cmd", "nft"}, "--add-port=47800-47815/tcp --add-service=mdns"),
        ("Linux", {"nft", "iptables"}, "tcp dport 47800-47815 accept"),
        ("Linux", {"iptables"}, "--dport 47800:47815 -j ACCEPT"),
        ("Darwin", set(), "socketfilterfw --add /opt/python"),
        ("Windows", set(), "localport=47800-47815"),
        ("FreeBSD", set(), "TCP 47800-47815 and UDP 5353"),
    ],
)
def test_the_firewall_of_each_platform(system: str, tools: set[str], command: str) -> None:
    said = text(check_firewall(system, tools, "/opt/python"))
    assert command in said
    assert "5353" in said or "mdns" in said or system == "Darwin"


def test_no_firewall_program_is_no_worry() -> None:
    assert levels(check_firewall(advice.LINUX, (), "python")) == [Level.OK]


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), ValueError(), RuntimeError("what?")])
def test_a_check_that_fails_is_a_finding(error: Exception) -> None:
    def check() -> Iterator[Finding]:
        yield Finding(Level.OK, "topic", Sentence("Well so far."))
        raise error

    assert levels(guarded("topic", check)) == [Level.OK, Level.WARNING]
    assert "could not be examined" in text(guarded("topic", check))


def test_this_machine_confined() -> None:
    findings = list(examine())
    assert {finding.topic for finding in findings} >= {"confinement", "interfaces", "ports", "multicast", "firewall"}
    assert Level.PROBLEM not in {finding.level for finding in findings}
    assert all(finding.sentence.endswith(".") or ":" in finding.sentence for finding in findings)
    assert not any("could not be examined" in finding.sentence for finding in findings)


def test_a_machine_that_does_not_tell_its_interfaces(monkeypatch: pytest.MonkeyPatch) -> None:
    def silent() -> tuple[Interface, ...]:
        raise OSError(13, "Permission denied")

    monkeypatch.setattr("p2pdurak.net.doctor.interfaces", silent)
    findings = list(examine())
    assert "does not tell its interfaces" in findings[0].sentence
    assert "ports" in {finding.topic for finding in findings}
