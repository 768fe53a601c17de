"""The network between the machines of a table: who reaches whom, how fast, and what becomes of it."""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

import trio

from p2pdurak.errors import LinkBroken, LinkError
from p2pdurak.net.frames import Frame, Kind
from p2pdurak.net.handshake import HELLO_SECONDS
from p2pdurak.net.link import Introduction, Link
from p2pdurak.net.mesh import Mesh
from tests.faults.machine import HERE
from tests.faults.wire import Fate, Pipe, Stream

if TYPE_CHECKING:
    import random
    from collections.abc import AsyncIterator, Callable, Iterable, Sequence

    from p2pdurak.crypto.identity import SigningKey
    from p2pdurak.errors import Said
    from p2pdurak.net.addresses import Address
    from tests.faults.machine import Life

PORT = 47800
SLOWEST = 0.04
"""Seconds that a byte is under way at most, when the network is well."""

LATE = 1.5
"""Seconds that a message is under way at most in rough weather."""


@dataclass(frozen=True, slots=True)
class Rough:
    """The probabilities for each message to be lost, doubled, or late and so overtaken."""

    lost: float
    doubled: float
    late: float


class Conditions:
    """How it is between all machines; seats stand for machines."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.blocked: dict[tuple[int, int], float] = {}
        """Until when nothing arrives from one seat at another."""
        self.closed: frozenset[tuple[int, int]] = frozenset()
        """Who cannot dial whom."""
        self.rough: Rough | None = None

    def opens(self, sender: int, receiver: int) -> float:
        return self.blocked.get((sender, receiver), 0.0)


class OneWay:
    """The way from one seat to another under the present conditions."""

    def __init__(self, conditions: Conditions, sender: int, receiver: int) -> None:
        self._now = conditions
        self._ends = sender, receiver

    def arrival(self) -> float:
        return trio.current_time() + self._now.chance.uniform(0, SLOWEST)

    def astray(self, frame: Frame) -> Sequence[float] | None:
        rough, chance = self._now.rough, self._now.chance
        if rough is None or frame.kind is not Kind.MESSAGE:
            return None
        copies = 0 if chance.random() < rough.lost else 2 if chance.random() < rough.doubled else 1
        return [
            self.arrival() + (chance.uniform(0, LATE) if chance.random() < rough.late else 0) for _ in range(copies)
        ]

    def opens(self) -> float:
        return self._now.opens(*self._ends)

    def piece(self, length: int) -> int:
        return length if self._now.chance.random() < 0.9 else self._now.chance.randint(1, length)


class VirtualMesh(Mesh):
    """The links of one program, over the simulated network."""

    def __init__(self, identity: SigningKey, nickname: str, nursery: trio.Nursery, network: Network) -> None:
        super().__init__(identity, nickname, PORT, nursery, dial=network.dial)
        self._blame = network.blame

    def drop(self, peer: bytes, why: Said) -> None:
        self._blame(self, peer, str(why))
        super().drop(peer, why)


@dataclass(frozen=True, slots=True)
class Host:
    """A program that listens."""

    life: Life
    mesh: VirtualMesh


class Network:
    """All machines and their connections.

    ``said`` hears of each frame that leaves a program, ``blame`` of each peer that a program hangs up on for what it
    sent.
    """

    def __init__(
        self,
        conditions: Conditions,
        said: Callable[[Life, Frame], object],
        blame: Callable[[Mesh, bytes, str], object],
    ) -> None:
        self.conditions = conditions
        self.blame = blame
        self._said = said
        self._hosts: dict[str, Host] = {}
        self._streams: list[tuple[Stream, Stream]] = []

    @staticmethod
    def host_of(seat: int) -> str:
        """Return the address of a seat's machine."""
        return f"10.0.0.{1 + seat}"

    @asynccontextmanager
    async def listening(self, host: Host) -> AsyncIterator[None]:
        """Let a program be dialled while the body runs."""
        name = self.host_of(host.life.seat)
        self._hosts[name] = host
        try:
            yield
        finally:
            if self._hosts.get(name) is host:
                del self._hosts[name]

    @asynccontextmanager
    async def dial(
        self, identity: SigningKey, nickname: str, addresses: Iterable[Address], *, expected: bytes | None = None
    ) -> AsyncIterator[Link]:
        """Connect the running program to the peer at the first of ``addresses``; what TLS does is left out."""
        life, address = HERE.get(), next(iter(addresses))
        host = await self._reach(life, address, expected)
        binding = self.conditions.chance.randbytes(32)
        near, far = self._connect(life, host.life)
        mesh = host.mesh
        link = Link(near, Introduction(mesh.identity.public, mesh.nickname, str(address), True, binding))
        caller = Introduction(identity.public, nickname, f"{self.host_of(life.seat)}:40000", False, binding)
        mesh.nursery.start_soon(_answer, host, Link(far, caller))
        async with link.running():
            yield link

    async def _reach(self, life: Life, address: Address, expected: bytes | None) -> Host:
        await trio.sleep(self.conditions.chance.uniform(0, 2 * SLOWEST))
        seat, there = life.seat, int(address.host.rpartition(".")[2]) - 1
        opens = max(self.conditions.opens(seat, there), self.conditions.opens(there, seat))
        if (seat, there) in self.conditions.closed or opens > trio.current_time() + HELLO_SECONDS:
            await trio.sleep(HELLO_SECONDS)
            raise LinkBroken("There is no answer.")
        await trio.sleep(max(0.0, opens - trio.current_time()))
        host = self._hosts.get(address.host)
        if host is None or expected not in (None, host.mesh.identity.public):
            raise LinkBroken("Nobody is there.")
        return host

    def _connect(self, life: Life, other: Life) -> tuple[Stream, Stream]:
        there = Pipe(OneWay(self.conditions, life.seat, other.seat))
        back = Pipe(OneWay(self.conditions, other.seat, life.seat))
        near = Stream(life, there, back, lambda frame: self._said(life, frame))
        far = Stream(other, back, there, lambda frame: self._said(other, frame))
        self._streams = [pair for pair in self._streams if not (pair[0].closed and pair[1].closed)]
        self._streams.append((near, far))
        return near, far

    # What happens to it

    def cut_off(self, life: Life, *, dark: bool) -> None:
        """End what a crashed program had: as its system does for it, or not at all when the power failed."""
        name = self.host_of(life.seat)
        if name in self._hosts and self._hosts[name].life is life:
            del self._hosts[name]
        for stream in [stream for pair in self._streams for stream in pair if stream.life is life]:
            if dark:
                stream.meet(Fate.DARK)
                stream.closed = True
            else:
                stream.close()

    def lose(self, fate: Fate, seats: tuple[int, int] | None = None) -> None:
        """Break the connections between two seats, or all there are, or let them go dark."""
        for near, far in self._streams:
            if seats is None or {near.life.seat, far.life.seat} == set(seats):
                near.meet(fate)
                far.meet(fate)


async def _answer(host: Host, link: Link) -> None:
    HERE.set(host.life)
    with suppress(LinkError):
        async with link.running():
            await host.mesh.handle(link)
