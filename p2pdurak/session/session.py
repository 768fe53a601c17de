"""A session: bytes and actions in, events and bytes out, for a player, a spectator or a verifier.

``receive`` is the one way in for messages: what follows from them is the ``course`` of the game, to which a session
adds its own seat's voice. An outside that is wrong blames the deliverer (MalformedMessage is raised), an identical
resend is no offence. After a conviction messages are still passed on, so that every peer learns of it, but nothing more
is said.

Rejected: timers here, since who is late is a matter of the links.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.cards import Card, card_set
from p2pdurak.errors import LocalProtocolError
from p2pdurak.game.state import Hand, with_hand
from p2pdurak.session.course import Course
from p2pdurak.session.events import Event, Heard, Send
from p2pdurak.session.opening import secret_commitment
from p2pdurak.session.player import Player
from p2pdurak.session.round import Spoken
from p2pdurak.session.rounds import PLAY, current
from p2pdurak.wire.envelope import Envelope, open_envelope, seal
from p2pdurak.wire.messages import LEAVING, Body, Commit, Gone, Kind, Resign

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from p2pdurak.crypto.identity import SigningKey
    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State
    from p2pdurak.session.public import PublicState
    from p2pdurak.wire.genesis import Genesis


class Session(Course):
    """The game as one peer sees it.

    Without ``seat`` it follows and verifies; with a seat it needs the ``key`` to sign with and the 32-byte game
    ``secret``. Every method returns the events that it caused, in order.
    """

    def __init__(
        self, genesis: Genesis, *, seat: int | None = None, key: SigningKey | None = None, secret: bytes | None = None
    ) -> None:
        super().__init__(genesis, seat)
        self.player: Player | None = None
        self._key = key
        if seat is not None:
            if key is None or secret is None or genesis.keys[seat] != key.public:
                raise LocalProtocolError("A seat needs the signing key that sits there, and a game secret.")
            self.player = Player(self.state.game_id, seat, secret)
        self._said_in = -1
        self._quiet = False

    # What the session knows

    @property
    def my_decision(self) -> bool:
        """Whether the game waits for an ``act`` of our own seat."""
        return self.kind is Kind.PLAY and self._may_speak() and self._seat not in self.leaving.resigned

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
        if not self._heard.take(envelope, self.state.round, self._head(envelope.round)):
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

    def may_join(self, seats: Collection[int]) -> bool:
        """Tell whether we may vote to end the game without exactly ``seats``, and all who stay then still can."""
        vote = self._vote_for(seats)
        within = vote is not None and set(vote.out) <= {*seats, *vote.resigned}
        return within and self.may_vote_out(seats) and self.leaving.joined(self.state.round, seats)

    def way_out(self) -> tuple[int, ...]:
        """Return without whom the votes that were cast can still end the game, if we may join that; see ``Leaving``."""
        seats = self.leaving.way_out(self.state.round)
        return seats if self.may_join(seats) else ()

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
        self._heard.take(envelope, self.state.round, state.head)
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

    def _may_speak(self) -> bool:
        """Tell whether our seat is waited for, and never spoke in this round or a later one.

        A peer whose disk was rolled back hears from the others what it said itself; until it has caught up with
        that, anything it said could be the second message of a round.
        """
        round_ = current(self.state)
        if round_ is None or self.convicted or self._bound():
            return False
        return self._seat in self._silent(round_) and self._said_in < self.state.round
