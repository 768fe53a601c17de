"""What a guest has sat down to, and whether the game that the opener proposes is that one.

The opener's word counts in the lobby only as far as everybody can check it: terms, seats, the lot that was fixed before
anybody said a nonce, and our own nonce in our own seat. Normative text: ``protocol/lobby.md``, "Beginning".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2pdurak.errors import LinkError, MalformedMessage
from p2pdurak.net.lobby import lot_of, seating
from p2pdurak.wire.genesis import Genesis, Seat, decode_genesis

if TYPE_CHECKING:
    from p2pdurak.wire.talk import Place, Places
    from p2pdurak.wire.terms import Terms


@dataclass(frozen=True, slots=True)
class SatDown:
    """The table as a guest knows it: its terms and places, its opener and the lot; and the guest's own seat."""

    terms: Terms | None
    places: tuple[Place, ...]
    opener: bytes
    lot: bytes
    own: Seat

    def is_followed_by(self, genesis: Genesis) -> bool:
        """Tell whether this is the game for which these have sat down."""
        nonces = {seat.key: seat.nonce for seat in genesis.seats}
        keys = [place.key for place in self.places]
        return (
            self.terms is not None
            and set(keys) == set(nonces)
            and lot_of(nonces.get(self.opener, b"")) == self.lot
            and list(genesis.keys) == seating(keys, nonces, self.terms.by_lot)
            and self.own in genesis.seats
        )


def decode_proposal(proposal: bytes) -> Genesis:
    """Return the game that is proposed; raises LinkError if nobody could play it."""
    try:
        return decode_genesis(proposal)
    except MalformedMessage as error:
        raise LinkError("The opener proposed a game that cannot be played: {error}", error=error) from error


def check_table(shown: Places, opener: bytes) -> None:
    """Raise LinkError if no table can stand as its opener shows it."""
    keys = {place.key for place in shown.places}
    if len(keys) > shown.terms.seats or len(keys) < len(shown.places) or opener not in keys:
        raise LinkError("The opener shows a table that cannot be.")
