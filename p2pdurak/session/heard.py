"""The messages of a game that were heard, by round and seat, bounded: two of each, and not too far ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2pdurak.wire.envelope import Envelope

ROUNDS_AHEAD = 64
"""Messages of rounds further ahead are dropped: who is that far behind has to catch up."""

PAYLOADS_KEPT = 2
"""Two different payloads of a seat in one round prove equivocation; a third adds nothing."""


class HeardMessages:
    """All first-heard messages; what has the same payload as one heard before is the same message."""

    def __init__(self) -> None:
        self._by_slot: dict[tuple[int, int], tuple[Envelope, ...]] = {}

    def take(self, envelope: Envelope, open_round: int) -> bool:
        """Keep ``envelope`` and return True if it is heard for the first time and within bounds."""
        heard = self.of(envelope.round, envelope.seat)
        if (
            len(heard) >= PAYLOADS_KEPT
            or any(envelope.payload == other.payload for other in heard)
            or envelope.round > open_round + ROUNDS_AHEAD
        ):
            return False
        self._by_slot[envelope.round, envelope.seat] = (*heard, envelope)
        return True

    def of(self, round_: int, seat: int) -> tuple[Envelope, ...]:
        """Return what ``seat`` said in a round."""
        return self._by_slot.get((round_, seat), ())

    def since(self, round_: int) -> list[bytes]:
        """Return the messages of ``round_`` and later, in the order of rounds and seats."""
        return [
            envelope.data
            for (number, _), envelopes in sorted(self._by_slot.items())
            if number >= round_
            for envelope in envelopes
        ]
