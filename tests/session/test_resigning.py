"""Games that end since somebody has given up."""

from __future__ import annotations

import pytest

from p2pdurak.errors import LocalProtocolError
from p2pdurak.game.opening import Opening
from p2pdurak.session.audit import audit
from p2pdurak.session.events import Resigned
from p2pdurak.session.heard import ROUNDS_AHEAD
from p2pdurak.session.session import Session
from p2pdurak.wire.messages import Kind
from tests.helpers import eager, make_genesis
from tests.session.kitchen import Kitchen, decider, kitchen


class TestResigning:
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_the_others_end_the_game_and_who_resigned_is_the_fool(self, players: int) -> None:
        for seat in range(players):
            table = kitchen(players).resign(seat).go_on()
            table.check_ended([seat], [seat])

    def test_who_resigns_may_go_at_once(self) -> None:
        table = kitchen().resign(2)
        table.deliver()
        table.leave(2).go_on().check_ended([2], [2])

    def test_it_needs_no_turn_and_can_be_done_but_once(self) -> None:
        table = kitchen()
        other = (decider(table) + 1) % 4
        table.resign(other)
        assert Resigned(other) in table.events[other]
        assert table.sessions[other].resign() == []

    def test_who_resigned_decides_nothing_more(self) -> None:
        table = kitchen()
        seat = decider(table)
        assert table.sessions[seat].my_decision
        table.resign(seat)
        assert not table.sessions[seat].my_decision

    def test_two_at_once(self) -> None:
        table = kitchen().resign(1).resign(3).go_on()
        table.check_ended([1, 3], [1, 3])

    def test_one_after_the_vote_has_begun(self) -> None:
        table = kitchen().leave(2).resign(1).go_on()  # seat 2 is away and cannot vote
        assert not any(session.state.over for session in table.sessions)
        table.come_back(2).go_on().check_ended([1], [1])
        table = kitchen().leave(2).resign(1).go_on().resign(3).go_on()
        assert table.sessions[0].waiting_for() == (2,)
        table.come_back(2).go_on().check_ended([1, 3], [1, 3])

    def test_all_resign_and_it_is_a_draw(self) -> None:
        table = kitchen()
        for seat in range(4):
            table.resign(seat)
        table.go_on().check_ended([0, 1, 2, 3], [0, 1, 2, 3], fools=())
        report = audit(table.sessions[0].transcript())
        assert report.state.next_opening(4, [0, 1, 2, 3]) == Opening(report.state.dealer, None)

    def test_nothing_to_resign_from_when_the_game_is_over(self) -> None:
        table = kitchen().resign(2).go_on()
        assert table.sessions[0].resign() == []
        with pytest.raises(LocalProtocolError, match="nothing to vote"):
            table.sessions[0].vote_out([1])

    def test_a_move_that_is_under_way_counts_first_or_not_at_all(self) -> None:
        """The mover has gone on when it hears of the resignation: all do, and end the game a round later."""
        table = kitchen()
        seat = decider(table)
        round_ = table.sessions[seat].state.round
        leaver = (seat + 1) % 4
        table.happen(seat, table.sessions[seat].act(eager(table.sessions[seat].view())))
        moves, table.wire = table.wire, []
        table.resign(leaver).deliver()  # all but the mover vote in its round; it answers that it has gone on
        table.wire += moves
        table.go_on().check_ended([leaver], [leaver])
        kinds = [complete.kind for complete in table.sessions[0].rounds]
        assert kinds[round_] is Kind.PLAY
        assert kinds.index(Kind.GONE) == round_ + 1


def test_who_comes_late_hears_of_a_resignation_however_far_ahead() -> None:
    table = Kitchen(make_genesis(3, seed=4), seed=4, choose=lambda seat: eager)
    table.run(until=lambda table: table.sessions[0].state.round > ROUNDS_AHEAD + 10 and not table.wire)
    table.resign(table.sessions[0].waiting_for()[0]).go_on()
    watcher = Session(table.genesis)
    for message in table.sessions[1].messages_from(0):
        watcher.receive(message)
    assert watcher.finished
    assert watcher.transcript() == table.sessions[1].transcript()
