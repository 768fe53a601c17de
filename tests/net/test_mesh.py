"""Links by key: which of two stays, who is a stranger, and what strangers cannot do."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest
import trio
import trio.testing

from p2pdurak.crypto.identity import SigningKey
from p2pdurak.errors import LinkError
from p2pdurak.net.addresses import Address
from p2pdurak.net.background import background
from p2pdurak.net.mesh import (
    MAX_STRANGERS,
    SETTLED_SECONDS,
    STRANGER_FRAMES,
    Arrived,
    Frame,
    Left,
    Mesh,
    News,
    open_mesh,
)
from tests.helpers import entropy, signing_key
from tests.net.waiting import until


def at(mesh: Mesh) -> list[Address]:
    return [Address("127.0.0.1", mesh.port)]


async def news_until(mesh: Mesh, kind: type[News]) -> News:
    while not isinstance(news := await mesh.news.receive(), kind):
        pass
    return news


async def test_frames_arrive_in_order_with_the_key_of_their_sender() -> None:
    async with open_mesh(signing_key(0), "Anna", port=0) as anna, open_mesh(signing_key(1), "Boris", port=0) as boris:
        key = await boris.reach(at(anna), anna.identity.public)
        assert key == anna.identity.public
        assert await news_until(anna, Arrived) == Arrived(boris.identity.public)
        for number in range(STRANGER_FRAMES // 2):
            boris.send(anna.identity.public, bytes([number]))
        for number in range(STRANGER_FRAMES // 2):
            assert await anna.news.receive() == Frame(boris.identity.public, bytes([number]))


async def test_the_wrong_key_is_not_reached() -> None:
    async with open_mesh(signing_key(0), "Anna", port=0) as anna, open_mesh(signing_key(1), "Boris", port=0) as boris:
        with pytest.raises(LinkError, match="Somebody else answers"):
            await boris.reach(at(anna), signing_key(2).public)
        assert boris.peers() == ()


async def test_of_two_links_the_one_that_the_lower_key_dialled_stays() -> None:
    keys = sorted((signing_key(0), signing_key(1)), key=lambda key: key.public)
    async with open_mesh(keys[0], "Low", port=0) as low, open_mesh(keys[1], "High", port=0) as high:
        await high.reach(at(low), low.identity.public)
        await low.reach(at(high), high.identity.public)
        # The second link has replaced the first at both ends, without anybody being told that somebody left.
        low.send(high.identity.public, b"from low")
        high.send(low.identity.public, b"from high")
        assert await news_until(high, Frame) == Frame(low.identity.public, b"from low")
        assert await news_until(low, Frame) == Frame(high.identity.public, b"from high")
        assert low._links[high.identity.public].dialled
        assert not high._links[low.identity.public].dialled


async def greet_whoever_arrives(mesh: Mesh) -> None:
    arrived = await news_until(mesh, Arrived)
    assert isinstance(arrived, Arrived)
    mesh.send(arrived.peer, b"here again")


async def test_who_calls_long_after_a_link_came_up_has_lost_it_and_gets_another() -> None:
    """Whoever lost its power comes back with the higher key, before the other has noticed that the old link is dead."""
    keys = sorted((signing_key(0), signing_key(1)), key=lambda key: key.public)
    async with open_mesh(keys[0], "Low", port=0) as low, open_mesh(keys[1], "High", port=0) as gone:
        await low.reach(at(gone), keys[1].public)
        await news_until(low, Arrived)
        async with open_mesh(keys[1], "High", port=0) as young:
            await young.reach(at(low), keys[0].public)
            assert isinstance(await news_until(young, Left), Left)
        low._links[keys[1].public].since -= SETTLED_SECONDS
        async with open_mesh(keys[1], "High", port=0) as back, background() as tasks:
            await back.reach(at(low), keys[0].public)
            tasks.start_soon(greet_whoever_arrives, low)
            assert await news_until(back, Arrived) == Arrived(keys[0].public)
            assert await back.news.receive() == Frame(keys[0].public, b"here again")


async def test_a_wanted_peer_is_dialled_until_it_is_there() -> None:
    async with open_mesh(signing_key(1), "Boris", port=0) as boris:
        async with open_mesh(signing_key(0), "Anna", port=0) as gone:
            port = gone.port
        boris.want(signing_key(0).public, [Address("127.0.0.1", port)])
        async with open_mesh(signing_key(0), "Anna", port=port):
            assert await news_until(boris, Arrived) == Arrived(signing_key(0).public)
        assert isinstance(await news_until(boris, Left), Left)


async def test_a_peer_may_be_forgotten_as_soon_as_it_is_wanted() -> None:
    async with open_mesh(signing_key(1), "Boris", port=0) as boris:
        boris.want(signing_key(0).public, [Address("127.0.0.1", 9)])
        boris.forget(signing_key(0).public)
        await trio.testing.wait_all_tasks_blocked()
        assert boris.peers() == ()


async def test_who_was_dropped_for_nonsense_gets_no_link_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pdurak.net.mesh.FIRST_BAN_SECONDS", 600.0)
    monkeypatch.setattr("p2pdurak.net.mesh.LAST_BAN_SECONDS", 6000.0)
    async with open_mesh(signing_key(0), "Anna", port=0) as anna, open_mesh(signing_key(1), "Boris", port=0) as boris:
        await boris.reach(at(anna), anna.identity.public)
        await news_until(anna, Arrived)
        anna.drop(boris.identity.public, LinkError("This is no talk."))
        await news_until(anna, Left)
        await news_until(boris, Left)
        await boris.reach(at(anna), anna.identity.public)
        await news_until(boris, Left)
        assert anna.peers() == ()
        del anna._bans[boris.identity.public]
        await boris.reach(at(anna), anna.identity.public)
        await news_until(anna, Arrived)


async def test_a_stranger_that_says_too_much_loses_its_link() -> None:
    async with open_mesh(signing_key(0), "Anna", port=0) as anna, open_mesh(signing_key(1), "Boris", port=0) as boris:
        await boris.reach(at(anna), anna.identity.public)
        for _ in range(3 * STRANGER_FRAMES):
            boris.send(anna.identity.public, b"look at me")
        left = await news_until(anna, Left)
        assert isinstance(left, Left)
        assert str(left.reason) == "A stranger says too much."


async def test_a_friend_may_say_as_much_as_it_likes() -> None:
    async with open_mesh(signing_key(0), "Anna", port=0) as anna, open_mesh(signing_key(1), "Boris", port=0) as boris:
        anna.friends = frozenset([boris.identity.public])
        await boris.reach(at(anna), anna.identity.public)
        for _ in range(3 * STRANGER_FRAMES):
            boris.send(anna.identity.public, b"a move")
        for _ in range(3 * STRANGER_FRAMES):
            await news_until(anna, Frame)


async def test_a_crowd_of_strangers_never_costs_a_friend_its_link() -> None:
    async with AsyncExitStack() as stack:
        anna = await stack.enter_async_context(open_mesh(signing_key(0), "Anna", port=0))
        friend = await stack.enter_async_context(open_mesh(signing_key(1), "Boris", port=0))
        anna.friends = frozenset([friend.identity.public])
        await friend.reach(at(anna), anna.identity.public)
        await news_until(anna, Arrived)
        for number in range(MAX_STRANGERS + 5):
            key = SigningKey(entropy("stranger", number))
            stranger = await stack.enter_async_context(open_mesh(key, "Nobody", port=0))
            await stranger.reach(at(anna), anna.identity.public)
            await news_until(anna, Arrived)
        await until(lambda: len(anna.peers()) <= 1 + MAX_STRANGERS)
        assert friend.identity.public in anna.peers()
        friend.send(anna.identity.public, b"still here")
        assert await news_until(anna, Frame) == Frame(friend.identity.public, b"still here")


async def test_a_wanted_peer_is_dialled_where_it_was_said_to_be_last() -> None:
    async with open_mesh(signing_key(0), "Anna", port=0) as anna, open_mesh(signing_key(1), "Boris", port=0) as boris:
        anna.want(boris.identity.public, at(anna))
        anna.want(boris.identity.public, at(boris))
        assert await news_until(anna, Arrived) == Arrived(boris.identity.public)
