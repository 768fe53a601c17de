"""A seat that says two things is convicted by both others in every order in which messages can reach them.

At a table of three all orders can be gone through: from the moment at which the cheat has spoken, every message that is
under way may be the next to arrive. States that differ only in how they came about are gone through once.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import pytest

from p2pdurak.session.events import Send
from p2pdurak.wire.messages import LEAVING, Kind
from tests.helpers import Dishonest, SendTo, eager, forked, make_genesis, replacing
from tests.session.conftest import Course
from tests.session.test_equivocation import kind_of, twin

if TYPE_CHECKING:
    from collections.abc import Mapping

    from p2pdurak.session.session import Session
    from p2pdurak.wire.messages import Body

CHEAT = 2
HONEST = (0, 1)
SAID: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "one to each": ((0,), (1,)),
    "both to one": ((0,), (0,)),
    "both to all": ((0, 1), (0, 1)),
    "the second to one": ((0, 1), (1,)),
}
"""To whom the first message goes, and to whom the second."""


class Seat:
    """An honest seat in every state that it can come to.

    Seats are independent of each other, so that what a message does to one in a state is worked out once.
    """

    def __init__(self, session: Session) -> None:
        self.states = [session]
        self.heard = [frozenset(session.messages_from(0))]
        self._numbers = {state_of(session): 0}
        self._after: dict[tuple[int, bytes], tuple[int, tuple[bytes, ...]]] = {}

    def after(self, state: int, message: bytes) -> tuple[int, tuple[bytes, ...]]:
        """Return the state after ``message`` has arrived, or after our decision if there is none; and what is sent."""
        if (state, message) not in self._after:
            session = forked(self.states[state])
            events = session.receive(message) if message else session.act(eager(session.view()))
            number = self._numbers.setdefault(state_of(session), len(self.states))
            if number == len(self.states):
                self.states.append(session)
                self.heard.append(frozenset(session.messages_from(0)))
            sent = tuple(event.message for event in events if isinstance(event, Send))
            self._after[state, message] = number, sent
        return self._after[state, message]


def state_of(session: Session) -> object:
    """Return a value that is equal for sessions that will do the same from now on."""
    return session.state.head, tuple(sorted(session._spoken)), tuple(session.messages_from(0))


class Moment(NamedTuple):
    """The states of the honest seats, and what is under way to them."""

    states: tuple[int, int]
    under_way: frozenset[tuple[int, bytes]]


@cache
def course() -> Course:
    return Course(make_genesis(3, seed=5), cheat=CHEAT, seed=5)


def spoken_twice(kind: Kind, to: tuple[tuple[int, ...], tuple[int, ...]]) -> tuple[list[Seat], Moment]:
    """Return the moment at which the cheat has said two things, and as little as possible has reached the others."""
    spoken: list[SendTo] = []

    def cheat(session: Dishonest, body: Body) -> list[SendTo]:
        other = twin(session, body)
        sealed = session.sealed(kind, body), session.sealed(kind_of(other, kind), other)
        spoken.extend(SendTo(message, seat) for message, seats in zip(sealed, to, strict=True) for seat in seats)
        return spoken

    table = course().before(kind, replacing(kind, cheat))
    table.sessions = table.sessions[:3]
    table.wire = [letter for letter in table.wire if letter[1] < len(table.sessions)]
    if kind is Kind.COMMIT:
        for seat, session in enumerate(table.sessions):
            table.happen(seat, session.start())
    while not spoken:
        table.wire.sort(key=lambda letter: letter[1] != CHEAT)
        assert table._decide() or table._deliver()
    under_way = frozenset((to, message) for _, to, message in table.wire if to in HONEST)
    return [Seat(session) for session in table.sessions[:2]], Moment((0, 0), under_way)


def go_through(seats: list[Seat], moment: Moment) -> int:
    """Go through all that can follow: nobody else is ever convicted, and no end is without both verdicts.

    Returns the number of moments.
    """
    seen, waiting = {moment}, [moment]
    while waiting:
        states, under_way = waiting.pop()
        sessions = [seats[seat].states[states[seat]] for seat in HONEST]
        verdicts = [session.convicted.seats for session in sessions if session.convicted]
        assert set(verdicts) <= {(CHEAT,)}
        letters = [*under_way, *((seat, b"") for seat in HONEST if sessions[seat].my_decision)]
        assert letters or verdicts == [(CHEAT,), (CHEAT,)]
        for seat, message in letters if len(verdicts) < len(HONEST) else ():
            state, sent = seats[seat].after(states[seat], message)
            after = (state, states[1]) if seat == 0 else (states[0], state)
            letters_after = (under_way - {(seat, message)}) | {(1 - seat, message) for message in sent}
            # What a seat has heard before is nothing new to it, whenever it arrives.
            heard = [seats[seat].heard[after[seat]] for seat in HONEST]
            moment = Moment(after, frozenset(letter for letter in letters_after if letter[1] not in heard[letter[0]]))
            if moment not in seen:
                seen.add(moment)
                waiting.append(moment)
    return len(seen)


@pytest.mark.parametrize("to", SAID.values(), ids=SAID)
@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in LEAVING])
def test_whoever_says_two_things_is_convicted_in_every_order(
    kind: Kind, to: tuple[tuple[int, ...], tuple[int, ...]]
) -> None:
    assert go_through(*spoken_twice(kind, to)) > 50
