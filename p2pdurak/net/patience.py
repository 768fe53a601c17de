"""How long a game has been waiting for whom, and when the others may end it without them.

What counts is the time for which the open round has waited, by our own clock: a clock that all share does not exist,
and the vote needs everybody who stays anyway. Where a vote is under way, also who cannot give theirs may be voted out:
whoever was out of reach for the whole grace time, so that no link that has just broken decides it. What somebody tells
who is voted for keeps nobody in reach here, or a seat could hold up the vote against itself by naming one that is gone.
Neither can a seat hold it up by saying that the round is complete: it may be voted out as well, if the messages of the
round have not come for the grace time. Only what all who would stay can still join is offered.
Normative text: ``protocol/rounds.md``, "Leaving".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import trio

if TYPE_CHECKING:
    from p2pdurak.net.reach import Reach
    from p2pdurak.session.session import Session
    from p2pdurak.wire.messages import Gone


class Offer(NamedTuple):
    """From ``due`` on we may vote to end the game without the seats of ``out``."""

    due: float
    out: tuple[int, ...]


class Patience:
    """Since when the open round is open; ``grace`` is how many seconds are to be waited at least.

    It remembers what it has seen of the session, which may be at work in a thread when it is asked.
    """

    def __init__(self, grace: float) -> None:
        self.grace = grace
        self.votes: tuple[Gone, ...] = ()
        """The votes that are open."""
        self._round = -1
        self._since = 0.0
        self._gone_since: dict[int, float] = {}
        self._ahead_since: dict[int, float] = {}
        self._offers: list[Offer] = []

    def look(self, session: Session, reach: Reach) -> None:
        """See whom the game waits for; call it where the session is at rest."""
        now = trio.current_time()
        if session.state.round != self._round:
            self._round, self._since, self._ahead_since = session.state.round, now, {}
        self.votes = tuple(session.open_votes)
        in_reach = reach.seats(but_for=session.named)
        gone = [seat for seat in session.state.everybody() if seat not in in_reach]
        self._gone_since = {seat: self._gone_since.get(seat, now) for seat in gone}
        self._ahead_since = {seat: self._ahead_since.get(seat, now) for seat in session.ahead}
        self._offers = self._offer(session)

    def _offer(self, session: Session) -> list[Offer]:
        """Return whom we may vote out and when, ever more seats."""
        me = set() if session.player is None else {session.player.seat}
        # Also whom others have voted for, since only the same vote brings theirs to an end; and, where a vote is waited
        # for, those who are away, but not those who are still thinking about it.
        wanted = {*session.silent(), *session.named} - me
        lacking = set(session.waiting_for()) - wanted - me
        lacking_since = {seat: since for seat, since in self._gone_since.items() if seat in lacking}
        lacking_since.update({seat: since for seat, since in self._ahead_since.items() if seat in lacking})
        stages = [(self._since, wanted)]
        for since, seat in sorted((since, seat) for seat, since in lacking_since.items()):
            stages.append((max(since, self._since), stages[-1][1] | {seat}))
        return [
            Offer(since + self.grace, tuple(sorted(out))) for since, out in stages if out and session.may_join(out)
        ] or self._join(session)

    def _join(self, session: Session) -> list[Offer]:
        """Return which of the votes we may join where all of them together would be too much.

        It is the one for which the fewest lack: so those who have not voted choose the same, if they have heard the
        same. If none can be joined as it is, it is one of them with those who can never join it, since they have voted
        for somebody who stays.
        """
        fewest = sorted(session.open_votes.items(), key=lambda item: (len(item[1]), item[0].out))
        joined = [vote.out for vote, _ in fewest if session.may_join(vote.out)] or [session.way_out()]
        return [
            Offer(max(self._since, *(self._ahead_since.get(seat, 0.0) for seat in out)) + self.grace, out)
            for out in joined[:1]
            if out
        ]

    @property
    def round(self) -> int:
        """The round that was open when it was last looked."""
        return self._round

    def overdue(self) -> tuple[int, ...]:
        """Return the seats without whom we may vote to end the game: waited for longer than the grace time."""
        due = [offer.out for offer in self._offers if offer.due <= trio.current_time()]
        return due[-1] if due else ()

    def forgive(self, seconds: float) -> None:
        """Count this time out: for so long nobody can have been heard here."""
        self._since += seconds
        self._gone_since = {seat: since + seconds for seat, since in self._gone_since.items()}
        self._ahead_since = {seat: since + seconds for seat, since in self._ahead_since.items()}
        self._offers = [Offer(due + seconds, out) for due, out in self._offers]

    def left(self) -> float:
        """Return how many seconds of the grace time are left; 0 or less if it is over."""
        return self._since + self.grace - trio.current_time()
