"""Listening: from a port to a stream of authenticated links.

Whatever a stranger does here costs the stranger its connection and nobody else anything: an introduction must be over
in ``HELLO_SECONDS``, only so many may be under way, and when there are too many, the one that goes is the oldest of
the address that has most of them.  An honest introduction takes milliseconds, so it is hardly ever the one.
"""

from __future__ import annotations

import errno
from collections import Counter
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

import trio

from p2pdurak.errors import LinkError
from p2pdurak.net.addresses import LOOPBACK_ADDRESS, Address, loopback_only, own_ports
from p2pdurak.net.handshake import HELLO_SECONDS, answer
from p2pdurak.net.hello import VersionMismatch
from p2pdurak.net.tls import ListenerTLS, listener_tls
from p2pdurak.wire.names import clean_nickname

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from p2pdurak.crypto.identity import SigningKey
    from p2pdurak.net.link import Link

MAX_PENDING = 32
_ANY_PORT = 0
_ANY_PORT_TRIES = 8
_LOOPBACK_HOSTS = (LOOPBACK_ADDRESS, "::1")
_ALL_HOSTS = ("0.0.0.0", "::")  # noqa: S104 - a table is for everybody on the network


async def open_listeners(port: int | None = None, *, loopback: bool = False) -> list[trio.SocketListener]:
    """Listen on IPv4 and, where there is any, IPv6, both on the same port.

    The port is ``port``, or else the first free one of ``own_ports``, or else any.  With ``loopback``, or if the
    environment says so, only this machine can connect.  Raises LinkError if no port can be had.
    """
    hosts = _LOOPBACK_HOSTS if loopback or loopback_only() else _ALL_HOSTS
    candidates = (*own_ports(), *(_ANY_PORT,) * _ANY_PORT_TRIES) if port is None else (port,)
    failure: OSError | None = None
    for candidate in candidates:
        try:
            return await _listen(hosts, candidate)
        except OSError as error:
            failure = error
    if port is None:
        raise LinkError("No port can be listened on ({trouble}).", trouble=failure) from failure
    raise LinkError(
        "Port {port} cannot be listened on ({trouble}): is another program using it?", port=port, trouble=failure
    ) from failure


def port_of(listeners: Sequence[trio.SocketListener]) -> int:
    """Return the port that all ``listeners`` share."""
    port: int = listeners[0].socket.getsockname()[1]
    return port


async def _listen(hosts: tuple[str, str], port: int) -> list[trio.SocketListener]:
    ipv4, ipv6 = hosts
    listeners = await trio.open_tcp_listeners(port, host=ipv4)
    try:
        listeners += await trio.open_tcp_listeners(port_of(listeners), host=ipv6)
    except OSError as error:
        # A machine without IPv6 is served by IPv4 alone; a port that is taken on one of both is not free.
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            for listener in listeners:
                await trio.aclose_forcefully(listener)
            raise
    return listeners


async def serve(
    identity: SigningKey,
    nickname: str | Callable[[], str],
    listeners: Sequence[trio.SocketListener],
    handler: Callable[[Link], Awaitable[object]],
    *,
    refused: Callable[[VersionMismatch], object] | None = None,
    task_status: trio.TaskStatus[object] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Accept links until cancelled, and run ``handler`` for each in a task of its own; close ``listeners`` at the end.

    The link lives as long as its handler; a LinkError that leaves the handler is the link's end and nothing more, any
    other exception ends ``serve``.  ``refused`` is told of peers that speak another version of the protocol, since
    there is a person behind each.  ``nickname`` is what we are called, or says so for each link anew.  Raises
    NotationError if it is no nickname.
    """
    called = nickname if callable(nickname) else partial(clean_nickname, nickname)
    called()
    tls = listener_tls()
    door = _Door(identity, called, tls)

    async def welcome(stream: trio.SocketStream) -> None:
        try:
            link = await door.admit(stream)
        except VersionMismatch as error:
            if refused is not None:
                refused(error)
            return
        if link is not None:
            with suppress(LinkError):
                async with link.running():
                    await handler(link)

    await trio.serve_listeners(welcome, list(listeners), task_status=task_status)


class _Door:
    """Where connections wait until they have introduced themselves."""

    def __init__(self, identity: SigningKey, called: Callable[[], str], tls: ListenerTLS) -> None:
        self._identity = identity
        self._called = called
        self._tls = tls
        self._waiting: dict[trio.CancelScope, str] = {}

    async def admit(self, stream: trio.SocketStream) -> Link | None:
        """Return the link, or None if the stranger failed to become one; raise VersionMismatch as ``answer`` does."""
        try:
            host, port = stream.socket.getpeername()[:2]
        except OSError:
            host, port = "", 0  # already gone again: the handshake will notice
        with trio.move_on_after(HELLO_SECONDS) as scope:
            self._make_room()
            self._waiting[scope] = host
            try:
                return await answer(stream, self._tls, self._identity, self._called(), str(Address(host, port)))
            except VersionMismatch:
                raise
            except LinkError:
                return None
            finally:
                del self._waiting[scope]
        return None

    def _make_room(self) -> None:
        # The ones already told to go are still here until they run again, and must not be counted twice.
        waiting = {scope: host for scope, host in self._waiting.items() if not scope.cancel_called}
        if len(waiting) >= MAX_PENDING:
            ((crowd, _),) = Counter(waiting.values()).most_common(1)
            next(scope for scope, host in waiting.items() if host == crowd).cancel()
