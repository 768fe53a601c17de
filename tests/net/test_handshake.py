from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import memory_stream_pair

from p2pdurak.errors import LinkBroken
from p2pdurak.net.handshake import answer, greet
from p2pdurak.net.hello import (
    HELLO_DOMAIN,
    Hello,
    Role,
    VersionMismatch,
    binding,
    encode_hello,
    signed_part,
)
from p2pdurak.net.tls import dialler_context, listener_tls
from p2pdurak.wire.codec import VERSION
from tests.net.wires import ANN, BOB, RawPeer, introduced, tls

NEWER = encode_hello(Hello(BOB.public, "Bob", bytes(32))).replace(b"\xa8p2pdurak\x01", b"\xa8p2pdurak\x02")
Task = Callable[[], Awaitable[object]]


async def together(*tasks: Task) -> list[LinkBroken | None]:
    """Run tasks side by side; return how each link broke."""
    ends: list[LinkBroken | None] = [None] * len(tasks)

    async def run(number: int, task: Task) -> None:
        try:
            await task()
        except LinkBroken as error:
            ends[number] = error

    async with trio.open_nursery() as nursery:
        for number, task in enumerate(tasks):
            nursery.start_soon(run, number, task)
    return ends


async def test_a_relay_in_the_middle_is_noticed_by_both() -> None:
    ann_side, relay_to_ann = memory_stream_pair()
    bob_side, relay_to_bob = memory_stream_pair()

    async def relay() -> None:
        towards_bob = trio.SSLStream(relay_to_bob, listener_tls().context, server_side=True, https_compatible=False)
        towards_ann = trio.SSLStream(relay_to_ann, dialler_context(), https_compatible=False)

        async def copy(source: trio.abc.Stream, sink: trio.abc.Stream) -> None:
            try:
                while data := await source.receive_some():
                    await sink.send_all(data)
            except trio.BrokenResourceError:
                pass
            nursery.cancel_scope.cancel()

        async with towards_bob, towards_ann, trio.open_nursery() as nursery:
            nursery.start_soon(copy, towards_bob, towards_ann)
            nursery.start_soon(copy, towards_ann, towards_bob)

    ann_end, bob_end, _ = await together(
        lambda: answer(ann_side, tls(), ANN, "Ann", ""),
        lambda: greet(bob_side, BOB, "Bob", "", ANN.public),
        relay,
    )
    assert "somebody sits in between" in str(bob_end)
    assert ann_end is not None


async def test_a_key_is_not_taken_on_trust() -> None:
    """Mallory dials Ann under Bob's key, and signs with another."""
    near, far = memory_stream_pair()

    async def mallory() -> None:
        peer = await RawPeer.dialling(far)
        mine = encode_hello(Hello(BOB.public, "Bob", bytes(32)))
        await peer.say(mine)
        theirs = await peer.hear()
        assert theirs is not None
        bound = binding(tls().certificate_hash, mine, theirs.body)
        forged = signed_part(Role.DIALLER, bound)
        await peer.say(ANN.sign(HELLO_DOMAIN, forged))
        assert await peer.hear() is not None, "the listener's signature"
        assert await peer.hear() is None

    end, _ = await together(lambda: answer(near, tls(), ANN, "Ann", ""), mallory)
    assert "does not hold the key" in str(end)


async def test_a_listeners_signature_cannot_be_reflected() -> None:
    """Mallory answers Bob's call with what Bob himself says."""
    near, far = memory_stream_pair()

    async def mallory() -> None:
        peer = await RawPeer.listening(near)
        hello = await peer.hear()
        assert hello is not None
        await peer.say(hello.body)
        await peer.say(bytes(64))
        assert await peer.hear() is None

    end, _ = await together(lambda: greet(far, BOB, "Bob", ""), mallory)
    assert "does not hold the key" in str(end)


async def test_only_the_expected_player_will_do() -> None:
    near, far = memory_stream_pair()
    ann_end, bob_end = await together(
        lambda: answer(near, tls(), ANN, "Ann", ""),
        lambda: greet(far, BOB, "Bob", "", expected=b"somebody else's key, of 32 bytes"),
    )
    assert "Somebody else answers" in str(bob_end)
    assert "hung up" in str(ann_end) or "lost" in str(ann_end)


async def test_a_program_does_not_talk_to_itself() -> None:
    near, far = memory_stream_pair()
    listener_end, dialler_end = await together(
        lambda: answer(near, tls(), ANN, "Ann", ""), lambda: greet(far, ANN, "Ann", "")
    )
    assert "this very program" in str(listener_end)
    assert dialler_end is not None


async def test_a_newer_dialler_is_told_as_well() -> None:
    near, far = memory_stream_pair()

    async def newer() -> None:
        peer = await RawPeer.dialling(far)
        await peer.say(NEWER)
        hello = await peer.hear()
        assert hello is not None
        assert hello.body.startswith(b"\x95\xa8p2pdurak" + bytes([VERSION]))
        assert await peer.hear() is None

    end, _ = await together(lambda: answer(near, tls(), ANN, "Ann", ""), newer)
    assert isinstance(end, VersionMismatch)


async def test_a_newer_listener_is_recognised() -> None:
    near, far = memory_stream_pair()

    async def newer() -> None:
        peer = await RawPeer.listening(near)
        await peer.hear()
        await peer.say(NEWER)

    end, _ = await together(lambda: greet(far, ANN, "Ann", ""), newer)
    assert isinstance(end, VersionMismatch)
    assert end.theirs == 2


@pytest.mark.parametrize("noise", [b"GET / HTTP/1.1\r\n\r\n", b"\x16\x03\x01\xff\xff" + bytes(100), b""])
async def test_whoever_speaks_no_tls_is_let_go(noise: bytes) -> None:
    near, far = memory_stream_pair()

    async def stranger() -> None:
        if noise:
            await far.send_all(noise)
        await far.send_eof()
        while await far.receive_some():
            pass

    end, _ = await together(lambda: answer(near, tls(), ANN, "Ann", ""), stranger)
    assert "lost during the introduction" in str(end)


async def test_tls_before_1_3_is_refused() -> None:
    near, far = memory_stream_pair()
    context = dialler_context()
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.maximum_version = ssl.TLSVersion.TLSv1_2

    async def old() -> None:
        async with trio.SSLStream(far, context) as stream:
            with pytest.raises(trio.BrokenResourceError):
                await stream.do_handshake()

    end, _ = await together(lambda: answer(near, tls(), ANN, "Ann", ""), old)
    assert "lost during the introduction" in str(end)


@pytest.mark.parametrize("body", [b"", b"noise", bytes(512), NEWER[:-1] + b"\0\0"])
async def test_whoever_says_no_hello_is_let_go(body: bytes) -> None:
    near, far = memory_stream_pair()

    async def stranger() -> None:
        peer = await RawPeer.dialling(far)
        await peer.say(body)
        while await peer.hear():
            pass

    end, _ = await together(lambda: answer(near, tls(), ANN, "Ann", ""), stranger)
    assert end is not None


async def test_bytes_sent_right_after_the_introduction_are_not_lost() -> None:
    ann, bob = await introduced(*memory_stream_pair())
    async with bob.running():
        bob.send(b"eager")
        async with ann.running():
            assert await ann.receive() == b"eager"
