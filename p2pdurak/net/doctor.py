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

from p2pdurak.net import advice
from p2pdurak.net.addresses import FIRST_PORT, LAST_PORT, LOOPBACK_VARIABLE, PORTS, loopback_only
from p2pdurak.net.interfaces import Interface, Kind, interfaces
from p2pdurak.net.probe import MDNS_PORT, Echo, free_ports, multicast_echoes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

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
    """Something found out: ``topic`` is one word for programs, ``sentence`` for people; ``advice`` is what to do."""

    level: Level
    topic: str
    sentence: str
    advice: tuple[str, ...] = ()


def examine(seconds: float = LISTEN_SECONDS) -> Iterator[Finding]:
    """Examine this machine and yield what is found, as it is found; never raises.

    Listening for other machines takes at most ``seconds``.  Multicast questions are sent on all interfaces, or only on
    the loopback one if the environment says so.
    """
    try:
        found = interfaces()
    except Exception as error:  # whatever is wrong with the machine is what a doctor is for
        yield Finding(Level.WARNING, "interfaces", f"The system does not tell its interfaces: {error}.")
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
        yield Finding(Level.WARNING, topic, f"This could not be examined: {error or type(error).__name__}.")


def check_confinement() -> Iterator[Finding]:
    """Tell if the environment confines the program to this machine."""
    if loopback_only():
        yield Finding(
            Level.WARNING,
            "confinement",
            f"{LOOPBACK_VARIABLE} is set: p2pdurak plays on this machine only, and nobody else sees its tables.",
            (f"To play with others, unset {LOOPBACK_VARIABLE}.",),
        )


def check_system(system: str, release: str, container: bool) -> Iterator[Finding]:
    """Tell what the platform itself puts in the way; ``system`` and ``release`` as ``platform`` calls them."""
    if "microsoft" in release.lower():
        yield Finding(
            Level.WARNING,
            "system",
            "This is WSL, Linux inside Windows: multicast does not cross it, and others do not reach it.",
            advice.WSL,
        )
    if container:
        yield Finding(
            Level.WARNING,
            "system",
            "This is a container: unless it shares the network of its host, others can neither see nor reach it.",
            advice.CONTAINER,
        )
    if system == advice.MACOS:
        yield Finding(
            Level.NOTE,
            "system",
            "macOS lets a program see the local network only with permission, and refuses silently.",
            advice.MACOS_PERMISSION,
        )


def check_interfaces(found: Sequence[Interface]) -> Iterator[Finding]:
    """Tell which networks this machine is on."""
    yield from (finding for one in found for finding in _interface(one))
    if not any(one.kind is Kind.LAN for one in found) and not loopback_only():
        yield Finding(
            Level.PROBLEM,
            "interfaces",
            "This machine is on no local network: you can play on it, from several terminals, but not with others.",
            ("Connect it to the Wi-Fi or by cable to the network that your friends are on.",),
        )


def _interface(one: Interface) -> Iterator[Finding]:
    addresses = ", ".join(str(address.ip) for address in one.ipv4) or "no IPv4 address"
    named = f"{one.name} ({addresses})"
    match one.kind:
        case Kind.LAN if not one.ipv4:
            sentence = f"{named} has IPv6 only: friends on the same network find you by link-local IPv6."
            yield Finding(Level.NOTE, "interfaces", sentence)
        case Kind.LAN if all(address.is_link_local for address in one.ipv4):
            sentence = f"{named} gave itself an address, since no router gave it one: check the cable or the Wi-Fi."
            yield Finding(
                Level.WARNING, "interfaces", sentence, ("It still works if your friends' machines did so too.",)
            )
        case Kind.LAN:
            sentence = f"{named} is a local network: friends must be on it too, with addresses that begin alike."
            yield Finding(Level.OK, "interfaces", sentence)
        case Kind.VPN:
            sentence = f"{named} looks like a VPN. Tables are announced on it as well, which does no harm."
            yield Finding(Level.WARNING, "interfaces", sentence, advice.VPN)
        case Kind.VIRTUAL:
            sentence = (
                f"{named} looks like a network of containers or virtual machines. It does no harm: "
                "whoever dials one of its addresses elsewhere is told by the key that it is another machine."
            )
            yield Finding(Level.NOTE, "interfaces", sentence)
        case Kind.SYSTEM:
            yield Finding(Level.NOTE, "interfaces", f"{named} is for links between Apple devices, and does no harm.")
        case Kind.LOOPBACK:
            yield Finding(Level.OK, "interfaces", f"{named} connects terminals on this machine with each other.")


def check_link_local(found: Iterable[Interface]) -> Iterator[Finding]:
    """Tell whether IPv6 would help where IPv4 addresses are missing or do not fit together."""
    for one in found:
        if one.kind is Kind.LAN and one.link_local:
            sentence = f"{one.name} has link-local IPv6: it connects machines on one network whatever their IPv4 is."
            yield Finding(Level.OK, "ipv6", sentence)
        elif one.kind is Kind.LAN:
            sentence = f"{one.name} has no link-local IPv6: IPv4 must do, and usually does."
            yield Finding(Level.NOTE, "ipv6", sentence)


def check_ports(free: Callable[[], Sequence[int]]) -> Iterator[Finding]:
    """Tell whether a table finds a port that the firewall rules are about; ``free`` returns those that are free."""
    ports = free()
    if ports:
        taken = len(PORTS) - len(ports)
        rest = f", {taken} are in use, by other players on this machine perhaps" if taken else ""
        yield Finding(Level.OK, "ports", f"A table can listen on TCP port {ports[0]}{rest}.")
    else:
        yield Finding(
            Level.WARNING,
            "ports",
            f"No TCP port from {FIRST_PORT} to {LAST_PORT} can be listened on: a table takes any other port, "
            "for which no firewall may be open.",
            ("Close what uses these ports, or choose one with --port and open the firewall for it.",),
        )


def check_multicast(probe: Callable[[], Iterable[Echo]]) -> Iterator[Finding]:
    """Tell where multicast DNS works, and whether other machines answer; ``probe`` does the asking."""
    try:
        echoes = list(probe())
    except OSError as error:
        yield Finding(
            Level.PROBLEM,
            "multicast",
            f"UDP port {MDNS_PORT} cannot be used ({error.strerror or error}): tables are neither found nor shown.",
            ("Another program holds it for itself alone: stop it, or join by address or with an invite.",),
        )
        return
    yield Finding(Level.OK, "multicast", f"UDP port {MDNS_PORT} can be used, which tables are found by.")
    yield from map(_echo, echoes)
    asked = [echo for echo in echoes if echo.interface.kind is Kind.LAN]
    if any(echo.back for echo in asked) and not any(echo.others for echo in asked):
        sentence = "No other machine answered. Perhaps nobody is there who would; or the network keeps machines apart."
        yield Finding(Level.WARNING, "isolation", sentence, advice.ISOLATION)


def _echo(echo: Echo) -> Finding:
    where = f"{echo.interface.name} over IPv{echo.version}"
    # On a VPN or a bridge nobody is expected, and IPv6 is an extra where there is IPv4.
    expected = echo.version == 4 or not echo.interface.ipv4
    serious = expected and echo.interface.kind in (Kind.LOOPBACK, Kind.LAN)
    level = Level.WARNING if serious else Level.NOTE
    if echo.trouble is not None:
        return Finding(level, "multicast", f"Multicast cannot be sent on {where}: {echo.trouble}.")
    if not echo.back:
        sentence = f"Multicast does not come back on {where}: a firewall stops it, probably the one of this machine."
        return Finding(level, "multicast", sentence)
    if echo.others:
        return Finding(Level.OK, "multicast", f"Multicast works on {where}, and other machines answer.")
    return Finding(Level.OK, "multicast", f"Multicast works on {where}.")


def check_firewall(system: str, tools: Collection[str], python: str) -> Iterator[Finding]:
    """Say how the firewall is opened; whether it is closed cannot be seen without being its administrator."""
    if system == advice.LINUX and not tools:
        yield Finding(Level.OK, "firewall", "No firewall program is installed here.")
        return
    yield Finding(
        Level.NOTE,
        "firewall",
        "If friends see your table but cannot join it, or you see nobody: open the firewall, on every machine.",
        advice.firewall_commands(system, tools, python),
    )
