"""Of several tables, the one is gone to that has room for whoever comes, or that knows them; else they are listed."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

import pytest
import trio

from p2pdurak.cli.finding import Opened, SeveralTables, _reach
from p2pdurak.cli.fitting import Sought
from p2pdurak.game.ruleset import DEFAULT
from p2pdurak.net.announcement import Announcement
from p2pdurak.net.background import background
from p2pdurak.net.guest import Guest
from p2pdurak.net.mesh import open_mesh
from p2pdurak.net.opener import Opener
from p2pdurak.wire.talk import Stand
from p2pdurak.wire.terms import Terms
from tests.helpers import NAMES, signing_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

CODE = "red-fox-12"
ANYWHERE = Sought()
WITH_CODE = Sought(code=True)


@asynccontextmanager
async def a_table(seat: int, name: str, *, code: bool = False, watchers: bool = True) -> AsyncIterator[Announcement]:
    """A table for two that one player has opened, as it is announced."""
    terms = Terms(name, DEFAULT, 36, 2, code=code, watchers=watchers)
    async with open_mesh(signing_key(seat), NAMES[seat]) as mesh, background() as tasks:
        opener = Opener(mesh, terms, lambda _: None, code=CODE if code else None)
        tasks.start_soon(opener.gather, None)
        yield Announcement(name, signing_key(seat).public, "albanian", 36, 2, mesh.port, ("127.0.0.1",))


async def found(sought: Sought, *tables: Announcement) -> Opened:
    async with open_mesh(signing_key(5), "Zoe") as mesh:
        opened = await _reach(tables, mesh, sought)
        assert mesh.peers() == (opened.opener,), "the others are let go"
        return opened


async def test_of_several_tables_the_only_one_that_fits_is_gone_to() -> None:
    async with AsyncExitStack() as stack:
        full, open_, closed = [
            await stack.enter_async_context(a_table(seat, name, code=name == "closed", watchers=name != "full"))
            for seat, name in enumerate(("full", "open", "closed"))
        ]
        with pytest.raises(SeveralTables):
            await found(ANYWHERE, full, open_)
        mesh = await stack.enter_async_context(open_mesh(signing_key(4), NAMES[4]))
        tasks, seated = await stack.enter_async_context(background()), trio.Event()
        guest = Guest(mesh, full.public, full.candidates, lambda _: seated.set())
        tasks.start_soon(guest.gather, None)
        await seated.wait()
        tables = (full, open_, closed)
        assert (await found(ANYWHERE, *tables)).opener == open_.public
        assert (await found(WITH_CODE, *tables)).opener == closed.public
        assert (await found(Sought(watches=True), *tables)).opener == open_.public
        assert (await found(Sought(waiting=(full.public,)), full, closed)).opener == full.public
        with pytest.raises(SeveralTables, match="p2pdurak watch "):
            await found(Sought(watches=True), full, closed)
        for sought, among, named in (
            (Sought(waiting=(full.public,)), tables, ("full", "open")),
            (ANYWHERE, (full, closed), ("full", "closed")),
        ):
            with pytest.raises(SeveralTables) as error:
                await found(sought, *among)
            assert all(f"{name} (" in str(error.value) for name in named)
            assert ("closed" in named) == ("closed (127.0.0.1:" in str(error.value)), "nobody tells whose it is"
            assert f"full ({NAMES[0]}, 127.0.0.1:" in str(error.value)


def test_what_fits() -> None:
    stand = Stand(Terms("kitchen", DEFAULT, 36, 3), bytes(32), False, 2, ("Anna", "Boris"))
    playing = Stand(stand.terms, stand.lot, True, 2, stand.nicknames)
    full = Stand(stand.terms, stand.lot, False, 3, (*stand.nicknames, "Clara"))
    assert ANYWHERE.fits(b"", stand)
    assert not WITH_CODE.fits(b"", stand)
    assert not ANYWHERE.fits(b"", full)
    assert not ANYWHERE.fits(b"", playing), "its free seat is for the next game"
    assert Sought(watches=True).fits(b"", playing)
    assert Sought(waiting=(b"a",)).fits(b"a", playing)
    assert not Sought(waiting=(b"b",)).fits(b"a", playing)
