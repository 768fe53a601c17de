"""Which seats of a game can be heard: directly, through one other seat, and no further."""

from __future__ import annotations

from p2pdurak.net.reach import Reach
from tests.helpers import make_genesis, signing_key

KEYS = make_genesis(4).keys


def test_who_is_linked_and_whom_those_name_is_in_reach() -> None:
    reach = Reach(KEYS, KEYS[0])
    assert reach.seats() == {0}
    reach.speaks(KEYS[1])
    assert reach.seats() == {0, 1}
    reach.hears(KEYS[2], (0, 3))
    assert reach.linked == (1, 2)
    assert reach.seats() == {0, 1, 2, 3}
    assert reach.seats(but_for={2}) == {0, 1, 2}
    reach.hears(KEYS[2], (0,))
    assert reach.seats() == {0, 1, 2}


def test_what_somebody_told_goes_with_the_link() -> None:
    reach = Reach(KEYS, KEYS[0])
    reach.hears(KEYS[1], (2, 3))
    reach.leaves(KEYS[1])
    assert reach.linked == ()
    assert reach.seats() == {0}
    reach.speaks(KEYS[1])
    assert reach.seats() == {0, 1}


def test_what_was_told_is_not_told_on() -> None:
    """Two that hold a third in reach for each other lose it as soon as neither has a link to it."""
    one, other = Reach(KEYS, KEYS[0]), Reach(KEYS, KEYS[1])
    for seat in (1, 2):
        one.speaks(KEYS[seat])
    for seat in (0, 2):
        other.speaks(KEYS[seat])
    for reach in (one, other):
        reach.leaves(KEYS[2])
    one.hears(KEYS[1], other.linked)
    other.hears(KEYS[0], one.linked)
    assert one.seats() == other.seats() == {0, 1}


def test_seats_that_are_none_and_watchers_are_in_nobodys_reach() -> None:
    reach = Reach(KEYS, signing_key(77).public)
    reach.hears(KEYS[1], (5,))
    reach.speaks(signing_key(78).public)
    assert reach.linked == (1,)
    assert reach.seats() == {1}
