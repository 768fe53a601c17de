"""Strangers who do their worst while a game is played: nobody who plays notices anything of it."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import trio

from p2pdurak.crypto.identity import SigningKey
from p2pdurak.errors import LinkError
from p2pdurak.net.addresses import Address
from p2pdurak.net.background import background
from p2pdurak.net.dial import dial
from p2pdurak.net.frames import Kind
from p2pdurak.net.mesh import Left
from p2pdurak.net.opener import Opener
from p2pdurak.net.serve import MAX_PENDING
from p2pdurak.session.audit import audit
from p2pdurak.wire.talk import Knock, Look, Say, Sit, Watch, encode_talk
from tests.helpers import entropy
from tests.net.test_node import TERMS, guest_with, play_all, sitting
from tests.net.wires import RawPeer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

CODE = "lion-pepper-7"
HUGE = (2**32 - 1).to_bytes(4, "big") + b"\x01"
BREATH_SECONDS = 0.2
"""The strangers run in the same process as the players, and must leave them some of it."""
CROWD = MAX_PENDING + 8
FLOOD = [
    encode_talk(Look()),
    encode_talk(Knock(b"\x02" + bytes(31))),
    encode_talk(Sit(0, b"n" * 32, 1)),
    encode_talk(Watch()),
    encode_talk(Say(b"g" * 32, b"no message")),
    b"\xff" * 60_000,
]


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[trio.SocketStream]:
    """A connection, dropped without a word."""
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    try:
        yield stream
    finally:
        await trio.aclose_forcefully(stream)


async def half_open(port: int) -> None:
    """Connect and say nothing, many at a time."""
    async with AsyncExitStack() as stack:
        for _ in range(CROWD):
            await stack.enter_async_context(connected(port))


async def half_a_handshake(port: int) -> None:
    """Begin with TLS, and leave it there."""
    async with connected(port) as stream:
        await stream.send_all(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(64))


async def garbage(port: int) -> None:
    """Send bytes of no meaning."""
    async with connected(port) as stream:
        await stream.send_all(entropy("garbage", port) * 2_000)


async def huge_frames(port: int) -> None:
    """Finish TLS, and announce four gigabytes."""
    async with connected(port) as stream:
        peer = await RawPeer.dialling(stream)
        await peer.stream.send_all(HUGE + bytes(10_000))
        assert await peer.hear() is None


async def two_hellos(port: int) -> None:
    """Finish TLS, and say hello as no program does."""
    async with connected(port) as stream:
        peer = await RawPeer.dialling(stream)
        await peer.say(b"hello")
        await peer.say(b"x" * 500, Kind.MESSAGE)


async def flood(port: int, numbers: count[int]) -> None:
    """Come with a key of one's own, again and again another one, and say more than is listened to."""
    key = SigningKey(entropy("stranger", next(numbers)))
    with suppress(LinkError):
        async with dial(key, "Nobody", [Address("127.0.0.1", port)]) as link:
            for frame in FLOOD * 10:
                link.send(frame)
            while True:
                await link.receive()


async def again_and_again(attack: Callable[..., Awaitable[None]], *arguments: object) -> None:
    while True:
        with suppress(OSError, trio.BrokenResourceError, trio.ClosedResourceError):
            await attack(*arguments)
        await trio.sleep(BREATH_SECONDS)


async def test_a_game_goes_on_as_if_nobody_else_were_there(tmp_path: Path) -> None:
    terms = replace(TERMS, seats=2, games=1, code=True)
    async with sitting(0, tmp_path, None, terms) as anna, sitting(1, tmp_path, anna.mesh) as boris:
        anna.lobby = Opener(anna.mesh, terms, anna.hear, ready=True, code=CODE)
        boris.lobby = guest_with(boris, CODE)
        lost: list[bytes] = []
        receive = anna.mesh.news.receive

        async def noticed() -> object:
            news = await receive()
            if isinstance(news, Left):
                lost.append(news.peer)
            return news

        anna.mesh.news.receive = noticed  # type: ignore[method-assign,assignment]
        async with background() as tasks:
            numbers = count()
            for attack in (half_open, half_a_handshake, garbage, huge_frames, two_hellos):
                tasks.start_soon(again_and_again, attack, anna.mesh.port)
            for _ in range(4):
                tasks.start_soon(again_and_again, flood, anna.mesh.port, numbers)
            tasks.start_soon(again_and_again, flood, boris.mesh.port, numbers)
            await play_all([anna, boris])
        assert next(numbers) > 4, "strangers came again and again"
        assert boris.mesh.identity.public not in lost[:-1], "only when all was over"
    assert anna.transcripts == boris.transcripts
    assert audit(anna.transcripts[0]).holds
