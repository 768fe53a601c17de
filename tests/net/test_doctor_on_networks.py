"""The doctor where there is something to find: in network namespaces, with real interfaces and real packets."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from p2pdurak.net.addresses import LOOPBACK_VARIABLE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Examine = Callable[..., list[tuple[str, str, str]]]

# The doctor, on a machine that a preparation may have changed.
MACHINE = """
import json, socket, subprocess, sys
from p2pdurak.net.doctor import examine

def run(*words, **more):
    return subprocess.run(words, check=True, **more)

run("ip", "link", "set", "lo", "up")
friend = None
{preparation}
for finding in examine({seconds}):
    print(json.dumps([finding.level.value, finding.topic, finding.sentence]))
if friend is not None:
    friend.kill()
"""

# Another machine, in a namespace inside the first: it gets one end of a cable, and opens a table.
FRIEND = """
import subprocess, sys, trio
from p2pdurak.net.announcement import Announcement
from p2pdurak.net.discovery import announce

async def main():
    print("here", flush=True)
    sys.stdin.readline()
    for words in ("address add 10.7.0.2/24 dev there", "link set lo up", "link set there up"):
        subprocess.run(["ip", *words.split()], check=True)
    async with announce(Announcement("Table", bytes(32), "albanian", 36, 2, 47800), ("10.7.0.2",)):
        print("open", flush=True)
        await trio.to_thread.run_sync(sys.stdin.readline)

trio.run(main)
"""
CABLE_TO_A_FRIEND = f"""
friend = subprocess.Popen(
    ["unshare", "--net", sys.executable, "-c", {FRIEND!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
)
assert friend.stdout.readline() == "here\\n"
run("ip", "link", "add", "here", "type", "veth", "peer", "name", "there")
run("ip", "link", "set", "there", "netns", str(friend.pid))
run("ip", "address", "add", "10.7.0.1/24", "dev", "here")
run("ip", "link", "set", "here", "addrgenmode", "none")
run("ip", "link", "set", "here", "up")
print("go", file=friend.stdin, flush=True)
assert friend.stdout.readline() == "open\\n"
"""
LISTEN = 0.3
"""Seconds, where nothing is waited for but what our own kernel sends back."""
LISTEN_TO_A_FRIEND = 20.0
"""Seconds at most: it is over as soon as the friend has answered."""

HELD_PORT = """
selfish = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
selfish.bind(("", 5353))
"""
FIREWALL = """
rules = "table inet f { chain input { type filter hook input priority 0; iifname here udp dport 5353 drop; }; }"
run("nft", rules)
"""


@pytest.fixture
def examine(tmp_path: Path) -> Examine:
    """Return what examines a machine in a network of its own; skips where the system does not permit one."""
    alone = ["unshare", "--user", "--map-root-user", "--net"]
    if shutil.which("unshare") is None or shutil.which("ip") is None:
        pytest.skip("network namespaces are a matter of Linux")
    if subprocess.run([*alone, "true"], capture_output=True, check=False).returncode:
        pytest.skip("network namespaces are not allowed here")
    environment = {name: value for name, value in os.environ.items() if name != LOOPBACK_VARIABLE}

    def run(preparation: str = "", seconds: float = LISTEN) -> list[tuple[str, str, str]]:
        script = tmp_path / "machine.py"
        script.write_text(MACHINE.format(preparation=preparation, seconds=seconds), encoding="utf-8")
        done = subprocess.run(
            [*alone, sys.executable, str(script)], capture_output=True, text=True, env=environment, check=False
        )
        assert done.returncode == 0, done.stderr
        return [(level, topic, sentence) for level, topic, sentence in map(json.loads, done.stdout.splitlines())]

    return run


def test_a_machine_with_nothing_but_loopback(examine: Examine) -> None:
    findings = examine()
    assert ("ok", "multicast", "Multicast works on lo over IPv4.") in findings
    assert [topic for level, topic, _ in findings if level == "problem"] == ["interfaces"]


def test_a_port_that_another_program_does_not_share(examine: Examine) -> None:
    ((_, topic, sentence),) = (finding for finding in examine(HELD_PORT) if "UDP port" in finding[2])
    assert topic == "multicast"
    assert "cannot be used (Address already in use)" in sentence


def test_a_friend_on_the_network_answers(examine: Examine) -> None:
    findings = examine(CABLE_TO_A_FRIEND, LISTEN_TO_A_FRIEND)
    assert ("ok", "multicast", "Multicast works on here over IPv4, and other machines answer.") in findings
    assert not {"isolation", "problem"} & {word for finding in findings for word in finding[:2]}


def test_a_firewall_that_stops_multicast_is_noticed(examine: Examine) -> None:
    if shutil.which("nft") is None:
        pytest.skip("nftables is not installed")
    findings = examine(CABLE_TO_A_FRIEND + FIREWALL)
    stopped = [sentence for level, _, sentence in findings if "does not come back on here over IPv4" in sentence]
    assert len(stopped) == 1
    assert "firewall" in stopped[0]
