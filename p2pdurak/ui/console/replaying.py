"""A finished game, moment by moment, from its transcript: with all hands where the books are open.

The messages are heard again by a session without a seat, so nothing is believed that was not checked when it was
played. The opened secrets decrypt every hand at every moment, as each player saw their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2pdurak.cards import card_set
from p2pdurak.errors import MalformedMessage, NotationError
from p2pdurak.game.state import Decision, Hand
from p2pdurak.session.events import BoutOver, Event, GameOver, Played, Send, Turn
from p2pdurak.session.player import Player
from p2pdurak.session.session import Session
from p2pdurak.ui.console.model import TableModel
from p2pdurak.wire.gamefile import unpack_file
from p2pdurak.wire.genesis import Genesis, decode_genesis

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pdurak.game.state import State
    from p2pdurak.session.public import PublicState


@dataclass(frozen=True, slots=True)
class Moment:
    """What had happened since the moment before, and the state then, with all hands that the books tell."""

    events: tuple[Event, ...]
    game: State


@dataclass(frozen=True, slots=True)
class Replay:
    """A game to step through; ``after`` is what came when the cards were played out, ``open_hands`` as it says."""

    genesis: Genesis
    moments: tuple[Moment, ...]
    after: tuple[Event, ...]
    open_hands: bool

    def table(self, number: int) -> TableModel:
        """Return the table at that moment, from 0, as somebody without a seat sees it."""
        model = TableModel(self.genesis, None)
        for moment in self.moments[: number + 1]:
            for event in moment.events:
                model.take(event)
        model.view = self.moments[number].game
        if number == len(self.moments) - 1:
            for event in self.after:
                model.take(event)
        return model


def read_replay(data: bytes) -> Replay:
    """Return the game in a transcript file; raises NotationError if there is none that can be followed."""
    beginning, messages, _ = unpack_file(data)
    steps: list[tuple[tuple[Event, ...], PublicState]] = []
    pending: list[Event] = []
    try:
        genesis = decode_genesis(beginning)
        session = Session(genesis)
        for message in messages:
            events = [event for event in session.receive(message) if not isinstance(event, Send)]
            pending += events
            if session.state.game is not None and any(map(_is_step, events)):
                steps.append((tuple(pending), session.state))
                pending = []
    except MalformedMessage as error:
        raise NotationError("This transcript cannot be followed: {error}", error=error) from error
    if not steps:
        raise NotationError("This transcript breaks off before a first card was led.")
    # The books come last, but states are values: the earlier ones are still there to be opened.
    books = session.state.books
    players = [
        None if secret is None else Player(session.state.game_id, seat, secret) for seat, secret in enumerate(books)
    ]
    moments = tuple(Moment(happened, _opened(state, players)) for happened, state in steps)
    return Replay(genesis, moments, tuple(pending), bool(books))


def _is_step(event: Event) -> bool:
    led_next = isinstance(event, Turn) and event.decision is Decision.LEAD  # all have drawn
    return led_next or isinstance(event, Played | BoutOver | GameOver)


def _opened(state: PublicState, players: Sequence[Player | None]) -> State:
    """Return the state of the rules with every hand known that the books tell."""
    if not players:
        return state.play
    hands = []
    for player, hand in zip(players, state.play.hands, strict=True):
        if player is None:  # has left
            hands.append(hand)
            continue
        cards = card_set(player.hand(state.cards))
        hands.append(Hand(cards, hand.size - cards.bit_count(), hand.public))
    return state.play._replace(hands=tuple(hands))
