"""The private side of a seat: its game secret and all that follows from it.

A player remembers nothing else. Key, lot seed, permutations, masks and nonces are derived from the secret, and the
cards in hand are decrypted from the public state, so that a restarted peer says the same bytes again and a verifier
with the opened books can recompute every message.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.crypto.elgamal import Ciphertext, remove_share, share
from p2pdurak.crypto.group import G
from p2pdurak.crypto.secret import PlayerSecret
from p2pdurak.session.deck import Deck, opened_card

if TYPE_CHECKING:
    from p2pdurak.cards import Card
    from p2pdurak.crypto.scalars import Scalar


class Player:
    """One seat with its 32-byte game secret."""

    def __init__(self, game_id: bytes, seat: int, secret: bytes) -> None:
        self.seat = seat
        self.game_secret = secret
        self.secret = PlayerSecret(secret, game_id, seat)
        self.lot_seed = self.secret.lot_seed()
        self.x: Scalar = self.secret.key()
        self.key = G * self.x
        self._opened: dict[Ciphertext, Card] = {}

    def hand(self, deck: Deck) -> tuple[Card, ...]:
        """Return the cards in hand, by hand position."""
        return tuple(self._open(card) for card in deck.hands[self.seat])

    def _open(self, card: Ciphertext) -> Card:
        if card not in self._opened:
            self._opened[card] = opened_card(remove_share(card, share(self.x, card)).b)
        return self._opened[card]
