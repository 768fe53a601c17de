"""Who comes back when the game is over that they were away in: while the table gathers, and while it plays on."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, cast

import pytest
import trio

from p2pdurak.bots import steady
from p2pdurak.errors import LinkBroken, LinkError, StorageError
from p2pdurak.game.ruleset import PRESETS
from p2pdurak.net.addresses import LOOPBACK_ADDRESS, Address
from p2pdurak.net.game_files import game_name, interrupted_games
from p2pdurak.net.guest import NO_LOT, RETURN_SECONDS, Guest
from p2pdurak.net.history import Beginning
from p2pdurak.net.journal import SECRET_BYTES, SECRET_SUFFIX
from p2pdurak.net.lobby import GameLeft, LobbyEvent, Warned
from p2pdurak.net.match import play_match
from p2pdurak.net.mesh import Arrived, Frame, Left, open_mesh
from p2pdurak.net.node import Node
from p2pdurak.net.opener import Opener
from p2pdurak.net.refusals import Reason, Refused
from p2pdurak.net.resuming import reopen_mesh, restore_lobby
from p2pdurak.net.saved import Interrupted, take_up
from p2pdurak.session.audit import Report, audit
from p2pdurak.session.events import Event, Heard, Played, Removed
from p2pdurak.wire.talk import Begin, Have, Place, Say, Stand, Talk, encode_talk
from p2pdurak.wire.terms import Terms
from tests.helpers import NAMES, Table, make_genesis, signing_key
from tests.net.waiting import until

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State
    from p2pdurak.net.lobby import Lobby
    from p2pdurak.session.session import Session

TERMS = Terms("kitchen", PRESETS["albanian"], seats=3, games=2, grace=0)


@dataclass
class Life:
    """One run of a peer; ``gone`` ends it as a crash does, and ``may_decide`` holds it up."""

    at: int
    games: Path
    hear: Callable[[Life, Session, Event], object] = lambda life, session, event: None
    terms: Terms = TERMS
    came: trio.Event = field(default_factory=trio.Event)
    gone: trio.CancelScope = field(default_factory=trio.CancelScope)
    may_decide: trio.Event = field(default_factory=trio.Event)
    reports: list[Report] = field(default_factory=list)
    warned: list[str] = field(default_factory=list)
    failed: LinkError | None = None
    then: Callable[[], object] = lambda: None
    name: str = ""

    def __post_init__(self) -> None:
        self.lobby: Lobby
        self.node: Node
        self.games.mkdir(exist_ok=True)
        self.name = self.name or NAMES[self.at]

    async def opens(self, task_status: trio.TaskStatus[int]) -> None:
        with self.gone:
            async with open_mesh(signing_key(self.at), self.name) as mesh:
                task_status.started(mesh.port)
                await self._play(Opener(mesh, self.terms, self._of_table, ready=True))

    async def joins(self, port: int, opener: int = 0) -> None:
        with self.gone:
            async with open_mesh(signing_key(self.at), self.name) as mesh:
                ways = [Address("127.0.0.1", port)]
                await mesh.reach(ways, signing_key(opener).public)
                await self._play(Guest(mesh, signing_key(opener).public, ways, self._of_table, ready=True))

    async def resumes(self) -> None:
        (journal,) = interrupted_games(self.games)
        interrupted = take_up(journal)
        with self.gone:
            async with reopen_mesh(signing_key(self.at), interrupted.header, "") as mesh:
                await self._play(restore_lobby(mesh, interrupted.header, self._of_table, ready=True), interrupted)

    async def _play(self, lobby: Lobby, interrupted: Interrupted | None = None) -> None:
        self.lobby = lobby
        self.node = Node(lobby, self.games, self._decide, lambda *told: self.hear(self, *told))
        self.came.set()
        try:
            await play_match(lobby, self.node, self._finished, interrupted)
        except LinkError as error:
            self.failed = error

    async def _decide(self, view: State) -> Action:
        await self.may_decide.wait()
        return steady.choose(view)

    def _of_table(self, event: LobbyEvent) -> None:
        if isinstance(event, Warned):
            self.warned.append(str(event.said))

    def _finished(self, _: Session, path: Path) -> None:
        self.reports.append(audit(path.read_bytes()))
        self.then()


class Company:
    """Anna, Boris and Clara, one of whom crashes when ``at`` first happens, and is voted out by the others."""

    def __init__(
        self, folder: Path, nursery: trio.Nursery, crashes: int, *, at: type[Event] = Heard, goes_on: bool = False
    ) -> None:
        self.folder, self.nursery, self.crashes, self.at, self.goes_on = folder, nursery, crashes, at, goes_on
        self.lives = [self.life(at) for at in range(3)]
        self.staying = [life for life in self.lives if life.at != crashes]
        self.port = 0

    def life(self, at: int) -> Life:
        return Life(at, self.folder / NAMES[at], self._hear)

    def _hear(self, life: Life, session: Session, event: Event) -> None:
        if life is self.lives[self.crashes] and isinstance(event, self.at):
            life.gone.cancel()
        if isinstance(event, Removed) and life in self.staying:
            life.may_decide = trio.Event()
            if self.goes_on and isinstance(life.lobby, Opener):
                life.lobby.say_start()

    async def play_until_gone(self) -> None:
        for life in self.lives:
            life.may_decide.set()
        self.port = await self.nursery.start(self.lives[0].opens)
        for life in self.lives[1:]:
            self.nursery.start_soon(life.joins, self.port)
        await until(lambda: self.lives[self.crashes].gone.cancelled_caught)

    async def play_until_voted_out(self) -> None:
        await self.play_until_gone()
        for life in self.staying:
            await until(partial(self._can_vote, life))
            await life.node.vote()
        await until(lambda: all(life.reports for life in self.staying))

    def _can_vote(self, life: Life) -> bool:
        return life.node.overdue() == (NAMES[self.crashes],)

    def may_go_on(self) -> None:
        for life in self.staying:
            life.may_decide.set()


def is_told(life: Life, *fools: str) -> None:
    """The first of the games of this life is told as one that was ended without it; without fools it is void."""
    report = life.reports[0]
    assert report.holds
    assert report.removal is not None
    assert [report.genesis.name(seat) for seat in report.removal.seats] == [NAMES[life.at]]
    assert [report.genesis.name(seat) for seat in report.removal.fools] == [*fools]
    assert game_name(report.genesis.game_id) not in {journal.stem for journal in interrupted_games(life.games)}


async def sits_in_the_next_game(life: Life, nursery: trio.Nursery) -> None:
    """It is a game of three; playing it to its end would tell no more."""
    await life.came.wait()
    await until(lambda: life.lobby.history.running and len(life.lobby.history.names()) == 3)
    assert life.failed is None
    nursery.cancel_scope.cancel()


@pytest.mark.parametrize(("at", "fools"), [(Heard, ()), (Played, ("Clara",))], ids=["void", "fool"])
async def test_who_was_voted_out_and_joins_hears_how_it_ended_and_sits_down_again(
    tmp_path: Path, at: type[Event], fools: tuple[str, ...]
) -> None:
    async with trio.open_nursery() as nursery:
        company = Company(tmp_path, nursery, crashes=2, at=at)
        await company.play_until_voted_out()
        clara = company.life(2)
        nursery.start_soon(clara.joins, company.port)
        await until(lambda: bool(clara.reports))
        await sits_in_the_next_game(clara, nursery)
    is_told(clara, *fools)
    assert clara.reports[0].final_head == company.lives[0].reports[0].final_head


@pytest.mark.parametrize("voted_out", [True, False], ids=["after it", "in it"])
async def test_who_comes_back_under_another_name_has_it_from_the_next_game_on(tmp_path: Path, voted_out: bool) -> None:
    async with trio.open_nursery() as nursery:
        company = Company(tmp_path, nursery, crashes=2, at=Played)
        await (company.play_until_voted_out() if voted_out else company.play_until_gone())
        zorro = company.life(2)
        zorro.name = "Zorro"
        zorro.may_decide.set()
        nursery.start_soon(zorro.joins, company.port)
        await until(lambda: bool(zorro.reports))
        company.may_go_on()
        await zorro.came.wait()
        await until(lambda: zorro.failed is not None or "Zorro" in zorro.lobby.history.names().values())
        nursery.cancel_scope.cancel()
    assert zorro.failed is None
    assert {seat.nickname for seat in zorro.reports[0].genesis.seats} == {"Anna", "Boris", "Clara"}


@pytest.mark.parametrize("again", ["joins", "resumes"])
async def test_while_the_next_game_goes_on_one_hears_how_the_last_one_ended(tmp_path: Path, again: str) -> None:
    async with trio.open_nursery() as nursery:
        company = Company(tmp_path, nursery, crashes=2, goes_on=True)
        await company.play_until_voted_out()
        await until(lambda: company.lives[0].lobby.history.running)
        clara = company.life(2)
        await (clara.joins(company.port) if again == "joins" else clara.resumes())
        nursery.cancel_scope.cancel()
    is_told(clara)
    assert isinstance(clara.failed, Refused)
    assert clara.failed.code == Reason.PLAYING


async def test_an_opener_who_was_voted_out_and_resumes_hears_of_it_from_the_others(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        company = Company(tmp_path, nursery, crashes=0)
        await company.play_until_voted_out()
        await until(lambda: company.lives[1].node.lobby.history.running)
        anna = company.life(0)
        await anna.resumes()
        nursery.cancel_scope.cancel()
    is_told(anna)
    assert isinstance(anna.failed, Refused)
    assert anna.failed.code == Reason.PLAYING


@pytest.mark.parametrize("kept", ["nothing", "no secret", "another secret"])
async def test_who_kept_nothing_of_a_game_that_is_over_sits_down_as_if_new(tmp_path: Path, kept: str) -> None:
    async with trio.open_nursery() as nursery:
        company = Company(tmp_path, nursery, crashes=2)
        await company.play_until_voted_out()
        (journal,) = interrupted_games(tmp_path / "Clara")
        secret = journal.with_suffix(SECRET_SUFFIX)
        if kept == "another secret":
            secret.write_bytes(bytes(SECRET_BYTES))
        else:
            secret.unlink()
        if kept == "nothing":
            journal.unlink()
        clara = company.life(2)
        nursery.start_soon(clara.joins, company.port)
        await sits_in_the_next_game(clara, nursery)
    assert [word for word in ("its secret, the file", "not the secret of this game") if word in str(clara.warned)] == {
        "nothing": [],
        "no secret": ["its secret, the file"],
        "another secret": ["not the secret of this game"],
    }[kept]
    assert not clara.reports


async def test_with_another_secret_a_game_that_goes_on_is_refused_before_anything_is_told(tmp_path: Path) -> None:
    async with trio.open_nursery() as nursery:
        company = Company(tmp_path, nursery, crashes=2)
        await company.play_until_gone()
        (journal,) = interrupted_games(tmp_path / "Clara")
        journal.with_suffix(SECRET_SUFFIX).write_bytes(bytes(SECRET_BYTES))
        clara = company.life(2)
        with pytest.raises(StorageError, match="not the secret of this game"):
            await clara.joins(company.port)
        nursery.cancel_scope.cancel()
    assert clara.warned == []


async def test_an_opener_that_was_started_anew_between_games_seats_its_guests_anew(tmp_path: Path) -> None:
    """It knows nothing of the game before, so that what Boris asks for would never come."""
    two = replace(TERMS, seats=2)
    async with trio.open_nursery() as nursery:
        anna = Life(0, tmp_path / "Anna", terms=two)
        boris = Life(1, tmp_path / "Boris", then=anna.gone.cancel)
        again = Life(0, tmp_path / "Anna", terms=replace(two, table="attic", games=1))
        for life in (anna, boris, again):
            life.may_decide.set()
        nursery.start_soon(boris.joins, await nursery.start(anna.opens))
        await until(lambda: anna.gone.cancelled_caught)
        await nursery.start(again.opens)
    assert [(report.genesis.number, report.genesis.table) for report in boris.reports] == [(1, "kitchen"), (1, "attic")]
    assert boris.reports[1].final_head == again.reports[0].final_head
    assert [warning for warning in boris.warned if "back" in warning] == []
    assert "Anna has opened the table anew: the match is over, and another begins." in boris.warned


@pytest.mark.parametrize("newcomer", [False, True])
async def test_between_games_it_is_told_at_once_that_the_opener_is_waited_for(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, newcomer: bool
) -> None:
    """Boris has no link to the opener, whose key only looks about then: he is told before the table is closed."""
    session = Table(make_genesis(2, seed=5), seed=5).run().sessions[1]
    told: list[tuple[float, str]] = []
    async with open_mesh(signing_key(1), NAMES[1]) as mesh:
        begun = trio.current_time()

        def tell(event: LobbyEvent) -> None:
            assert isinstance(event, Warned)
            told.append((trio.current_time() - begun, str(event.said)))

        guest = Guest(mesh, signing_key(0).public, [], tell)
        guest.places = (Place(signing_key(0).public, NAMES[0], "", 47800),)
        mesh._post.send_nowait(Arrived(signing_key(0).public))
        with pytest.raises(LinkError, match="The table is closed"):
            await guest.gather(None if newcomer else Beginning.after(session))
        assert trio.current_time() - begun >= RETURN_SECONDS
    assert [seconds < 1 for seconds, _ in told] == [True]
    assert told[0][1].startswith("Anna has the table and is away")


async def test_the_late_end_of_an_old_link_is_no_departure_of_the_opener() -> None:
    """Anna's program was started again, and calls before the end of its old link has been read."""
    async with open_mesh(signing_key(0), NAMES[0]) as anna, open_mesh(signing_key(1), NAMES[1]) as boris:
        address = Address(LOOPBACK_ADDRESS, anna.port)
        await boris.reach([address])
        guest = Guest(boris, anna.identity.public, [address], lambda _: None)
        boris._post.send_nowait(Left(anna.identity.public, LinkBroken("The old link has ended.")))
        boris._post.send_nowait(Arrived(anna.identity.public))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(guest.gather, None)
            looks = 0
            while looks < 3:  # as it comes, and for each arrival: the last one after the departure
                looks += isinstance(await anna.news.receive(), Frame)
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize("stands", [True, False], ids=["says all", "breaks off"])
async def test_what_is_told_of_a_game_that_is_over_is_kept_until_the_opener_says_no_more(
    autojump_clock: trio.testing.MockClock, stands: bool
) -> None:
    genesis, opener = make_genesis(2, seed=5), signing_key(0).public
    end = Stand(replace(TERMS, seats=2), NO_LOT, True, 2, ())
    first, second = (Say(genesis.game_id, message) for message in (b"its last message", b"what comes later"))
    told: list[Talk] = [Have(genesis.game_id, 99), Begin(genesis.encode()), first]
    told += [end, second] if stands else []
    async with open_mesh(signing_key(1), NAMES[1]) as mesh:
        guest = Guest(mesh, opener, [], lambda _: None)
        kept = cast("Interrupted", object())  # which is not looked into
        guest.recall = lambda _: kept
        for talk in told:
            mesh._post.send_nowait(Frame(opener, encode_talk(talk)))
        with pytest.raises(GameLeft) as left:
            await guest.gather(None)
    assert left.value.over
    assert left.value.interrupted is kept
    assert guest.take_kept() == [Frame(opener, encode_talk(first))]


@pytest.mark.parametrize("proves", [True, False])
async def test_the_answer_to_an_older_question_makes_no_new_match(
    autojump_clock: trio.testing.MockClock, proves: bool
) -> None:
    """Boris, who had the table, asked Anna how it stands before he knew that she has it now; then he asks her again."""
    session = Table(make_genesis(2, seed=5), seed=5).run().sessions[1]
    opener, warned = signing_key(0).public, []
    stand = Stand(replace(TERMS, seats=2), NO_LOT, False, 2, ())
    proof: list[Talk] = [Have(session.state.game_id, session.state.round)] if proves else []

    def tell(event: LobbyEvent) -> None:
        warned.extend([str(event.said)] if isinstance(event, Warned) else [])

    async with open_mesh(signing_key(1), NAMES[1]) as mesh:
        guest = Guest(mesh, opener, [], tell)
        guest.places = (Place(opener, NAMES[0], "", 47800),)
        for talk in (stand, *proof, stand):
            mesh._post.send_nowait(Frame(opener, encode_talk(talk)))
        mesh._post.send_nowait(Left(opener, LinkBroken("She leaves.")))
        with pytest.raises(LinkError, match="The table is closed"):
            await guest.gather(Beginning.after(session))
    anew = "Anna has opened the table anew: the match is over, and another begins."
    assert (anew in warned) is not proves
