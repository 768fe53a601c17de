"""What a person can do so that friends see each other: commands and settings of each platform.

Commands are shown and never run: opening a firewall is for the machine's owner to decide.  They open exactly what is
needed: the ports that a table takes by itself, and multicast DNS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from p2pdurak.errors import Sentence
from p2pdurak.net.addresses import FIRST_PORT, LAST_PORT

if TYPE_CHECKING:
    from collections.abc import Collection

Line: TypeAlias = Sentence | str
"""A sentence, or a command, which is the same in every language."""

LINUX: Final = "Linux"
MACOS: Final = "Darwin"
WINDOWS: Final = "Windows"
LINUX_FIREWALLS: Final = ("ufw", "firewall-cmd", "nft", "iptables")

_MDNS = 5353
_UFW = (f"sudo ufw allow {FIRST_PORT}:{LAST_PORT}/tcp", f"sudo ufw allow {_MDNS}/udp")
_FIREWALLD = (f"sudo firewall-cmd --add-port={FIRST_PORT}-{LAST_PORT}/tcp --add-service=mdns",)
_NFT = (
    f"sudo nft insert rule inet filter input tcp dport {FIRST_PORT}-{LAST_PORT} accept",
    f"sudo nft insert rule inet filter input udp dport {_MDNS} accept",
)
_IPTABLES = (
    f"sudo iptables -I INPUT -p tcp --dport {FIRST_PORT}:{LAST_PORT} -j ACCEPT",
    f"sudo iptables -I INPUT -p udp --dport {_MDNS} -j ACCEPT",
)
_MACOS = (
    Sentence("In System Settings > Network > Firewall: let Python accept incoming connections, or:"),
    "sudo /usr/libexec/ApplicationFirewall/socketfilterfw --add {python}",
    "sudo /usr/libexec/ApplicationFirewall/socketfilterfw --unblockapp {python}",
)
_NETSH = "netsh advfirewall firewall add rule name=p2pdurak dir=in action=allow profile=private"
_WINDOWS = (
    Sentence("In a terminal run as administrator:"),
    f"{_NETSH} protocol=TCP localport={FIRST_PORT}-{LAST_PORT}",
    f"{_NETSH} protocol=UDP localport={_MDNS}",
    Sentence(
        "And in Settings > Network & internet, make the network a private one: on a public one Windows hides this "
        "machine."
    ),
)
_ANYWHERE = (Sentence("Let in TCP {first}-{last} and UDP {mdns}.", first=FIRST_PORT, last=LAST_PORT, mdns=_MDNS),)

ISOLATION: Final = (
    Sentence(
        "Guest networks, cafes, hotels and some routers keep their clients apart (client, AP or wireless isolation), "
        "and then no two machines see each other. Use the main network, switch isolation off in the router, or play "
        "over a cable or the hotspot of a telephone."
    ),
    Sentence("If only multicast is filtered, join by address or with an invite: p2pdurak join ADDRESS."),
)
VPN: Final = (
    Sentence(
        "Many VPN programs cut off the local network while they are connected: allow access to the local network in "
        "the settings of yours, or pause it while you play."
    ),
)
WSL: Final = (
    Sentence(
        "Run p2pdurak in Windows itself, or set networkingMode=mirrored under [wsl2] in .wslconfig, open the firewall "
        "of Windows for it, and restart WSL."
    ),
)
CONTAINER: Final = (
    Sentence("Start the container in the network of its host, with --network=host, or run p2pdurak outside of it."),
)
MACOS_PERMISSION: Final = (
    Sentence(
        "In System Settings > Privacy & Security > Local Network, switch on the program that your terminal is, then "
        "start it anew."
    ),
)


def firewall_commands(system: str, tools: Collection[str] = (), python: str = "python3") -> tuple[Line, ...]:
    """Return the lines that open the firewall of ``system`` (as ``platform.system`` calls it).

    ``tools`` are the names of the firewall programs that are installed, ``python`` the path of the interpreter.
    """
    if system == MACOS:
        return tuple(line.format(python=python) if isinstance(line, str) else line for line in _MACOS)
    if system == WINDOWS:
        return _WINDOWS
    # One that manages the others comes before them: rules made past it would be undone by it.
    for tool, commands in zip(LINUX_FIREWALLS, (_UFW, _FIREWALLD, _NFT, _IPTABLES), strict=True):
        if tool in tools:
            return commands
    return _ANYWHERE
