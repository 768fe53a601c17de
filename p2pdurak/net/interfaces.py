"""The network interfaces of this machine, and what kind of network is behind each.

The kind is for telling people, and nothing else asks for it: tables are announced on every interface, and the key in
the hello tells whether the machine that answers is the right one.  So a guess by name and range that is wrong costs a
wrong word, or an address less to type, and no game.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import ifaddr

from p2pdurak.net.addresses import loopback_only, reachable_addresses

if TYPE_CHECKING:
    from collections.abc import Iterable

IPInterface: TypeAlias = ipaddress.IPv4Interface | ipaddress.IPv6Interface
Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


class Kind(Enum):
    """What is behind an interface."""

    LOOPBACK = "this machine itself"
    LAN = "a local network"
    VPN = "a VPN"
    VIRTUAL = "containers or virtual machines"
    SYSTEM = "direct links between Apple devices"


_LOOPBACK_NAME = re.compile(r"lo\d*|.*loopback.*")
_VPN_NAME = re.compile(
    r"(tun|tap|utun|wg|ppp|ipsec|xfrm|tailscale|zt|nordlynx|proton|mullvad|cscotun|gpd|vpn|ham)[\w-]*"
    r"|.*(wireguard|wintun|openvpn|tap-windows|tailscale|zerotier|hamachi|\bvpn\b|cloudflare).*"
)
_VIRTUAL_NAME = re.compile(
    r"(docker|veth|virbr|vnet|vmnet|vboxnet|lxcbr|lxdbr|incusbr|podman|cni|flannel|cali|kube|bridge\d)[\w.-]*"
    r"|br-[0-9a-f]{12}|.*(vethernet|hyper-v|virtualbox|vmware|docker|wsl).*"
)
_SYSTEM_NAME = re.compile(r"(awdl|llw|anpi|ap)\d+")
_VPN_RANGES: tuple[Network, ...] = (ipaddress.ip_network("100.64.0.0/10"),)  # what Tailscale gives out
# Docker's first bridge, and what VirtualBox and QEMU give their guests.
_VIRTUAL_RANGES: tuple[Network, ...] = (ipaddress.ip_network("172.17.0.0/16"), ipaddress.ip_network("10.0.2.0/24"))


@dataclass(frozen=True, slots=True)
class Interface:
    """An interface that has addresses: the name that people know it by, the system's number for it, its addresses."""

    name: str
    index: int
    addresses: tuple[IPInterface, ...]

    @property
    def kind(self) -> Kind:
        """What is behind it, by its name and its addresses."""
        if any(address.is_loopback for address in self.addresses):
            return Kind.LOOPBACK
        name = self.name.lower()
        patterns = (
            (Kind.LOOPBACK, _LOOPBACK_NAME),
            (Kind.VIRTUAL, _VIRTUAL_NAME),
            (Kind.VPN, _VPN_NAME),
            (Kind.SYSTEM, _SYSTEM_NAME),
        )
        for kind, pattern in patterns:
            if pattern.fullmatch(name):
                return kind
        if self._within(_VPN_RANGES):
            return Kind.VPN
        return Kind.VIRTUAL if self._within(_VIRTUAL_RANGES) else Kind.LAN

    @property
    def ipv4(self) -> tuple[ipaddress.IPv4Interface, ...]:
        """Its IPv4 addresses."""
        return tuple(address for address in self.addresses if isinstance(address, ipaddress.IPv4Interface))

    @property
    def link_local(self) -> tuple[ipaddress.IPv6Interface, ...]:
        """Its link-local IPv6 addresses."""
        return tuple(a for a in self.addresses if isinstance(a, ipaddress.IPv6Interface) and a.is_link_local)

    def _within(self, ranges: Iterable[Network]) -> bool:
        return any(address.ip in network for address in self.addresses for network in ranges)


def interfaces() -> tuple[Interface, ...]:
    """Return the interfaces that have an address, in the system's order; confined to this machine only the loopback.

    Raises OSError if the system does not tell.
    """
    found = (_interface(adapter) for adapter in ifaddr.get_adapters())
    confined = loopback_only()
    return tuple(one for one in found if one.addresses and (not confined or one.kind is Kind.LOOPBACK))


class Way(NamedTuple):
    """An address by which others may reach this machine, and what kind of network it is on."""

    host: str
    kind: Kind


# From where friends are likeliest to come.
_LIKELIEST = (Kind.LAN, Kind.VPN, Kind.VIRTUAL, Kind.SYSTEM, Kind.LOOPBACK)


def ways(addresses: tuple[str, ...], found: Iterable[Interface]) -> tuple[Way, ...]:
    """Return which of this machine's ``addresses`` are worth telling others, the likeliest first.

    Beside a local network, the bridges of containers and the like are left out: nobody who sits at another machine
    reaches this one by them.  The loopback address is told only if there is no other.
    """
    kinds = {str(address.ip): one.kind for one in found for address in one.addresses}
    all_ways = [Way(host, kinds.get(host, Kind.LAN)) for host in reachable_addresses(addresses)]
    on_lan = any(way.kind is Kind.LAN for way in all_ways)
    told = [way for way in all_ways if not on_lan or way.kind in (Kind.LAN, Kind.VPN)]
    return tuple(sorted(told, key=lambda way: _LIKELIEST.index(way.kind)))


def _interface(adapter: ifaddr.Adapter) -> Interface:
    addresses = []
    for entry in adapter.ips:
        host = entry.ip if isinstance(entry.ip, str) else entry.ip[0].partition("%")[0]
        addresses.append(ipaddress.ip_interface(f"{host}/{entry.network_prefix}"))
    # On Windows the name is a number in braces, and the other one is what people see.
    return Interface(adapter.nice_name or adapter.name, adapter.index or 0, tuple(addresses))
