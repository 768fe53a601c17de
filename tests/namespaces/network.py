"""Networks of a test's own: every machine a network namespace, cables between them, and a way out of none.

All namespaces of one network belong to one keeper: a process in a user and mount namespace of its own, with a private
``/run`` where ``ip netns`` keeps its names.  So no rights on the real machine are needed, two tests never meet, and all
is gone with the keeper, which ends when this process does, however it does: its standard input runs dry.  Veth pairs
are made inside the namespaces, hence nothing of this ever shows on a real interface.

Rejected: ``ip netns`` on the machine itself, which needs root and leaves everything behind when a test run is killed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from p2pdurak.net.addresses import LOOPBACK_VARIABLE, ROOM_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterator

TOOLS = ("unshare", "nsenter", "ip", "mount")
# Where ``ip`` keeps its names; resolved, because a link in the path would lead out of the keeper's own mounts.
RUN = Path("/var/run").resolve()
TABLE_OF_RULES = "p2pdurak"

# It tries first what it will be asked for later, so that a system that forbids it is known before a test has begun.
KEEPER = f"""
set -e
mount -t tmpfs tmpfs {RUN}
ip netns add trial
ip -n trial link add bridge0 type bridge
ip -n trial link add one type veth peer name other
ip netns del trial
echo ready
cat > /dev/null
for name in {RUN}/netns/*; do
    for id in $(ip netns pids "${{name##*/}}"); do kill -KILL "$id"; done
done
"""


@dataclass
class Machine:
    """A host or a switch; ``cables`` are the switches at the other end and their ports, from eth0 on."""

    network: Network
    name: str
    cables: list[tuple[Machine, str]] = field(default_factory=list)

    @property
    def prefix(self) -> tuple[str, ...]:
        """What to write before a command to have it run here, free to use the network."""
        return (
            *self.network.enter,
            f"--net={self.network.root}{RUN}/netns/{self.name}",
            "env",
            "-u",
            LOOPBACK_VARIABLE,
            "-u",
            ROOM_VARIABLE,
        )

    @property
    def namespaces(self) -> tuple[str, str]:
        """The files of the namespaces that a process here is in: that of the keeper's users, and its own network."""
        return f"/proc/{self.network.keeper}/ns/user", f"{self.network.root}{RUN}/netns/{self.name}"

    def run(self, script: str) -> str:
        """Run a shell script here; return what it prints."""
        return self.network.run(script, self.prefix)

    def run_privately(self, script: str) -> str:
        """Run a shell script here that sees the keeper's ``/run`` instead of the real machine's."""
        enter, *rest = self.prefix
        return self.network.run(script, (enter, "--mount", *rest))

    def plug(self, switch: Machine, *addresses: str) -> None:
        """Lay a cable to a switch; the new interface here has these addresses and no others."""
        mine, its = f"eth{len(self.cables)}", f"{self.name}-{len(self.cables)}"
        self.cables.append((switch, its))
        self.network.run(f"ip -n {self.name} link add {mine} type veth peer name {its} netns {switch.name}")
        switch.run(f"ip link set {its} master bridge0 && ip link set {its} up")
        self.run(f"ip link set {mine} addrgenmode none && ip link set {mine} up")
        for address in addresses:
            self.add_address(address, mine)

    def join(self, other: Machine) -> None:
        """Lay a cable from this switch to another one."""
        self.plug(other)
        self.run(f"ip link set eth{len(self.cables) - 1} master bridge0")

    @contextmanager
    def cut_off(self) -> Iterator[None]:
        """Pull the first cable out of what it is plugged into while the body runs."""
        switch, port = self.cables[0]
        switch.run(f"ip link set {port} down")
        yield
        switch.run(f"ip link set {port} up")

    def add_address(self, address: str, interface: str = "eth0") -> None:
        """Give an interface one more address, usable at once: nobody asks here whether another machine has it too."""
        self.run(f"ip address add {address} dev {interface} {'nodad' if ':' in address else ''}")

    def remove_address(self, address: str, interface: str = "eth0") -> None:
        """Take an address from an interface."""
        self.run(f"ip address del {address} dev {interface}")

    def add_containers(self) -> None:
        """Add a bridge as container software does: with nothing on it, and with the same address on every machine."""
        self.run("ip link add docker0 type bridge && ip link set docker0 up")
        self.add_address("172.17.0.1/16", "docker0")

    def drop(self, *rules: str) -> None:
        """Have a firewall drop what comes in and fits one of these rules of nftables; skip the test without one."""
        if shutil.which("nft") is None:
            pytest.skip("no firewall: nft (of nftables) is not installed")
        lines = [f"add table inet {TABLE_OF_RULES}"]
        lines += [f"add chain inet {TABLE_OF_RULES} in {{ type filter hook input priority 0; }}"]
        lines += [f"add rule inet {TABLE_OF_RULES} in {rule} drop" for rule in rules]
        try:
            self.run("nft -f - <<'END'\n" + "\n".join(lines) + "\nEND")
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no firewall: nftables does not work here: {error.stderr.strip()}")


class Network:
    """Machines that can reach each other and nothing else."""

    def __init__(self, keeper: subprocess.Popen[str]) -> None:
        self.keeper = keeper.pid
        self.root = f"/proc/{keeper.pid}/root"
        self.enter = ("nsenter", f"--target={keeper.pid}", "--user", "--preserve-credentials")

    def run(self, script: str, prefix: tuple[str, ...] = ()) -> str:
        """Run a shell script among the keeper's names, or where ``prefix`` leads; return what it prints."""
        command = [*(prefix or (*self.enter, "--mount", "--net")), "sh", "-ec", script]
        try:
            return subprocess.run(command, capture_output=True, text=True, check=True).stdout
        except subprocess.CalledProcessError as error:
            error.add_note(error.stderr)
            raise

    def switch(self, name: str = "switch") -> Machine:
        """Add a switch."""
        machine = self._machine(name)
        machine.run("ip link add bridge0 type bridge && ip link set bridge0 up")
        return machine

    def host(self, name: str) -> Machine:
        """Add a machine with nothing but its loopback interface."""
        return self._machine(name)

    def lan(self, *names: str, ipv4: bool = True, ipv6: bool = True) -> list[Machine]:
        """Add a switch and hosts on it: 10.1.0.1 and fe80::1:1, 10.1.0.2 and fe80::1:2, and so on."""
        switch = self.switch()
        hosts = [self.host(name) for name in names]
        for number, host in enumerate(hosts, 1):
            addresses = [f"10.1.0.{number}/24"] * ipv4 + [f"fe80::1:{number}/64"] * ipv6
            host.plug(switch, *addresses)
        return hosts

    def _machine(self, name: str) -> Machine:
        self.run(f"ip netns add {name} && ip -n {name} link set lo up")
        return Machine(self, name)


@contextmanager
def network() -> Iterator[Network]:
    """Make an empty network, gone after the body with all that still runs in it; skip where that is impossible."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"no network namespaces: {', '.join(missing)} not found")
    command = ["unshare", "--user", "--map-root-user", "--mount", "--net", "sh", "-c", KEEPER]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
    ) as keeper:
        assert keeper.stdin is not None
        assert keeper.stdout is not None
        assert keeper.stderr is not None
        if keeper.stdout.readline() != "ready\n":
            pytest.skip(f"no network namespaces: {keeper.stderr.read().strip()}")
        try:
            yield Network(keeper)
        finally:
            keeper.stdin.close()
            keeper.wait()
