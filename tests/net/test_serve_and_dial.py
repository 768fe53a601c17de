from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import TYPE_CHECKING

import pytest
import trio
from trio.testing import MockClock

from p2pdurak.crypto.identity import SigningKey
from p2pdurak.errors import LinkBroken, LinkError, NotationError
from p2pdurak.net.addresses import PORTS, Address
from p2pdurak.net.dial import dial
from p2pdurak.net.hello import Hello, VersionMismatch, encode_hello
from p2pdurak.net.serve import MAX_PENDING, open_listeners, port_of, serve
from tests.net.wires import ANN, BOB, RawPeer

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from p2pdurak.net.link import Link

CAROL = SigningKey(b"c" * 32)


async def echo(link: Link) -> None:
    while True:
        link.send(await link.receive())


@asynccontextmanager
async def listening(
    handler: Callable[[Link], Awaitable[object]] = echo,
    identity: SigningKey = ANN,
    refused: Callable[[VersionMismatch], object] | None = None,
) -> AsyncIterator[Address]:
    listeners = await open_listeners(loopback=True)
    async with trio.open_nursery() as nursery:

        async def run(task_status: trio.TaskStatus[object]) -> None:
            await serve(identity, "Ann", listeners, handler, refused=refused, task_status=task_status)

        await nursery.start(run)
        yield Address("127.0.0.1", port_of(listeners))
        nursery.cancel_scope.cancel()


@pytest.fixture
def jumping_clock() -> MockClock:
    """A clock that skips the waiting, but leaves sockets a moment to deliver."""
    return MockClock(autojump_threshold=0.05)


async def unused_address() -> Address:
    [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listener:
        return Address("127.0.0.1", port_of([listener]))


async def test_a_link_over_real_sockets() -> None:
    async with (
        listening() as address,
        dial(BOB, "Bob", [address], expected=ANN.public) as first,
        dial(CAROL, "Carol", [address]) as second,
    ):
        first.send(b"x" * 60_000)
        second.send(b"hello")
        assert await second.receive() == b"hello"
        assert await first.receive() == b"x" * 60_000
        assert (first.peer, first.nickname, first.address) == (ANN.public, "Ann", str(address))


async def test_ipv6_listens_on_the_same_port() -> None:
    listeners = await open_listeners(loopback=True)
    assert len({listener.socket.getsockname()[1] for listener in listeners}) == 1
    for listener in listeners:
        await listener.aclose()


async def test_no_port_is_required_to_be_free() -> None:
    async with AsyncExitStack() as open_ones:
        ports: list[int] = []
        for _ in range(len(PORTS) + 2):
            listeners = await open_listeners(loopback=True)
            for listener in listeners:
                open_ones.push_async_callback(listener.aclose)
            ports.append(port_of(listeners))
        assert len(set(ports)) == len(ports)
        with pytest.raises(LinkError, match=f"Port {ports[0]} can"):
            await open_listeners(ports[0], loopback=True)


async def test_a_port_that_is_asked_for_is_the_one() -> None:
    port = (await unused_address()).port
    listeners = await open_listeners(port, loopback=True)
    assert port_of(listeners) == port
    for listener in listeners:
        await listener.aclose()


async def test_the_expected_player_is_found_among_the_candidates() -> None:
    met: list[bytes] = []

    async def note(link: Link) -> None:
        met.append(link.peer)
        await echo(link)

    async with listening(note) as right, listening(identity=CAROL) as wrong:
        candidates = [await unused_address(), wrong, right, Address("localhost", right.port)]
        async with dial(BOB, "Bob", candidates, expected=ANN.public) as link:
            assert link.address == str(right)
            link.send(b"hello")
            assert await link.receive() == b"hello"
    assert met == [BOB.public]


async def test_a_listener_that_never_answers_holds_nobody_up(jumping_clock: MockClock) -> None:
    [silent] = await trio.open_tcp_listeners(0, host="127.0.0.1")
    mute = Address("127.0.0.1", port_of([silent]))
    async with silent, listening() as address:
        async with dial(BOB, "Bob", [mute, address]) as link:
            assert link.peer == ANN.public
        with pytest.raises(LinkBroken, match=f"Nobody answers at {mute}"):
            async with dial(BOB, "Bob", [mute]):
                pass


async def test_the_most_telling_failure_is_told() -> None:
    nobody = await unused_address()
    async with listening(identity=CAROL) as wrong:
        with pytest.raises(LinkBroken, match=f"Nobody answers at {nobody}"):
            async with dial(BOB, "Bob", [nobody]):
                pass
        with pytest.raises(LinkBroken, match="Somebody else answers"):
            async with dial(BOB, "Bob", [nobody, wrong], expected=ANN.public):
                pass


async def test_another_version_tells_most_of_all() -> None:
    async def newer(stream: trio.SocketStream) -> None:
        peer = await RawPeer.listening(stream)
        await peer.hear()
        await peer.say(encode_hello(Hello(ANN.public, "Ann", bytes(32))).replace(b"k\x01", b"k\x02"))
        await trio.aclose_forcefully(peer.stream)

    [listener] = await trio.open_tcp_listeners(0, host="127.0.0.1")
    address = Address("127.0.0.1", port_of([listener]))
    async with listening(identity=CAROL) as wrong, trio.open_nursery() as nursery:
        await nursery.start(trio.serve_listeners, newer, [listener])
        with pytest.raises(VersionMismatch, match="version 2 on the other side"):
            async with dial(BOB, "Bob", [wrong, address], expected=ANN.public):
                pass
        nursery.cancel_scope.cancel()


async def test_dialling_can_be_given_up(jumping_clock: MockClock) -> None:
    [silent] = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with silent:
        with trio.move_on_after(1) as patience:
            async with dial(BOB, "Bob", [Address("127.0.0.1", port_of([silent]))]):
                pass
    assert patience.cancelled_caught


@pytest.mark.parametrize("addresses", [[], [Address("192.0.2.1", 47800), Address("example.org", 47800)]])
async def test_confined_to_this_machine_nothing_else_is_dialled(addresses: list[Address]) -> None:
    with pytest.raises(LinkError, match=r"no address to dial|only this machine can be reached"):
        async with dial(BOB, "Bob", addresses):
            pass


async def test_a_bad_nickname_is_our_own_fault() -> None:
    with pytest.raises(NotationError):
        async with dial(BOB, "", [Address("127.0.0.1", 1)]):
            pass
    with pytest.raises(NotationError):
        await serve(ANN, "\n", [], echo)


async def test_an_exception_of_the_body_leaves_as_it_is() -> None:
    async with listening() as address:
        with pytest.raises(ZeroDivisionError):
            async with dial(BOB, "Bob", [address]):
                raise ZeroDivisionError


async def test_the_end_of_one_link_is_nothing_to_the_others() -> None:
    async with listening() as address, dial(BOB, "Bob", [address]) as patient:
        async with dial(CAROL, "Carol", [address]):
            pass
        stranger = await trio.open_tcp_stream(*address)
        await stream_noise(stranger)
        patient.send(b"still here")
        assert await patient.receive() == b"still here"


async def stream_noise(stream: trio.SocketStream) -> None:
    async with stream:
        await stream.send_all(b"GET / HTTP/1.1\r\n\r\n")


async def test_a_handlers_bug_is_not_hidden() -> None:
    async def fail(link: Link) -> None:
        raise ZeroDivisionError

    with pytest.RaisesGroup(pytest.RaisesExc(ZeroDivisionError), flatten_subgroups=True):
        async with listening(fail) as address, dial(BOB, "Bob", [address]) as link:
            with suppress(LinkBroken):
                await link.receive()
            await trio.sleep_forever()


async def test_whoever_does_not_introduce_himself_is_let_go(jumping_clock: MockClock) -> None:
    async with listening() as address, await trio.open_tcp_stream(*address) as stranger:
        since = trio.current_time()
        assert await stranger.receive_some() == b""
        assert trio.current_time() - since == pytest.approx(5, abs=0.1)


async def test_a_crowd_of_strangers_keeps_nobody_out() -> None:
    async with listening() as address, AsyncExitStack() as crowd:
        strangers = [await crowd.enter_async_context(await trio.open_tcp_stream(*address)) for _ in range(MAX_PENDING)]
        async with dial(BOB, "Bob", [address]) as link:
            link.send(b"excuse me")
            assert await link.receive() == b"excuse me"
        # Bob needed a place, and the one who had been silent longest gave it.
        assert await strangers[0].receive_some() == b""


async def test_a_newer_version_at_the_door_is_reported() -> None:
    reports: list[VersionMismatch] = []
    async with listening(refused=reports.append) as address:
        peer = await RawPeer.dialling(await trio.open_tcp_stream(*address))
        hello = encode_hello(Hello(BOB.public, "Bob", bytes(32)))
        await peer.say(hello.replace(b"\xa8p2pdurak\x01", b"\xa8p2pdurak\x07"))
        while await peer.hear():
            pass
        await trio.aclose_forcefully(peer.stream)
    assert [report.theirs for report in reports] == [7]
