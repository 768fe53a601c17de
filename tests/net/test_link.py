from __future__ import annotations

import pytest
import trio
from trio.testing import MockClock, lockstep_stream_pair, memory_stream_pair, wait_all_tasks_blocked

from p2pdurak.errors import LinkBroken, LinkClosed
from p2pdurak.net.frames import MAX_BODY_BYTES, Frame, Kind, encode_frame
from p2pdurak.net.link import MAX_QUEUED_BYTES, SILENCE_SECONDS, Link
from tests.net.wires import ANN, BOB, bob_without_manners, introduced, linked


async def test_each_end_knows_the_other() -> None:
    async with linked() as (ann, bob):
        assert (ann.peer, ann.nickname, ann.address, ann.dialled) == (BOB.public, "Bob", "bob's address", False)
        assert (bob.peer, bob.nickname, bob.address, bob.dialled) == (ANN.public, "Ann", "ann's address", True)
        assert ann.binding == bob.binding
        assert len(ann.binding) == 32


async def test_frames_arrive_whole_and_in_order() -> None:
    frames = [b"", b"one", b"x" * MAX_BODY_BYTES, b"two", *(bytes([number]) for number in range(100))]
    async with linked() as (ann, bob):
        for frame in frames:
            ann.send(frame)
            bob.send(frame[::-1])
        assert [await bob.receive() for _ in frames] == frames
        assert [await ann.receive() for _ in frames] == [frame[::-1] for frame in frames]
        with pytest.raises(ValueError, match="65536"):
            ann.send(b"x" * (MAX_BODY_BYTES + 1))


async def test_a_receive_that_is_cancelled_loses_nothing(autojump_clock: MockClock) -> None:
    async with linked() as (ann, bob):
        with trio.move_on_after(3):
            await bob.receive()
        ann.send(b"still here")
        assert await bob.receive() == b"still here"


async def test_a_farewell_comes_after_all_that_was_said(autojump_clock: MockClock) -> None:
    async with linked() as (ann, bob):
        ann.send(b"one")
        ann.send(b"two")
        ann.close(LinkClosed("The table is full."))
        ann.close()
        with pytest.raises(LinkClosed, match="The table is full"):
            ann.send(b"three")
        with pytest.raises(LinkClosed, match="The table is full"):
            await ann.receive()
        assert await bob.receive() == b"one"
        assert await bob.receive() == b"two"
        for _ in range(2):
            with pytest.raises(LinkBroken, match="Ann has ended the link"):
                await bob.receive()
        with pytest.raises(LinkBroken, match="Ann has ended the link"):
            bob.send(b"too late")


async def test_an_exception_leaves_as_it_is_and_what_was_queued_is_delivered(autojump_clock: MockClock) -> None:
    ann, bob = await introduced(*memory_stream_pair())

    async def fail() -> None:
        async with ann.running():
            ann.send(b"last words")
            raise KeyError("bug")

    async def watch() -> None:
        with pytest.raises(KeyError, match="bug"):
            await fail()

    async with bob.running(), trio.open_nursery() as nursery:
        nursery.start_soon(watch)
        assert await bob.receive() == b"last words"
        with pytest.raises(LinkBroken):
            await bob.receive()


async def test_a_cancelled_link_is_dropped_at_once() -> None:
    ann, bob = await introduced(*memory_stream_pair())
    async with bob.running(), trio.open_nursery() as nursery:

        async def run() -> None:
            async with ann.running():
                await trio.sleep_forever()

        nursery.start_soon(run)
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    with pytest.raises(LinkBroken):
        await bob.receive()


async def test_an_idle_link_lives_on(autojump_clock: MockClock) -> None:
    async with linked() as (ann, bob):
        await trio.sleep(300)
        assert ann.latency == bob.latency == 0.0
        ann.send(b"still here")
        assert await bob.receive() == b"still here"


async def test_silence_is_a_lost_link(autojump_clock: MockClock) -> None:
    ann, _ = await bob_without_manners()
    async with ann.running():
        since = trio.current_time()
        with pytest.raises(LinkBroken, match="No sign of life from Bob for 4 seconds"):
            await ann.receive()
        assert trio.current_time() - since == SILENCE_SECONDS


async def test_our_own_slowness_is_not_the_peers_silence(autojump_clock: MockClock) -> None:
    frames = [bytes([number]) * 100 for number in range(200)]
    async with linked() as (ann, bob):
        for frame in frames:
            ann.send(frame)
        await trio.sleep(60)
        assert [await bob.receive() for _ in frames] == frames
        bob.send(b"thank you")
        assert await ann.receive() == b"thank you"


def flood(link: Link, frame: bytes) -> None:
    for _ in range(MAX_QUEUED_BYTES // 64):
        link.send(frame)


async def test_a_peer_that_does_not_keep_up_loses_its_link() -> None:
    ann, _ = await introduced(*lockstep_stream_pair())
    async with ann.running():
        with pytest.raises(LinkBroken, match="Bob does not keep up"):
            flood(ann, b"x" * MAX_BODY_BYTES)
        with pytest.raises(LinkBroken, match="Bob does not keep up"):
            await ann.receive()


async def test_empty_frames_are_not_free() -> None:
    ann, _ = await introduced(*lockstep_stream_pair())
    async with ann.running():
        with pytest.raises(LinkBroken, match="Bob does not keep up"):
            flood(ann, b"")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (encode_frame(Kind.HELLO, b""), "said hello twice"),
        (encode_frame(Kind.PING, b"short"), "malformed ping"),
        (b"\0\0\0\x01\x09", "unknown kind"),
        (b"\xff\xff\xff\xff", "out of bounds"),
    ],
)
async def test_bad_manners_cost_the_link(autojump_clock: MockClock, data: bytes, reason: str) -> None:
    ann, bob = await bob_without_manners()
    async with ann.running():
        await bob.say(b"good", Kind.MESSAGE)
        await bob.stream.send_all(data)
        assert await ann.receive() == b"good"
        with pytest.raises(LinkBroken, match=reason):
            await ann.receive()
    assert await bob.hear() is None


async def test_a_ping_is_answered_and_a_wrong_pong_is_not_measured(autojump_clock: MockClock) -> None:
    ann, bob = await bob_without_manners()
    async with ann.running():
        await bob.say(b"8 bytes!", Kind.PING)
        assert await bob.hear() == Frame(Kind.PONG, b"8 bytes!")
        await bob.say(bytes(8), Kind.PONG)
        ping = await bob.hear()
        assert ping is not None
        await trio.sleep(0.25)
        await bob.say(b"8 bytes!", Kind.PONG)
        await wait_all_tasks_blocked()
        assert ann.latency is None
        await bob.say(ping.body, Kind.PONG)
        await wait_all_tasks_blocked()
        assert ann.latency == 0.25


async def test_a_lost_connection_is_a_broken_link() -> None:
    ann, bob = await bob_without_manners()
    async with ann.running():
        await trio.aclose_forcefully(bob.stream)
        with pytest.raises(LinkBroken, match="The connection to Bob was lost"):
            await ann.receive()
        with pytest.raises(LinkBroken, match="The connection to Bob was lost"):
            ann.send(b"")
