"""Players who have moved in the game are found by those who know somebody that has a link to them."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import replace

from p2pdurak.net.addresses import Address
from p2pdurak.net.mesh import Arrived, Mesh, open_mesh
from p2pdurak.net.whereabouts import Whereabouts
from p2pdurak.wire.talk import Place
from tests.helpers import NAMES, signing_key

# Nobody is ever there (RFC 5737), and confined to this machine nobody dials there.
OLD_HOSTS = ("", "192.0.2.1", "192.0.2.2")


async def arrival(mesh: Mesh, peer: Mesh) -> None:
    while await mesh.news.receive() != Arrived(peer.identity.public):
        pass


async def three(stack: AsyncExitStack) -> tuple[list[Mesh], tuple[Place, ...], list[Whereabouts]]:
    """The opener and two guests in a game, when both guests have moved and are linked to the opener again."""
    meshes = [await stack.enter_async_context(open_mesh(signing_key(at), NAMES[at], port=0)) for at in range(3)]
    places = tuple(
        Place(mesh.identity.public, mesh.nickname, host, mesh.port, ready=True)
        for mesh, host in zip(meshes, OLD_HOSTS, strict=True)
    )
    known = [Whereabouts(mesh) for mesh in meshes]
    for whereabouts in known:
        whereabouts.begin(places, [place.key for place in places])
    for guest in meshes[1:]:
        await guest.reach([Address("127.0.0.1", meshes[0].port)], meshes[0].identity.public)
        await arrival(meshes[0], guest)
        await arrival(guest, meshes[0])
    return meshes, places, known


async def test_two_who_have_moved_find_each_other_by_a_third() -> None:
    async with AsyncExitStack() as stack:
        (anna, boris, clara), places, (hers, his, _) = await three(stack)
        assert not hers.known()
        assert hers.arrives(clara.identity.public)
        assert hers.known()
        shown = hers.now(places)
        assert [place.host for place in shown] == ["", "192.0.2.1", "127.0.0.1"]
        assert not any(place.ready for place in shown)
        his.learn(anna.identity.public, shown)
        await arrival(boris, clara)


async def test_what_is_no_news_and_what_strangers_say_is_not_dialled() -> None:
    async with AsyncExitStack() as stack:
        (anna, boris, clara), places, (hers, his, _) = await three(stack)
        hers.arrives(clara.identity.public)
        shown = hers.now(places)
        his.learn(signing_key(4).public, shown)
        his.learn(anna.identity.public, places)
        his.learn(anna.identity.public, (replace(shown[2], key=signing_key(4).public),))
        his.learn(anna.identity.public, (replace(shown[1], host="127.0.0.1"), replace(shown[0], host="127.0.0.1")))
        assert boris._wanted == {}
        his.learn(anna.identity.public, shown)
        assert list(boris._wanted) == [clara.identity.public]


async def test_who_was_away_when_we_came_back_has_not_moved() -> None:
    async with AsyncExitStack() as stack:
        (anna, boris, _), places, (_, his, _) = await three(stack)
        assert his.of(anna.identity.public) == "127.0.0.1"
        his.begin([replace(place, host="") for place in places], [place.key for place in places])
        assert not his.arrives(anna.identity.public)
        assert not his.known()
        assert his.of(boris.identity.public) == ""
