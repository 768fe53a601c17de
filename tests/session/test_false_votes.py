"""Words about leaving that no honest seat says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from p2pdurak.session.audit import audit
from p2pdurak.wire.messages import Gone, Here, Kind, Resign
from tests.helpers import Dishonest
from tests.session.kitchen import Kitchen, decider, kitchen

if TYPE_CHECKING:
    from p2pdurak.wire.messages import Body


class TestCheating:
    def liar(self, table: Kitchen, seat: int = 1) -> Dishonest:
        session = table.sessions[seat]
        session.__class__ = Dishonest
        assert isinstance(session, Dishonest)
        session.tamper = lambda *_: None
        table.honest = [at for at in table.honest if at != seat]
        return session

    def say(self, table: Kitchen, seat: int, kind: Kind, body: Body) -> None:
        message = self.liar(table, seat).sealed(kind, body)
        for to in range(len(table.sessions)):
            table.put(seat, to, message)

    def check_convicted(self, table: Kitchen, seat: int) -> None:
        table.go_on()
        for at in table.honest:
            verdict = table.sessions[at].convicted
            assert verdict is not None
            assert verdict.seats == (seat,)
            report = audit(table.sessions[at].transcript())
            assert [(problem.seats, problem.convicts) for problem in report.problems] == [((seat,), True)]

    @pytest.mark.parametrize(
        "vote",
        [
            Gone((), ()),
            Gone((1,), ()),
            Gone((0, 2, 3), ()),
            Gone((2, 0), ()),
            Gone((0, 0), ()),
            Gone((0,), (2,)),
            Gone((5,), ()),
            Gone((0, 1, 2, 3), (0, 2, 3)),
        ],
        ids=str,
    )
    def test_a_vote_that_cannot_be(self, vote: Gone) -> None:
        table = kitchen()
        self.say(table, 1, Kind.GONE, vote)
        self.check_convicted(table, 1)

    @pytest.mark.parametrize("first", [0, 1])
    def test_votes_for_different_seats(self, first: int) -> None:
        table = kitchen()
        votes = [Gone((0,), ()), Gone((2,), ())]
        self.say(table, 1, Kind.GONE, votes[first])
        self.say(table, 1, Kind.GONE, votes[1 - first])
        self.check_convicted(table, 1)

    @pytest.mark.parametrize("first", [0, 1])
    def test_gone_and_here(self, first: int) -> None:
        table = kitchen()
        said: list[tuple[Kind, Body]] = [(Kind.GONE, Gone((2,), ())), (Kind.HERE, Here(b""))]
        self.say(table, 1, *said[first])
        self.say(table, 1, *said[1 - first])
        self.check_convicted(table, 1)

    def test_gone_and_here_by_the_word_of_nobody_who_counts(self) -> None:
        for claimed in ("itself", "who is out", "nothing"):
            table = kitchen()
            liar = self.liar(table)
            words = {
                "itself": liar.sealed(Kind.HERE, Here(b"")),
                "who is out": self.liar(table, 2).sealed(Kind.HERE, Here(b"")),
                "nothing": b"here",
            }
            self.say(table, 1, Kind.GONE, Gone((2,), ()))
            self.say(table, 1, Kind.HERE, Here(words[claimed]))
            table.honest = [0, 3, 4]
            self.check_convicted(table, 1)

    def test_two_resignations(self) -> None:
        table = kitchen()
        liar = self.liar(table)
        for changes in ({}, {"round_": liar.state.round + 1}):
            message = liar.sealed(Kind.RESIGN, Resign(), **changes)
            for to in range(len(table.sessions)):
                table.put(1, to, message)
        self.check_convicted(table, 1)

    def test_here_without_the_round_being_complete_only_blocks_the_vote(self) -> None:
        table = kitchen()
        seat = decider(table)
        liar, voter = (seat + 1) % 4, (seat + 2) % 4
        table.leave(seat).vote(voter, seat)
        self.say(table, liar, Kind.HERE, Here(b""))
        table.deliver()
        # As if nobody had voted; but whoever says that the round is complete owes its messages.
        assert table.sessions[voter].waiting_for() == tuple(sorted((seat, liar)))
        table.come_back(seat).go_on()
        assert all(table.sessions[at].finished for at in table.honest)

    def test_two_answers_in_a_round(self) -> None:
        table = kitchen()
        liar = self.liar(table)
        for to, number in ((0, 1), (2, 2), (3, 3)):
            table.put(1, to, liar.sealed(Kind.HERE, Here(bytes(number))))
        self.check_convicted(table, 1)

    def test_votes_on_invented_heads_keep_no_room_from_the_one_that_counts(self) -> None:
        """Seat a is told a hundred such votes first, and of the real one, which ends the game, by others only."""
        table = kitchen()
        seat = decider(table)
        liar, a, b = ((seat + 1 + at) % 4 for at in range(3))
        false = self.liar(table, liar)
        table.leave(seat)
        for number in range(1, 101):
            table.put(liar, a, false.sealed(Kind.GONE, Gone((seat,), ()), head=bytes([number]) * 32))
        while table.wire and any(to == a for sender, to, _ in table.wire if sender == liar):
            table._deliver()
        assert len(table.sessions[a]._heard.of(table.sessions[a].state.round, liar)) <= 13
        table.put(liar, b, false.sealed(Kind.GONE, Gone((seat,), ())))
        table.vote(a, seat).vote(b, seat).deliver()
        for at in (a, b):
            assert table.sessions[at].state.over
            assert table.sessions[at].convicted is None
