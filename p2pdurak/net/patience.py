"""How long a game has been waiting for whom, and when the others may end it without them.

What counts is the time for which the open round has waited, by our own clock: a clock that all share does not exist,
and the vote needs everybody who stays anyway. Normative text: ``protocol/rounds.md``, "Leaving".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

if TYPE_CHECKING:
    from collections.abc import Collection

    from p2pdurak.session.session import Session
    from p2pdurak.wire.messages import Gone


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
        self._waited_for: tuple[int, ...] = ()

    def look(self, session: Session, linked: Collection[int]) -> None:
        """See whom the game waits for; call it where the session is at rest. ``linked`` are the seats in reach."""
        if session.state.round != self._round:
            self._round, self._since = session.state.round, trio.current_time()
        me = None if session.player is None else session.player.seat
        self.votes = tuple(session.open_votes)
        # Also whom others have voted for, since only the same vote brings theirs to an end; and, where a vote is waited
        # for, those who are away, but not those who are still thinking about it.
        named = {seat for vote in self.votes for seat in vote.out}
        away = {seat for seat in session.waiting_for() if seat not in linked}
        others = tuple(sorted({*session.silent(), *named, *away} - {me}))
        self._waited_for = others if others and session.may_vote_out(others) else ()

    @property
    def round(self) -> int:
        """The round that was open when it was last looked."""
        return self._round

    def overdue(self) -> tuple[int, ...]:
        """Return the seats without whom we may vote to end the game: waited for longer than the grace time."""
        return self._waited_for if self.left() <= 0 else ()

    def forgive(self, seconds: float) -> None:
        """Count this time out: for so long nobody can have been heard here."""
        self._since += seconds

    def left(self) -> float:
        """Return how many seconds of the grace time are left; 0 or less if it is over."""
        return self._since + self.grace - trio.current_time()
