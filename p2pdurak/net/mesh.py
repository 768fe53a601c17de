"""All links of a peer, by the key of whoever is at the other end, and one inbox for what comes in.

Everybody dials everybody, so a pair may find itself with two links; then the one that the lower key dialled stays. But
who calls long after a link came up has lost it: its program or its machine was started again, and the old link is dead
though we have not noticed yet. By age alone both ends choose the same: where calls cross, both links are young.
A wanted peer is dialled again and again until it is no longer wanted. Nothing here knows what the frames mean.
"""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

import trio

from p2pdurak.errors import LinkClosed, LinkError
from p2pdurak.net.background import background
from p2pdurak.net.dial import dial
from p2pdurak.net.serve import open_listeners, port_of, serve

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Sequence
    from contextlib import AbstractAsyncContextManager

    from p2pdurak.crypto.identity import SigningKey
    from p2pdurak.errors import Said
    from p2pdurak.net.addresses import Address
    from p2pdurak.net.link import Link

FIRST_RETRY_SECONDS = 0.2
LAST_RETRY_SECONDS = 2.0
COURTESY_SECONDS = 1.0
"""How long the higher key leaves the dialling to the lower one, which spares most pairs a second link."""

FIRST_BAN_SECONDS, LAST_BAN_SECONDS = 1.0, 30.0
"""How long whoever was dropped gets no link: twice as long each time."""

SETTLED_SECONDS = 10.0
"""A call that was under way when a link came up has come through by then, or never will: see ``dial``."""

MAX_STRANGERS = 32
"""Links at a time to peers that neither sit nor watch; a further one costs the oldest of them its link."""

STRANGER_FRAMES, STRANGER_SECONDS = 50, 5.0
"""How much a stranger may say in how much time; looking and knocking take a few frames."""

INBOX = 64


@dataclass(frozen=True, slots=True)
class Arrived:
    """A peer is linked, perhaps again."""

    peer: bytes


@dataclass(frozen=True, slots=True)
class Left:
    """The link to a peer has ended, and there is no other; ``reason`` tells why."""

    peer: bytes
    reason: LinkError


@dataclass(frozen=True, slots=True)
class Frame:
    """Bytes from a peer."""

    peer: bytes
    data: bytes


@dataclass(frozen=True, slots=True)
class Woken:
    """Our own side wants attention; see ``Mesh.wake``."""


News: TypeAlias = Arrived | Left | Frame | Woken


class Dial(Protocol):
    """Places a call, as ``dial.dial`` does."""

    def __call__(
        self, identity: SigningKey, nickname: str, addresses: Iterable[Address], *, expected: bytes | None = None
    ) -> AbstractAsyncContextManager[Link]:
        """Return the link to the peer that is at one of ``addresses``; raises LinkError on entering."""


class Mesh:
    """The links of one peer; made by ``open_mesh``.

    ``friends`` are the keys of those who sit or watch at our table: all others are strangers, and have to share.
    ``doorplate`` is what whoever dials us is told that we are called, our nickname if it is None. ``dial`` places the
    calls.
    """

    def __init__(
        self, identity: SigningKey, nickname: str, port: int, nursery: trio.Nursery, dial: Dial = dial
    ) -> None:
        self.identity = identity
        self.nickname = nickname
        self.doorplate: str | None = None
        self.courteous = True
        self.port = port
        self.nursery = nursery
        self.friends: frozenset[bytes] = frozenset()
        self._dial = dial
        self._links: dict[bytes, Link] = {}
        self._wanted: dict[bytes, trio.CancelScope] = {}
        self._learnt: dict[bytes, tuple[Address, ...]] = {}
        self._bans: dict[bytes, tuple[float, float]] = {}
        self._read_out: dict[bytes, trio.Event] = {}
        # Bounded: while we are busy, links wait, and TCP holds the peers back.
        self._post, self.news = trio.open_memory_channel[News](INBOX)

    def peers(self) -> tuple[bytes, ...]:
        """Return the keys of all linked peers."""
        return tuple(self._links)

    def nickname_of(self, peer: bytes) -> str:
        """Return what a linked peer calls itself; empty if there is no link."""
        link = self._links.get(peer)
        return link.nickname if link else ""

    def call(self, peer: bytes, nickname: str) -> None:
        """Call a linked peer so in what is told of the link, whatever its doorplate says."""
        link = self._links.get(peer)
        if link is not None:
            link.nickname = nickname

    def address_of(self, peer: bytes) -> str:
        """Return the text of the address that a linked peer speaks from; empty if there is no link."""
        link = self._links.get(peer)
        return link.address if link else ""

    def binding_of(self, peer: bytes) -> bytes:
        """Return the 32 bytes that only both ends of the link to ``peer`` know; empty if there is no link."""
        link = self._links.get(peer)
        return link.binding if link else b""

    def send(self, peer: bytes, frame: bytes) -> None:
        """Queue ``frame`` for a peer; without a link it is lost, and the peer catches up later."""
        link = self._links.get(peer)
        if link is not None:
            with suppress(LinkError):
                link.send(frame)

    def broadcast(self, frame: bytes, peers: Iterable[bytes] | None = None) -> None:
        """Queue ``frame`` for all linked peers, or for these."""
        for peer in self.peers() if peers is None else peers:
            self.send(peer, frame)

    async def wake(self) -> None:
        """Put a ``Woken`` among the news."""
        await self._post.send(Woken())

    def drop(self, peer: bytes, why: Said) -> None:
        """End the link to a peer that sent what it must not; there is none for a while, longer each time."""
        link = self._links.get(peer)
        if link is not None:
            _, seconds = self._bans.get(peer, (0.0, FIRST_BAN_SECONDS / 2))
            now, seconds = trio.current_time(), min(2 * seconds, LAST_BAN_SECONDS)
            # Who has behaved for long since is forgiven.
            self._bans = {one: ban for one, ban in self._bans.items() if now - ban[0] < LAST_BAN_SECONDS}
            self._bans[peer] = now + seconds, seconds
            link.close(LinkClosed(why.sentence, **why.values))

    def _is_banned(self, peer: bytes) -> bool:
        return peer in self._bans and trio.current_time() < self._bans[peer][0]

    async def hang_up(self) -> None:
        """End all links in good order, so that our last words arrive."""
        for peer in list(self._wanted):
            self.forget(peer)
        async with trio.open_nursery() as nursery:
            for link in list(self._links.values()):
                nursery.start_soon(link.farewell)

    def want(self, peer: bytes, addresses: Sequence[Address]) -> None:
        """Keep a link to ``peer`` up from now on, dialling whenever there is none.

        Wanting it again tells where it may be besides: its addresses change when it moves to another network.
        """
        if peer in self._wanted:
            self._learnt[peer] = tuple(addresses)
        elif peer != self.identity.public:
            # The scope goes along: before the task has started, the peer may be forgotten again.
            self._wanted[peer] = scope = trio.CancelScope()
            self.nursery.start_soon(self._keep, peer, tuple(addresses), scope)

    def forget(self, peer: bytes) -> None:
        """Dial this peer no longer; a link that is up stays."""
        self._learnt.pop(peer, None)
        scope = self._wanted.pop(peer, None)
        if scope is not None:
            scope.cancel()

    async def reach(self, addresses: Sequence[Address], expected: bytes | None = None) -> bytes:
        """Dial once and return the peer's key when the link is up; raises LinkError."""
        key: bytes = await self.nursery.start(self._call, tuple(addresses), expected)
        return key

    async def _call(
        self,
        addresses: tuple[Address, ...],
        expected: bytes | None,
        *,
        task_status: trio.TaskStatus[bytes] = trio.TASK_STATUS_IGNORED,
    ) -> None:
        started = False
        try:
            async with self._dial(self.identity, self.nickname, addresses, expected=expected) as link:
                started = True
                await self.handle(link, up=lambda: task_status.started(link.peer))
        except LinkError:
            if not started:
                raise

    async def _keep(self, peer: bytes, addresses: tuple[Address, ...], scope: trio.CancelScope) -> None:
        with scope:
            if self.courteous and peer < self.identity.public:
                await trio.sleep(COURTESY_SECONDS)
            pause = FIRST_RETRY_SECONDS
            while True:
                if peer not in self._links and not self._is_banned(peer):
                    with suppress(LinkError):
                        await self.reach((*addresses, *self._learnt.get(peer, ())), peer)
                        pause = FIRST_RETRY_SECONDS
                await trio.sleep(pause)
                pause = min(2 * pause, LAST_RETRY_SECONDS)

    async def handle(self, link: Link, up: Callable[[], object] = lambda: None) -> None:
        """Take what comes from ``link`` until it ends: the handler for dialled and accepted links alike."""
        if self._is_banned(link.peer):
            up()
            link.close(LinkClosed("You have said what nobody may say; call again later."))
            return
        old = self._links.get(link.peer)
        if old is not None and not self._better(link, old):
            up()
            link.close(LinkClosed("There is already a link between us."))
            return
        self._make_room()
        self._links[link.peer] = link
        before, self._read_out[link.peer] = self._read_out.get(link.peer), (read_out := trio.Event())
        if old is not None:
            old.close(LinkClosed("There is a newer link between us."))
        try:
            up()
            if before is not None:
                await before.wait()  # what came over the old link was said before
            await self._post.send(Arrived(link.peer))
            allowance = trio.current_time() - STRANGER_SECONDS
            while True:
                data = await link.receive()
                if link.peer not in self.friends:
                    allowance = self._spend(link, allowance)
                await self._post.send(Frame(link.peer, data))
        except LinkError as error:
            if self._links.get(link.peer) is link:
                del self._links[link.peer]
                await self._post.send(Left(link.peer, error))
        finally:
            read_out.set()
            if self._read_out.get(link.peer) is read_out:
                del self._read_out[link.peer]

    def _make_room(self) -> None:
        strangers = [peer for peer in self._links if peer not in self.friends]
        if len(strangers) >= MAX_STRANGERS:
            self._links[strangers[0]].close(LinkClosed("Too many strangers are at this table."))

    def _spend(self, link: Link, allowance: float) -> float:
        """Count a stranger's frame; end the link of one that says too much, too fast."""
        now = trio.current_time()
        allowance = max(allowance, now - STRANGER_SECONDS) + STRANGER_SECONDS / STRANGER_FRAMES
        if allowance > now:
            link.close(LinkClosed("A stranger says too much."))
        return allowance

    def _better(self, new: Link, old: Link) -> bool:
        """Tell whether ``new`` replaces ``old``: the lower key's call, a repeated one, or a late one."""
        mine_is_lower = self.identity.public < new.peer
        settled = new.since - old.since >= SETTLED_SECONDS
        return new.dialled == mine_is_lower or old.dialled == new.dialled or settled


@asynccontextmanager
async def open_mesh(
    identity: SigningKey,
    nickname: str,
    *,
    port: int | None = None,
    returning: bool = False,
    loopback: bool = False,
) -> AsyncIterator[Mesh]:
    """Listen, and keep links while the body runs; raises LinkError if no port can be had.

    Who is ``returning`` to a game that waits tries ``port`` first, and then any, and dials everybody at once. With
    ``loopback`` nobody on another machine can call.
    """
    try:
        listeners = await open_listeners(port, loopback=loopback)
    except LinkError:
        if not returning:
            raise
        listeners = await open_listeners(loopback=loopback)
    async with background() as tasks:
        mesh = Mesh(identity, nickname, port_of(listeners), tasks)
        mesh.courteous = not returning
        await tasks.start(serve, identity, lambda: mesh.doorplate or mesh.nickname, listeners, mesh.handle)
        yield mesh
        await mesh.hang_up()
