"""Leaving a game that goes on: who has resigned, and the votes to end it without somebody.

A vote is part of the chain, and everybody who stays must have cast the same one; so honest peers never differ about
whether a game ended. What a seat votes may only grow, since earlier votes cannot be called back from the network.
Rejected: a vote beside the chain (one peer has the late message, the others have voted already), and one seat a vote
(two that are away together could never be voted out). Normative text: ``protocol/rounds.md``, "Leaving".
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, NamedTuple

from p2pdurak.errors import MalformedMessage, ProtocolViolation
from p2pdurak.wire.envelope import open_envelope
from p2pdurak.wire.messages import Gone, Here, Kind, Resign, decode_body

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from p2pdurak.session.round import Spoken
    from p2pdurak.wire.envelope import Envelope
    from p2pdurak.wire.genesis import Genesis

NOBODY = Gone((), ())


@dataclass(frozen=True, slots=True)
class Removal:
    """How a game ended without ``seats``, of which ``resigned`` have resigned.

    ``fools`` are those who are fools by that: nobody if the game is ``void``, or a draw since all have resigned.
    """

    seats: tuple[int, ...]
    resigned: tuple[int, ...]
    fools: tuple[int, ...]
    void: bool


class Said(NamedTuple):
    """A vote that all have cast who have to, and the messages that say so.

    First the resignations, then the votes, each in the order of seats.
    """

    vote: Gone
    messages: tuple[Spoken, ...]


@dataclass(slots=True)
class Ballot:
    """What was said about leaving in one round: by each seat its votes, and whether it went on."""

    votes: dict[int, list[Spoken]] = field(default_factory=dict)
    here: dict[int, Spoken] = field(default_factory=dict)

    def largest(self, seat: int) -> Gone:
        """Return the vote of ``seat`` that contains all its others; ``NOBODY`` if it has not voted."""
        votes = [_vote(spoken) for spoken in self.votes.get(seat, ())]
        return max(votes, key=_size, default=NOBODY)

    def message(self, seat: int, vote: Gone) -> Spoken | None:
        """Return the message by which ``seat`` said exactly this vote."""
        return next((spoken for spoken in self.votes.get(seat, ()) if spoken.body == vote), None)

    def gone_on(self, out: Sequence[int]) -> Spoken | None:
        """Return the message of a seat outside ``out`` that has completed the round as usual."""
        return next((spoken for seat, spoken in self.here.items() if seat not in out), None)


class Leaving:
    """All that the seats of one game have said about leaving it."""

    def __init__(self, genesis: Genesis) -> None:
        self.resigned: dict[int, Spoken] = {}
        self.ballots: dict[int, Ballot] = {}
        self._genesis = genesis

    @property
    def players(self) -> int:
        """The number of seats."""
        return self._genesis.players

    def ballot(self, round_: int) -> Ballot:
        """Return the votes of a round."""
        return self.ballots.get(round_) or Ballot()

    def take(self, spoken: Spoken) -> None:
        """Take a message on our own head; raises ProtocolViolation, with the evidence, if it cannot be honest."""
        envelope = spoken.envelope
        ballot = self.ballots.setdefault(envelope.round, Ballot())
        match spoken.body:
            case Resign():
                self.resigned.setdefault(envelope.seat, spoken)
            case Gone() as vote:
                self._check_bounds(envelope.seat, vote)
                ballot.votes.setdefault(envelope.seat, []).append(spoken)
            case Here():
                first = ballot.here.setdefault(envelope.seat, spoken)
                if first is not spoken:
                    raise _contradiction(envelope.seat, first, spoken)
            case _:
                raise AssertionError("this is not said about leaving")
        self._check_contradictions(ballot, envelope.seat)

    def ended(self, round_: int, gone_on: Callable[[Said, Collection[int]], bool]) -> Said | None:
        """Return the vote that ends the game in this round and the messages that say so, if there is one.

        It is the largest vote of each that stays; or a smaller one that all of them have cast, if ``gone_on`` tells
        that one of the seats given to it has ended the game by that: then the larger vote comes to nothing.
        """
        ballot = self.ballot(round_)
        largest = {seat: ballot.largest(seat) for seat in ballot.votes}
        cast = {_vote(spoken) for votes in ballot.votes.values() for spoken in votes}
        for vote in sorted(cast, key=_size, reverse=True):
            voters = self.voters(vote)
            voices = [ballot.message(seat, vote) for seat in voters]
            messages = [spoken for spoken in (*map(self.resigned.get, vote.resigned), *voices) if spoken is not None]
            if len(messages) < len(vote.resigned) + len(voters):
                continue
            said = Said(vote, tuple(messages))
            larger = [other for other in largest.values() if other != vote and _contains(other, vote)]
            witnesses = [seat for seat in voters if all(seat in self.voters(other) for other in larger)]
            if all(largest[seat] == vote for seat in voters) or gone_on(said, witnesses):
                return said
        return None

    def voters(self, vote: Gone) -> tuple[int, ...]:
        """Return the seats that have to agree: all that stay, or all if all have resigned."""
        everybody = range(self.players)
        if len(vote.resigned) == self.players:
            return tuple(everybody)
        return tuple(seat for seat in everybody if seat not in vote.out)

    def missing(self, round_: int, vote: Gone) -> tuple[int, ...]:
        """Return the seats that have to say ``vote``, and no more than that, and have not."""
        ballot = self.ballot(round_)
        return tuple(seat for seat in self.voters(vote) if ballot.largest(seat) != vote)

    def open_votes(self, round_: int) -> dict[Gone, tuple[int, ...]]:
        """Return the votes of a round that nobody has overruled, the largest first, each with the seats that lack."""
        ballot = self.ballot(round_)
        votes = {ballot.largest(seat) for seat in ballot.votes}
        standing = [vote for vote in votes if ballot.gone_on(vote.out) is None]
        return {vote: self.missing(round_, vote) for vote in sorted(standing, key=_size, reverse=True)}

    def joined(self, round_: int, out: Collection[int], resigning: Collection[int] = ()) -> bool:
        """Tell whether the game can still be ended in this round without exactly ``out``, and all who have resigned.

        Enough have to stay, and of these nobody may have voted for more, or gone on. It is told as if those
        ``resigning`` had resigned, too.
        """
        ballot = self.ballot(round_)
        largest = {seat: ballot.largest(seat) for seat in ballot.votes}
        resigned = {*self.resigned, *resigning}.union(*(vote.resigned for vote in largest.values()))
        vote = Gone(tuple(sorted(resigned.union(out))), tuple(sorted(resigned)))
        fits = all(_contains(vote, largest.get(seat, NOBODY)) for seat in self.voters(vote))
        return fits and self.allows(vote) and ballot.gone_on(vote.out) is None

    def way_out(self, round_: int, resigning: Collection[int] = ()) -> tuple[int, ...]:
        """Return the fewest seats without whom those who voted, and all others, can still end the game in this round.

        Somebody's vote is contained; of several such sets it is the first. Empty if nobody has voted, or there is none.
        """
        ballot = self.ballot(round_)
        seats = range(self.players)
        votes = [set(ballot.largest(seat).out) for seat in ballot.votes]
        sets = (out for size in seats for out in combinations(seats, size + 1) if any(vote <= {*out} for vote in votes))
        return next((out for out in sets if self.joined(round_, out, resigning)), ())

    def clash(self, round_: int) -> tuple[int, ...]:
        """Return the seats of whom one must resign, if no vote can end the game in this round any more.

        Nobody can take a vote back. So where those who voted would all have to stay or go for each other, only one of
        them who resigns, or a seat that goes on, can help: those who are voted for themselves, if that helps.
        """
        ballot = self.ballot(round_)
        largest = {seat: ballot.largest(seat) for seat in ballot.votes if seat not in self.resigned}
        if not largest or any(ballot.gone_on(vote.out) for vote in largest.values()) or self.way_out(round_):
            return ()
        named = {seat for vote in largest.values() for seat in vote.out}
        helping = {seat for seat in largest if self.way_out(round_, {seat})} or set(largest)
        return tuple(sorted(helping & named or helping))

    def bound(self, seat: int, round_: int) -> bool:
        """Tell whether ``seat`` has voted in this round, and no other seat that would stay has gone on."""
        ballot = self.ballot(round_)
        vote = ballot.largest(seat)
        return bool(vote.out) and ballot.gone_on(vote.out) is None

    def due(self, seat: int, round_: int) -> Gone | None:
        """Return the vote that ``seat`` casts by itself: for all who have resigned."""
        resigned = set(self.resigned)
        if not resigned or (seat in resigned and len(resigned) < self.players):
            return None
        vote = self.larger(seat, round_, resigned)
        # Not again; and not what cannot end the game: it would only keep the seat from completing the round as usual.
        return vote if vote != self.ballot(round_).largest(seat) and self.joined(round_, vote.out) else None

    def larger(self, seat: int, round_: int, out: set[int]) -> Gone:
        """Return what ``seat`` has to say to vote for ``out`` besides all that it voted for in this round."""
        before, resigned = self.ballot(round_).largest(seat), set(self.resigned)
        everybody_out = out | set(before.out) | resigned
        return Gone(tuple(sorted(everybody_out)), tuple(sorted(set(before.resigned) | resigned)))

    def allows(self, vote: Gone) -> bool:
        """Tell whether enough would stay: half of those who have not resigned, or nobody if all have."""
        staying, loyal = self.players - len(vote.out), self.players - len(vote.resigned)
        return 2 * staying >= loyal  # nobody has to stay where all have resigned

    def answer(self, seat: int, round_: int) -> Here | None:
        """Return what ``seat`` has yet to answer to votes in a round that it has completed as usual."""
        ballot = self.ballot(round_)
        if seat in ballot.here or not any(other != seat for other in ballot.votes):
            return None
        vote = ballot.largest(seat)
        overruled_by = ballot.gone_on(vote.out) if vote.out else None
        return Here(b"" if overruled_by is None else overruled_by.envelope.data)

    # What convicts

    def _check_bounds(self, seat: int, vote: Gone) -> None:
        out, resigned = set(vote.out), set(vote.resigned)
        orderly = list(vote.out) == sorted(out) and list(vote.resigned) == sorted(resigned)
        possible = bool(out) and resigned <= out <= set(range(self.players)) and self.allows(vote)
        itself = seat in out and len(resigned) < self.players
        if not orderly or not possible or itself:
            raise ProtocolViolation("vote", "voted for what cannot be voted for")

    def _check_contradictions(self, ballot: Ballot, seat: int) -> None:
        votes = sorted(ballot.votes.get(seat, ()), key=lambda spoken: _size(_vote(spoken)))
        for smaller, larger in pairwise(votes):
            if not _contains(_vote(larger), _vote(smaller)):
                raise _contradiction(seat, smaller, larger)
        here = ballot.here.get(seat)
        if votes and here is not None:
            overruled_by = self._overruler(here)
            if overruled_by is None or overruled_by.seat in (seat, *_vote(votes[-1]).out):
                raise _contradiction(seat, here, votes[-1])

    def _overruler(self, here: Spoken) -> Envelope | None:
        """Return the ``here`` message of the same round that ``here`` carries; None if it carries none."""
        if not isinstance(here.body, Here) or not here.body.overruled_by:
            return None
        try:
            other = open_envelope(here.body.overruled_by, self._genesis.game_id, self._genesis.keys)
            decode_body(Kind.HERE, other.body)
        except MalformedMessage:
            return None
        fits = (other.round, other.head, other.kind) == (here.envelope.round, here.envelope.head, Kind.HERE)
        return other if fits else None


def _vote(spoken: Spoken) -> Gone:
    assert isinstance(spoken.body, Gone)  # noqa: S101 - only votes are kept among the votes
    return spoken.body


def _size(vote: Gone) -> tuple[int, int, tuple[int, ...]]:
    return len(vote.out) + len(vote.resigned), len(vote.out), vote.out


def _contains(larger: Gone, smaller: Gone) -> bool:
    return set(smaller.out) <= set(larger.out) and set(smaller.resigned) <= set(larger.resigned)


def _contradiction(seat: int, *said: Spoken) -> ProtocolViolation:
    evidence = tuple(sorted(spoken.envelope.data for spoken in said))
    return ProtocolViolation("equivocation", "cast votes that contradict each other", seat=seat, evidence=evidence)
