"""A peer that comes back from its secret and its journal says what it had said, and goes on."""

from __future__ import annotations

import pytest

from p2pdurak.errors import MalformedMessage
from p2pdurak.session.events import Convicted, Send
from p2pdurak.session.session import Session
from p2pdurak.wire.envelope import seal
from p2pdurak.wire.messages import Kind, Play
from tests.helpers import Table, eager, entropy, make_genesis, signing_key


def restored(table: Table, seat: int, kept: int, *, seed: int) -> tuple[Session, list[bytes]]:
    """Return the session of a seat made anew from the first ``kept`` messages of its journal, and what it says."""
    secret = entropy("game secret", seed, 1, seat)
    session = Session(table.genesis, seat=seat, key=signing_key(seat), secret=secret)
    session.restore(table.journals[seat][:kept])
    return session, [event.message for event in session.start() if isinstance(event, Send)]


def check_restored(table: Table, seat: int, kept: int, *, seed: int) -> None:
    journal = table.journals[seat]
    session, said = restored(table, seat, kept, seed=seed)
    # What it says by itself it had said before, word for word, or was about to say.
    assert set(said) <= set(journal[kept:])
    for message in journal[kept:]:
        for event in session.receive(message):
            assert not isinstance(event, Convicted)
            if isinstance(event, Send) and event.own:
                said.append(event.message)
    assert set(said) <= set(journal)
    assert session.finished
    assert session.transcript() == table.sessions[seat].transcript()


@pytest.mark.parametrize("seat", [0, 1])
def test_at_some_points_of_a_game(duel: Table, seat: int) -> None:
    length = len(duel.journals[seat])
    for kept in (0, 1, 3, 6, length // 2, length - 1):
        check_restored(duel, seat, kept, seed=10)


@pytest.mark.soak
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_at_every_point_of_a_game(trio: Table, seat: int) -> None:
    for kept in range(len(trio.journals[seat]) + 1):
        check_restored(trio, seat, kept, seed=7)


def test_nothing_is_said_while_the_journal_is_read(duel: Table) -> None:
    session, said = restored(duel, 0, len(duel.journals[0]), seed=10)
    assert said == []
    assert session.messages_from(0) == duel.sessions[0].messages_from(0)


def test_a_round_once_spoken_in_is_never_spoken_in_otherwise(duel: Table) -> None:
    """The journal ends with our own decision: after the restart nobody is asked for another."""
    own = [
        (at, round_)
        for round_ in duel.sessions[0].rounds
        if round_.kind is Kind.PLAY and round_.spoken[0].envelope.seat == 0
        for at, message in enumerate(duel.journals[0])
        if message == round_.spoken[0].envelope.data
    ]
    at, round_ = own[len(own) // 2]
    before, said = restored(duel, 0, at, seed=10)
    assert (before.my_decision, said) == (True, [])
    after, said = restored(duel, 0, at + 1, seed=10)
    assert after.state.round > round_.state.round
    assert round_.spoken[0].envelope.data in after.messages_from(round_.state.round)


@pytest.mark.parametrize("kept", [1, 2, 6, 40])
def test_another_secret_than_the_committed_one_is_noticed(duel: Table, kept: int) -> None:
    for seed, right in ((10, True), (11, False)):
        secret = entropy("game secret", seed, 1, 0)
        session = Session(duel.genesis, seat=0, key=signing_key(0), secret=secret)
        assert session.has_its_secret()
        session.restore(duel.journals[0][:kept])
        assert session.has_its_secret() is right


class TestDiskRolledBack:
    """A journal that lost its end: what the peer said comes back from the others, and it must not contradict it."""

    def own_decisions(self, duel: Table) -> list[int]:
        return [
            round_.state.round
            for round_ in duel.sessions[0].rounds
            if round_.kind is Kind.PLAY and round_.spoken[0].envelope.seat == 0
        ]

    def test_it_does_not_decide_while_it_is_behind_itself(self, duel: Table) -> None:
        first, later, *_ = self.own_decisions(duel)
        journal = duel.journals[0]
        message = duel.sessions[0].rounds[first].spoken[0].envelope.data
        session, _ = restored(duel, 0, journal.index(message), seed=10)
        assert session.waiting_for() == (0,)
        # From another peer it hears what it said itself, later on.
        session.receive(duel.sessions[0].rounds[later].spoken[0].envelope.data)
        assert not session.my_decision
        for heard in duel.sessions[1].messages_from(session.state.round):
            session.receive(heard)
        assert session.transcript() == duel.sessions[0].transcript()

    def test_nor_does_it_speak_by_itself(self, duel: Table) -> None:
        session, said = restored(duel, 0, 0, seed=10)
        assert len(said) == 1  # the commitment, as it was
        fresh = Session(duel.genesis, seat=0, key=signing_key(0), secret=entropy("game secret", 10, 1, 0))
        far_ahead = duel.sessions[0].rounds[-1].spoken[0].envelope
        assert far_ahead.seat == 0
        assert fresh.receive(far_ahead.data) == []
        assert fresh.start() == []
        for heard in duel.sessions[1].messages_from(0):
            fresh.receive(heard)
        assert fresh.transcript() == duel.sessions[0].transcript()
        assert session.state.round == 0

    def test_nor_on_a_fork(self) -> None:
        """What it said builds on a head that it does not have (somebody equivocated): it stays silent."""
        genesis = make_genesis(2, seed=1)
        table = Table(genesis, seed=1, choose=lambda seat: eager)
        table.run(until=lambda table: table.sessions[0].my_decision)
        mine = table.sessions[0]
        state = mine.state
        take = Play("take", (), b"", b"", None)
        other = seal(signing_key(0), state.game_id, state.round, entropy("fork"), 0, Kind.PLAY, take)
        mine.receive(other)
        assert mine.convicted is None
        assert not mine.my_decision


def test_a_journal_that_is_not_of_this_game_is_refused(duel: Table, trio: Table) -> None:
    session = Session(duel.genesis, seat=0, key=signing_key(0), secret=entropy("game secret", 10, 1, 0))
    with pytest.raises(MalformedMessage):
        session.restore(trio.journals[0])
    assert [event for event in session.start() if isinstance(event, Send)]
