"""Several players come to other addresses in the middle of a game, and find each other again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import trio

from tests.namespaces.people import finish
from tests.namespaces.test_surviving import in_the_middle, renumber

if TYPE_CHECKING:
    from pathlib import Path

    from tests.namespaces.network import Machine, Network

LOOK_SECONDS = 0.2


def peers_of(machine: Machine) -> set[str]:
    """The addresses to which a machine has connections, as the system lists them."""
    lines = machine.run("ss -Htn state established").splitlines()
    return {line.split()[3].rpartition(":")[0] for line in lines}


@pytest.mark.soak
async def test_two_guests_who_both_move_find_each_other_by_the_third(net: Network, tmp_path: Path) -> None:
    """The opener has not moved, and both come back to it; where the other one is only it can tell them."""
    machines = net.lan("one", "two", "three", ipv6=False)
    _, two, three = machines
    async with in_the_middle(tmp_path, *machines) as people:
        assert peers_of(two) == {"10.1.0.1", "10.1.0.3"}
        for machine, number in ((two, 2), (three, 3)):
            renumber(machine, f"10.1.0.{number}/24", f"10.1.0.7{number}/24")
        while not ({"10.1.0.1", "10.1.0.73"} <= peers_of(two) and {"10.1.0.1", "10.1.0.72"} <= peers_of(three)):
            await trio.sleep(LOOK_SECONDS)
        await finish(*people)


@pytest.mark.soak
async def test_the_opener_and_a_guest_who_both_move_find_each_other(net: Network, tmp_path: Path) -> None:
    machines = net.lan("one", "two", "three", ipv6=False)
    one, two, three = machines
    async with in_the_middle(tmp_path, *machines) as people:
        for machine, number in ((one, 1), (two, 2)):
            renumber(machine, f"10.1.0.{number}/24", f"10.1.0.7{number}/24")
        while not ({"10.1.0.71", "10.1.0.3"} <= peers_of(two) and {"10.1.0.71", "10.1.0.72"} <= peers_of(three)):
            await trio.sleep(LOOK_SECONDS)
        await finish(*people)
