"""What a session tells its owner, in the order in which it happens."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

from p2pdurak.errors import LocalProtocolError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from p2pdurak.cards import Card
    from p2pdurak.errors import RemoteProtocolError
    from p2pdurak.game.actions import Action
    from p2pdurak.game.rules import Outcome
    from p2pdurak.game.state import BoutEnd, Decision, State
    from p2pdurak.wire.messages import Kind


@dataclass(frozen=True, slots=True)
class Send:
    """Bytes for all other peers. ``own``: our own message, to be on disk before it goes out; else one to pass on."""

    message: bytes
    own: bool


@dataclass(frozen=True, slots=True)
class Heard:
    """A seat has said what it had to say in this round, and it holds."""

    seat: int
    kind: Kind
    round: int


@dataclass(frozen=True, slots=True)
class DealerChosen:
    """The dealer is known: by lot, or as the game before decided."""

    dealer: int
    by_lot: bool


@dataclass(frozen=True, slots=True)
class Dealt:
    """Everybody has six cards; the face-up card gives the trump."""

    face_up: Card
    talon: int


@dataclass(frozen=True, slots=True)
class Called:
    """All have answered a call for these cards; ``opened`` says who showed which."""

    cards: tuple[Card, ...]
    opened: Mapping[int, Card]


class LeadReason(StrEnum):
    """Why a seat has the first lead; by lot among all, or among those who hold a lowest card."""

    LOWEST_TRUMP = "lowest-trump"
    LOWEST_CARD = "lowest-card"
    LOT = "lot"
    LOT_AMONG_LOWEST = "lot-among-lowest"
    GAME_BEFORE = "game-before"


@dataclass(frozen=True, slots=True)
class LeadDecided:
    """Who leads the first bout, and why; ``card`` is the one that decided it."""

    leader: int
    reason: LeadReason
    card: Card | None


@dataclass(frozen=True, slots=True)
class Played:
    """A seat has decided."""

    seat: int
    action: Action


@dataclass(frozen=True, slots=True)
class BoutOver:
    """A bout is beaten or taken; ``draws`` says who then draws how many, ``face_up`` whether the trump card goes."""

    ended: BoutEnd
    draws: tuple[tuple[int, int], ...]
    face_up_drawn: bool
    talon: int


@dataclass(frozen=True, slots=True)
class Turn:
    """It is this seat's decision now; ``hands`` are the numbers of cards in hand, ``talon`` those still to draw."""

    seat: int
    decision: Decision
    defender: int
    hands: tuple[int, ...]
    talon: int

    @classmethod
    def of(cls, game: State) -> Turn:
        """Return the turn that ``game`` has come to."""
        if game.asked is None or game.decision is None:
            raise LocalProtocolError("No decision is wanted now.")
        hands = tuple(hand.size for hand in game.hands)
        return cls(game.asked, game.decision, game.defender, hands, game.talon)


@dataclass(frozen=True, slots=True)
class GameOver:
    """The cards are played out."""

    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Resigned:
    """A seat has given up."""

    seat: int


@dataclass(frozen=True, slots=True)
class Voted:
    """A seat has voted to end the game without the seats of ``out``; ``missing`` have to vote the same for that."""

    seat: int
    out: tuple[int, ...]
    missing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Removed:
    """The game has ended without the seats of ``out``, of which ``resigned`` gave up; ``fools`` are its fools."""

    out: tuple[int, ...]
    resigned: tuple[int, ...]
    fools: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """Everything is said: the transcript is complete."""

    final_head: bytes


@dataclass(frozen=True, slots=True)
class OtherHead:
    """A seat signed a head that is not ours: somebody told two peers two things, or the seat is confused."""

    seat: int
    round: int


@dataclass(frozen=True, slots=True)
class Convicted:
    """Seats are proven to have cheated; the deal is dead."""

    seats: tuple[int, ...]
    round: int
    fault: RemoteProtocolError


Event: TypeAlias = (
    Send
    | Heard
    | DealerChosen
    | Dealt
    | Called
    | LeadDecided
    | Played
    | BoutOver
    | Turn
    | GameOver
    | Resigned
    | Voted
    | Removed
    | Finished
    | OtherHead
    | Convicted
)
