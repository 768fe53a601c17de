"""Games that end without somebody: resigned, or voted out; and votes that come to nothing."""

from __future__ import annotations

import random
from functools import cache
from typing import TYPE_CHECKING

import pytest

from p2pdurak.errors import LocalProtocolError
from p2pdurak.game.opening import FIRST, Opening
from p2pdurak.session.audit import audit, match_problem
from p2pdurak.session.events import OtherHead, Removed, Resigned, Send, Voted
from p2pdurak.session.session import Session
from p2pdurak.wire.envelope import open_envelope
from p2pdurak.wire.gamefile import pack_file, unpack_file
from p2pdurak.wire.messages import LEAVING, Gone, Here, Kind, Resign
from tests.helpers import RELIABLE, ROUGH, Dishonest, Table, eager, entropy, make_genesis, signing_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from p2pdurak.wire.envelope import Envelope
    from p2pdurak.wire.messages import Body


class Kitchen(Table):
    """A table where people are ``away``: nothing reaches them, nothing comes from them."""

    away: frozenset[int] = frozenset()

    def put(self, sender: int, to: int, message: bytes) -> None:
        if sender not in self.away and to not in self.away:
            super().put(sender, to, message)

    def leave(self, *seats: int) -> Kitchen:
        """Let these go away, with all that is on the wire from and to them."""
        self.away |= set(seats)
        self.wire = [sent for sent in self.wire if not self.away & {sent[0], sent[1]}]
        return self

    def come_back(self, *seats: int) -> Kitchen:
        """Let these be back, and everybody send everybody what they have heard."""
        self.away -= set(seats)
        # Who met a head that is not its own asks for everything.
        apart = any(isinstance(event, OtherHead) for events in self.events for event in events)
        oldest = 0 if apart else min(session.state.round for session in self.sessions)
        for at, session in enumerate(self.sessions):
            for message in session.messages_from(oldest):
                for to in range(len(self.sessions)):
                    self.put(at, to, message)
        return self

    def vote(self, seat: int, *out: int) -> Kitchen:
        self.happen(seat, self.sessions[seat].vote_out(out))
        return self

    def resign(self, seat: int) -> Kitchen:
        self.happen(seat, self.sessions[seat].resign())
        return self

    def go_on(self) -> Kitchen:
        """Deliver and decide, but for who is away, until nothing happens any more."""
        while self._deliver() or self._decide_here():
            pass
        return self

    def deliver(self) -> Kitchen:
        """Deliver all that is on the wire; nobody decides."""
        while self._deliver():
            pass
        return self

    def _decide_here(self) -> bool:
        for seat, choose in enumerate(self.choosers):
            if seat not in self.away and self.sessions[seat].my_decision:
                self.happen(seat, self.sessions[seat].act(choose(self.sessions[seat].view())))
                return True
        return False

    def removed(self, at: int) -> list[Removed]:
        return [event for event in self.events[at] if isinstance(event, Removed)]

    def check_ended(self, out: Iterable[int], resigned: Iterable[int] = (), fools: Iterable[int] | None = None) -> None:
        """Check that all who are there hold the same finished game, which ended without ``out``."""
        wanted = Removed(tuple(out), tuple(resigned), tuple(out if fools is None else fools))
        transcripts = set()
        for at, session in enumerate(self.sessions):
            if at not in self.away:
                assert session.finished
                assert self.removed(at)[-1] == wanted
                transcripts.add(session.transcript())
        (transcript,) = transcripts
        report = audit(transcript)
        assert report.holds, report.problems
        assert report.removal is not None
        assert report.removal.fools == wanted.fools
        staying = [seat for seat in range(self.genesis.players) if seat not in wanted.out or len(wanted.out) == 4]
        assert report.counts.books == len(staying) * self.sessions[0].genesis.open_books
        self.assert_nobody_convicted()


def kitchen(players: int = 4, waited_for: int | None = None) -> Kitchen:
    """Return a table in the midst of its game, at a decision, of that seat if one is given."""
    table = moment(players, waited_for).fork()
    assert isinstance(table, Kitchen)
    return table


@cache
def moment(players: int, waited_for: int | None) -> Kitchen:
    table = Kitchen(make_genesis(players, seed=4), seed=4, choose=lambda seat: eager, watchers=1)

    def decides(table: Table) -> bool:
        session = table.sessions[0]
        waiting = session.waiting_for()
        return not table.wire and session.kind is Kind.PLAY and (waited_for is None or waited_for in waiting)

    table.run(until=decides)
    return table


def decider(table: Kitchen) -> int:
    (seat,) = table.sessions[0].waiting_for()
    return seat


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
        table = kitchen()
        seat = decider(table)
        table.leave(seat)
        table.happen(seat, table.sessions[seat].act(eager(table.sessions[seat].view())))
        for voter in {0, 1, 2, 3} - {seat}:
            table.vote(voter, seat)
        table.go_on()
        own = table.sessions[seat].messages_from(0)
        table.come_back(seat).go_on().come_back().go_on()
        for at in {0, 1, 2, 3} - {seat}:
            for message in own:
                table.happen(at, table.sessions[at].receive(message))
        accused = [event for events in table.events for event in events if isinstance(event, OtherHead)]
        assert not [event for event in accused if event.seat == seat]
        table.check_ended([seat])

    def test_a_late_move_changes_nothing(self) -> None:
        table = kitchen()
        seat = decider(table)
        table.leave(seat)
        table.happen(seat, table.sessions[seat].act(eager(table.sessions[seat].view())))
        for voter in {0, 1, 2, 3} - {seat}:
            table.vote(voter, seat)
        table.go_on()
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


def opened(table: Table, message: bytes) -> Envelope:
    return open_envelope(message, table.genesis.game_id, table.genesis.keys)


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
        assert table.sessions[voter].waiting_for() == (seat,)  # as if nobody had voted
        table.come_back(seat).go_on()
        assert all(table.sessions[at].finished for at in table.honest)

    def test_more_votes_than_there_can_be_are_dropped(self) -> None:
        table = kitchen()
        liar = self.liar(table)
        for number in range(100):
            for to in range(len(table.sessions)):
                table.put(1, to, liar.sealed(Kind.HERE, Here(bytes(1 + number))))
        table.go_on()
        assert len(table.sessions[0]._heard.of(table.sessions[0].state.round, 1)) <= 13
        table.assert_nobody_convicted()


def votable(session: Session, seat: int) -> list[int]:
    """Return whom a person at this seat may vote out now."""
    named = {at for vote in session.open_votes for at in vote.out}
    out = sorted({*session.silent(), *named} - {seat})
    return out if session.may_vote_out(out) else []


@pytest.mark.parametrize("seed", range(16))
def test_whoever_leaves_and_whoever_votes_honest_peers_agree(seed: int) -> None:
    leave_and_vote(seed)


@pytest.mark.soak
def test_they_agree_in_many_more_ways_of_leaving() -> None:
    for seed in range(16, 400):
        leave_and_vote(seed)


def leave_and_vote(seed: int) -> None:
    """Resignations, votes, moves and absences in any order: in the end all who could finish hold one transcript."""
    chance = random.Random(seed)
    players = chance.choice((2, 3, 4))
    table = kitchen(players, waited_for=chance.choice((None, 0, 1)))
    table.faults = ROUGH
    table.chance = random.Random(seed + 1)
    seats = range(players)
    for _ in range(chance.randint(5, 40)):
        match chance.choice(("resign", "vote", "vote", "away", "back", "move", "hear", "hear", "hear")):
            case "resign" if chance.random() < 0.3:
                table.resign(chance.choice(seats))
            case "vote":
                seat = chance.choice(seats)
                if out := votable(table.sessions[seat], seat):
                    table.vote(seat, *out)
            case "away":
                table.leave(chance.choice(seats))
            case "back" if table.away:
                table.come_back(chance.choice(sorted(table.away)))
            case "move":
                table._decide_here()
            case _:
                for _ in range(chance.randint(1, 5)):
                    table._deliver()
    table.faults = RELIABLE
    table.come_back(*table.away).go_on().come_back().go_on()
    for _ in range(players):  # a vote that people have to bring to its end: those who stay all cast it
        for seat in seats:
            asked = any(seat in missing for missing in table.sessions[seat].open_votes.values())
            if asked and (out := votable(table.sessions[seat], seat)):
                table.vote(seat, *out).go_on()
    table.assert_nobody_convicted()
    ends = {(session.state.removal, session.transcript()) for session in table.sessions}
    halves = [{*removal.seats} - {*removal.resigned} for removal, _ in ends if removal is not None]
    if len(halves) == 2 and not set.intersection(*halves):
        return  # two halves of a table that have each ended the game without the other
    assert all(session.finished for session in table.sessions), (seed, [one.waiting_for() for one in table.sessions])
    assert len(ends) == 1, (seed, [removal for removal, _ in ends])
    ((_, transcript),) = ends
    assert audit(transcript).holds
