"""A session: bytes and actions in, events and bytes out, for a player, a spectator or a verifier.

``receive`` is the one way in for messages, ``_judge`` the one door at which a peer's fault becomes a named, evidenced
error. Judging is careful: an outside that is wrong blames the deliverer (MalformedMessage is raised), a message on
another head convicts nobody, an identical resend is no offence; a seat is convicted by what it signed on our own
head, or by two different payloads in one round. After a conviction the deal is dead: messages are still passed on,
so that every peer learns of it, but nothing more is said.

Rejected: exceptions for a peer's fault, since for everybody but the deliverer it is something that happened in the
game; and timers here, since who is late is a matter of the links.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from p2pdurak.cards import Card, card_set
from p2pdurak.errors import (
    CryptoError,
    FailedVerification,
    IllegalAction,
    LocalProtocolError,
    ProtocolViolation,
    RemoteProtocolError,
)
from p2pdurak.game.state import Hand, with_hand
from p2pdurak.session.events import Convicted, Event, Finished, Heard, OtherHead, Removed, Resigned, Send, Turn, Voted
from p2pdurak.session.heard import HeardMessages
from p2pdurak.session.leaving import Leaving, Said
from p2pdurak.session.opening import secret_commitment
from p2pdurak.session.player import Player
from p2pdurak.session.public import PublicState
from p2pdurak.session.round import Blame, CompleteRound, Spoken
from p2pdurak.session.rounds import PLAY, current
from p2pdurak.wire.digest import digest
from p2pdurak.wire.envelope import Envelope, open_envelope, seal
from p2pdurak.wire.gamefile import pack_file
from p2pdurak.wire.messages import LEAVING, Body, Commit, Gone, Kind, Resign, decode_body

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from p2pdurak.crypto.identity import SigningKey
    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State
    from p2pdurak.session.round import Round
    from p2pdurak.wire.genesis import Genesis


class Session:
    """The game as one peer sees it.

    Without ``seat`` it follows and verifies; with a seat it needs the ``key`` to sign with and the 32-byte game
    ``secret``. Every method returns the events that it caused, in order.
    """

    def __init__(
        self, genesis: Genesis, *, seat: int | None = None, key: SigningKey | None = None, secret: bytes | None = None
    ) -> None:
        self.genesis = genesis
        self.state = PublicState.begin(genesis)
        self.rounds: list[CompleteRound] = []
        self.convicted: Convicted | None = None
        self.player: Player | None = None
        self._key = key
        if seat is not None:
            if key is None or secret is None or genesis.keys[seat] != key.public:
                raise LocalProtocolError("A seat needs the signing key that sits there, and a game secret.")
            self.player = Player(self.state.game_id, seat, secret)
        self.leaving = Leaving(genesis)
        self._heard = HeardMessages()
        self._seat = -1 if seat is None else seat
        self._spoken: dict[int, Spoken] = {}
        self._evidence: list[bytes] = []
        self._said_in = -1
        self._quiet = False

    # What the session knows

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
        """Return the seats that have not spoken in the open round; once we have voted in it, those whose votes lack."""
        round_ = current(self.state)
        if round_ is None or self.convicted:
            return ()
        if self._bound():
            vote = self.leaving.ballot(self.state.round).largest(self._seat)
            return self.leaving.missing(self.state.round, vote)
        return self._silent(round_)

    @property
    def my_decision(self) -> bool:
        """Whether the game waits for an ``act`` of our own seat."""
        return self.kind is Kind.PLAY and self._may_speak() and self._seat not in self.leaving.resigned

    @property
    def open_votes(self) -> dict[Gone, tuple[int, ...]]:
        """The votes that may yet end the game in the open round, each with the seats that lack for it."""
        return {} if self.kind is None or self.state.over else self.leaving.open_votes(self.state.round)

    def hand(self) -> tuple[Card, ...]:
        """Return our own cards, by hand position."""
        if self.player is None or self.state.deck is None:
            return ()
        return self.player.hand(self.state.deck)

    def view(self) -> State:
        """Return the state of the rules as our seat sees it: its own hand, and what is public.

        Cards that are drawn but not handed out yet count as hidden.
        """
        game = self.state.play
        if self.player is None:
            return game
        seat, cards = self.player.seat, card_set(self.hand())
        hand = game.hands[seat]
        seen = Hand(cards, hand.size - cards.bit_count(), hand.public)
        return game._replace(hands=with_hand(game.hands, seat, seen))

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

    # What happens to it

    def start(self) -> list[Event]:
        """Say what is ours to say now: at the beginning, or after ``restore``."""
        return self._advance()

    def restore(self, messages: Iterable[bytes]) -> list[Event]:
        """Hear the messages of a journal again, in their order, saying nothing; ``start`` goes on from there.

        Returns what has happened so far, without the sending. Raises MalformedMessage as ``receive`` does.
        """
        events: list[Event] = []
        self._quiet = True
        try:
            for message in messages:
                events += self.receive(message)
        finally:
            self._quiet = False
        return [event for event in events if not isinstance(event, Send)]

    def receive(self, data: bytes) -> list[Event]:
        """Take a message from whoever delivered it.

        Raises MalformedMessage where only the deliverer can be blamed; the session is unchanged then.
        """
        envelope = open_envelope(data, self.state.game_id, self.genesis.keys)
        if envelope.seat == self._seat and envelope.kind not in LEAVING:
            self._said_in = max(self._said_in, envelope.round)
        if not self._heard.take(envelope, self.state.round):
            return []
        events: list[Event] = [Send(data, own=False)]
        if not self.convicted:
            events += self._judge(envelope)
            events += self._advance()
        return events

    def act(self, action: Action) -> list[Event]:
        """Make the decision that the game waits for; raises IllegalAction, and then nothing has happened."""
        if self.player is None or not self.my_decision:
            raise LocalProtocolError("It is not your decision now; wait for your turn.")
        return [*self._say(PLAY.decide(self.state, self.player, action)), *self._advance()]

    def has_its_secret(self) -> bool:
        """Tell whether the game secret is the one that our seat has committed to, as far as it has."""
        if self.player is None:
            return True
        said = self._spoken.get(self._seat)
        commit = self.state.commits[self._seat] if self.state.commits else said.body if said is not None else None
        ours = secret_commitment(self.state.game_id, self._seat, self.player.game_secret)
        return not isinstance(commit, Commit) or commit.secret == ours

    def resign(self) -> list[Event]:
        """Give up: the others end the game without us. Nothing happens if we have, or if the game is over."""
        if self.player is None or self.kind is None or self.state.over or self._seat in self.leaving.resigned:
            return []
        return [*self._say_beside(Kind.RESIGN, Resign(), self.state), *self._advance()]

    def may_vote_out(self, seats: Iterable[int]) -> bool:
        """Tell whether we may vote to end the game without ``seats``, and have not done so yet.

        We must play and not have resigned, and half of the table must stay.
        """
        vote = self._vote_for(seats)
        return vote is not None and self.leaving.ballot(self.state.round).message(self._seat, vote) is None

    def vote_out(self, seats: Iterable[int]) -> list[Event]:
        """Vote to end the game without ``seats``; raises LocalProtocolError if that cannot be voted for now."""
        vote = self._vote_for(seats)
        if vote is None:
            raise LocalProtocolError("There is nothing to vote about now, or too few would stay.")
        if self.leaving.ballot(self.state.round).message(self._seat, vote) is not None:
            return []
        return [*self._say_beside(Kind.GONE, vote, self.state), *self._advance()]

    def _vote_for(self, seats: Iterable[int]) -> Gone | None:
        """Return what we have to say to vote for ``seats`` besides all we voted for; None if we may not."""
        out = set(seats)
        if self.player is None or self.kind is None or self.state.over or self._seat in {*out, *self.leaving.resigned}:
            return None
        vote = self.leaving.larger(self._seat, self.state.round, out)
        return vote if self.leaving.allows(vote) else None

    # How it works

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

    def _say(self, body: Body) -> list[Event]:
        """Say what the open round wants of us, and hear it ourselves; our own messages need no checking."""
        round_ = current(self.state)
        if round_ is None:
            raise LocalProtocolError("Only a seat can speak, and only while the game lasts.")
        sent, envelope = self._sign(round_.kind, body, self.state)
        self._said_in = self.state.round
        self._spoken[envelope.seat] = Spoken(envelope, body)
        return [sent, Heard(envelope.seat, round_.kind, self.state.round)]

    def _say_beside(self, kind: Kind, body: Body, state: PublicState) -> list[Event]:
        """Say something about leaving in the round of ``state``, and hear it ourselves."""
        sent, envelope = self._sign(kind, body, state)
        return [sent, *self._take_beside(state, envelope)]

    def _sign(self, kind: Kind, body: Body, state: PublicState) -> tuple[Send, Envelope]:
        if self.player is None or self._key is None:
            raise LocalProtocolError("Only a seat can speak, and only while the game lasts.")
        data = seal(self._key, state.game_id, state.round, state.head, self.player.seat, kind, body)
        envelope = open_envelope(data, state.game_id, self.genesis.keys)
        self._heard.take(envelope, self.state.round)
        return Send(data, own=True), envelope

    def _advance(self) -> list[Event]:
        """Speak where it is ours to speak by itself, and complete rounds, until somebody else is waited for."""
        events = [*self._reconsider(), *self._answer_votes()]
        while not self.convicted and (round_ := current(self.state)) is not None:
            ended = self._ended(self.state)
            if ended is not None:
                events += self._end_without(ended)
            elif not self._silent(round_) and not self._bound():
                events += [*self._complete(round_), *self._answer_votes()]
            elif self.player is None or self._quiet:
                break
            elif not self.state.over and (vote := self.leaving.due(self._seat, self.state.round)) is not None:
                events += self._say_beside(Kind.GONE, vote, self.state)
            elif self._may_speak() and round_.kind is not Kind.PLAY:
                events += self._say(round_.speak(self.state, self.player))
            else:
                break
        return events

    def _answer_votes(self) -> list[Event]:
        """Say in rounds that were completed as usual, though others voted to end the game there, that it goes on."""
        events: list[Event] = []
        if self.player is None or self._quiet or self.convicted:
            return events
        for number in [number for number in self.leaving.ballots if number < self.state.round]:
            round_ = self.rounds[number]
            here = None if round_.kind is Kind.GONE else self.leaving.answer(self._seat, number)
            if here is not None:
                events += [Send(said.envelope.data, own=False) for said in round_.spoken]
                events += self._say_beside(Kind.HERE, here, round_.state)
        return events

    def silent(self) -> tuple[int, ...]:
        """Return the seats that have not said what the open round wants of them, whatever is voted in it."""
        round_ = current(self.state)
        return () if round_ is None or self.convicted else self._silent(round_)

    def _silent(self, round_: Round[Any]) -> tuple[int, ...]:
        return tuple(seat for seat in round_.speakers(self.state) if seat not in self._spoken)

    def _bound(self) -> bool:
        """Tell whether only the outcome of a vote, in which we have voted, can complete the open round."""
        return not self.state.over and self.leaving.bound(self._seat, self.state.round)

    def _may_speak(self) -> bool:
        """Tell whether our seat is waited for, and never spoke in this round or a later one.

        A peer whose disk was rolled back hears from the others what it said itself; until it has caught up with
        that, anything it said could be the second message of a round.
        """
        round_ = current(self.state)
        if round_ is None or self.convicted or self._bound():
            return False
        return self._seat in self._silent(round_) and self._said_in < self.state.round

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


def _head_after(state: PublicState, spoken: Iterable[Spoken]) -> bytes:
    """Return the head of the round after the one of ``state``, in which this was said."""
    return digest("head", state.head, *(said.envelope.payload for said in spoken))
