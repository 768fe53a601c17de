"""Rounds of play: one decision each, by the only seat that the rules ask.

A card is opened by its decryption share; what it is follows from the ciphertext, so nobody can play a card that is
not in the hand. Normative text: ``protocol/rounds.md``, "Play".
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from p2pdurak.cards import Card
from p2pdurak.crypto.elgamal import remove_share, share
from p2pdurak.crypto.proofs import prove_shares, verify_shares
from p2pdurak.errors import LocalProtocolError, VerificationError
from p2pdurak.game.actions import Action, Cover, Lead, Pass, Show, Take, ThrowIn, Transfer
from p2pdurak.game.refusals import refusal
from p2pdurak.game.rules import apply, check, outcome
from p2pdurak.game.state import Phase
from p2pdurak.session.dealing import decode_shares
from p2pdurak.session.deck import opened_card
from p2pdurak.session.events import BoutOver, Event, GameOver, Played
from p2pdurak.session.round import Round
from p2pdurak.wire.messages import Kind, Move, Play

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from p2pdurak.session.player import Player
    from p2pdurak.session.public import PublicState


def action_of(move: str, cards: Sequence[Card], target: int | None) -> Action:
    """Return the action of a play that opens ``cards``; raises VerificationError if they do not fit the move."""
    covered = None if target is None else Card(target)
    match Move(move), tuple(cards), covered:
        case Move.LEAD, (_, *_) as several, None:
            return Lead(tuple(sorted(several)))
        case Move.THROW, (_, *_) as several, None:
            return ThrowIn(tuple(sorted(several)))
        case Move.COVER, (card,), Card() as attack:
            return Cover(attack, card)
        case Move.TRANSFER, (card,), None:
            return Transfer(card)
        case Move.SHOW, (card,), None:
            return Show(card)
        case Move.TAKE, (), None:
            return Take()
        case Move.PASS, (), None:
            return Pass()
        case _:
            raise VerificationError("The cards do not fit the move '{move}'.", move=move)


def form_of(action: Action) -> tuple[Move, tuple[Card, ...], int | None]:
    """Return move, opened cards and target of an action; the converse of ``action_of``."""
    match action:
        case Lead(cards):
            return Move.LEAD, cards, None
        case ThrowIn(cards):
            return Move.THROW, cards, None
        case Cover(attack, card):
            return Move.COVER, (card,), int(attack)
        case Transfer(card):
            return Move.TRANSFER, (card,), None
        case Show(card):
            return Move.SHOW, (card,), None
        case Take():
            return Move.TAKE, (), None
        case Pass():
            return Move.PASS, (), None


class PlayRound(Round[Play]):
    """The decision of the seat that is asked."""

    kind = Kind.PLAY

    def speakers(self, state: PublicState) -> tuple[int, ...]:
        asked = state.play.asked
        if asked is None:
            raise LocalProtocolError("No decision is wanted now.")
        return (asked,)

    def action(self, state: PublicState, seat: int, body: Play) -> Action:
        """Return the action that ``body`` says, by opening its cards; raises CryptoError."""
        hand = state.cards.hands[seat]
        positions = body.positions
        if list(positions) != sorted(set(positions)) or any(at >= len(hand) for at in positions):
            raise VerificationError("The places in the hand are not in order, or not there.")
        shares = decode_shares(body.shares, len(positions))
        opened = [opened_card(remove_share(hand[at], given).b) for at, given in zip(positions, shares, strict=True)]
        return action_of(body.move, opened, body.target)

    def verify(self, state: PublicState, seat: int, body: Play) -> None:
        deck = state.cards
        if body.positions:
            hand = deck.hands[seat]
            if body.positions[-1] >= len(hand) or max(body.positions) >= len(hand):
                raise VerificationError("There is no card at that place of the hand.")
            cards = [hand[at] for at in body.positions]
            shares = decode_shares(body.shares, len(cards))
            verify_shares(state.proof(seat, self.kind), deck.keys[seat], cards, shares, body.proof)
        elif body.proof:
            raise VerificationError("A move without cards carries no proof.")
        check(state.play, self.action(state, seat, body))

    def complete(self, state: PublicState, bodies: Mapping[int, Play]) -> tuple[PublicState, list[Event]]:
        ((seat, body),) = bodies.items()
        action = self.action(state, seat, body)
        deck, game = state.cards, apply(state.play, action)
        if not isinstance(action, Show):
            deck = deck.without(seat, body.positions)
        state = replace(state, deck=deck, game=game)
        events: list[Event] = [Played(seat, action)]
        if game.phase is Phase.REFILL:
            state, ended, face_up_drawn = state.settle_bout(game)
            events.append(BoutOver(ended, game.draws, face_up_drawn, state.play.talon))
        over = outcome(state.play)
        if over is not None:
            events.append(GameOver(over))
        return state, events

    def speak(self, state: PublicState, player: Player) -> Play:
        raise LocalProtocolError("A decision is not made by itself.")

    def decide(self, state: PublicState, player: Player, action: Action) -> Play:
        """Return what ``player`` says to do ``action``; raises IllegalAction."""
        deck = state.cards
        hand, own = deck.hands[player.seat], player.hand(deck)
        move, cards, target = form_of(action)
        missing = [card for card in cards if card not in own]
        if missing:
            raise refusal("R12", "you do not hold {card}, choose from your hand", card=missing[0])
        check(state.play, action)
        positions = tuple(sorted(own.index(card) for card in cards))
        if not positions:
            return Play(move, (), b"", b"", target)
        opened = [hand[at] for at in positions]
        shares = [share(player.x, card) for card in opened]
        transcript = state.proof(player.seat, self.kind)
        proof = prove_shares(transcript, player.x, player.key, opened, shares, player.secret)
        return Play(move, positions, b"".join(given.encode() for given in shares), proof, target)
