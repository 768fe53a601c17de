"""Whom a person may vote out, and when: by a clock that jumps, over real sessions that wait for somebody."""

from __future__ import annotations

import trio

from p2pdurak.net.patience import Patience
from p2pdurak.net.reach import Reach
from p2pdurak.wire.messages import Here, Kind
from tests.helpers import Dishonest, make_genesis
from tests.session.kitchen import Kitchen

GRACE = 10.0


def without(*away: int, players: int) -> Kitchen:
    """Return a table at which all wait for those who have not come."""
    table = Kitchen(make_genesis(players, seed=5), seed=5).leave(*away)
    for at in set(range(players)) - set(away):
        table.happen(at, table.sessions[at].start())
    return table.deliver()


def reach_of(table: Kitchen, me: int, *linked: int) -> Reach:
    reach = Reach(table.genesis.keys, table.genesis.keys[me])
    for seat in linked:
        reach.speaks(table.genesis.keys[seat])
    return reach


async def test_who_is_waited_for_may_be_voted_out_after_the_grace_time(autojump_clock: object) -> None:
    table, patience = without(0, players=4), Patience(GRACE)
    session, reach = table.sessions[1], reach_of(table, 1, 0, 2, 3)
    patience.look(session, reach)
    await trio.sleep(GRACE - 1)
    assert patience.overdue() == ()
    patience.forgive(2)
    await trio.sleep(2)
    assert patience.overdue() == ()
    await trio.sleep(1)
    assert patience.overdue() == (0,)


async def test_whose_vote_lacks_may_be_voted_out_only_after_the_grace_time_out_of_reach(autojump_clock: object) -> None:
    table, patience = without(0, players=4), Patience(GRACE)
    session, reach = table.sessions[1], reach_of(table, 1, 2, 3)
    patience.look(session, reach)
    await trio.sleep(GRACE)
    table.vote(1, 0)
    reach.leaves(table.genesis.keys[2])
    patience.look(session, reach)
    assert patience.overdue() == ()
    await trio.sleep(GRACE / 2)
    reach.speaks(table.genesis.keys[2])
    patience.look(session, reach)
    reach.leaves(table.genesis.keys[2])
    patience.look(session, reach)
    await trio.sleep(GRACE - 1)
    assert patience.overdue() == ()
    await trio.sleep(1)
    assert patience.overdue() == (0, 2)


async def test_who_is_heard_through_others_is_not_away_but_for_those_who_are_voted_out(autojump_clock: object) -> None:
    table, patience = without(0, players=4), Patience(GRACE)
    session, reach = table.sessions[1], reach_of(table, 1)
    reach.hears(table.genesis.keys[3], (2,))
    reach.hears(table.genesis.keys[0], (2,))
    table.vote(1, 0)
    patience.look(session, reach)
    await trio.sleep(2 * GRACE)
    assert patience.overdue() == ()
    reach.leaves(table.genesis.keys[3])
    patience.look(session, reach)
    reach.hears(table.genesis.keys[3], ())
    patience.look(session, reach)
    await trio.sleep(GRACE)
    assert patience.overdue() == (0, 2)  # seat 0 says that seat 2 is there, and is itself voted for


async def test_of_votes_that_are_too_much_together_one_may_be_joined(autojump_clock: object) -> None:
    table = without(0, players=5)
    table.vote(1, 0, 4).vote(4, 0, 1).deliver()
    for seat in (2, 3):
        patience, reach = Patience(GRACE), reach_of(table, seat, 1, 2, 3, 4)
        patience.look(table.sessions[seat], reach)
        await trio.sleep(GRACE)
        assert patience.overdue() == (0, 1)
    table.vote(2, 0, 1).vote(3, 0, 1).deliver()
    assert all(table.sessions[seat].state.over for seat in (2, 3, 4))


async def test_nobody_is_offered_where_votes_clash(autojump_clock: object) -> None:
    table = without(0, players=5)
    table.vote(1, 0, 4).vote(4, 0, 1).vote(2, 0, 1).vote(3, 0, 4).deliver()
    for seat in range(1, 5):
        patience, reach = Patience(GRACE), reach_of(table, seat, 1, 2, 3, 4)
        patience.look(table.sessions[seat], reach)
        await trio.sleep(2 * GRACE)
        assert patience.overdue() == ()
        assert table.sessions[seat].clash == (1, 4)


async def test_who_says_that_the_round_is_complete_and_shows_it_to_nobody_may_be_voted_out(
    autojump_clock: object,
) -> None:
    table, patience = without(0, players=4), Patience(GRACE)
    session, reach = table.sessions[1], reach_of(table, 1, 2, 3)
    patience.look(session, reach)
    await trio.sleep(GRACE)
    assert patience.overdue() == (0,)
    table.vote(1, 0)
    liar = table.sessions[3]
    liar.__class__ = Dishonest
    assert isinstance(liar, Dishonest)
    table.put(3, 1, liar.sealed(Kind.HERE, Here(b"")))
    table.deliver()
    assert session.waiting_for() == (0, 3)
    patience.look(session, reach)
    await trio.sleep(GRACE - 1)
    assert patience.overdue() == ()  # what it has heard may be on its way
    patience.forgive(2)
    await trio.sleep(2)
    assert patience.overdue() == ()
    await trio.sleep(1)
    assert patience.overdue() == (0, 3)
    table.vote(1, 0, 3).vote(2, 0, 3).deliver()
    assert all(table.sessions[seat].state.over for seat in (1, 2))


async def test_who_can_join_no_vote_may_be_voted_out_by_those_who_can(autojump_clock: object) -> None:
    """Seat 3 has voted against half of the table, which had voted already for one that has resigned."""
    table = without(0, 3, players=6)
    table.resign(5).deliver()
    table.away = frozenset({0, 1, 2, 4, 5})
    table.vote(3, 0, 1, 2)
    table.come_back(1, 2, 3, 4, 5).deliver()
    for seat, offered in ((1, (3, 5)), (2, (3, 5)), (3, ()), (4, (3, 5))):
        patience, reach = Patience(GRACE), reach_of(table, seat, 1, 2, 3, 4, 5)
        patience.look(table.sessions[seat], reach)
        assert patience.overdue() == ()
        await trio.sleep(GRACE)
        assert patience.overdue() == offered


async def test_nobody_is_offered_a_vote_that_cannot_be_joined(autojump_clock: object) -> None:
    """Seat 4 is voted for itself: its own vote against seat 0 alone would come to nothing."""
    table, patience = without(0, players=5), Patience(GRACE)
    table.vote(1, 0, 4).deliver()
    patience.look(table.sessions[4], reach_of(table, 4, 1, 2, 3))
    await trio.sleep(2 * GRACE)
    assert patience.overdue() == ()
