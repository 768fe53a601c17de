"""The course of a game, as it follows from the messages alone: rounds, faults, votes, and how it ends.

All honest peers that have heard the same messages are at the same point of it, but for one thing: who has voted to end
the game in a round completes that round by the outcome of the vote only. ``_judge`` is the one door at which a peer's
fault becomes a named, evidenced error. Judging is careful: a message on another head convicts nobody; a seat is
convicted by what it signed on our own head, or by two different payloads in one round. After a conviction the deal is
dead.

Rejected: exceptions for a peer's fault, since for everybody but the deliverer it is something that happened in the
game. Normative text: ``protocol/rounds.md``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from p2pdurak.errors import CryptoError, FailedVerification, IllegalAction, ProtocolViolation, RemoteProtocolError
from p2pdurak.session.events import Convicted, Event, Finished, Heard, OtherHead, Removed, Resigned, Send, Turn, Voted
from p2pdurak.session.heard import HeardMessages
from p2pdurak.session.leaving import Leaving, Said
from p2pdurak.session.public import PublicState
from p2pdurak.session.round import Blame, CompleteRound, Spoken
from p2pdurak.session.rounds import current
from p2pdurak.wire.digest import digest
from p2pdurak.wire.gamefile import pack_file
from p2pdurak.wire.messages import LEAVING, Body, Gone, Kind, Resign, decode_body

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from p2pdurak.session.round import Round
    from p2pdurak.wire.envelope import Envelope
    from p2pdurak.wire.genesis import Genesis


class Course:
    """The game ``genesis`` as its messages tell it, to whoever has the seat ``seat``, or to one who watches."""

    def __init__(self, genesis: Genesis, seat: int | None) -> None:
        self.genesis = genesis
        self.state = PublicState.begin(genesis)
        self.rounds: list[CompleteRound] = []
        self.convicted: Convicted | None = None
        self.leaving = Leaving(genesis)
        self._seat = -1 if seat is None else seat
        self._heard = HeardMessages()
        self._spoken: dict[int, Spoken] = {}
        self._evidence: list[bytes] = []

    @property
    def kind(self) -> Kind | None:
        """The kind of the round that is open; None when the game is finished or dead."""
        round_ = current(self.state)
        return None if round_ is None or self.convicted else round_.kind

    @property
    def finished(self) -> bool:
        """Whether the transcript is complete."""
        return current(self.state) is None

    def waiting_for(self) -> tuple[int, ...]:
        """Return the seats that have not spoken in the open round; once we have voted in it, those whose votes lack.

        Where somebody says that the round is complete, and it is not, also them: they owe what they have heard.
        """
        round_ = current(self.state)
        if round_ is None or self.convicted:
            return ()
        if self._bound():
            vote = self.leaving.ballot(self.state.round).largest(self._seat)
            return self.leaving.missing(self.state.round, vote)
        return tuple(sorted({*self._silent(round_), *self.ahead}))

    def silent(self) -> tuple[int, ...]:
        """Return the seats that have not said what the open round wants of them, whatever is voted in it."""
        round_ = current(self.state)
        return () if round_ is None or self.convicted else self._silent(round_)

    @property
    def ahead(self) -> tuple[int, ...]:
        """The others that say that they have completed the open round as usual, whose messages have not all come."""
        here = () if self.kind is None or self.state.over else self.leaving.ballot(self.state.round).here
        return tuple(sorted({*here} - {self._seat}))

    @property
    def named(self) -> frozenset[int]:
        """The seats that anybody has voted for in the open round, also where a seat has said that it goes on."""
        ballot = self.leaving.ballot(self.state.round)
        return frozenset(seat for voter in ballot.votes for seat in ballot.largest(voter).out)

    @property
    def open_votes(self) -> dict[Gone, tuple[int, ...]]:
        """The votes that may yet end the game in the open round, each with the seats that lack for it."""
        return {} if self.kind is None or self.state.over else self.leaving.open_votes(self.state.round)

    @property
    def clash(self) -> tuple[int, ...]:
        """The seats of whom one must resign before a vote can end the game in the open round; see ``Leaving.clash``."""
        return () if self.kind is None or self.state.over else self.leaving.clash(self.state.round)

    def transcript(self) -> bytes:
        """Return the transcript file: the complete rounds, and the evidence where somebody was convicted."""
        complete = [spoken.envelope.data for round_ in self.rounds for spoken in round_.spoken]
        inside = set(complete)
        return pack_file(self.genesis.encode(), (*complete, *(data for data in self._evidence if data not in inside)))

    def messages_from(self, round_: int) -> list[bytes]:
        """Return all messages heard for ``round_`` and later, for a peer that is behind; the open votes for one ahead.

        After a conviction the proof is among them: it may concern a round that the other peer has long completed with
        one of two different messages.
        """
        later = self._heard.since(round_, self.state.round)
        return [*(data for data in self._evidence if data not in later), *later]

    # How it goes on

    def _judge(self, envelope: Envelope) -> list[Event]:
        """Accept a first-heard message or convict its seat: the one door for the faults of others."""
        seat = envelope.seat
        heard = self._heard.twice(envelope)
        if heard:
            evidence = tuple(sorted(other.data for other in heard))
            fault: RemoteProtocolError = ProtocolViolation(
                "equivocation", "signed two different messages in one round", seat=seat, evidence=evidence
            )
            return self._convict((seat,), envelope.round, fault)
        past = envelope.round < self.state.round
        if envelope.round > self.state.round or (self.finished and not past):
            return []
        state = self.rounds[envelope.round].state if past else self.state
        if envelope.head != state.head:
            # What somebody said before they heard that the game was ended without them is nobody's other course.
            left = self.state.removal is not None and seat in self.state.removal.seats
            return [] if left else [OtherHead(seat, envelope.round)]
        try:
            if envelope.kind in LEAVING:
                return self._take_beside(state, envelope)
            body = self._check(state, envelope)
        except RemoteProtocolError as error:
            error.seat, error.evidence = seat, error.evidence or (envelope.data,)
            return self._convict((seat,), envelope.round, error)
        if past:
            return []  # what was due in a round that a vote has ended comes too late
        self._spoken[seat] = Spoken(envelope, body)
        return [Heard(seat, Kind(envelope.kind), envelope.round)]

    def _take_beside(self, state: PublicState, envelope: Envelope) -> list[Event]:
        """Take what was said about leaving; raises RemoteProtocolError."""
        body = decode_body(Kind(envelope.kind), envelope.body)
        if state.over:
            return []
        seat, known = envelope.seat, envelope.seat in self.leaving.resigned
        self.leaving.take(Spoken(envelope, body))
        if isinstance(body, Gone):
            return [Voted(seat, body.out, self.leaving.missing(envelope.round, body))]
        return [Resigned(seat)] if isinstance(body, Resign) and not known else []

    def _check(self, state: PublicState, envelope: Envelope) -> Body:
        """Return the body of a message on our own head; raises RemoteProtocolError."""
        round_ = current(state)
        if round_ is None or envelope.seat not in round_.speakers(state):
            raise ProtocolViolation("turn", "spoke in a round that is not theirs to speak in")
        if envelope.kind != round_.kind:
            raise ProtocolViolation("kind", "said something else where '{kind}' was due", kind=round_.kind)
        body = decode_body(round_.kind, envelope.body)
        try:
            round_.verify(state, envelope.seat, body)
        except IllegalAction as error:
            raise ProtocolViolation("illegal", "made an illegal move: {error}", error=error) from error
        except CryptoError as error:
            raise FailedVerification(
                "proof", "sent a {kind} message that does not hold: {error}", kind=round_.kind, error=error
            ) from error
        return body

    def _convict(self, seats: tuple[int, ...], round_: int, fault: RemoteProtocolError) -> list[Event]:
        self.convicted = Convicted(seats, round_, fault)
        self._evidence = list(fault.evidence)
        # All of the proof goes out: who has heard one of two different messages may have missed the other.
        return [self.convicted, *(Send(data, own=False) for data in self._evidence)]

    def _complete(self, round_: Any) -> list[Event]:
        """Complete the open round, in which all have spoken."""
        before = self.state
        spoken = tuple(self._spoken[seat] for seat in sorted(self._spoken))
        try:
            after, events = round_.complete(before, {said.envelope.seat: said.body for said in spoken})
        except Blame as blame:
            # The whole round: the blame can be checked only where the round was complete.
            blame.fault.evidence = tuple(sorted(said.envelope.data for said in spoken))
            return self._convict(blame.seats, before.round, blame.fault)
        return [*events, *self._go_to_next(after, round_.kind, spoken)]

    def _ended(self, state: PublicState) -> Said | None:
        """Return the vote that ends the game in the round of ``state``."""

        def gone_on(said: Said, witnesses: Collection[int]) -> bool:
            head = _head_after(state, said.messages)
            later = [envelope for seat in witnesses for envelope in self._heard.of(state.round + 1, seat)]
            return any(envelope.head == head for envelope in later)

        return None if state.over else self.leaving.ended(state.round, gone_on)

    def _end_without(self, said: Said) -> list[Event]:
        """End the game in this round by a vote of all who stay."""
        vote = said.vote
        after = self.state.without(vote.out, vote.resigned)
        events = self._go_to_next(after, Kind.GONE, said.messages)
        fools = () if after.removal is None else after.removal.fools
        return [Removed(vote.out, vote.resigned, fools), *events]

    def _reconsider(self) -> list[Event]:
        """Go back to a round that was ended by a vote, if it was completed otherwise here.

        As usual, because all its messages came here, or by a smaller vote. That happens only to whom the vote names,
        and to who watches: those who have voted wait for the outcome.
        """
        if self.finished or self.convicted:
            return []
        for number in sorted(number for number in self.leaving.ballots if number < self.state.round):
            round_ = self.rounds[number]
            ended = self._ended(round_.state)
            if ended is None or self._seat in self.leaving.voters(ended.vote) or round_.spoken == ended.messages:
                continue
            self.state, self._spoken = round_.state, {}
            del self.rounds[number:]
            return self._end_without(ended)
        return []

    def _go_to_next(self, after: PublicState, kind: Kind, spoken: tuple[Spoken, ...]) -> list[Event]:
        """Go to the next round, and judge what has already arrived for it."""
        before = self.state
        self.rounds.append(CompleteRound(before, kind, spoken))
        head = _head_after(before, spoken)
        self.state = replace(after, round=before.round + 1, head=head)
        self._spoken = {}
        following = current(self.state)
        if following is None:
            return [Finished(self.state.final_head)]
        events: list[Event] = []
        if following.kind is Kind.PLAY:
            events.append(Turn.of(self.state.play))
        for seat in self.state.everybody():
            for envelope in self._heard.of(self.state.round, seat):
                if not self.convicted:
                    events += self._judge(envelope)
        return events

    def _silent(self, round_: Round[Any]) -> tuple[int, ...]:
        return tuple(seat for seat in round_.speakers(self.state) if seat not in self._spoken)

    def _head(self, round_: int) -> bytes | None:
        """Return our own head of a round; None if we have not come to it."""
        if round_ > self.state.round:
            return None
        return self.state.head if round_ == self.state.round else self.rounds[round_].state.head

    def _bound(self) -> bool:
        """Tell whether only the outcome of a vote, in which we have voted, can complete the open round."""
        return not self.state.over and self.leaving.bound(self._seat, self.state.round)


def _head_after(state: PublicState, spoken: Iterable[Spoken]) -> bytes:
    """Return the head of the round after the one of ``state``, in which this was said."""
    return digest("head", state.head, *(said.envelope.payload for said in spoken))
