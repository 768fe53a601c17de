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
from p2pdurak.game.opening import FIRST, Opening, next_opening
from p2pdurak.game.rules import Outcome, outcome, refill, start
from p2pdurak.game.state import BoutEnd, Hand, Phase, State
from p2pdurak.session.deck import Deck, Due, draw_dues
from p2pdurak.session.leaving import Removal
from p2pdurak.wire.codec import VERSION

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
    they became due; ``calls`` are the sets of cards still to be called for the first lead; ``books`` are the opened
    game secrets by seat, None for who had left.
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
    books: tuple[bytes | None, ...] = ()
    removal: Removal | None = None

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

    @property
    def over(self) -> bool:
        """Whether the cards are played out, or the game was ended without somebody."""
        return self.removal is not None or (self.game is not None and self.game.phase is Phase.OVER)

    @property
    def opens_books(self) -> bool:
        """Whether the game secrets are revealed at the end: where the table wants that, and they are committed to."""
        return self.genesis.open_books and bool(self.commits)

    @property
    def outcome(self) -> Outcome | None:
        """How the cards were played out; None if they were not."""
        return None if self.game is None or self.removal is not None else outcome(self.game)

    @property
    def fools(self) -> tuple[int, ...]:
        """The fools of a game that is over; nobody after a draw, several if several have left."""
        if self.removal is not None:
            return self.removal.fools
        return () if self.outcome is None or self.outcome.fool is None else (self.outcome.fool,)

    def staying(self) -> tuple[int, ...]:
        """Return the seats that are there at the end: all, but those without whom it was ended."""
        out = () if self.removal is None or len(self.removal.seats) == self.players else self.removal.seats
        return tuple(seat for seat in self.everybody() if seat not in out)

    def without(self, out: tuple[int, ...], resigned: tuple[int, ...]) -> PublicState:
        """Return the state in which the game is ended without the seats of ``out``.

        Before anybody can have given a decryption share, nothing is known that would make leaving pay: the game is
        void.
        """
        shared = self.game is not None or self.face_up is not None or (bool(self.dues) and self.confirmed)
        fools = out if shared and len(resigned) < self.players else ()
        return replace(self, removal=Removal(out, resigned, fools, void=not shared))

    def next_opening(self, players: int, seats: Sequence[int | None]) -> Opening:
        """Return how the next game of the match opens; ``seats`` gives for each seat its new one, None for who is gone.

        R8 to R10, and for games that were ended without somebody ``protocol/rounds.md``, "Leaving".
        """
        rules, dealer, over = self.genesis.rules, self.dealer, self.outcome
        if self.removal is not None:
            before, fools = self.genesis.opening, self.removal.fools
            if self.removal.void:
                if before.dealer is None:
                    return FIRST
                # Who deals and does not lead by lowest trump was the fool of the game before.
                dealer, fools = before.dealer, (before.dealer,) if before.leader is not None else ()
            if len(fools) > 1:
                return FIRST
            over = Outcome(fools[0] if fools else None, ())
        if over is None:
            raise LocalProtocolError("The game is not over yet.")
        return next_opening(rules, over, dealer, players, seats)

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
