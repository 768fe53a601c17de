"""One authenticated stream of frames to one peer.

Three tasks serve a link: one reads, one writes, one shows that we are alive.  Nothing else ever touches the stream,
so no send is ever cancelled halfway while the link lives on.  ``send`` only queues: a peer that does not keep up loses
its link when its share of memory is used up, and holds up nobody.  ``receive`` waits behind a short queue: when we are
busy ourselves, TCP holds the peer back.

TCP alone takes many minutes to notice a pulled cable, and keep-alive probes cannot be tuned alike on all platforms; so
each side pings every second, and any byte that arrives counts as life.  The silence is measured only while we listen,
hence our own slowness is never taken for the peer's.
"""

from __future__ import annotations

import math
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import trio

from p2pdurak.errors import LinkBroken, LinkClosed, LinkError
from p2pdurak.net.background import background
from p2pdurak.net.frames import MAX_BODY_BYTES, Frame, FrameDecoder, Kind, encode_frame

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

PING_SECONDS = 1.0
SILENCE_SECONDS = 4.0
# A whole game of six with its proofs is about 1 MB, and a peer that comes back is sent all of it at once.
MAX_QUEUED_BYTES = 4 * 1024 * 1024
# What a queued frame costs beside its bytes: without it, empty frames would queue up for free.
_FRAME_OVERHEAD_BYTES = 64
_INBOX_FRAMES = 32
_FAREWELL_SECONDS = 1.0
_READ_BYTES = 16 * 1024
_PING_BYTES = 8


@dataclass(frozen=True, slots=True)
class Introduction:
    """What the handshake established about a link.

    ``public`` is the peer's 32-byte key, ``address`` the text form of where it is, ``dialled`` whether this side
    placed the call, ``binding`` 32 bytes that only the two ends of this connection know in common.
    """

    public: bytes
    nickname: str
    address: str
    dialled: bool
    binding: bytes


class Link:
    """A link to an authenticated peer.

    ``peer`` is its 32-byte public key; ``latency`` the last measured round trip in seconds, None before the first;
    ``since`` when the link came up, by trio's clock.
    """

    def __init__(
        self, stream: trio.abc.Stream, introduction: Introduction, decoder: FrameDecoder | None = None
    ) -> None:
        self.peer = introduction.public
        self.nickname = introduction.nickname
        self.address = introduction.address
        self.dialled = introduction.dialled
        self.binding = introduction.binding
        self.latency: float | None = None
        self.since = trio.current_time()
        self._stream = stream
        self._decoder = decoder or FrameDecoder()
        self._decoder.max_body_bytes = MAX_BODY_BYTES
        self._outbox, self._to_write = trio.open_memory_channel[bytes](math.inf)
        self._queued_bytes = 0
        self._to_user, self._inbox = trio.open_memory_channel[bytes](_INBOX_FRAMES)
        self._end: LinkError | None = None
        self._hung_up = trio.Event()
        self._pings = 0
        self._pinged_at = 0.0

    def __repr__(self) -> str:
        return f"<Link to {self.nickname!r} at {self.address}>"

    def send(self, frame: bytes) -> None:
        """Queue ``frame``, at most ``MAX_BODY_BYTES`` long, to be sent in order; never waits.

        Raises LinkClosed or LinkBroken if the link has ended, LinkBroken also if the peer is too far behind (which
        ends the link), and ValueError if the frame is too long.  What was queued when a link breaks may be lost.
        """
        if self._end is not None:
            raise self._end
        self._queue(Kind.MESSAGE, frame)
        if self._end is not None:
            raise self._end

    async def receive(self) -> bytes:
        """Return the next frame; raise LinkClosed or LinkBroken when the link has ended and all has been read.

        Cancellation loses nothing.
        """
        try:
            return await self._inbox.receive()
        except trio.EndOfChannel:
            raise self._end or LinkClosed("The link is closed.") from None

    def close(self, end: LinkClosed | None = None) -> None:
        """Begin to end the link from any task: what is queued is still sent, then the peer is told.

        Later calls of ``send`` and ``receive`` raise ``end``, or a LinkClosed of no particular reason.  Closing twice
        is no error.
        """
        if self._end is None:
            self._queue(Kind.BYE, b"")
            self._finish(end or LinkClosed("The link is closed."))

    async def farewell(self) -> None:
        """Close the link, and wait until the other side has read all and hung up, for at most a second."""
        self.close()
        with trio.move_on_after(_FAREWELL_SECONDS):
            await self._hung_up.wait()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[Link]:
        """Keep the link alive while the body runs, then close it.

        A body that ends, also by an exception, still has what it queued delivered, for at most a second; one that is
        cancelled drops the link at once.
        """
        try:
            async with background() as tasks:
                tasks.start_soon(self._read)
                tasks.start_soon(self._write)
                tasks.start_soon(self._beat)
                try:
                    yield self
                finally:
                    self.close()
                    # The other side answers our farewell with its own.  Closing a socket earlier, with its pings still
                    # unread, would make TCP reset the connection and could destroy our last words.
                    with trio.move_on_after(_FAREWELL_SECONDS):
                        await self._hung_up.wait()
        finally:
            self._to_user.close()
            self._outbox.close()
            await trio.aclose_forcefully(self._stream)

    async def _read(self) -> None:
        try:
            while True:
                while (frame := self._decoder.next_frame()) is not None:
                    await self._take(frame)
                with trio.fail_after(SILENCE_SECONDS):
                    data = await self._stream.receive_some(_READ_BYTES)
                if not data:
                    raise LinkBroken("{name} has ended the link.", name=self.nickname)
                self._decoder.feed(data)
        except trio.TooSlowError:
            self._finish(
                LinkBroken(
                    "No sign of life from {name} for {seconds} seconds.",
                    name=self.nickname,
                    seconds=round(SILENCE_SECONDS),
                )
            )
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._finish(LinkBroken("The connection to {name} was lost.", name=self.nickname))
        except LinkBroken as error:
            self._finish(error)
        finally:
            self._hung_up.set()

    async def _take(self, frame: Frame) -> None:
        match frame.kind:
            case Kind.MESSAGE:
                if self._end is None:
                    await self._to_user.send(frame.body)
            case Kind.PING:
                if len(frame.body) != _PING_BYTES:
                    raise LinkBroken("{name} sent a malformed ping.", name=self.nickname)
                self._queue(Kind.PONG, frame.body)
            case Kind.PONG:
                if self._pings and frame.body == self._ping_body():
                    self.latency = trio.current_time() - self._pinged_at
            case Kind.BYE:
                self._queue(Kind.BYE, b"")
                raise LinkBroken("{name} has ended the link.", name=self.nickname)
            case Kind.HELLO:
                raise LinkBroken("{name} said hello twice.", name=self.nickname)

    async def _write(self) -> None:
        try:
            async for data in self._to_write:
                await self._stream.send_all(data)
                self._queued_bytes -= len(data) + _FRAME_OVERHEAD_BYTES
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            self._finish(LinkBroken("The connection to {name} was lost.", name=self.nickname))
            self._hung_up.set()

    async def _beat(self) -> None:
        while True:
            await trio.sleep(PING_SECONDS)
            self._pings += 1
            self._pinged_at = trio.current_time()
            self._queue(Kind.PING, self._ping_body())

    def _ping_body(self) -> bytes:
        return self._pings.to_bytes(_PING_BYTES, "big")

    def _queue(self, kind: Kind, body: bytes) -> None:
        data = encode_frame(kind, body)
        if self._end is not None:
            return
        self._queued_bytes += len(data) + _FRAME_OVERHEAD_BYTES
        if self._queued_bytes > MAX_QUEUED_BYTES:
            self._finish(LinkBroken("{name} does not keep up with the game.", name=self.nickname))
            self._hung_up.set()
        else:
            self._outbox.send_nowait(data)

    def _finish(self, end: LinkError) -> None:
        """Note why the link has ended, once, and wake whoever waits for it."""
        if self._end is None:
            self._end = end
            self._outbox.close()
            self._to_user.close()
