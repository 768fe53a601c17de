"""Finding tables on the local network: DNS-SD over multicast DNS (RFC 6763, RFC 6762), by zeroconf.

Zeroconf runs an event loop of its own in a thread of its own; calls that may block go through ``trio.to_thread``, and
its callbacks come back through trio's token.  Only multicast questions are asked: an answer by unicast goes to a port
that several programs share on one machine, and reaches any one of them.  Names are the keys' and thus unique, hence no
probing for conflicts, which saves a second.  DNS-SD tells who may be there; whether they are, only a link can tell, for
the records of a killed program live on for many minutes.

Rejected: a home-made broadcast, which no stock tool shows and which every firewall must be taught anew.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import trio

from p2pdurak.errors import LinkError, NotationError
from p2pdurak.net.addresses import is_loopback, local_addresses, loopback_only, reachable_addresses
from p2pdurak.net.announcement import Announcement, decode_announcement, encode_properties, service_type
from p2pdurak.net.background import background

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator

    from zeroconf import IPVersion, ServiceInfo, ServiceStateChange

# ``zeroconf`` is imported where it is used first, in a thread: the first screen is there before it.

POLL_SECONDS = 2.0
MAX_TABLES = 256
_MAX_LOOKUPS = 32
_CALL_SECONDS = 10.0
_LOOKUP_MILLISECONDS = 3000

# It warns of every packet that it cannot parse or send, and would write that across the players' screen.
logging.getLogger("zeroconf").setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Found:
    """A table has appeared."""

    table: Announcement


@dataclass(frozen=True, slots=True)
class Updated:
    """A table that was found before now says something else, or is somewhere else."""

    table: Announcement


@dataclass(frozen=True, slots=True)
class Lost:
    """A table has been taken back, or nothing was heard of it for too long; ``table`` is what it last said."""

    table: Announcement


TableEvent = Found | Updated | Lost


@asynccontextmanager
async def announce(announcement: Announcement, interfaces: tuple[str, ...] | None = None) -> AsyncIterator[None]:
    """Announce a table while the body runs, and take it back afterwards.

    ``interfaces`` are addresses of this machine; without them, those of ``local_addresses`` are used, and followed as
    they change.  The addresses announced are always those of the interfaces.  Raises LinkError if multicast DNS cannot
    be used.
    """
    async with _multicast(interfaces) as responder:
        await responder.register(announcement)
        async with background() as tasks:
            tasks.start_soon(responder.follow_interfaces, announcement)
            yield


@asynccontextmanager
async def browse(
    interfaces: tuple[str, ...] | None = None,
) -> AsyncIterator[trio.MemoryReceiveChannel[TableEvent]]:
    """Look for tables while the body runs; the channel gives what appears, changes and disappears.

    ``interfaces`` as for ``announce``.  Whatever is not a proper announcement is ignored, and so are more than
    ``MAX_TABLES`` at a time.  Raises LinkError if multicast DNS cannot be used.
    """
    events, channel = trio.open_memory_channel[TableEvent](0)
    async with _multicast(interfaces) as responder, events, channel:
        search = _Search(responder, trio.lowlevel.current_trio_token())
        await trio.to_thread.run_sync(search.start)
        try:
            async with background() as tasks:
                tasks.start_soon(search.report, events)
                tasks.start_soon(responder.follow_interfaces, None, search.restart)
                yield channel
        finally:
            with trio.CancelScope(shield=True):
                await trio.to_thread.run_sync(search.stop)


@asynccontextmanager
async def _multicast(interfaces: tuple[str, ...] | None) -> AsyncIterator[_Responder]:
    responder = await trio.to_thread.run_sync(_Responder, interfaces)
    try:
        yield responder
    finally:
        # Taking everything back takes a quarter of a second, and is worth it: nobody else will say that we left.
        with trio.CancelScope(shield=True):
            await trio.to_thread.run_sync(responder.close)


class _Responder:
    """Zeroconf on a set of interfaces; the constructor blocks, the methods are for trio tasks."""

    def __init__(self, interfaces: tuple[str, ...] | None) -> None:
        self._fixed = interfaces
        self._addresses = interfaces or local_addresses()
        self._registered = False
        self.service = service_type()
        import zeroconf

        try:
            self.zeroconf = zeroconf.Zeroconf(
                list(self._addresses), ip_version=_versions(self._addresses), use_asyncio=False
            )
        except (OSError, RuntimeError, zeroconf.Error) as error:
            raise LinkError(
                "Tables cannot be looked for, because multicast DNS (UDP port 5353) cannot be used: {trouble}. "
                "Joining by address still works.",
                trouble=error,
            ) from error

    def close(self) -> None:
        """Take back what was announced and stop; blocks."""
        import zeroconf

        # A machine too busy to say goodbye in time has still closed its sockets.
        with suppress(zeroconf.Error, TimeoutError):
            self.zeroconf.close()

    async def register(self, announcement: Announcement) -> None:
        """Announce on the present addresses; announcing again replaces what was said before."""
        import zeroconf

        addresses = reachable_addresses(self._addresses)
        info = zeroconf.ServiceInfo(
            self.service,
            f"{announcement.instance}.{self.service}",
            port=announcement.port,
            properties=encode_properties(announcement),
            server=f"p2pdurak-{announcement.instance}.local.",
            parsed_addresses=list(addresses),
        )
        if self._registered:
            await self._call(self.zeroconf.async_update_service(info))
        else:
            await self._call(self.zeroconf.async_register_service(info, cooperating_responders=True))
            self._registered = True

    async def follow_interfaces(
        self, announcement: Announcement | None = None, moved: Callable[[], Awaitable[object]] | None = None
    ) -> None:
        """Move to the machine's new addresses whenever they change, with what is announced, and then call ``moved``."""
        while self._fixed is None:
            await trio.sleep(POLL_SECONDS)
            addresses = await trio.to_thread.run_sync(local_addresses)
            if addresses == self._addresses:
                continue
            self._addresses = addresses
            try:
                # The announcement first: it is repeated on new interfaces, and must not name old addresses there.
                if announcement is not None:
                    await self.register(announcement)
                await self._call(self.zeroconf.async_update_interfaces(list(addresses), _versions(addresses)))
                if moved is not None:
                    await moved()
            except (OSError, RuntimeError, LinkError):
                # An address may vanish between being listed and being used: then the next round sees to it.
                self._addresses = ()

    async def _call(self, work: Coroutine[Any, Any, object]) -> None:
        """Run ``work`` in zeroconf's loop and wait for it; raise LinkError if it fails."""
        import zeroconf

        assert self.zeroconf.loop is not None  # noqa: S101 - it runs from the constructor on
        running = asyncio.run_coroutine_threadsafe(work, self.zeroconf.loop)
        try:
            await trio.to_thread.run_sync(running.result, _CALL_SECONDS)
        except (TimeoutError, zeroconf.Error) as error:
            raise LinkError("Multicast DNS does not respond. Joining by address still works.") from error


class _Search:
    """What is known of the tables around, and what of it has been reported.

    ``_latest`` holds the present state and ``_shown`` the reported one; reporting is making them equal.  So a reader
    that is slow misses nothing and a chatty network fills no queue.
    """

    def __init__(self, responder: _Responder, token: trio.lowlevel.TrioToken) -> None:
        self._zeroconf, self._service = responder.zeroconf, responder.service
        self._token = token
        self._latest: dict[str, Announcement] = {}
        self._shown: dict[str, Announcement] = {}
        self._changed = trio.Event()
        self._looked_up: set[str] = set()

    def start(self) -> None:
        """Ask, and go on listening; blocks for a moment."""
        from zeroconf import DNSQuestionType, ServiceBrowser

        self._browser = ServiceBrowser(
            self._zeroconf, self._service, handlers=[self._on_change], question_type=DNSQuestionType.QM
        )

    def stop(self) -> None:
        """Stop listening; blocks for a moment."""
        self._browser.cancel()

    async def restart(self) -> None:
        """Ask again, on interfaces that have come up since: a browser asks aloud only when it starts."""
        with trio.CancelScope(shield=True):  # a browser must be stopped exactly once
            await trio.to_thread.run_sync(self.stop)
            await trio.to_thread.run_sync(self.start)

    async def report(self, events: trio.MemorySendChannel[TableEvent]) -> None:
        """Send what changes, until nobody listens any more."""
        with suppress(trio.BrokenResourceError):
            while True:
                await self._changed.wait()
                self._changed = trio.Event()
                for event in self._differences():
                    await events.send(event)

    def _differences(self) -> Iterator[TableEvent]:
        for name in [*self._shown, *self._latest]:
            match self._shown.get(name), self._latest.get(name):
                case None, Announcement() as now:
                    self._shown[name] = now
                    yield Found(now)
                case Announcement() as before, None:
                    del self._shown[name]
                    yield Lost(before)
                case Announcement() as before, Announcement() as now if before != now:
                    self._shown[name] = now
                    yield Updated(now)

    def _note(self, name: str, table: Announcement | None) -> None:
        if table is None:
            self._latest.pop(name, None)
        elif name in self._latest or len(self._latest) < MAX_TABLES:
            self._latest[name] = table
        self._changed.set()

    # The methods below run in zeroconf's threads.

    def _on_change(self, *, name: str, state_change: ServiceStateChange, **_: object) -> None:
        from zeroconf import ServiceStateChange

        if state_change is ServiceStateChange.Removed:
            self._post(name, None)
        elif (loop := self._zeroconf.loop) is not None and loop.is_running():
            asyncio.run_coroutine_threadsafe(self._look_up(name), loop)

    async def _look_up(self, name: str) -> None:
        # The records usually came in one packet and are at hand; if not, they are asked for, but only for so many
        # names at a time: anybody can announce names that lead nowhere.
        if name in self._looked_up or len(self._looked_up) >= _MAX_LOOKUPS:
            return
        self._looked_up.add(name)
        from zeroconf import DNSQuestionType, Error
        from zeroconf.asyncio import AsyncServiceInfo

        try:
            with suppress(NotationError, Error):
                info = AsyncServiceInfo(self._service, name)
                if await info.async_request(self._zeroconf, _LOOKUP_MILLISECONDS, question_type=DNSQuestionType.QM):
                    self._post(name, _announcement(info))
        finally:
            self._looked_up.discard(name)

    def _post(self, name: str, table: Announcement | None) -> None:
        with suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._note, name, table)


def _announcement(info: ServiceInfo) -> Announcement:
    from zeroconf import IPVersion

    addresses = [a for a in info.parsed_scoped_addresses(IPVersion.All) if is_loopback(a) or not loopback_only()]
    instance = info.name.removesuffix(f".{info.type}")
    return decode_announcement(instance, info.properties, sorted(addresses), info.port)


def _versions(addresses: tuple[str, ...]) -> IPVersion:
    from zeroconf import IPVersion

    return IPVersion.All if any(ipaddress.ip_address(a).version == 6 for a in addresses) else IPVersion.V4Only
