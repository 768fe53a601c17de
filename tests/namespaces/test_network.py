from __future__ import annotations

import signal
import subprocess
from pathlib import Path

import pytest

from tests.namespaces.network import network


def test_machines_reach_each_other_and_nothing_else() -> None:
    with network() as net:
        anna, boris = net.lan("anna", "boris")
        listing = anna.run("ip -o link show")
        assert [line.split(": ")[1].partition("@")[0] for line in listing.splitlines()] == ["lo", "eth0"]
        assert "default" not in anna.run("ip route show")
        boris.run('test -n "$(ip neighbour get 10.1.0.1 dev eth0 2>&1)"')
        with pytest.raises(subprocess.CalledProcessError):
            anna.run("ip route get 192.0.2.1")


def test_what_runs_there_ends_with_the_network() -> None:
    with network() as net:
        left = subprocess.Popen([*net.host("anna").prefix, "sleep", "1000"])
        while Path(f"/proc/{left.pid}/comm").read_text() != "sleep\n":
            pass
    assert left.wait() == -signal.SIGKILL
    assert not Path(net.root).exists()
