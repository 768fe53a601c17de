"""Rounds that make the deck: commit, reveal, and one shuffle by each seat.

The order is fixed by commitments before anybody sees anything, and uniform if a single seat shuffles honestly.
Normative text: ``protocol/rounds.md``, "Making the deck".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from p2pdurak.crypto.elgamal import decode_deck, encode_deck
from p2pdurak.crypto.group import Element
from p2pdurak.crypto.proofs import prove_key, verify_key
from p2pdurak.crypto.secret import commitment, draw_lot
from p2pdurak.crypto.shuffle import verify_shuffle
from p2pdurak.errors import CryptoError, FailedVerification, VerificationError
from p2pdurak.session.deck import Deck, deal_dues
from p2pdurak.session.events import DealerChosen, Event
from p2pdurak.session.round import Blame, Round
from p2pdurak.wire.digest import digest
from p2pdurak.wire.messages import Commit, Kind, Reveal, Shuffle

if TYPE_CHECKING:
    from collections.abc import Mapping

    from p2pdurak.session.player import Player
    from p2pdurak.session.public import PublicState


def secret_commitment(game_id: bytes, seat: int, secret: bytes) -> bytes:
    """Return the commitment to a game secret; it is bound to the seat, so that a copy cannot be opened."""
    return commitment("secret", game_id, seat, secret)


def reveal_commitment(game_id: bytes, seat: int, lot_seed: bytes, key: bytes) -> bytes:
    """Return the commitment to a lot seed and key share."""
    return commitment("reveal", game_id, seat, lot_seed, key)


class CommitRound(Round[Commit]):
    """Everybody commits to the secret of the game, and to lot seed and key share."""

    kind = Kind.COMMIT

    def speakers(self, state: PublicState) -> tuple[int, ...]:
        return state.everybody()

    def verify(self, state: PublicState, seat: int, body: Commit) -> None:
        """Accept any commitment: a copied one cannot be opened, and equal ones are nobody's provable fault."""

    def complete(self, state: PublicState, bodies: Mapping[int, Commit]) -> tuple[PublicState, list[Event]]:
        return replace(state, commits=tuple(bodies[seat] for seat in state.everybody())), []

    def speak(self, state: PublicState, player: Player) -> Commit:
        return Commit(
            secret_commitment(state.game_id, player.seat, player.game_secret),
            reveal_commitment(state.game_id, player.seat, player.lot_seed, player.key.encode()),
        )


class RevealRound(Round[Reveal]):
    """Everybody opens lot seed and key share, and proves to know the secret behind the key share."""

    kind = Kind.REVEAL

    def speakers(self, state: PublicState) -> tuple[int, ...]:
        return state.everybody()

    def verify(self, state: PublicState, seat: int, body: Reveal) -> None:
        if reveal_commitment(state.game_id, seat, body.lot_seed, body.key) != state.commits[seat].reveal:
            raise VerificationError("The lot seed and key share are not the ones committed to.")
        verify_key(state.proof(seat, self.kind), Element.decode(body.key), body.proof)

    def complete(self, state: PublicState, bodies: Mapping[int, Reveal]) -> tuple[PublicState, list[Event]]:
        seats = state.everybody()
        keys = [Element.decode(bodies[seat].key) for seat in seats]
        # Both proofs verified: who copied whom cannot be told, so both are named.
        same = tuple(seat for seat in seats if keys.count(keys[seat]) > 1)
        if same:
            raise Blame(same, FailedVerification("equal-keys", "Two seats revealed the same key share."))
        try:
            deck = Deck.unshuffled(keys, state.genesis.pack_size)
        except CryptoError as error:
            raise Blame(seats, FailedVerification("joint-key", "The key shares cancel each other out.")) from error
        lot = digest("lot", state.game_id, *(bodies[seat].lot_seed for seat in seats))
        decided = state.genesis.opening.dealer
        dealer = draw_lot(lot, "dealer", len(seats)) if decided is None else decided
        return replace(state, lot=lot, dealer=dealer, deck=deck), [DealerChosen(dealer, by_lot=decided is None)]

    def speak(self, state: PublicState, player: Player) -> Reveal:
        transcript = state.proof(player.seat, self.kind)
        proof = prove_key(transcript, player.x, player.key, player.secret)
        return Reveal(player.lot_seed, player.key.encode(), proof)


class ShuffleRound(Round[Shuffle]):
    """One seat after the other, the dealer first, re-encrypts and permutes the deck and proves it."""

    kind = Kind.SHUFFLE

    def speakers(self, state: PublicState) -> tuple[int, ...]:
        return ((state.dealer + state.shuffled) % state.players,)

    def verify(self, state: PublicState, seat: int, body: Shuffle) -> None:
        deck = state.cards
        outputs = decode_deck(body.deck, len(deck.cards))
        verify_shuffle(state.proof(seat, self.kind), deck.key, deck.cards, outputs, body.proof)

    def complete(self, state: PublicState, bodies: Mapping[int, Shuffle]) -> tuple[PublicState, list[Event]]:
        deck = state.cards
        (body,) = bodies.values()
        cards = tuple(decode_deck(body.deck, len(deck.cards)))
        shuffled = state.shuffled + 1
        dues = deal_dues(state.players, state.dealer, len(cards)) if shuffled == state.players else ()
        return replace(state, deck=replace(deck, cards=cards), shuffled=shuffled, dues=dues), []

    def speak(self, state: PublicState, player: Player) -> Shuffle:
        deck = state.cards
        outputs, proof = state.mix(player, self.kind, deck.key, deck.cards)
        return Shuffle(encode_deck(outputs), proof)
