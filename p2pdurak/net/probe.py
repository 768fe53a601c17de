"""Trying out what finding and linking need: multicast on each interface, and the ports.

The probe is a question of multicast DNS, sent on one interface at a time, that carries a name made up for it.  When it
comes back, the system lets us send, receive and share the port there; that it leaves the machine cannot be seen from
inside.  So it also asks which services there are, which every printer and telephone answers: an answer from another
machine is proof that multicast crosses the network both ways, silence is proof of nothing.

Sockets of our own and not zeroconf's, which do not tell on which interface anything arrived; they block, for at most
the seconds given.
"""

from __future__ import annotations

import ipaddress
import secrets
import select
import socket
import struct
import sys
import time
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from p2pdurak.net.addresses import loopback_only, own_ports
from p2pdurak.net.interfaces import Interface, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable

MDNS_PORT: Final = 5353
_GROUPS: Final = {4: "224.0.0.251", 6: "ff02::fb"}
_ALL_HOSTS: Final = {4: "", 6: "::"}
_HOPS = 255
_PACKET_BYTES = 9000
_RESPONSE_BIT = 0x80
_PTR, _INTERNET = 12, 1


@dataclass(slots=True)
class Echo:
    """What came back on one interface over IP ``version`` 4 or 6.

    ``back`` tells whether our own question did, ``others`` has the addresses of other machines that answered;
    ``trouble`` says why nothing could be sent, None if it could.
    """

    interface: Interface
    version: int
    back: bool = False
    others: set[str] = field(default_factory=set)
    trouble: str | None = None
    token: bytes = field(default_factory=lambda: secrets.token_hex(8).encode(), repr=False)


def open_mdns_socket(version: int) -> socket.socket:
    """Return a UDP socket on the port of multicast DNS, shared with others; raise OSError if they do not share it."""
    family = socket.AF_INET if version == 4 else socket.AF_INET6
    opened = socket.socket(family, socket.SOCK_DGRAM)
    try:
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            with suppress(OSError):  # some systems know the name and not the thing
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        if version == 6:
            opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        opened.bind((_ALL_HOSTS[version], MDNS_PORT))
        opened.setblocking(False)
    except BaseException:
        opened.close()
        raise
    return opened


def multicast_echoes(interfaces: Iterable[Interface], seconds: float) -> list[Echo]:
    """Ask on each of the ``interfaces`` and listen for at most ``seconds``, until nothing more is to be found out.

    IPv4 is tried where there is any, and IPv6 where there is a link-local address.  Raises OSError if the port cannot
    be shared; trouble with one interface is in its echo.
    """
    allowed = [one for one in interfaces if one.kind is Kind.LOOPBACK or not loopback_only()]
    echoes = [Echo(one, 4) for one in allowed if one.ipv4] + [Echo(one, 6) for one in allowed if one.link_local]
    with ExitStack() as stack:
        sockets: dict[int, socket.socket] = {}
        for version in sorted({echo.version for echo in echoes}):
            sockets[version] = stack.enter_context(open_mdns_socket(version))
        for echo in echoes:
            try:
                _ask(sockets[echo.version], echo)
            except OSError as error:
                echo.trouble = error.strerror or str(error)
        _listen(list(sockets.values()), echoes, seconds)
    return echoes


def _ask(opened: socket.socket, echo: Echo) -> None:
    """Join the group on the echo's interface and send the question there."""
    group = _GROUPS[echo.version]
    if echo.version == 4:
        group_bytes, own = socket.inet_aton(group), echo.interface.ipv4[0].ip.packed
        opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, own)
        opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_TTL, _HOPS)
        opened.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_LOOP, 1)
        opened.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, group_bytes + own)
    else:
        group_bytes, index = socket.inet_pton(socket.AF_INET6, group), echo.interface.index
        opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_IF, index)
        opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, _HOPS)
        opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_LOOP, 1)
        opened.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, group_bytes + struct.pack("@I", index))
    target = (group, MDNS_PORT) if echo.version == 4 else (group, MDNS_PORT, 0, echo.interface.index)
    opened.sendto(_questions(b"_services._dns-sd._udp.local", echo.token + b"._p2pdurak._tcp.local"), target)


def _questions(*names: bytes) -> bytes:
    """Return a packet that asks for the pointers of ``names`` (RFC 1035, section 4.1; RFC 6763, section 9)."""
    packet = struct.pack("!6H", 0, 0, len(names), 0, 0, 0)
    for name in names:
        labels = b"".join(bytes([len(label)]) + label for label in name.split(b"."))
        packet += labels + b"\0" + struct.pack("!2H", _PTR, _INTERNET)
    return packet


def _listen(sockets: list[socket.socket], echoes: list[Echo], seconds: float) -> None:
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0 and not _all_known(echoes):
        for ready in select.select(sockets, [], [], left)[0]:
            with suppress(OSError):
                packet, sender = ready.recvfrom(_PACKET_BYTES)
                _note(packet, sender[0], sender[3] if len(sender) == 4 else 0, echoes)


def _all_known(echoes: list[Echo]) -> bool:
    """Tell whether all questions are back, and somebody has answered on every local network."""
    networks = {echo.interface.index for echo in echoes if echo.interface.kind is Kind.LAN}
    answering = {echo.interface.index for echo in echoes if echo.others}
    return networks <= answering and all(echo.back or echo.trouble is not None for echo in echoes)


def _note(packet: bytes, host: str, scope: int, echoes: list[Echo]) -> None:
    """Find out to which echo a packet belongs, by its token or by its sender's network."""
    address = ipaddress.ip_address(host.partition("%")[0])
    own = any(address == mine.ip for echo in echoes for mine in echo.interface.addresses)
    answer = len(packet) > 2 and packet[2] & _RESPONSE_BIT
    for echo in echoes:
        if echo.token in packet and own:
            echo.back = True
        elif answer and not own and echo.version == address.version:
            if address.version == 6:
                near = scope == echo.interface.index
            else:
                near = any(address in mine.network for mine in echo.interface.ipv4)
            if near:
                echo.others.add(str(address))


def free_ports() -> list[int]:
    """Return those of the ports a table takes that can be listened on now."""
    return [port for port in own_ports() if _is_free(port)]


def _is_free(port: int) -> bool:
    host = "127.0.0.1" if loopback_only() else ""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as trial:
        if sys.platform != "win32":  # where the same name means to take a port away from somebody
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
            trial.listen(1)
        except OSError:
            return False
    return True
