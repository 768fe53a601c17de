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

from dataclasses import dataclass, replace
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
from p2pdurak.session.events import Convicted, Event, Finished, Heard, OtherHead, Send, Turn
from p2pdurak.session.heard import PAYLOADS_KEPT, HeardMessages
from p2pdurak.session.player import Player
from p2pdurak.session.public import PublicState
from p2pdurak.session.round import Blame
from p2pdurak.session.rounds import PLAY, current
from p2pdurak.wire.digest import digest
from p2pdurak.wire.envelope import Envelope, open_envelope, seal
from p2pdurak.wire.gamefile import pack_file
from p2pdurak.wire.messages import Body, Kind, decode_body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from p2pdurak.crypto.identity import SigningKey
    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State
    from p2pdurak.wire.genesis import Genesis


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message that holds, with its decoded body."""

    envelope: Envelope
    body: Body


@dataclass(frozen=True, slots=True)
class CompleteRound:
    """A round in which all have spoken: the state before it, its kind, and what each seat said."""

    state: PublicState
    kind: Kind
    spoken: tuple[Spoken, ...]


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
        self._heard = HeardMessages()
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
        """Return the seats that have not spoken in the open round."""
        round_ = current(self.state)
        if round_ is None or self.convicted:
            return ()
        return tuple(seat for seat in round_.speakers(self.state) if seat not in self._spoken)

    @property
    def my_decision(self) -> bool:
        """Whether the game waits for an ``act`` of our own seat."""
        return self.kind is Kind.PLAY and self._may_speak()

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
        """Return all messages heard for ``round_`` and later, for a peer that is behind.

        After a conviction the proof is among them: it may concern a round that the other peer has long completed with
        one of two different messages.
        """
        later = self._heard.since(round_)
        return [*(data for data in self._evidence if data not in later), *later]

    # What happens to it

    def start(self) -> list[Event]:
        """Say what is ours to say now: at the beginning, or after ``restore``."""
        return self._advance()

    def restore(self, messages: Iterable[bytes]) -> None:
        """Hear the messages of a journal again, in their order, saying nothing; ``start`` goes on from there."""
        self._quiet = True
        try:
            for message in messages:
                self.receive(message)
        finally:
            self._quiet = False

    def receive(self, data: bytes) -> list[Event]:
        """Take a message from whoever delivered it.

        Raises MalformedMessage where only the deliverer can be blamed; the session is unchanged then.
        """
        envelope = open_envelope(data, self.state.game_id, self.genesis.keys)
        if self.player is not None and envelope.seat == self.player.seat:
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

    # How it works

    def _judge(self, envelope: Envelope) -> list[Event]:
        """Accept a first-heard message or convict its seat: the one door for the faults of others."""
        seat = envelope.seat
        heard = self._heard.of(envelope.round, seat)
        if len(heard) == PAYLOADS_KEPT:
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
            return [OtherHead(seat, envelope.round)]
        try:
            body = self._check(state, envelope)
        except RemoteProtocolError as error:
            error.seat, error.evidence = seat, (envelope.data,)
            return self._convict((seat,), envelope.round, error)
        self._spoken[seat] = Spoken(envelope, body)
        return [Heard(seat, Kind(envelope.kind), envelope.round)]

    def _check(self, state: PublicState, envelope: Envelope) -> Body:
        """Return the body of a message on our own head; raises RemoteProtocolError."""
        round_ = current(state)
        if round_ is None or envelope.seat not in round_.speakers(state):
            raise ProtocolViolation("turn", "spoke in a round that is not theirs to speak in")
        if envelope.kind != round_.kind:
            raise ProtocolViolation("kind", f"said something else where '{round_.kind}' was due")
        body = decode_body(round_.kind, envelope.body)
        try:
            round_.verify(state, envelope.seat, body)
        except IllegalAction as error:
            raise ProtocolViolation("illegal", f"made an illegal move: {error}") from error
        except CryptoError as error:
            raise FailedVerification("proof", f"sent a {round_.kind} message that does not hold: {error}") from error
        return body

    def _convict(self, seats: tuple[int, ...], round_: int, fault: RemoteProtocolError) -> list[Event]:
        self.convicted = Convicted(seats, round_, fault)
        self._evidence = list(fault.evidence)
        # All of the proof goes out: who has heard one of two different messages may have missed the other.
        return [self.convicted, *(Send(data, own=False) for data in self._evidence)]

    def _say(self, body: Body) -> list[Event]:
        """Sign ``body`` in the open round, and hear it ourselves; our own messages need no checking."""
        round_ = current(self.state)
        if self.player is None or self._key is None or round_ is None:
            raise LocalProtocolError("Only a seat can speak, and only while the game lasts.")
        state, seat = self.state, self.player.seat
        data = seal(self._key, state.game_id, state.round, state.head, seat, round_.kind, body)
        envelope = open_envelope(data, state.game_id, self.genesis.keys)
        self._heard.take(envelope, state.round)
        self._said_in = state.round
        self._spoken[seat] = Spoken(envelope, body)
        return [Send(data, own=True), Heard(seat, round_.kind, state.round)]

    def _advance(self) -> list[Event]:
        """Speak where it is ours to speak by itself, and complete rounds, until somebody else is waited for."""
        events: list[Event] = []
        while not self.convicted and (round_ := current(self.state)) is not None:
            waiting = self.waiting_for()
            if not waiting:
                events += self._complete(round_)
                continue
            if self.player is None or not self._may_speak() or self._quiet or round_.kind is Kind.PLAY:
                break
            events += self._say(round_.speak(self.state, self.player))
        return events

    def _may_speak(self) -> bool:
        """Tell whether our seat is waited for, and never spoke in this round or a later one.

        A peer whose disk was rolled back hears from the others what it said itself; until it has caught up with
        that, anything it said could be the second message of a round.
        """
        return self.player is not None and self.player.seat in self.waiting_for() and self._said_in < self.state.round

    def _complete(self, round_: Any) -> list[Event]:
        """Go to the next round, and judge what has already arrived for it."""
        before = self.state
        spoken = tuple(self._spoken[seat] for seat in sorted(self._spoken))
        try:
            after, events = round_.complete(before, {said.envelope.seat: said.body for said in spoken})
        except Blame as blame:
            # The whole round: the blame can be checked only where the round was complete.
            blame.fault.evidence = tuple(sorted(said.envelope.data for said in spoken))
            return self._convict(blame.seats, before.round, blame.fault)
        self.rounds.append(CompleteRound(before, round_.kind, spoken))
        head = digest("head", before.head, *(said.envelope.payload for said in spoken))
        self.state = replace(after, round=before.round + 1, head=head)
        self._spoken = {}
        following = current(self.state)
        if following is None:
            return [*events, Finished(self.state.final_head)]
        if following.kind is Kind.PLAY:
            events.append(Turn.of(self.state.play))
        for seat in self.state.everybody():
            for envelope in self._heard.of(self.state.round, seat):
                if not self.convicted:
                    events += self._judge(envelope)
        return list(events)
