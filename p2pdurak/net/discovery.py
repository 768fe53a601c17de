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
from typing import TYPE_CHECKING

import trio
import zeroconf
from zeroconf import DNSQuestionType, IPVersion, ServiceBrowser, ServiceInfo, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceInfo

from p2pdurak.errors import LinkError, NotationError
from p2pdurak.net.addresses import is_loopback, local_addresses, loopback_only, reachable_addresses
from p2pdurak.net.announcement import SERVICE_TYPE, Announcement, decode_announcement, encode_properties
from p2pdurak.net.background import background

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

POLL_SECONDS = 2.0
MAX_TABLES = 256
_MAX_LOOKUPS = 32
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

        async def move() -> None:
            await responder.register(announcement)

        async with background() as tasks:
            tasks.start_soon(responder.follow_interfaces, move)
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
        search = _Search(responder.zeroconf, trio.lowlevel.current_trio_token())
        await trio.to_thread.run_sync(search.start)
        try:
            async with background() as tasks:
                tasks.start_soon(search.report, events)
                tasks.start_soon(responder.follow_interfaces, search.restart)
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
            await trio.to_thread.run_sync(responder.zeroconf.close)


class _Responder:
    """Zeroconf on a set of interfaces; the constructor blocks, the methods are for trio tasks."""

    def __init__(self, interfaces: tuple[str, ...] | None) -> None:
        self._fixed = interfaces
        self._addresses = interfaces or local_addresses()
        self._registered = False
        try:
            self.zeroconf = Zeroconf(list(self._addresses), ip_version=_versions(self._addresses), use_asyncio=False)
        except (OSError, RuntimeError, zeroconf.Error) as error:
            raise LinkError(
                f"Tables cannot be looked for, because multicast DNS (UDP port 5353) cannot be used: {error}. "
                "Joining by address still works."
            ) from error

    async def register(self, announcement: Announcement) -> None:
        """Announce on the present addresses; announcing again replaces what was said before."""
        addresses = reachable_addresses(self._addresses)
        info = ServiceInfo(
            SERVICE_TYPE,
            f"{announcement.instance}.{SERVICE_TYPE}",
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
