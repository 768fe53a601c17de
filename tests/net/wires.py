"""Both ends of a link in memory, under real TLS, and ends that misbehave."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import trio
from trio.testing import memory_stream_pair

from p2pdurak.crypto.identity import SigningKey
from p2pdurak.net.frames import Frame, FrameDecoder, Kind, encode_frame
from p2pdurak.net.handshake import answer, greet
from p2pdurak.net.tls import ListenerTLS, dialler_context, listener_tls

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from p2pdurak.net.link import Link

ANN = SigningKey(b"a" * 32)
BOB = SigningKey(b"b" * 32)


@cache
def tls() -> ListenerTLS:
    return listener_tls()


async def introduced(near: trio.abc.Stream, far: trio.abc.Stream) -> tuple[Link, Link]:
    """Bob dials Ann: return Ann's end and Bob's end, neither running yet."""
    ends: dict[str, Link] = {}

    async def listen() -> None:
        ends["ann"] = await answer(near, tls(), ANN, "Ann", "bob's address")

    async def dial() -> None:
        greeting = await greet(far, BOB, "Bob", "ann's address", ANN.public)
        ends["bob"] = await greeting.confirm()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(listen)
        nursery.start_soon(dial)
    return ends["ann"], ends["bob"]


@asynccontextmanager
async def linked() -> AsyncIterator[tuple[Link, Link]]:
    """Ann's and Bob's ends of one running link."""
    ann, bob = await introduced(*memory_stream_pair())
    async with ann.running(), bob.running():
        yield ann, bob


@dataclass
class RawPeer:
    """A peer that says what it likes: TLS and frames, and no manners."""

    stream: trio.SSLStream[trio.abc.Stream]

    def __post_init__(self) -> None:
        self.decoder = FrameDecoder()

    @classmethod
    async def dialling(cls, transport: trio.abc.Stream) -> RawPeer:
        stream = trio.SSLStream(transport, dialler_context(), https_compatible=False)
        await stream.do_handshake()
        return cls(stream)

    @classmethod
    async def listening(cls, transport: trio.abc.Stream) -> RawPeer:
        stream = trio.SSLStream(transport, tls().context, server_side=True, https_compatible=False)
        await stream.do_handshake()
        return cls(stream)

    async def say(self, body: bytes, kind: Kind = Kind.HELLO) -> None:
        await self.stream.send_all(encode_frame(kind, body))

    async def hear(self) -> Frame | None:
        """Return the next frame, or None if the other side has hung up."""
        while (frame := self.decoder.next_frame()) is None:
            try:
                data = await self.stream.receive_some()
            except trio.BrokenResourceError:
                return None
            if not data:
                return None
            self.decoder.feed(data)
        return frame


async def bob_without_manners() -> tuple[Link, RawPeer]:
    """Ann's end of a link whose other end was introduced properly, and is then in the test's hands."""
    ann, bob = await introduced(*memory_stream_pair())
    stream = bob._stream
    assert isinstance(stream, trio.SSLStream)
    return ann, RawPeer(stream)
