"""A connection in memory that behaves as TCP does when all goes well, and when it does not.

What is written comes out on the other side later, in order, in pieces of any size, with bounded room under way. A
connection may break, which destroys what is under way and is noticed by both ends; or it may go dark, so that bytes
vanish and nobody is told. On top of that, and unlike TCP, rough weather loses, doubles and reorders whole messages.
"""

from __future__ import annotations

import heapq
from enum import Enum
from typing import TYPE_CHECKING, Protocol

import trio

from p2pdurak.net.frames import Frame, FrameDecoder

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tests.faults.machine import Life

ROOM_BYTES = 64 * 1024
"""What is under way in one direction at most, before the writer has to wait."""


class Way(Protocol):
    """How it is from one machine to another."""

    def arrival(self) -> float:
        """Return the time at which something written now arrives, if nothing that was written before is later."""

    def astray(self, frame: Frame) -> Sequence[float] | None:
        """Return when the copies of a frame arrive that loses its place among the others; None if it keeps it."""

    def opens(self) -> float:
        """Return from when on anything arrives; a time that has passed if the way is open."""

    def piece(self, length: int) -> int:
        """Return how many of so many bytes come out at once."""


class Fate(Enum):
    """What has become of one direction of a connection."""

    WHOLE = "whole"
    BROKEN = "broken"
    DARK = "dark"


class Pipe:
    """One direction of a connection."""

    def __init__(self, way: Way) -> None:
        self._way = way
        self._fate = Fate.WHOLE
        self._under_way: list[tuple[float, int, bytes]] = []
        self._come_out = bytearray()
        self._bytes = self._written = 0
        self._last = 0.0
        self._changed = trio.lowlevel.ParkingLot()

    @property
    def pending(self) -> bool:
        """Whether something was written that has not been read."""
        return bool(self._bytes or self._come_out)

    async def write(self, frame: Frame, data: bytes) -> None:
        """Let a frame go its way; waits for room. Raises BrokenResourceError when the connection is broken."""
        await trio.lowlevel.checkpoint()
        while self._bytes > ROOM_BYTES and self._fate is Fate.WHOLE:
            await self._changed.park()
        if self._fate is Fate.BROKEN:
            raise trio.BrokenResourceError
        times = self._way.astray(frame)
        if times is None:
            self._put(self._next(), data)
        else:
            for at in times:
                self._put(at, data)

    async def read(self, limit: int) -> bytes:
        """Return what has arrived, at most ``limit`` bytes; empty at the end. Raises BrokenResourceError."""
        await trio.lowlevel.checkpoint()
        while not self._come_out:
            if self._fate is Fate.BROKEN:
                raise trio.BrokenResourceError
            due = max(self._under_way[0][0], self._way.opens()) if self._under_way else float("inf")
            if due > trio.current_time():
                with trio.move_on_at(due):
                    await self._changed.park()
                continue
            data = heapq.heappop(self._under_way)[2]
            if not data:
                return b""
            self._bytes -= len(data)
            self._come_out += data
            self._changed.unpark_all()
        size = self._way.piece(min(limit, len(self._come_out)))
        piece = bytes(self._come_out[:size])
        del self._come_out[:size]
        return piece

    def end(self) -> None:
        """Write no more; what is under way arrives, and then the end."""
        self._put(self._next(), b"")

    def meet(self, fate: Fate) -> None:
        """Lose what is under way, and whatever would come after it."""
        if self._fate is Fate.WHOLE:
            self._fate = fate
        self._under_way.clear()
        self._come_out.clear()
        self._bytes = 0
        self._changed.unpark_all()

    def _next(self) -> float:
        self._last = max(self._last, self._way.arrival())
        return self._last

    def _put(self, at: float, data: bytes) -> None:
        if self._fate is Fate.WHOLE:
            self._written += 1
            self._bytes += len(data)
            heapq.heappush(self._under_way, (at, self._written, data))
            self._changed.unpark_all()


class Stream(trio.abc.Stream):
    """One end of a connection: that of the program ``life``. ``said`` hears of each frame that leaves it."""

    def __init__(self, life: Life, outgoing: Pipe, incoming: Pipe, said: Callable[[Frame], object]) -> None:
        self.life = life
        self._out, self._in = outgoing, incoming
        self._said = said
        self._decoder = FrameDecoder()
        self.closed = False

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        self._decoder.feed(bytes(data))
        while (frame := self._decoder.next_frame()) is not None:
            if self.closed:
                raise trio.ClosedResourceError
            if self.life.alive:
                self._said(frame)
            await self._out.write(frame, bytes(data))  # links write frame by frame

    async def wait_send_all_might_not_block(self) -> None:
        await trio.lowlevel.checkpoint()

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        if self.closed:
            raise trio.ClosedResourceError
        return await self._in.read(max_bytes or ROOM_BYTES)

    async def aclose(self) -> None:
        self.close()
        await trio.lowlevel.checkpoint()

    def close(self) -> None:
        """End the connection as an operating system does: in good order, unless there is something left to read."""
        if self.closed:
            return
        self.closed = True
        if self._in.pending:
            self._out.meet(Fate.BROKEN)
        else:
            self._out.end()
        self._in.meet(Fate.BROKEN)

    def meet(self, fate: Fate) -> None:
        """Lose what is under way in both directions, and whatever would come after it."""
        self._out.meet(fate)
        self._in.meet(fate)
