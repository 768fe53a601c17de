"""What every kind of round answers: who speaks, what verifies, what follows, and what an honest seat says.

Proving and verifying side of a kind stand next to each other, so that both always read the same statement.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from p2pdurak.wire.messages import Body, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from p2pdurak.errors import RemoteProtocolError
    from p2pdurak.session.events import Event
    from p2pdurak.session.player import Player
    from p2pdurak.session.public import PublicState
    from p2pdurak.wire.envelope import Envelope

B = TypeVar("B", bound=Body)


@dataclass(frozen=True, slots=True)
class Spoken:
    """A message that holds, with its decoded body."""

    envelope: Envelope
    body: Body


@dataclass(frozen=True, slots=True)
class CompleteRound:
    """A round in which all have spoken: the state before it, its kind, and what each seat said.

    If a vote ended the game in it, its kind is ``GONE``, and what was said are the resignations and the votes.
    """

    state: PublicState
    kind: Kind
    spoken: tuple[Spoken, ...]


class Blame(Exception):
    """A complete round proves that ``seats`` cheated, though each message alone held."""

    def __init__(self, seats: tuple[int, ...], fault: RemoteProtocolError) -> None:
        super().__init__(str(fault))
        self.seats = seats
        self.fault = fault


class Round(ABC, Generic[B]):
    """One kind of round over bodies of type ``B``; without any state of its own."""

    kind: ClassVar[Kind]

    @abstractmethod
    def speakers(self, state: PublicState) -> tuple[int, ...]:
        """Return the seats that must speak exactly once."""

    @abstractmethod
    def verify(self, state: PublicState, seat: int, body: B) -> None:
        """Raise CryptoError or IllegalAction if ``seat`` may not say ``body``."""

    @abstractmethod
    def complete(self, state: PublicState, bodies: Mapping[int, B]) -> tuple[PublicState, list[Event]]:
        """Return what follows when all have spoken; raises Blame."""

    @abstractmethod
    def speak(self, state: PublicState, player: Player) -> B:
        """Return what an honest ``player`` says; raises LocalProtocolError where that is a decision."""
