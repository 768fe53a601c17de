"""What must hold when a simulated game is over: all have finished it, with the same transcript, which holds.

Only players without patience can have less. Who was voted out may have come back too late, when the others had left; so
may somebody who was away for longer than the grace time when the game ended; and where half of the table may go on
without the other half, both halves may have done so. Then each is out in the transcript of the other, and nothing else
is excused.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

from p2pdurak.net.attendance import LAST_ROUNDS
from p2pdurak.session.audit import Report, audit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.faults.peer import Peer
    from tests.faults.scenario import Scenario


def problems_of(peers: Sequence[Peer], scenario: Scenario) -> Iterator[str]:
    """Yield what does not hold for each peer and each transcript."""
    games = scenario.terms.games
    for peer in peers:
        late = any(peer.key.public in voted_out(transcript) for other in peers for transcript in other.transcripts)
        late |= scenario.impatient and peer.session is not None and peer.session.kind in LAST_ROUNDS
        if len(peer.transcripts) < games and not late:
            yield f"{peer.name} does not finish: {_stuck(peer)}"
        elif len(peer.transcripts) > games:
            yield f"{peer.name} has different transcripts of one game"
        elif not peer.ended and not late:
            yield f"{peer.name}'s program does not end"
    for transcript in dict.fromkeys(transcript for peer in peers for transcript in peer.transcripts):
        if problems := checked(transcript).problems:
            yield f"a transcript does not hold: {problems[0]}"


def problems_between(peers: Sequence[Peer]) -> Iterator[str]:
    """Yield who differs from whom about a game."""
    for one, other in combinations(peers, 2):
        for mine, yours in zip(one.transcripts, other.transcripts, strict=False):
            apart = other.key.public in voted_out(mine) and one.key.public in voted_out(yours)
            if mine != yours and not apart:
                yield f"{one.name} and {other.name} have different transcripts"


@cache
def checked(transcript: bytes) -> Report:
    """Return what the transcript is found to be."""
    return audit(transcript)


def voted_out(transcript: bytes) -> frozenset[bytes]:
    """Return the keys of those without whom a game was ended."""
    report = checked(transcript)
    return frozenset(report.genesis.keys[seat] for seat in report.removal.seats) if report.removal else frozenset()


def _stuck(peer: Peer) -> str:
    session = peer.session
    if session is None:
        return "it is not in the game"
    waits = ", ".join(session.genesis.name(seat) for seat in session.waiting_for())
    return f"it is in round {session.state.round}, {session.kind}, and waits for {waits or 'nobody'}"
