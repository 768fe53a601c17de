"""Rounds that hand cards out: confirm, decryption shares for the deal or a draw, and rearranging one's hand.

A share is given only for a card that the state says is due, and only after every seat has signed the same head.
Normative text: ``protocol/rounds.md``, "Handing cards out".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from p2pdurak.crypto.elgamal import Ciphertext, decode_deck, encode_deck, share
from p2pdurak.crypto.group import ELEMENT_BYTES, Element
from p2pdurak.crypto.proofs import prove_shares, verify_shares
from p2pdurak.crypto.shuffle import verify_shuffle
from p2pdurak.errors import VerificationError
from p2pdurak.session.events import Dealt, Event
from p2pdurak.session.lead import begin_lead
from p2pdurak.session.round import Round
from p2pdurak.wire.messages import Confirm, Kind, Rearrange, Shares

if TYPE_CHECKING:
    from collections.abc import Mapping

    from p2pdurak.session.player import Player
    from p2pdurak.session.public import PublicState


def decode_shares(data: bytes, number: int) -> list[Element]:
    """Return ``number`` shares; raises CryptoError for another length or an invalid element."""
    if len(data) != number * ELEMENT_BYTES:
        raise VerificationError("There should be {number} decryption shares.", number=number)
    return [Element.decode(data[at : at + ELEMENT_BYTES]) for at in range(0, len(data), ELEMENT_BYTES)]


class ConfirmRound(Round[Confirm]):
    """Everybody signs the head before anything secret leaves a peer, so that nobody shows two peers two decks."""

    kind = Kind.CONFIRM

    def speakers(self, state: PublicState) -> tuple[int, ...]:
        return state.everybody()

    def verify(self, state: PublicState, seat: int, body: Confirm) -> None:
        """Accept: the signature on the head was all there is to check."""

    def complete(self, state: PublicState, bodies: Mapping[int, Confirm]) -> tuple[PublicState, list[Event]]:
        return replace(state, confirmed=True), []

    def speak(self, state: PublicState, player: Player) -> Confirm:
        return Confirm()


class SharesRound(Round[Shares]):
    """Each seat that owes any gives its decryption shares, with one proof for all of them."""

    def speakers(self, state: PublicState) -> tuple[int, ...]:
        deck = state.cards
        return tuple(seat for seat in state.everybody() if deck.owed(state.dues, seat))

    def _owed(self, state: PublicState, seat: int) -> list[Ciphertext]:
        return state.cards.owed(state.dues, seat)

    def verify(self, state: PublicState, seat: int, body: Shares) -> None:
        owed = self._owed(state, seat)
        shares = decode_shares(body.shares, len(owed))
        verify_shares(state.proof(seat, self.kind), state.cards.keys[seat], owed, shares, body.proof)

    def complete(self, state: PublicState, bodies: Mapping[int, Shares]) -> tuple[PublicState, list[Event]]:
        shares = {seat: decode_shares(body.shares, len(self._owed(state, seat))) for seat, body in bodies.items()}
        deck, public = state.cards.hand_out(state.dues, shares)
        # The ace of clubs is card 0, so only None means that nothing became public.
        face_up = state.face_up if public is None else public
        return replace(state, deck=deck, dues=(), face_up=face_up), []

    def speak(self, state: PublicState, player: Player) -> Shares:
        owed = self._owed(state, player.seat)
        shares = [share(player.x, card) for card in owed]
        transcript = state.proof(player.seat, self.kind)
        proof = prove_shares(transcript, player.x, player.key, owed, shares, player.secret)
        return Shares(b"".join(given.encode() for given in shares), proof)


class DealRound(SharesRound):
    """The deal: six cards to each seat, and the face-up card to all."""

    kind = Kind.DEAL

    def complete(self, state: PublicState, bodies: Mapping[int, Shares]) -> tuple[PublicState, list[Event]]:
        state, events = super().complete(state, bodies)
        deck = state.cards
        # The face-up card lies under the talon, so the position after it is drawn first.
        if state.face_up is not None:
            events.append(Dealt(state.face_up, len(deck.cards) - sum(map(len, deck.hands))))
        return state, events


class DrawRound(SharesRound):
    """A refill: the face-down cards that somebody draws from the talon."""

    kind = Kind.DRAW


class RearrangeRound(Round[Rearrange]):
    """Each seat whose hand gained cards re-encrypts and permutes it, so that nobody can tell which came when."""

    kind = Kind.REARRANGE

    def speakers(self, state: PublicState) -> tuple[int, ...]:
        return state.cards.rearranging()

    def verify(self, state: PublicState, seat: int, body: Rearrange) -> None:
        deck = state.cards
        hand = deck.hands[seat]
        outputs = decode_deck(body.hand, len(hand))
        verify_shuffle(state.proof(seat, self.kind), deck.keys[seat], hand, outputs, body.proof)

    def complete(self, state: PublicState, bodies: Mapping[int, Rearrange]) -> tuple[PublicState, list[Event]]:
        deck = state.cards
        for seat, body in bodies.items():
            deck = deck.with_hand(seat, decode_deck(body.hand, len(deck.hands[seat])))
        state = replace(state, deck=replace(deck, gained=frozenset()))
        if state.game is None:
            return begin_lead(state)
        return state, []

    def speak(self, state: PublicState, player: Player) -> Rearrange:
        hand, proof = state.mix(player, self.kind, player.key, state.cards.hands[player.seat])
        return Rearrange(encode_deck(hand), proof)
