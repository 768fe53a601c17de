"""Games that end by a vote without somebody, and votes that come to nothing."""

from __future__ import annotations

import pytest

from p2pdurak.errors import LocalProtocolError
from p2pdurak.game.opening import FIRST
from p2pdurak.session.audit import audit
from p2pdurak.session.events import OtherHead, Voted
from p2pdurak.wire.messages import Gone, Here
from tests.helpers import eager
from tests.session.kitchen import Kitchen, decider, kitchen, opened


def voted_out_while_moving() -> tuple[Kitchen, int]:
    """A table that has ended its game without a seat, which had moved without anybody hearing it; and that seat."""
    table = kitchen()
    seat = decider(table)
    table.leave(seat)
    table.happen(seat, table.sessions[seat].act(eager(table.sessions[seat].view())))
    for voter in {0, 1, 2, 3} - {seat}:
        table.vote(voter, seat)
    return table.go_on(), seat


class TestVoting:
    def test_all_the_others_have_to_agree(self) -> None:
        table = kitchen()
        seat = decider(table)
        rest = [other for other in range(4) if other != seat]
        table.leave(seat)
        for voter in rest[:-1]:
            table.vote(voter, seat).go_on()
            assert not any(session.state.over for session in table.sessions)
        voted = Voted(rest[0], (seat,), tuple(rest[1:]))
        assert voted in table.events[rest[-1]]
        assert table.sessions[rest[-1]].open_votes == {Gone((seat,), ()): (rest[-1],)}
        assert table.sessions[rest[0]].waiting_for() == (rest[-1],)
        table.vote(rest[-1], seat).go_on().check_ended([seat])

    def test_two_players_the_one_who_stayed_wins(self) -> None:
        table = kitchen(2)
        seat = decider(table)
        table.leave(seat).vote(1 - seat, seat).go_on().check_ended([seat])

    def test_who_was_voted_out_learns_of_it(self) -> None:
        table = kitchen()
        seat = decider(table)
        table.leave(seat)
        for voter in {0, 1, 2, 3} - {seat}:
            table.vote(voter, seat)
        table.go_on().come_back(seat).go_on().check_ended([seat])
        table.go_on()
        assert not [event for events in table.events for event in events if isinstance(event, OtherHead)]

    def test_what_was_said_while_the_others_ended_the_game_accuses_nobody(self) -> None:
        """Whoever was voted out had gone on alone for a round: its own words are no other course of the game."""
        table, seat = voted_out_while_moving()
        own = table.sessions[seat].messages_from(0)
        table.come_back(seat).go_on().come_back().go_on()
        for at in {0, 1, 2, 3} - {seat}:
            for message in own:
                table.happen(at, table.sessions[at].receive(message))
        accused = [event for events in table.events for event in events if isinstance(event, OtherHead)]
        assert not [event for event in accused if event.seat == seat]
        table.check_ended([seat])

    def test_a_late_move_changes_nothing(self) -> None:
        table, seat = voted_out_while_moving()
        heads = {session.state.final_head for at, session in enumerate(table.sessions) if at != seat}
        table.come_back(seat).go_on()
        assert {session.state.final_head for at, session in enumerate(table.sessions) if at != seat} == heads
        table.assert_nobody_convicted()

    def test_one_who_has_the_move_overrules_those_who_have_voted(self) -> None:
        table = kitchen()
        seat = decider(table)
        round_ = table.sessions[0].state.round
        voter, other, undecided = (at for at in range(4) if at != seat)
        table.leave(seat).vote(voter, seat).vote(other, seat).deliver()
        assert table.sessions[undecided].state.round == round_
        table.come_back(seat).go_on()
        assert all(session.finished for session in table.sessions)
        assert {session.state.removal for session in table.sessions} == {None}
        (transcript,) = table.transcripts()
        assert audit(transcript).holds
        assert Gone((seat,), ()) not in [said.body for done in table.sessions[0].rounds for said in done.spoken]
        # Each voter says that it goes on after all, and by whose word.
        answers = [Here(b"")] * 2  # the undecided, and the one who was away
        for at in (voter, other):
            ballot = table.sessions[at].leaving.ballot(round_)
            word = ballot.here[at].body
            assert isinstance(word, Here)
            assert opened(table, word.overruled_by).seat == undecided
            assert [ballot.here[seat].body, ballot.here[undecided].body] == answers

    def test_two_away_one_after_the_other(self) -> None:
        """The second goes while the vote is on: those who are left vote again, for more."""
        table = kitchen()
        seat = decider(table)
        second = (seat + 1) % 4
        rest = [at for at in range(4) if at not in (seat, second)]
        table.leave(seat).vote(rest[0], seat).vote(rest[1], seat).go_on().leave(second)
        table.vote(rest[0], second).vote(rest[1], seat, second).go_on()
        table.check_ended(sorted((seat, second)))
        assert audit(table.sessions[rest[0]].transcript()).state.next_opening(2, [None, None, 0, 1]) == FIRST

    def test_half_of_the_table_has_to_stay(self) -> None:
        table = kitchen()
        seat = decider(table)
        with pytest.raises(LocalProtocolError, match="too few"):
            table.sessions[(seat + 1) % 4].vote_out([at for at in range(4) if at != (seat + 1) % 4])
        with pytest.raises(LocalProtocolError, match="nothing to vote"):
            table.sessions[seat].vote_out([seat])

    def test_two_halves_end_the_game_each_for_itself_and_convict_nobody(self) -> None:
        """Half and half, parted for good: when they meet again, each keeps its file, and nobody is accused."""
        table = kitchen()
        halves = ((0, 1), (2, 3))
        for staying, out in (halves, halves[::-1]):
            table.away = frozenset(out)
            for seat in staying:
                table.vote(seat, *out)
            table.deliver()
        table.away = frozenset()
        table.come_back().go_on()
        assert all(session.finished for session in table.sessions)
        assert {table.sessions[0].state.removal, table.sessions[2].state.removal}
        table.assert_nobody_convicted()

    def test_a_vote_twice_says_nothing_new(self) -> None:
        table = kitchen()
        seat = decider(table)
        voter = (seat + 1) % 4
        table.leave(seat).vote(voter, seat)
        assert table.sessions[voter].vote_out([seat]) == []

    def test_who_has_voted_plays_no_more_in_this_round(self) -> None:
        table = kitchen()
        seat = decider(table)
        leaver = (seat + 1) % 4
        other = (seat + 2) % 4
        table.leave(other).resign(leaver).deliver()
        assert not table.sessions[seat].my_decision
        table.come_back(other).go_on().check_ended([leaver], [leaver])
