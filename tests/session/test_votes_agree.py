"""Leaving and voting in any order: honest peers agree in the end, or the votes clash, which they know."""

from __future__ import annotations

import random
from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from p2pdurak.session.audit import audit
from tests.helpers import RELIABLE, ROUGH, make_genesis
from tests.session.kitchen import Kitchen, kitchen

if TYPE_CHECKING:
    from p2pdurak.session.session import Session


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


def without_first(players: int) -> Kitchen:
    """Return a table at which all wait for seat 0, which has not come."""
    table = Kitchen(make_genesis(players, seed=5), seed=5).leave(0)
    for at in range(1, players):
        table.happen(at, table.sessions[at].start())
    return table.deliver()


def drift_apart(seed: int) -> Kitchen:
    """Return a table at which votes were cast by those who had not heard each other, and all have heard them now."""
    chance = random.Random(seed)
    players = chance.choice((3, 4, 5, 6))
    table = without_first(players)
    for seat in range(1, players):
        out = chance.sample([other for other in range(players) if other != seat], chance.randint(1, players // 2))
        if chance.random() < 0.8 and table.sessions[seat].may_vote_out(out):
            table.vote(seat, *out)
    return table.deliver()


def test_whoever_hears_of_votes_that_can_never_be_joined_knows_it() -> None:
    """All know the same; and only then is there no vote that all who would stay can cast."""
    clashes = 0
    for seed in range(60):
        table = drift_apart(seed)
        (clash,) = {session.clash for session in table.sessions[1:]}
        session = table.sessions[1]
        if session.kind is None or session.state.over or not session.leaving.ballots.get(session.state.round):
            continue
        seats = range(table.genesis.players)
        sets = [out for size in seats for out in combinations(seats, size + 1)]
        fits = [out for out in sets if session.leaving.joined(session.state.round, out)]
        assert bool(clash) != bool(fits)
        clashes += bool(clash)
        # Somebody gives up, and then perhaps somebody else: that brings it to an end.
        while clash and not session.state.over:
            table.resign(clash[0]).deliver()
            (clash,) = {session.clash for session in table.sessions[1:]}
        assert not session.clash
        table.assert_nobody_convicted()
    assert 3 < clashes < 60


def test_who_has_resigned_is_not_voted_for_where_that_could_not_be_joined() -> None:
    """Two halves make the deck; in one, two vote against the other half, and one of the two gives up."""
    table = Kitchen(make_genesis(6, seed=5), seed=5)
    first, second = {0, 1, 2}, {3, 4, 5}
    for at in range(6):
        table.happen(at, table.sessions[at].start())
    for voters, others in (((3, 5), (0, 1, 2)), ((), ())):
        while table.wire:
            table.wire = [sent for sent in table.wire if {sent[0], sent[1]} <= first or {sent[0], sent[1]} <= second]
            table._deliver()
        for voter in voters:
            table.vote(voter, *others)
        if voters:
            table.resign(5)
    table.come_back().deliver().come_back().deliver()
    table.check_ended((5,), resigned=(5,), fools=())


def test_who_cannot_join_any_vote_does_not_hold_up_those_who_can() -> None:
    """Seat 3 votes against half of the table; the others have voted already for one that has resigned."""
    table = without_first(6).leave(3)
    table.resign(5).deliver()
    lone = table.sessions[3]
    table.away = frozenset({0, 1, 2, 4, 5})
    table.vote(3, 0, 1, 2)
    table.come_back(1, 2, 3, 4, 5).deliver()
    assert all(table.sessions[at].way_out() == (3, 5) for at in (1, 2, 4))
    assert lone.way_out() == ()
    assert lone.clash == ()
    table.come_back(0).deliver()
    for at in (0, 1, 2, 4):
        if not table.sessions[at].state.over:
            table.vote(at, 3, 5).deliver()
    assert all(table.sessions[at].state.over for at in range(6))


def test_a_vote_for_whoever_votes_can_be_cast_when_that_one_has_resigned() -> None:
    """Seat 1 votes against 0 and 4, and seat 4 against 0 and 1: neither can join the other, but the rest can choose."""
    table = without_first(5)
    table.vote(1, 0, 4).vote(4, 0, 1).deliver()
    rest = table.sessions[2]
    assert not rest.clash
    assert not rest.may_vote_out((0, 1, 4))
    assert rest.may_join((0, 1))
    assert rest.may_join((0, 4))
    assert not table.sessions[1].may_join((0, 1))
    table.vote(2, 0, 1).vote(3, 0, 4).deliver()
    assert {session.clash for session in table.sessions[1:]} == {(1, 4)}
    assert not rest.may_join((0, 4))
    table.resign(1).deliver()
    assert {session.clash for session in table.sessions[1:]} == {()}
