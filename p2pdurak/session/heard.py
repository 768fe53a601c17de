"""The messages of a game that were heard, by round, seat and what they are for; bounded, and not too far ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from p2pdurak.wire.genesis import MAX_PLAYERS
from p2pdurak.wire.messages import LEAVING, Kind

if TYPE_CHECKING:
    from p2pdurak.wire.envelope import Envelope

ROUNDS_AHEAD = 64
"""Messages of rounds further ahead are dropped: who is that far behind has to catch up."""

PAYLOADS_KEPT = 2
"""Two different payloads of a seat in one round prove equivocation; a third adds nothing."""

VOTES_KEPT = 2 * MAX_PLAYERS
"""Votes of a seat in one round, each for more than the one before, and its ``here``."""

ROUND, VOTES, RESIGNED = "", "votes", "resigned"


class Slot(NamedTuple):
    """Where a message is kept: a seat says one thing in a round, votes beside it, and resigns once in a game."""

    round: int
    seat: int
    purpose: str = ROUND

    @classmethod
    def of(cls, envelope: Envelope) -> Slot:
        """Return where ``envelope`` is kept."""
        if envelope.kind == Kind.RESIGN:
            return cls(-1, envelope.seat, RESIGNED)
        return cls(envelope.round, envelope.seat, VOTES if envelope.kind in LEAVING else ROUND)

    @property
    def holds(self) -> int:
        """The number of different payloads that are kept."""
        return VOTES_KEPT if self.purpose == VOTES else PAYLOADS_KEPT


class HeardMessages:
    """All first-heard messages; what has the same payload as one heard before is the same message."""

    def __init__(self) -> None:
        self._by_slot: dict[Slot, tuple[Envelope, ...]] = {}

    def take(self, envelope: Envelope, open_round: int) -> bool:
        """Keep ``envelope`` and return True if it is heard for the first time and within bounds."""
        slot = Slot.of(envelope)
        heard = self._by_slot.get(slot, ())
        if (
            len(heard) >= slot.holds
            or any(envelope.payload == other.payload for other in heard)
            or envelope.round > open_round + ROUNDS_AHEAD
        ):
            return False
        self._by_slot[slot] = (*heard, envelope)
        return True

    def twice(self, envelope: Envelope) -> tuple[Envelope, ...]:
        """Return the two different messages of its seat where only one may be said; nothing if there are not two."""
        slot = Slot.of(envelope)
        heard = self._by_slot.get(slot, ())
        return heard if slot.purpose != VOTES and len(heard) == PAYLOADS_KEPT else ()

    def of(self, round_: int, seat: int) -> tuple[Envelope, ...]:
        """Return what ``seat`` said in a round, first what the round wants."""
        beside = self._by_slot.get(Slot(round_, seat, VOTES), ())
        resigned = self._by_slot.get(Slot(-1, seat, RESIGNED), ())
        said = self._by_slot.get(Slot(round_, seat), ())
        return (*said, *beside, *(envelope for envelope in resigned if envelope.round == round_))

    def since(self, round_: int, open_round: int) -> list[bytes]:
        """Return the messages of ``round_`` and later, in the order of rounds and seats; before them who has resigned.

        Who resigned concerns every later round. The votes of ``open_round`` are there too if it lies before: who voted
        waits for the answer of those who have gone on.
        """
        votes_from = min(round_, open_round)
        return [
            envelope.data
            for slot, envelopes in sorted(self._by_slot.items())
            if slot.round >= (votes_from if slot.purpose == VOTES else round_) or slot.purpose == RESIGNED
            for envelope in envelopes
        ]
