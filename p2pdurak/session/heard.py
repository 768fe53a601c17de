"""The messages of a game that were heard, by round, seat and what they are for; bounded, and not too far ahead."""

from __future__ import annotations

from operator import itemgetter
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
"""Votes of a seat in one round, each for more than the one before."""

ROUND, VOTES, HERE, STRAY, RESIGNED = "", "votes", "here", "stray", "resigned"
"""What is said in a round; beside it, on our own head, votes and answers to them; both on any other head."""


class Slot(NamedTuple):
    """Where a message is kept: a seat says one thing in a round, votes beside it, and resigns once in a game."""

    round: int
    seat: int
    purpose: str = ROUND

    @classmethod
    def of(cls, envelope: Envelope, head: bytes | None) -> Slot:
        """Return where ``envelope`` is kept, if our head of its round is ``head``."""
        if envelope.kind == Kind.RESIGN:
            return cls(-1, envelope.seat, RESIGNED)
        if envelope.kind not in LEAVING:
            return cls(envelope.round, envelope.seat)
        # Votes on invented heads convict nobody, so they must not take the room of those that count.
        ours = HERE if envelope.kind == Kind.HERE else VOTES
        return cls(envelope.round, envelope.seat, ours if envelope.head == head else STRAY)

    @property
    def holds(self) -> int:
        """The number of different payloads that are kept."""
        return VOTES_KEPT if self.purpose in (VOTES, STRAY) else PAYLOADS_KEPT


class HeardMessages:
    """All first-heard messages; what has the same payload as one heard before is the same message."""

    def __init__(self) -> None:
        self._by_slot: dict[Slot, tuple[Envelope, ...]] = {}

    def take(self, envelope: Envelope, open_round: int, head: bytes | None) -> bool:
        """Keep ``envelope`` and return True if it is heard for the first time and within bounds.

        ``head`` is our own head of its round, None if that is yet to come.
        """
        slot = Slot.of(envelope, head)
        heard = self._by_slot.get(slot, ())
        known = (*heard, *self._by_slot.get(slot._replace(purpose=STRAY), ()))
        if (
            len(heard) >= slot.holds
            or any(envelope.payload == other.payload for other in known)
            or envelope.round > open_round + ROUNDS_AHEAD
        ):
            return False
        self._by_slot[slot] = (*heard, envelope)
        return True

    def twice(self, envelope: Envelope) -> tuple[Envelope, ...]:
        """Return the two different messages of its seat where only one may be said; nothing if there are not two."""
        if envelope.kind in LEAVING and envelope.kind != Kind.RESIGN:
            return ()
        heard = self._by_slot.get(Slot.of(envelope, None), ())
        return heard if len(heard) == PAYLOADS_KEPT else ()

    def of(self, round_: int, seat: int) -> tuple[Envelope, ...]:
        """Return what ``seat`` said in a round, first what the round wants."""
        slots = (Slot(round_, seat, purpose) for purpose in (ROUND, VOTES, HERE, STRAY))
        resigned = self._by_slot.get(Slot(-1, seat, RESIGNED), ())
        said = (envelope for slot in slots for envelope in self._by_slot.get(slot, ()))
        return (*said, *(envelope for envelope in resigned if envelope.round == round_))

    def since(self, round_: int, open_round: int) -> list[bytes]:
        """Return the messages of ``round_`` and later, and who resigned before, in the order of rounds and seats.

        Who resigned concerns every later round. The votes of ``open_round`` are there too if it lies before: who voted
        waits for the answer of those who have gone on. In a round come first the messages that it wants, then the
        votes, then who resigned in it: so whoever catches up goes on if that is possible, and votes by itself, for
        those who resigned, only after it has heard of the votes that this one would have to fit.
        """
        votes_from = min(round_, open_round)

        def wanted(envelope: Envelope) -> bool:
            since = votes_from if envelope.kind in LEAVING else round_
            return envelope.round >= since or envelope.kind == Kind.RESIGN

        def order(envelope: Envelope) -> tuple[int, bool, bool, int]:
            return envelope.round, envelope.kind in LEAVING, envelope.kind == Kind.RESIGN, envelope.seat

        kept = (envelope for _, envelopes in sorted(self._by_slot.items(), key=itemgetter(0)) for envelope in envelopes)
        return [envelope.data for envelope in sorted(filter(wanted, kept), key=order)]
