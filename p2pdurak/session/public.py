"""What everybody at the table knows: the public state that each peer replicates.

It holds no secret; the same value stands at every peer, spectator and verifier after the same messages. Which round
comes next is read off it by ``rounds.current``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2pdurak.crypto.shuffle import draw_shuffle, prove_shuffle, shuffle
from p2pdurak.crypto.transcript import Transcript, proof_transcript
from p2pdurak.errors import LocalProtocolError
from p2pdurak.game.rules import refill, start
from p2pdurak.game.state import BoutEnd, Hand, State
from p2pdurak.session.deck import Deck, Due, draw_dues
from p2pdurak.wire.envelope import VERSION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pdurak.cards import Card, CardSet
    from p2pdurak.crypto.elgamal import Ciphertext
    from p2pdurak.crypto.group import Element
    from p2pdurak.session.player import Player
    from p2pdurak.wire.genesis import Genesis
    from p2pdurak.wire.messages import Commit, Kind

HAND_CARDS = 6


@dataclass(frozen=True, slots=True)
class PublicState:
    """The table after a number of complete rounds.

    ``head`` is the 32-byte hash that every message of round ``round`` builds on. ``shuffled`` counts the seats that
    have shuffled; ``dues`` are the positions to be opened next, ``confirmed`` whether all have signed the head since
    they became due; ``calls`` are the sets of cards still to be called for the first lead.
    """

    genesis: Genesis
    game_id: bytes
    round: int
    head: bytes
    commits: tuple[Commit, ...] = ()
    lot: bytes = b""
    dealer: int = 0
    deck: Deck | None = None
    shuffled: int = 0
    dues: tuple[Due, ...] = ()
    confirmed: bool = False
    face_up: Card | None = None
    calls: tuple[CardSet, ...] = ()
    game: State | None = None
    final_head: bytes = b""
    books: tuple[bytes, ...] = ()

    @classmethod
    def begin(cls, genesis: Genesis) -> PublicState:
        """Return the state before anybody has spoken; the game id is the first head."""
        game_id = genesis.game_id
        return cls(genesis, game_id, 0, game_id)

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.genesis.players

    @property
    def cards(self) -> Deck:
        """The deck, once there is one."""
        if self.deck is None:
            raise LocalProtocolError("There is no deck before all keys are revealed.")
        return self.deck

    @property
    def play(self) -> State:
        """The state of the rules, once somebody has the lead."""
        if self.game is None:
            raise LocalProtocolError("The game has not begun yet.")
        return self.game

    @property
    def no_talon(self) -> bool:
        """Whether the deal takes the whole pack, so that the face-up card is in the dealer's hand."""
        return HAND_CARDS * self.players == self.genesis.pack_size

    def everybody(self) -> tuple[int, ...]:
        """Return all seats."""
        return tuple(range(self.players))

    def proof(self, seat: int, kind: Kind) -> Transcript:
        """Return a Fiat-Shamir transcript that binds a proof to this game, head, round, seat and kind."""
        return proof_transcript(
            version=VERSION, game_id=self.game_id, head=self.head, round_number=self.round, seat=seat, kind=kind
        )

    def mix(
        self, player: Player, kind: Kind, key: Element, cards: Sequence[Ciphertext]
    ) -> tuple[tuple[Ciphertext, ...], bytes]:
        """Return ``cards`` re-encrypted under ``key`` and permuted by ``player``, and the proof.

        Permutation and masks depend on head, round and input alone: nothing that comes out can steer them.
        """
        transcript = self.proof(player.seat, kind)
        permutation, masks = draw_shuffle(transcript, key, cards, player.secret)
        mixed = shuffle(cards, key, permutation, masks)
        return mixed, prove_shuffle(transcript, key, cards, mixed, permutation, masks, player.secret)

    def begin_play(self, leader: int) -> PublicState:
        """Return the state in which ``leader`` has the first lead."""
        deck = self.cards
        if self.face_up is None:
            raise LocalProtocolError("The trump is not known yet.")
        hands = [Hand(0, len(hand)) for hand in deck.hands]
        if self.no_talon:
            hands[self.dealer] = Hand(1 << self.face_up, len(deck.hands[self.dealer]) - 1)
        game = start(self.genesis.rules, len(deck.cards), self.dealer, self.face_up, hands, leader)
        return replace(self, game=game, calls=())

    def settle_bout(self, game: State) -> tuple[PublicState, BoutEnd, bool]:
        """Move the cards of a bout that has just ended, and begin the next with hands still to be drawn.

        Returns the state, how the bout ended, and whether the face-up card is drawn. The rules replicate public
        knowledge only, so they can go on before the drawn cards are handed out.
        """
        if game.ended is None or self.face_up is None:
            raise LocalProtocolError("The bout has not ended.")
        deck, ended, draws = self.cards, game.ended, list(game.draws)
        if ended.taken:
            deck = deck.join_public(ended.defender, ended.cards)
        last = game.talon > 0 and sum(number for _, number in draws) == game.talon
        if last:
            seat, number = draws[-1]
            draws[-1] = (seat, number - 1)
            deck = deck.join_public(seat, (self.face_up,))
        dues = draw_dues(deck.top, draws)
        return replace(self, deck=deck, dues=dues, confirmed=False, game=refill(game, {})), ended, last
