"""The first lead: ranks are called upwards, and each seat shows the called card or proves that it has none.

Nothing is shown but the card that decides, and nobody can dodge the lead: the proofs come with the pass, so a seat
that hides the card cannot wait and see. Normative text: ``protocol/rounds.md``, "The first lead".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from p2pdurak.cards import Card, cards_in
from p2pdurak.crypto.elgamal import remove_share, share
from p2pdurak.crypto.group import CARD_POINTS, Element
from p2pdurak.crypto.proofs import prove_none_of, prove_shares, verify_none_of, verify_shares
from p2pdurak.crypto.secret import draw_lot
from p2pdurak.errors import VerificationError
from p2pdurak.game.opening import lowest_trump_calls
from p2pdurak.session.deck import opened_card
from p2pdurak.session.events import Called, Event, LeadDecided, LeadReason
from p2pdurak.session.round import Round
from p2pdurak.wire.messages import Answer, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from p2pdurak.session.player import Player
    from p2pdurak.session.public import PublicState


def begin_lead(state: PublicState) -> tuple[PublicState, list[Event]]:
    """Return the state after the deal: with a leader if that is known already, else with the calls to be made."""
    decided = state.genesis.opening.leader
    if decided is not None:
        return _lead(state, decided, LeadReason.GAME_BEFORE, None)
    if state.face_up is None:
        raise VerificationError("The trump is not known yet.")
    calls = lowest_trump_calls(state.genesis.rules, state.genesis.pack_size, state.players, state.face_up)
    return _unless_called_out(replace(state, calls=calls))


def _unless_called_out(state: PublicState) -> tuple[PublicState, list[Event]]:
    """Decide the lead where no call is needed: the lot among all, or a face-up card that everybody saw dealt."""
    if not state.calls:
        return _lead(state, draw_lot(state.lot, "lead", state.players), LeadReason.LOT, None)
    if state.no_talon and tuple(cards_in(state.calls[0])) == (state.face_up,):
        return _lead(state, state.dealer, LeadReason.LOWEST_TRUMP, state.face_up)
    return state, []


def _lead(state: PublicState, leader: int, reason: LeadReason, card: Card | None) -> tuple[PublicState, list[Event]]:
    return state.begin_play(leader), [LeadDecided(leader, reason, card)]


class CallRound(Round[Answer]):
    """Everybody answers the call for one rank."""

    kind = Kind.CALL

    def speakers(self, state: PublicState) -> tuple[int, ...]:
        return state.everybody()

    def verify(self, state: PublicState, seat: int, body: Answer) -> None:
        deck = state.cards
        hand, key = deck.hands[seat], deck.keys[seat]
        transcript = state.proof(seat, self.kind)
        if body.position is None:
            if body.share:
                raise VerificationError("A pass carries no share.")
            verify_none_of(transcript, key, hand, called_points(state), body.proof)
            return
        if body.position >= len(hand):
            raise VerificationError("There is no card at that place of the hand.")
        card = hand[body.position]
        verify_shares(transcript, key, [card], [Element.decode(body.share)], body.proof)
        if not state.calls[0] >> self._opened(state, seat, body) & 1:
            raise VerificationError("The card shown is not the one called.")

    def _opened(self, state: PublicState, seat: int, body: Answer) -> Card:
        card = state.cards.hands[seat][body.position or 0]
        return opened_card(remove_share(card, Element.decode(body.share)).b)

    def complete(self, state: PublicState, bodies: Mapping[int, Answer]) -> tuple[PublicState, list[Event]]:
        opened = {
            seat: self._opened(state, seat, body) for seat, body in sorted(bodies.items()) if body.position is not None
        }
        called = Called(tuple(cards_in(state.calls[0])), opened)
        if not opened:
            state, events = _unless_called_out(replace(state, calls=state.calls[1:]))
            return state, [called, *events]
        seats = list(opened)
        leader = seats[draw_lot(state.lot, "lead", len(seats))]
        trump = state.face_up is not None and opened[leader].suit == state.face_up.suit
        reason = LeadReason.LOWEST_TRUMP if trump else LeadReason.LOWEST_CARD
        if len(seats) > 1:
            reason = LeadReason.LOT_AMONG_LOWEST
        state, events = _lead(state, leader, reason, opened[leader])
        return state, [called, *events]

    def speak(self, state: PublicState, player: Player) -> Answer:
        deck = state.cards
        hand = deck.hands[player.seat]
        transcript = state.proof(player.seat, self.kind)
        for position, card in enumerate(player.hand(deck)):
            if state.calls[0] >> card & 1:
                shares = [share(player.x, hand[position])]
                proof = prove_shares(transcript, player.x, player.key, [hand[position]], shares, player.secret)
                return Answer(position, shares[0].encode(), proof)
        return Answer(
            None, b"", prove_none_of(transcript, player.x, player.key, hand, called_points(state), player.secret)
        )


def called_points(state: PublicState) -> list[Element]:
    """Return the card points of the cards that are called."""
    return [CARD_POINTS[card] for card in cards_in(state.calls[0])]
