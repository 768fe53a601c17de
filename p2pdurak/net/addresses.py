"""Where peers are: addresses as text, and the addresses of this machine.

One switch keeps a whole run on this machine: with ``P2PDURAK_LOOPBACK=1`` in the environment nothing listens, dials,
announces or searches anywhere but on the loopback interface.  Another, ``P2PDURAK_ROOM``, parts one network into rooms
that do not find each other's tables, and whose programs do not take each other's ports.
"""

from __future__ import annotations

import ipaddress
import os
import re
import socket
from typing import NamedTuple

import ifaddr

from p2pdurak.errors import NotationError

LOOPBACK_VARIABLE = "P2PDURAK_LOOPBACK"
LOOPBACK_ADDRESS = "127.0.0.1"
ROOM_VARIABLE = "P2PDURAK_ROOM"
# One firewall rule for a small range serves a household with several players on one machine.
FIRST_PORT = 47800
LAST_PORT = 47815
PORTS = range(FIRST_PORT, LAST_PORT + 1)

_ROOM = re.compile(r"[a-z0-9]{1,6}")
_ROOMS = 1000
_MAX_PORT = 0xFFFF
_MAX_HOST_CHARACTERS = 255


class Address(NamedTuple):
    """A host (name or literal address, link-local IPv6 with its ``%scope``) and a TCP port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def parse_address(text: str) -> tuple[Address, ...]:
    """Read ``HOST``, ``HOST:PORT``, ``[IPV6]:PORT`` or a bare IPv6 address; raise NotationError if it is none.

    Without a port, all ports that a table takes by itself are candidates, the likeliest first.
    """
    host, port = _split(text.strip())
    if not 1 <= len(host) <= _MAX_HOST_CHARACTERS or not host.isprintable() or set(host) & set(" /[]@"):
        raise NotationError("'{text}' is not an address: write HOST or HOST:PORT.", text=text)
    if port is None:
        return tuple(Address(host, candidate) for candidate in own_ports())
    if not (port.isascii() and port.isdigit() and 1 <= int(port[:6]) <= _MAX_PORT):
        raise NotationError("'{port}' is not a port: it must be a number from 1 to {most}.", port=port, most=_MAX_PORT)
    return (Address(host, int(port)),)


def _split(text: str) -> tuple[str, str | None]:
    if text.startswith("["):
        host, closed, rest = text[1:].partition("]")
        if not closed or (rest and not rest.startswith(":")):
            return "", None
        return host, rest[1:] if rest else None
    if text.count(":") == 1:
        host, _, port = text.partition(":")
        return host, port
    return text, None


def loopback_only() -> bool:
    """Tell whether the environment confines the program to this machine."""
    return os.environ.get(LOOPBACK_VARIABLE, "") not in ("", "0")


def room() -> str | None:
    """Return which room the environment names, empty for that of everybody; None if what it names cannot be one."""
    name = os.environ.get(ROOM_VARIABLE, "")
    return name if not name or _ROOM.fullmatch(name) else None


def own_ports() -> range:
    """Return the ports that a table takes by itself: ``PORTS``, or as many of its room's, one of a thousand ranges."""
    name = room()
    shift = len(PORTS) * (1 + int(name, 36) % _ROOMS) if name else 0
    return range(FIRST_PORT + shift, LAST_PORT + shift + 1)


def is_loopback(host: str) -> bool:
    """Tell whether ``host`` is certain to be this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def local_addresses() -> tuple[str, ...]:
    """Return the addresses for finding tables on, sorted: all IPv4 ones, and the link-local IPv6 ones.

    127.0.0.1 is always among them, so that two terminals find each other without any network; ``::1`` never is,
    since multicast does not work on it; nor is "the default interface", which follows a VPN and may not exist.
    Link-local addresses come without scope.
    """
    found = {LOOPBACK_ADDRESS}
    if not loopback_only():
        for adapter in ifaddr.get_adapters():
            for entry in adapter.ips:
                host, scope = (entry.ip, 0) if isinstance(entry.ip, str) else (entry.ip[0], entry.ip[2])
                address = ipaddress.ip_address(host.partition("%")[0])
                if (address.version == 4 or address.is_link_local) and _is_usable(address, scope):
                    found.add(str(address))
    return tuple(sorted(found))


def _is_usable(address: ipaddress.IPv4Address | ipaddress.IPv6Address, scope: int) -> bool:
    # A fresh IPv6 address belongs to the machine, but cannot be used for the second or so in which the machine asks
    # whether another one has it too.
    family, where = (
        (socket.AF_INET, (str(address), 0)) if address.version == 4 else (socket.AF_INET6, (str(address), 0, 0, scope))
    )
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as trial:
            trial.bind(where)
    except OSError:
        return False
    return True


def reachable_addresses(addresses: tuple[str, ...]) -> tuple[str, ...]:
    """Return those of this machine's ``addresses`` that others can dial; the loopback one only if there is no other."""
    return tuple(address for address in addresses if not is_loopback(address)) or addresses


def candidates(host: str, port: int) -> tuple[Address, ...]:
    """Return where to dial a peer that somebody else sees at ``host``.

    A link-local IPv6 address means nothing without an interface, and the other's name for it nothing here, so all of
    our own are tried.
    """
    bare = host.partition("%")[0]
    if not _is_scoped(bare):
        return (Address(host, port),)
    scopes = sorted(
        {str(adapter.name) for adapter in ifaddr.get_adapters() if any(not entry.is_IPv4 for entry in adapter.ips)}
    )
    return tuple(Address(f"{bare}%{scope}", port) for scope in scopes)


def _is_scoped(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host)
    except ValueError:  # a name, or what a stranger calls an address
        return False
    return address.version == 6 and address.is_link_local
