"""A table whose people come and go: for tests of how a game is left."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from p2pdurak.session.audit import audit
from p2pdurak.session.events import OtherHead, Removed
from p2pdurak.wire.envelope import open_envelope
from p2pdurak.wire.messages import Kind
from tests.helpers import Table, eager, make_genesis

if TYPE_CHECKING:
    from collections.abc import Iterable

    from p2pdurak.wire.envelope import Envelope


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


def opened(table: Table, message: bytes) -> Envelope:
    return open_envelope(message, table.genesis.game_id, table.genesis.keys)
