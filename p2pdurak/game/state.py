"""The state of a game as one immutable value, and the questions about seats and cards that all rules ask.

Each peer replicates what is public, and knows some cards besides: its own. So a hand is a set of known cards and a
number of unknown ones, and the same engine serves a peer at the table, a spectator, a search that assumes all cards,
and a replay with open hands. States compare equal when the viewers know the same.

NamedTuples and not frozen dataclasses: a search makes a state for each move, and copying one with two changes is
several times faster so. What never changes in a game stands apart in ``Setup``.
"""

from __future__ import annotations

from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias

from p2pdurak.cards import Card, CardSet, Suit, card_set, cards_in
from p2pdurak.game.ruleset import Ruleset, Throwers

Pair: TypeAlias = tuple[Card, Card | None]
"""An attack card, and the card that beats it."""


class Phase(Enum):
    """What the game waits for: the asked seat's action, the cards drawn after a bout, nothing any more."""

    BOUT = "bout"
    REFILL = "refill"
    OVER = "over"


class Decision(Enum):
    """What the asked seat decides on: a lead; a beat, transfer or take; cards for the defender or for the taker."""

    LEAD = "lead"
    DEFEND = "defend"
    THROW_IN = "throw in"
    ADD = "add"


class Hand(NamedTuple):
    """One seat's cards: ``known`` to the viewer, the number of ``hidden`` ones, and those ``public``: known to all."""

    known: CardSet
    hidden: int = 0
    public: CardSet = 0

    @property
    def size(self) -> int:
        """Number of cards in the hand."""
        return self.known.bit_count() + self.hidden

    def without(self, card: Card) -> Hand:
        """Return the hand after laying a card, which may be one of the hidden."""
        bit = 1 << card
        if self.known & bit:
            return Hand(self.known ^ bit, self.hidden, self.public & ~bit)
        return Hand(self.known, self.hidden - 1, self.public)

    def with_public(self, cards: CardSet) -> Hand:
        """Return the hand with these cards joined in everybody's sight."""
        return Hand(self.known | cards, self.hidden, self.public | cards)


class Setup(NamedTuple):
    """What is fixed for a whole game; ``face_up`` is the card that gave the trump."""

    rules: Ruleset
    pack_size: int
    dealer: int
    face_up: Card
    trump: Suit


class BoutEnd(NamedTuple):
    """How a bout ended: who led, who defended last, whether they took, all cards of it in the order of the table."""

    leader: int
    defender: int
    taken: bool
    cards: tuple[Card, ...]


class Position(NamedTuple):
    """What counts as the same position when bouts repeat (R40): public facts at the start of a bout."""

    leader: int
    talon: int
    discard: int
    hands: tuple[tuple[int, CardSet], ...]


class State(NamedTuple):
    """A moment of a game. Seats are numbered clockwise from 0; all card sets are bit sets.

    ``talon`` counts the face-up card. ``asked`` is the seat whose decision it is, None outside of a bout. ``taking``
    tells that the defender takes and others may still add cards. ``shown`` are the trumps shown in this bout.
    ``emptied`` are the seats without cards, in the order in which their last card left. ``bouts`` counts the ended
    ones. ``past`` are the positions since the last draw or discard, this bout's start included. ``ended`` and
    ``draws`` ((seat, number of cards) in drawing order) are set while the phase is REFILL.
    """

    setup: Setup
    phase: Phase
    hands: tuple[Hand, ...]
    talon: int
    leader: int
    defender: int
    asked: int | None
    table: tuple[Pair, ...] = ()
    taking: bool = False
    shown: CardSet = 0
    discard: CardSet = 0
    emptied: tuple[int, ...] = ()
    bouts: int = 0
    past: tuple[Position, ...] = ()
    ended: BoutEnd | None = None
    draws: tuple[tuple[int, int], ...] = ()

    def changed(self, **fields: Any) -> State:
        """Return the state with these fields changed."""
        # As _replace, but in a third of its time: a move changes states twice, and a search makes little but moves.
        values = list(self)
        for name, value in fields.items():
            values[_PLACES[name]] = value
        return tuple.__new__(State, values)

    @property
    def rules(self) -> Ruleset:
        """The options that this game is played with."""
        return self.setup.rules

    @property
    def pack_size(self) -> int:
        """36 or 52."""
        return self.setup.pack_size

    @property
    def players(self) -> int:
        """Number of seats, those included that are out."""
        return len(self.hands)

    @property
    def dealer(self) -> int:
        """The seat that dealt."""
        return self.setup.dealer

    @property
    def face_up(self) -> Card:
        """The card that gave the trump, wherever it is now."""
        return self.setup.face_up

    @property
    def trump(self) -> Suit:
        """The trump suit."""
        return self.setup.trump

    @property
    def places(self) -> tuple[int, ...]:
        """The seats that are out, first out first (R38)."""
        return () if self.talon else self.emptied

    @property
    def decision(self) -> Decision | None:
        """What the asked seat decides on; None outside of a bout."""
        if self.asked is None:
            return None
        if not self.table:
            return Decision.LEAD
        if self.taking:
            return Decision.ADD
        return Decision.DEFEND if self.asked == self.defender else Decision.THROW_IN

    @property
    def unbeaten(self) -> tuple[Card, ...]:
        """The attack cards that nothing covers, in the order they were laid."""
        return tuple([attack for attack, cover in self.table if cover is None])

    @property
    def on_table(self) -> tuple[Card, ...]:
        """All cards on the table, each attack card before its cover."""
        return tuple([card for pair in self.table for card in pair if card is not None])

    def is_in(self, seat: int) -> bool:
        """R35: who holds no card is out as soon as the talon is empty."""
        return self.talon > 0 or self.hands[seat].size > 0

    def clockwise(self, after: int) -> tuple[int, ...]:
        """All other seats, clockwise from the left of ``after``."""
        players = len(self.hands)
        return (*range(after + 1, players), *range(after))

    def next_in(self, after: int) -> int | None:
        """Return the next seat clockwise that is still in, None when there is no other."""
        # Before anybody is out, and that is most of a game, nothing needs searching.
        if self.talon:
            return (after + 1) % len(self.hands)
        for seat in self.clockwise(after):
            if self.hands[seat].size:
                return seat
        return None

    def previous_in(self, before: int) -> int | None:
        """Return the next seat anticlockwise that is still in, None when there is no other."""
        return next((seat for seat in reversed(self.clockwise(before)) if self.is_in(seat)), None)

    def may_throw(self, seat: int) -> bool:
        """R20: who may throw in now, as far as seats go: by the table's choice, never the defender or an empty hand."""
        throwers = self.setup.rules.throwers
        if seat == self.defender or throwers is Throwers.NONE or self.hands[seat].size == 0:
            return False
        if throwers is Throwers.NEIGHBOURS:
            return seat in (self.next_in(self.defender), self.previous_in(self.defender))
        return throwers is Throwers.ALL or seat == self.leader

    def attack_cap(self) -> int | None:
        """R15, R16: how many attack cards this bout may have in all, None for any number."""
        rules = self.setup.rules
        # R16: the lower cap of the opening holds until a bout has been beaten, that is, until something is discarded.
        if rules.first_bout_cap is not None and not self.discard:
            return rules.first_bout_cap
        return rules.bout_cap

    def room(self, defender: int | None = None) -> int:
        """R14 to R16: how many more attack cards may be laid against the defender, or against that seat instead."""
        hand = self.hands[self.defender if defender is None else defender]
        by_hand = hand.size - len(self.unbeaten)
        cap = self.attack_cap()
        return max(0, by_hand if cap is None else min(by_hand, cap - len(self.table)))

    def seen_by(self, seat: int, cards: CardSet) -> State:
        """Return the same state where the whole hand of that seat is known to be ``cards``.

        Raises ValueError when those cannot be the seat's cards.
        """
        hand = self.hands[seat]
        if cards.bit_count() != hand.size or hand.known & ~cards or cards & self.elsewhere(seat):
            raise ValueError(f"the hand of seat {seat} cannot be {' '.join(map(str, cards_in(cards))) or 'empty'}")
        return self.changed(hands=with_hand(self.hands, seat, Hand(cards, 0, hand.public)))

    def public_view(self) -> State:
        """Return the same state as somebody sees it who has no seat: of the hands, only what is public."""
        return self.changed(
            hands=tuple([Hand(hand.public, hand.size - hand.public.bit_count(), hand.public) for hand in self.hands])
        )

    def view(self, seat: int) -> State:
        """Return the same state as that seat sees it, whose hand must be known."""
        return self.public_view().seen_by(seat, self.hands[seat].known)

    def elsewhere(self, seat: int) -> CardSet:
        """Return the cards that everybody knows not to be in that seat's hand."""
        cards = self.discard | card_set(self.on_table)
        if self.talon:
            cards |= 1 << self.setup.face_up
        for other, hand in enumerate(self.hands):
            if other != seat:
                cards |= hand.public
        return cards


_PLACES: Final = {name: place for place, name in enumerate(State._fields)}


def with_hand(hands: tuple[Hand, ...], seat: int, hand: Hand) -> tuple[Hand, ...]:
    """Return the hands with that seat's replaced."""
    changed = list(hands)
    changed[seat] = hand
    return tuple(changed)
