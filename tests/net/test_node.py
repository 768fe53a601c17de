"""Whole matches between nodes in one process, over real TLS links on the loopback interface."""

from __future__ import annotations

from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest
import trio

from p2pdurak.bots import steady
from p2pdurak.errors import LinkBroken, LinkClosed, LinkError
from p2pdurak.game.ruleset import PRESETS
from p2pdurak.net.addresses import Address
from p2pdurak.net.background import background
from p2pdurak.net.code import FREE_GUESSES
from p2pdurak.net.guest import Guest
from p2pdurak.net.history import Beginning
from p2pdurak.net.lobby import Lobby, LobbyEvent, Warned, lot_of
from p2pdurak.net.match import play_match
from p2pdurak.net.mesh import Frame, Mesh, open_mesh
from p2pdurak.net.node import Node
from p2pdurak.net.opener import Opener
from p2pdurak.session.audit import audit, match_problem
from p2pdurak.session.events import Event, Played
from p2pdurak.wire.genesis import Genesis, Seat
from p2pdurak.wire.talk import Begin, Look, Place, Places, Say, Sit, Stand, decode_talk, encode_talk
from p2pdurak.wire.terms import Terms
from tests.helpers import NAMES, make_genesis, signing_key

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State
    from p2pdurak.session.session import Session

TERMS = Terms("kitchen", PRESETS["albanian"], seats=3, games=2)


@dataclass
class Person:
    """One peer of a test: its mesh, its lobby, and what it was told."""

    mesh: Mesh
    games: Path
    opener: Mesh | None
    terms: Terms
    events: list[Event] = field(default_factory=list)
    seated: list[LobbyEvent] = field(default_factory=list)
    transcripts: list[bytes] = field(default_factory=list)
    changed: trio.Event = field(default_factory=trio.Event)

    def __post_init__(self) -> None:
        self.lobby: Lobby
        if self.opener is None:
            self.lobby = Opener(self.mesh, self.terms, self.hear, ready=True)
        else:
            addresses = [Address("127.0.0.1", self.opener.port)]
            self.lobby = Guest(self.mesh, self.opener.identity.public, addresses, self.hear, ready=True)

    def hear(self, event: LobbyEvent) -> None:
        self.seated.append(event)
        self.changed.set()
        self.changed = trio.Event()

    async def until(self, *nicknames: str) -> None:
        """Wait until exactly these sit at the table."""
        while [place.nickname for place in self.lobby.places] != list(nicknames):
            await self.changed.wait()

    async def play(self, watch: Callable[[Session, Event], object] = lambda session, event: None) -> None:
        async def decide(view: State) -> Action:
            return steady.choose(view)

        def tell(session: Session, event: Event) -> None:
            self.events.append(event)
            watch(session, event)

        node = Node(self.lobby, self.games, decide, tell)
        await play_match(self.lobby, node, lambda session, path: self.transcripts.append(path.read_bytes()))


@asynccontextmanager
async def sitting(at: int, folder: Path, opener: Mesh | None, terms: Terms = TERMS) -> AsyncIterator[Person]:
    """Give seat ``at``'s key a mesh, linked to the opener if it is not the opener itself."""
    async with open_mesh(signing_key(at), NAMES[at], port=0) as mesh:
        games = folder / NAMES[at]
        games.mkdir(exist_ok=True)
        if opener is not None:
            await mesh.reach([Address("127.0.0.1", opener.port)], opener.identity.public)
        yield Person(mesh, games, opener, terms)


async def a_table(stack: AsyncExitStack, folder: Path, players: int, terms: Terms = TERMS) -> list[Person]:
    people = [await stack.enter_async_context(sitting(0, folder, None, terms))]
    for at in range(1, players):
        people.append(await stack.enter_async_context(sitting(at, folder, people[0].mesh)))
    return people


async def play_all(people: list[Person]) -> None:
    async with trio.open_nursery() as nursery:
        for person in people:
            nursery.start_soon(person.play)


async def test_three_peers_play_a_match_of_two_games(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        people = await a_table(stack, tmp_path, 3)
        await play_all(people)
    assert [len(person.transcripts) for person in people] == [2, 2, 2]
    assert all(person.transcripts == people[0].transcripts for person in people)
    first, second = map(audit, people[0].transcripts)
    assert first.holds
    assert second.holds
    assert match_problem(first, second) is None
    left = {path.suffix for person in people for path in person.games.iterdir()}
    assert left == {".durak"}, "journals and secrets go when the transcript is there"


async def test_who_comes_when_all_seats_are_taken_is_refused_and_disturbs_nobody(tmp_path: Path) -> None:
    terms = replace(TERMS, seats=2, games=1)
    async with AsyncExitStack() as stack:
        anna, boris, clara = await a_table(stack, tmp_path, 3, terms)
        refused = trio.Event()

        async def come_late() -> None:
            await anna.until("Anna", "Boris")
            with pytest.raises(LinkError, match=r"a seat may be free after it|All seats of this table are taken"):
                await clara.lobby.gather(None)
            refused.set()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(anna.play)
            nursery.start_soon(boris.play)
            nursery.start_soon(come_late)
            await refused.wait()
    assert anna.transcripts == boris.transcripts
    assert audit(anna.transcripts[0]).holds


async def test_a_seat_is_free_again_when_its_peer_goes_away(tmp_path: Path) -> None:
    async with sitting(0, tmp_path, None, replace(TERMS, games=1)) as anna, trio.open_nursery() as nursery:
        nursery.start_soon(anna.play)
        async with sitting(1, tmp_path, anna.mesh) as boris, background() as tasks:
            tasks.start_soon(boris.play)
            await anna.until("Anna", "Boris")
        await anna.until("Anna")
        async with sitting(2, tmp_path, anna.mesh) as clara, sitting(3, tmp_path, anna.mesh) as dmitri:
            await play_all([clara, dmitri])
    report = audit(anna.transcripts[0])
    assert report.holds
    assert {seat.nickname for seat in report.genesis.seats} == {"Anna", "Clara", "Dmitri"}


async def test_the_opener_going_away_closes_the_lobby_with_a_word(tmp_path: Path) -> None:
    vanish = trio.Event()

    async def open_for_a_while(task_status: trio.TaskStatus[Mesh]) -> None:
        async with sitting(0, tmp_path, None) as anna:
            task_status.started(anna.mesh)
            await vanish.wait()

    async with background() as tasks:
        opener: Mesh = await tasks.start(open_for_a_while)
        async with sitting(1, tmp_path, opener) as boris:
            vanish.set()
            with pytest.raises(LinkBroken, match="opener has gone"):
                await boris.lobby.gather(Beginning())


async def test_a_link_that_is_lost_in_the_game_comes_back_and_the_game_goes_on(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        people = await a_table(stack, tmp_path, 3, replace(TERMS, games=1))
        cut: list[int] = []

        def cut_often(session: Session, event: Event) -> None:
            """Cut one link after the other while cards are played."""
            if isinstance(event, Played) and len(session.rounds) % 10 == 0:
                cut.append(len(session.rounds))
                link = people[0].mesh._links.get(people[1 + len(cut) % 2].mesh.identity.public)
                if link is not None:
                    link.close(LinkClosed("A cable was pulled."))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(people[0].play, cut_often)
            nursery.start_soon(people[1].play)
            nursery.start_soon(people[2].play)
    assert cut
    assert len({person.transcripts[0] for person in people}) == 1
    assert audit(people[0].transcripts[0]).holds


@pytest.mark.parametrize(
    "garbage",
    [b"", b"\xff" * 40, encode_talk(Say(b"g" * 32, b"no message"))],
    ids=["no message of this game", "no talk", "no message at all"],
)
async def test_garbage_from_a_stranger_costs_the_stranger_its_link_alone(tmp_path: Path, garbage: bytes) -> None:
    async with AsyncExitStack() as stack:
        people = await a_table(stack, tmp_path, 2, replace(TERMS, seats=2, games=1))
        stranger = await stack.enter_async_context(sitting(5, tmp_path, people[0].mesh))
        mischief: list[bytes] = []

        def send_garbage(session: Session, event: Event) -> None:
            mischief.append(garbage or encode_talk(Say(session.state.game_id, b"no message")))
            stranger.mesh.send(people[0].mesh.identity.public, mischief[-1])

        async with trio.open_nursery() as nursery:
            nursery.start_soon(people[0].play, send_garbage)
            nursery.start_soon(people[1].play)
    assert mischief
    assert people[0].transcripts == people[1].transcripts
    assert audit(people[0].transcripts[0]).holds


def other_rules(genesis: Genesis) -> Genesis:
    return replace(genesis, rules=PRESETS["prostoy"])


def other_nonce(genesis: Genesis) -> Genesis:
    seats = list(genesis.seats)
    seats[1] = replace(seats[1], nonce=b"x" * 32)
    return replace(genesis, seats=tuple(seats))


def other_seats(genesis: Genesis) -> Genesis:
    return replace(genesis, seats=genesis.seats[::-1])


def other_name(genesis: Genesis) -> Genesis:
    seats = list(genesis.seats)
    seats[1] = replace(seats[1], nickname="Simpleton")
    return replace(genesis, seats=tuple(seats))


def later_game(genesis: Genesis) -> Genesis:
    return replace(genesis, number=2, previous=b"p" * 32)


def other_opener_nonce(genesis: Genesis) -> Genesis:
    return replace(genesis, seats=(replace(genesis.seats[0], nonce=b"z" * 32), genesis.seats[1]))


@pytest.mark.parametrize("change", [other_rules, other_nonce, other_seats, other_name, other_opener_nonce])
async def test_an_opener_that_proposes_another_game_is_left(
    tmp_path: Path, change: Callable[[Genesis], Genesis]
) -> None:
    terms = replace(TERMS, seats=2, games=1)
    async with AsyncExitStack() as stack:
        opener, boris = await a_table(stack, tmp_path, 2, terms)

        async def cheat() -> None:
            """Seat Boris properly, and then begin something else."""
            while True:
                news = await opener.mesh.news.receive()
                if isinstance(news, Frame) and isinstance(decode_talk(news.data), Look):
                    opener.mesh.send(news.peer, encode_talk(Stand(terms, lot_of(b"a" * 32), False, 1, ("Anna",))))
                elif isinstance(news, Frame) and isinstance(sit := decode_talk(news.data), Sit):
                    break
            mine, his = opener.mesh.identity.public, boris.mesh.identity.public
            places = (Place(mine, "Anna", "", 1), Place(his, "Boris", "127.0.0.1", sit.port))
            shown = Places(terms, lot_of(b"a" * 32), places, ())
            seats = (Seat(mine, "Anna", b"a" * 32), Seat(his, "Boris", sit.nonce))
            honest = replace(make_genesis(2, rules=terms.rules), seats=seats)
            opener.mesh.send(his, encode_talk(shown))
            opener.mesh.send(his, encode_talk(Begin(change(honest).encode())))

        async with background() as tasks:
            tasks.start_soon(cheat)
            with pytest.raises(LinkError, match=r"another game than the one you sat down to|You have left the game"):
                await boris.lobby.gather(Beginning())


async def test_a_code_lets_in_only_who_knows_it_and_limits_guesses(tmp_path: Path) -> None:
    terms = replace(TERMS, seats=2, games=1, code=True)
    async with sitting(0, tmp_path, None, terms) as anna, trio.open_nursery() as nursery:
        anna.lobby = Opener(anna.mesh, terms, anna.hear, ready=True, code="lion-pepper-7")
        nursery.start_soon(anna.play)
        for at, wrong, reason in (
            (1, None, "asks for a code"),
            (2, "lion-pepper-8", "not the code of this table"),
            (3, "lion", "not the code of this table"),
        ):
            async with sitting(at, tmp_path, anna.mesh) as guest:
                guest.lobby = guest_with(guest, wrong)
                with pytest.raises(LinkError, match=reason):
                    await guest.lobby.gather(None)
                assert guest.lobby.places == ()
        async with sitting(4, tmp_path, anna.mesh) as elena:
            elena.lobby = guest_with(elena, "lion-pepper-7")
            await elena.play()
    assert audit(elena.transcripts[0]).holds


async def test_after_a_few_wrong_codes_the_right_one_has_to_wait(tmp_path: Path) -> None:
    terms = replace(TERMS, seats=2, games=1, code=True)
    async with sitting(0, tmp_path, None, terms) as anna, background() as tasks:
        anna.lobby = Opener(anna.mesh, terms, anna.hear, ready=True, code="lion-pepper-7")
        tasks.start_soon(anna.play)
        for number in range(FREE_GUESSES):
            async with sitting(1, tmp_path, anna.mesh) as guest:
                guest.lobby = guest_with(guest, f"lion-pepper-{number + 8}")
                with pytest.raises(LinkError, match="not the code"):
                    await guest.lobby.gather(None)
        async with sitting(2, tmp_path, anna.mesh) as clara:
            clara.lobby = guest_with(clara, "lion-pepper-7")
            with pytest.raises(LinkError, match="Too many wrong codes were tried: try again in"):
                await clara.lobby.gather(None)
    assert [event for event in anna.seated if isinstance(event, Warned)]


async def test_whoever_may_not_watch_is_told_so_before_any_code(tmp_path: Path) -> None:
    terms = replace(TERMS, code=True, watchers=False)
    async with sitting(0, tmp_path, None, terms) as anna, background() as tasks:
        anna.lobby = Opener(anna.mesh, terms, anna.hear, ready=True, code="lion-pepper-7")
        tasks.start_soon(anna.play)
        async with sitting(1, tmp_path, anna.mesh) as boris:
            boris.lobby = guest_with(boris, None, watches=True)
            with pytest.raises(LinkError, match="not to be watched"):
                await boris.lobby.gather(None)


def guest_with(person: Person, code: str | None, *, watches: bool = False) -> Guest:
    assert person.opener is not None
    addresses = [Address("127.0.0.1", person.opener.port)]
    opener = person.opener.identity.public
    return Guest(person.mesh, opener, addresses, person.hear, ready=True, watches=watches, code=code)
