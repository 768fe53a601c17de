"""What becomes of a game that was left: who is its fool, what comes next, and what is kept of it."""

from __future__ import annotations

import pytest

from p2pdurak.game.opening import FIRST, Opening
from p2pdurak.session.audit import audit, match_problem
from p2pdurak.session.events import Removed, Send
from p2pdurak.session.session import Session
from p2pdurak.wire.gamefile import pack_file, unpack_file
from p2pdurak.wire.messages import LEAVING, Kind
from tests.helpers import Table, eager, entropy, make_genesis, signing_key
from tests.session.kitchen import Kitchen, decider, kitchen, opened


class TestWhen:
    @pytest.mark.parametrize("kind", [Kind.COMMIT, Kind.REVEAL, Kind.SHUFFLE, Kind.CONFIRM])
    def test_before_the_first_share_the_game_is_void(self, kind: Kind) -> None:
        table = Kitchen(make_genesis(3, seed=5), seed=5, choose=lambda seat: eager, watchers=1)
        for at in (0, 1, 3):
            table.happen(at, table.sessions[at].start())
        table.away = frozenset({2})
        if kind is not Kind.COMMIT:
            table.away = frozenset()
            table.happen(2, table.sessions[2].start())
            while table.sessions[0].kind is not kind or 2 not in table.sessions[0].waiting_for():
                assert table._deliver()
            table.leave(2).come_back()
        table.go_on()
        assert table.sessions[0].kind is kind
        table.vote(0, 2).vote(1, 2).go_on()
        for at in (0, 1, 3):
            assert table.sessions[at].finished
            assert table.removed(at) == [Removed((2,), (), ())]
        report = audit(table.sessions[0].transcript())
        assert report.holds, report.problems
        assert report.counts.books == (0 if kind is Kind.COMMIT else 2)
        assert report.state.next_opening(3, [0, 1, 2]) == FIRST

    @pytest.mark.parametrize("kind", [Kind.DEAL, Kind.REARRANGE, Kind.CALL, Kind.PLAY, Kind.CONFIRM, Kind.DRAW])
    def test_from_the_first_share_on_who_leaves_is_the_fool(self, kind: Kind) -> None:
        table = Kitchen(make_genesis(3, seed=5), seed=5, choose=lambda seat: eager, watchers=1)
        away = next(at for at in range(3) if at != 0)

        def there(table: Table) -> bool:
            session = table.sessions[0]
            begun = kind is not Kind.CONFIRM or session.state.game is not None
            return begun and session.kind is kind and away in session.waiting_for()

        table.run(until=there)
        table.leave(away).come_back().deliver()
        assert table.sessions[0].kind is kind
        staying = [at for at in range(3) if at != away]
        for at in staying:
            table.vote(at, away)
        table.go_on().check_ended([away])

    def test_a_void_game_is_opened_again_as_it_was(self) -> None:
        for leader in (None, 1):
            genesis = make_genesis(3, seed=5, number=2, opening=Opening(2, leader), previous=entropy("before"))
            table = Kitchen(genesis, seed=5)
            for at in range(3):
                table.happen(at, table.sessions[at].start())
            table.away = frozenset({0})
            table.wire = []
            table.vote(1, 0).vote(2, 0).go_on()
            state = table.sessions[1].state
            assert state.removal is not None
            assert state.removal.void
            assert state.next_opening(2, [None, 0, 1]) == Opening(1, None if leader is None else 0)
            assert state.next_opening(2, [0, 1, None]) == FIRST

    def test_the_next_game_builds_on_one_that_was_left(self) -> None:
        table = kitchen(3).resign(2).go_on()
        first = audit(table.sessions[0].transcript())
        opening = first.state.next_opening(3, [0, 1, 2])
        assert opening == Opening(2, 1)  # under the fool, who deals
        genesis = make_genesis(3, seed=4, number=2, opening=opening, previous=first.final_head)
        assert match_problem(first, audit(pack_file(genesis.encode(), ()))) is None
        assert first.state.next_opening(2, [0, 1, None]) == FIRST

    def test_closed_books_stay_closed(self) -> None:
        table = Kitchen(make_genesis(3, seed=4, open_books=False), seed=4, choose=lambda seat: eager)
        table.run(until=lambda table: len(table.sessions[0].rounds) > 20)
        table.resign(1).go_on().check_ended([1], [1])
        assert table.sessions[0].rounds[-1].kind is Kind.RESULT


class TestFiles:
    def test_no_message_can_be_left_out_changed_or_added(self) -> None:
        table = kitchen().resign(1).go_on()
        data = table.sessions[0].transcript()
        genesis, messages, _ = unpack_file(data)
        kinds = [opened(table, message).kind for message in messages]
        at = kinds.index(Kind.RESIGN)
        assert kinds[at : at + 4] == [Kind.RESIGN, Kind.GONE, Kind.GONE, Kind.GONE]
        for leave_out in range(at, at + 4):
            assert not audit(pack_file(genesis, [*messages[:leave_out], *messages[leave_out + 1 :]])).holds
        swapped = [*messages[:at], messages[at + 1], messages[at], *messages[at + 2 :]]
        assert not audit(pack_file(genesis, swapped)).holds

    def test_every_point_of_a_vote_survives_a_crash(self) -> None:
        """Whoever comes back from its journal, at any point, says again what it had said, and nothing else."""
        table = kitchen()
        seat = decider(table)
        voter, other, _ = (at for at in range(4) if at != seat)
        table.leave(seat).vote(voter, seat).vote(other, seat).deliver()
        table.come_back(seat).go_on()
        check_journals(table)
        check_journals(kitchen().resign(1).resign(3).go_on())


def check_journals(table: Kitchen) -> None:
    for at in range(4):
        journal = table.journals[at]
        own = {message for message in journal if opened(table, message).seat == at}
        first = next(n for n, message in enumerate(journal) if opened(table, message).kind in LEAVING)
        for kept in range(first, min(first + 14, len(journal)) + 1, 5):
            session = Session(table.genesis, seat=at, key=signing_key(at), secret=entropy("game secret", 4, 1, at))
            session.restore(journal[:kept])
            events = session.start()
            for message in journal[kept:]:
                events += session.receive(message)
            said = {event.message for event in events if isinstance(event, Send) and event.own}
            assert said <= own
            assert not session.convicted
            assert session.transcript() == table.sessions[at].transcript()
