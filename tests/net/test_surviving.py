"""A peer that goes down in the middle of a game comes back from its journal, and the game goes on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import pytest
import trio

from p2pdurak.bots import steady
from p2pdurak.errors import StorageError
from p2pdurak.game.ruleset import PRESETS
from p2pdurak.net.addresses import Address
from p2pdurak.net.game_files import interrupted_games
from p2pdurak.net.guest import Guest
from p2pdurak.net.match import play_match
from p2pdurak.net.mesh import Mesh, open_mesh
from p2pdurak.net.node import Node
from p2pdurak.net.opener import Opener
from p2pdurak.net.saved import Header, Interrupted, decode_header, encode_header, take_up
from p2pdurak.session.audit import audit
from p2pdurak.session.events import Event, Heard
from p2pdurak.session.session import Session
from p2pdurak.wire.codec import encode
from p2pdurak.wire.talk import Place
from p2pdurak.wire.terms import Terms
from tests.helpers import NAMES, make_genesis, signing_key
from tests.net.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State
    from p2pdurak.net.lobby import Lobby
    from p2pdurak.net.questions import Decide

TERMS = Terms("kitchen", PRESETS["albanian"], seats=3, games=1)
Watch = Callable[[Session, Event], object]


async def decide(view: State) -> Action:
    return steady.choose(view)


def nothing(*_: object) -> None:
    """Be told and do nothing."""


@asynccontextmanager
async def a_mesh(at: int, port: int = 0):  # type: ignore[no-untyped-def]
    async with open_mesh(signing_key(at), NAMES[at], port=port or None) as mesh:
        yield mesh


async def life(
    at: int,
    games: Path,
    opener: Address | None,
    watch: Watch = nothing,
    *,
    ports: dict[int, int] | None = None,
    decide: Decide = decide,
) -> bytes:
    """Live through one game from the lobby on; return the transcript."""
    transcripts: list[bytes] = []
    async with a_mesh(at) as mesh:
        if ports is not None:
            ports[at] = mesh.port
        lobby: Lobby
        if opener is None:
            lobby = Opener(mesh, TERMS, nothing, ready=True)
        else:
            await mesh.reach([opener], signing_key(0).public)
            lobby = Guest(mesh, signing_key(0).public, [opener], nothing, ready=True)
        node = Node(lobby, games, decide, watch)
        await play_match(lobby, node, lambda _, path: transcripts.append(path.read_bytes()))
    return transcripts[0]


async def second_life(at: int, games: Path, watch: Watch = nothing, *, decide: Decide = decide) -> bytes:
    """Take up the interrupted game; return the transcript."""
    transcripts: list[bytes] = []
    (journal,) = interrupted_games(games)
    interrupted = take_up(journal)
    header = interrupted.header
    async with a_mesh(at, header.port) as mesh:
        lobby = restored(mesh, interrupted)
        node = Node(lobby, games, decide, watch)
        await play_match(lobby, node, lambda _, path: transcripts.append(path.read_bytes()), interrupted)
    return transcripts[0]


def restored(mesh: Mesh, interrupted: Interrupted) -> Lobby:
    header = interrupted.header
    if header.opener == mesh.identity.public:
        opener = Opener(mesh, header.terms, nothing, ready=True, code=header.code)
        opener.take_up(header)
        return opener
    (where,) = [Address(place.host, place.port) for place in header.places if place.key == header.opener]
    guest = Guest(mesh, header.opener, [where], nothing, ready=True, code=header.code)
    guest.take_up(header)
    return guest


OPENER, GUEST = 0, 1
MOMENTS = ((OPENER, 2), (GUEST, 9), (OPENER, 16), (GUEST, 60))
"""Of the shuffle, the deal and the play; those between are for the long run."""


@pytest.mark.parametrize(
    ("crasher", "moment"),
    [
        pytest.param(crasher, moment, marks=[] if (crasher, moment) in MOMENTS else pytest.mark.soak)
        for moment in (2, 9, 16, 30, 60)
        for crasher in (OPENER, GUEST)
    ],
)
async def test_whoever_crashes_comes_back_and_the_game_goes_on(tmp_path: Path, crasher: int, moment: int) -> None:
    folders = [tmp_path / name for name in NAMES[:3]]
    for folder in folders:
        folder.mkdir()
    ports: dict[int, int] = {}
    transcripts: dict[int, bytes] = {}
    heard = 0
    crash = trio.CancelScope()

    def count(session: Session, event: Event) -> None:
        nonlocal heard
        heard += isinstance(event, Heard)
        if heard == moment:
            crash.cancel()

    async def live(at: int, opener: Address | None) -> None:
        if at != crasher:
            transcripts[at] = await life(at, folders[at], opener, ports=ports)
            return
        with crash:
            await life(at, folders[at], opener, count, ports=ports)
        assert crash.cancelled_caught
        transcripts[at] = await second_life(at, folders[at])

    async with trio.open_nursery() as nursery:
        nursery.start_soon(live, 0, None)
        await until(lambda: 0 in ports)
        for at in (1, 2):
            nursery.start_soon(live, at, Address("127.0.0.1", ports[0]))
    assert len(set(transcripts.values())) == 1
    assert audit(transcripts[0]).holds


def test_a_header_is_read_back_or_refused(tmp_path: Path) -> None:
    genesis = make_genesis(2)
    places = tuple(Place(key, name, "127.0.0.1", 47800, True) for key, name in zip(genesis.keys, NAMES, strict=False))
    header = Header(genesis, TERMS, places, genesis.keys[0], "lion-pepper-7", 47801)
    data = encode_header(header)
    assert decode_header(data) == header
    for garbage in (b"", b"\xc0", data[:-1], data + b"\0", encode((b"", b"", b"", None, 0))):
        with pytest.raises(StorageError, match="saved game"):
            decode_header(garbage)
    assert interrupted_games(tmp_path) == []


async def test_who_is_asked_again_what_others_have_heard_is_let_off_when_they_tell(tmp_path: Path) -> None:
    """Boris decides, and his disk loses that: the others heard it, and are waiting for what he decides next."""
    folders = [tmp_path / name for name in NAMES[:3]]
    for folder in folders:
        folder.mkdir()
    ports: dict[int, int] = {}
    before: dict[Path, bytes] = {}
    decided: list[int] = []
    asked: list[State] = []
    let_off = trio.Event()
    crash = trio.CancelScope()

    async def decide_and_lose_it(view: State) -> Action:
        if not before:
            before.update({path: path.read_bytes() for path in folders[1].iterdir()})
        return steady.choose(view)

    def watch(session: Session, event: Event) -> None:
        if isinstance(event, Heard) and before:
            decided.extend([event.round] if event.seat == session.genesis.keys.index(signing_key(1).public) else [])
            if decided and event.round > decided[0]:
                crash.cancel()

    async def never_decide_the_first(view: State) -> Action:
        asked.append(view)
        if len(asked) > 1:
            assert let_off.is_set()
            return steady.choose(view)
        try:
            return await trio.sleep_forever()
        finally:
            let_off.set()

    async def boris() -> bytes:
        with crash:
            await life(1, folders[1], Address("127.0.0.1", ports[0]), watch, ports=ports, decide=decide_and_lose_it)
        for path, data in before.items():
            path.write_bytes(data)
        return await second_life(1, folders[1], decide=never_decide_the_first)

    transcripts: list[bytes] = []
    async with trio.open_nursery() as nursery:

        async def keep(transcript: Callable[[], Awaitable[bytes]]) -> None:
            transcripts.append(await transcript())

        nursery.start_soon(keep, partial(life, 0, folders[0], None, ports=ports))
        await until(lambda: 0 in ports)
        nursery.start_soon(keep, boris)
        nursery.start_soon(keep, partial(life, 2, folders[2], Address("127.0.0.1", ports[0]), ports=ports))
    assert len(asked) > 1
    assert len(set(transcripts)) == 1
    assert audit(transcripts[0]).holds
