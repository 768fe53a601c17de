"""Why friends cannot see each other: one check for each cause that is known, each in words that help.

Every check is a function of its own that yields findings; what it needs to know of the machine are its arguments, so
that any machine can be examined on any other.  ``examine`` puts them together for this one.  A check that fails on a
machine nobody thought of is itself a finding, and the next check goes on.
"""

from __future__ import annotations

import platform
import shutil
import sys
from dataclasses import dataclass
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from p2pdurak.errors import LinkError, Sentence
from p2pdurak.net import advice
from p2pdurak.net.addresses import (
    FIRST_PORT,
    LAST_PORT,
    LOOPBACK_VARIABLE,
    PORTS,
    ROOM_VARIABLE,
    loopback_only,
    own_ports,
    room,
)
from p2pdurak.net.announcement import service_type
from p2pdurak.net.interfaces import Interface, Kind, interfaces
from p2pdurak.net.probe import MDNS_PORT, Echo, free_ports, multicast_echoes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from p2pdurak.errors import Said

LISTEN_SECONDS = 3.0
_MARKS_OF_CONTAINERS = ("/.dockerenv", "/run/.containerenv")


class Level(Enum):
    """How much a finding matters."""

    OK = "ok"
    NOTE = "note"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something found out: ``topic`` is one word for programs, ``said`` for people; ``advice`` is what to do."""

    level: Level
    topic: str
    said: Said
    advice: tuple[advice.Line, ...] = ()

    @property
    def sentence(self) -> str:
        """What is said, in English."""
        return str(self.said)


def examine(seconds: float = LISTEN_SECONDS) -> Iterator[Finding]:
    """Examine this machine and yield what is found, as it is found; never raises.

    Listening for other machines takes at most ``seconds``.  Multicast questions are sent on all interfaces, or only on
    the loopback one if the environment says so.
    """
    try:
        found = interfaces()
    except Exception as error:  # whatever is wrong with the machine is what a doctor is for
        said = Sentence("The system does not tell its interfaces: {trouble}.", trouble=error)
        yield Finding(Level.WARNING, "interfaces", said)
        found = ()
    tools = {tool for tool in advice.LINUX_FIREWALLS if shutil.which(tool)}
    container = any(Path(mark).exists() for mark in _MARKS_OF_CONTAINERS)
    checks: list[tuple[str, Callable[[], Iterable[Finding]]]] = [
        ("confinement", check_confinement),
        ("system", partial(check_system, platform.system(), platform.release(), container)),
        ("interfaces", partial(check_interfaces, found)),
        ("ipv6", partial(check_link_local, found)),
        ("ports", partial(check_ports, free_ports)),
        ("multicast", partial(check_multicast, partial(multicast_echoes, found, seconds))),
        ("firewall", partial(check_firewall, platform.system(), tools, sys.executable)),
    ]
    for topic, check in checks:
        yield from guarded(topic, check)


def guarded(topic: str, check: Callable[[], Iterable[Finding]]) -> Iterator[Finding]:
    """Yield what ``check`` yields, and a finding more if it fails."""
    try:
        yield from check()
    except Exception as error:  # as above
        trouble = str(error) or type(error).__name__
        yield Finding(Level.WARNING, topic, Sentence("This could not be examined: {trouble}.", trouble=trouble))


def check_confinement() -> Iterator[Finding]:
    """Tell if the environment confines the program to this machine, or to a room."""
    if loopback_only():
        yield Finding(
            Level.WARNING,
            "confinement",
            Sentence(
                "{variable} is set: p2pdurak plays on this machine only, and nobody else sees its tables.",
                variable=LOOPBACK_VARIABLE,
            ),
            (Sentence("To play with others, unset {variable}.", variable=LOOPBACK_VARIABLE),),
        )
    try:
        service_type()
    except LinkError as error:
        yield Finding(Level.WARNING, "confinement", error)
    else:
        if name := room():
            said = Sentence(
                "{variable} is set: p2pdurak finds, and is found by, only programs in the room {room}, on its ports "
                "{first} to {last}.",
                variable=ROOM_VARIABLE,
                room=name,
                first=own_ports()[0],
                last=own_ports()[-1],
            )
            yield Finding(Level.NOTE, "confinement", said)


def check_system(system: str, release: str, container: bool) -> Iterator[Finding]:
    """Tell what the platform itself puts in the way; ``system`` and ``release`` as ``platform`` calls them."""
    if "microsoft" in release.lower():
        yield Finding(
            Level.WARNING,
            "system",
            Sentence("This is WSL, Linux inside Windows: multicast does not cross it, and others do not reach it."),
            advice.WSL,
        )
    if container:
        yield Finding(
            Level.WARNING,
            "system",
            Sentence(
                "This is a container: unless it shares the network of its host, others can neither see nor reach it."
            ),
            advice.CONTAINER,
        )
    if system == advice.MACOS:
        yield Finding(
            Level.NOTE,
            "system",
            Sentence("macOS lets a program see the local network only with permission, and refuses silently."),
            advice.MACOS_PERMISSION,
        )


def check_interfaces(found: Sequence[Interface]) -> Iterator[Finding]:
    """Tell which networks this machine is on."""
    yield from (finding for one in found for finding in _interface(one))
    if not any(one.kind is Kind.LAN for one in found) and not loopback_only():
        yield Finding(
            Level.PROBLEM,
            "interfaces",
            Sentence(
                "This machine is on no local network: you can play on it, from several terminals, but not with others."
            ),
            (Sentence("Connect it to the Wi-Fi or by cable to the network that your friends are on."),),
        )


def _interface(one: Interface) -> Iterator[Finding]:
    addresses = ", ".join(str(address.ip) for address in one.ipv4) or Sentence("no IPv4 address")
    named = Sentence("{name} ({addresses})", name=one.name, addresses=addresses)
    match one.kind:
        case Kind.LAN if not one.ipv4:
            said = Sentence(
                "{interface} has IPv6 only: friends on the same network find you by link-local IPv6.", interface=named
            )
            yield Finding(Level.NOTE, "interfaces", said)
        case Kind.LAN if all(address.is_link_local for address in one.ipv4):
            said = Sentence(
                "{interface} gave itself an address, since no router gave it one: check the cable or the Wi-Fi.",
                interface=named,
            )
            anyway = Sentence("It still works if your friends' machines did so too.")
            yield Finding(Level.WARNING, "interfaces", said, (anyway,))
        case Kind.LAN:
            said = Sentence(
                "{interface} is a local network: friends must be on it too, with addresses that begin alike.",
                interface=named,
            )
            yield Finding(Level.OK, "interfaces", said)
        case Kind.VPN:
            said = Sentence(
                "{interface} looks like a VPN. Tables are announced on it as well, which does no harm.",
                interface=named,
            )
            yield Finding(Level.WARNING, "interfaces", said, advice.VPN)
        case Kind.VIRTUAL:
            said = Sentence(
                "{interface} looks like a network of containers or virtual machines. It does no harm: "
                "whoever dials one of its addresses elsewhere is told by the key that it is another machine.",
                interface=named,
            )
            yield Finding(Level.NOTE, "interfaces", said)
        case Kind.SYSTEM:
            said = Sentence("{interface} is for links between Apple devices, and does no harm.", interface=named)
            yield Finding(Level.NOTE, "interfaces", said)
        case Kind.LOOPBACK:
            said = Sentence("{interface} connects terminals on this machine with each other.", interface=named)
            yield Finding(Level.OK, "interfaces", said)


def check_link_local(found: Iterable[Interface]) -> Iterator[Finding]:
    """Tell whether IPv6 would help where IPv4 addresses are missing or do not fit together."""
    for one in found:
        if one.kind is Kind.LAN and one.link_local:
            said = Sentence(
                "{interface} has link-local IPv6: it connects machines on one network whatever their IPv4 is.",
                interface=one.name,
            )
            yield Finding(Level.OK, "ipv6", said)
        elif one.kind is Kind.LAN:
            said = Sentence("{interface} has no link-local IPv6: IPv4 must do, and usually does.", interface=one.name)
            yield Finding(Level.NOTE, "ipv6", said)


def check_ports(free: Callable[[], Sequence[int]]) -> Iterator[Finding]:
    """Tell whether a table finds a port that the firewall rules are about; ``free`` returns those that are free."""
    ports = free()
    if ports:
        taken = len(PORTS) - len(ports)
        said = Sentence("A table can listen on TCP port {port}.", port=ports[0])
        if taken == 1:
            said = Sentence(
                "A table can listen on TCP port {port}; another port is in use, by a player on this machine perhaps.",
                port=ports[0],
            )
        elif taken:
            said = Sentence(
                "A table can listen on TCP port {port}; ports in use, by players on this machine perhaps: {taken}.",
                port=ports[0],
                taken=taken,
            )
        yield Finding(Level.OK, "ports", said)
    else:
        yield Finding(
            Level.WARNING,
            "ports",
            Sentence(
                "No TCP port from {first} to {last} can be listened on: a table takes any other port, "
                "for which no firewall may be open.",
                first=FIRST_PORT,
                last=LAST_PORT,
            ),
            (Sentence("Close what uses these ports, or choose one with --port and open the firewall for it."),),
        )


def check_multicast(probe: Callable[[], Iterable[Echo]]) -> Iterator[Finding]:
    """Tell where multicast DNS works, and whether other machines answer; ``probe`` does the asking."""
    try:
        echoes = list(probe())
    except OSError as error:
        yield Finding(
            Level.PROBLEM,
            "multicast",
            Sentence(
                "UDP port {port} cannot be used ({trouble}): tables are neither found nor shown.",
                port=MDNS_PORT,
                trouble=error.strerror or error,
            ),
            (Sentence("Another program holds it for itself alone: stop it, or join by address or with an invite."),),
        )
        return
    usable = Sentence("UDP port {port} can be used, which tables are found by.", port=MDNS_PORT)
    yield Finding(Level.OK, "multicast", usable)
    yield from map(_echo, echoes)
    asked = [echo for echo in echoes if echo.interface.kind is Kind.LAN]
    if any(echo.back for echo in asked) and not any(echo.others for echo in asked):
        said = Sentence(
            "No other machine answered. Perhaps nobody is there who would; or the network keeps machines apart."
        )
        yield Finding(Level.WARNING, "isolation", said, advice.ISOLATION)


def _echo(echo: Echo) -> Finding:
    where = Sentence("{interface} over IPv{version}", interface=echo.interface.name, version=echo.version)
    # On a VPN or a bridge nobody is expected, and IPv6 is an extra where there is IPv4.
    expected = echo.version == 4 or not echo.interface.ipv4
    serious = expected and echo.interface.kind in (Kind.LOOPBACK, Kind.LAN)
    level = Level.WARNING if serious else Level.NOTE
    if echo.trouble is not None:
        said = Sentence("Multicast cannot be sent on {where}: {trouble}.", where=where, trouble=echo.trouble)
        return Finding(level, "multicast", said)
    if not echo.back:
        said = Sentence(
            "Multicast does not come back on {where}: a firewall stops it, probably the one of this machine.",
            where=where,
        )
        return Finding(level, "multicast", said)
    if echo.others:
        said = Sentence("Multicast works on {where}, and other machines answer.", where=where)
        return Finding(Level.OK, "multicast", said)
    return Finding(Level.OK, "multicast", Sentence("Multicast works on {where}.", where=where))


def check_firewall(system: str, tools: Collection[str], python: str) -> Iterator[Finding]:
    """Say how the firewall is opened; whether it is closed cannot be seen without being its administrator."""
    if system == advice.LINUX and not tools:
        yield Finding(Level.OK, "firewall", Sentence("No firewall program is installed here."))
        return
    yield Finding(
        Level.NOTE,
        "firewall",
        Sentence(
            "If friends see your table but cannot join it, or you see nobody: open the firewall, on every machine."
        ),
        advice.firewall_commands(system, tools, python),
    )
