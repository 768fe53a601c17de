"""Which ciphertext lies where: the shuffled pack, the talon in it, and every hand under its holder's own key.

Positions of the pack count from the top, 0 first. The first ``6 * players`` are dealt one at a time; the next is
turned face up and lies under the talon, which is drawn from the position after it onwards. With six players and 36
cards there is no talon, and the last card dealt is the face-up one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from p2pdurak.cards import Card
from p2pdurak.crypto.elgamal import Ciphertext, joint_key, remove_share, trivial
from p2pdurak.crypto.group import CARD_POINTS, Element, card_number
from p2pdurak.errors import VerificationError
from p2pdurak.game.opening import deal_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence


@dataclass(frozen=True, slots=True)
class Due:
    """A position of the pack that is to be opened: to ``seat``, and to everybody where it is ``public``."""

    position: int
    seat: int | None
    public: bool = False

    def owed_by(self, seat: int) -> bool:
        """Tell whether ``seat`` gives a decryption share for it: never for a card that is its own secret."""
        return self.public or seat != self.seat


@dataclass(frozen=True, slots=True)
class Deck:
    """All ciphertexts of a game.

    ``keys`` are the key shares of the seats that the pack is encrypted to, ``key`` is their sum. ``top`` is the
    position of the talon's next card. ``gained`` are the seats whose hand got cards and was not rearranged since.
    """

    keys: tuple[Element, ...]
    key: Element
    cards: tuple[Ciphertext, ...]
    top: int
    hands: tuple[tuple[Ciphertext, ...], ...]
    gained: frozenset[int] = frozenset()

    @classmethod
    def unshuffled(cls, keys: Sequence[Element], pack_size: int) -> Deck:
        """Return the pack in its order before any shuffle, everybody knowing every card."""
        key = joint_key(keys)
        cards = tuple(trivial(point, key) for point in CARD_POINTS[:pack_size])
        return cls(tuple(keys), key, cards, 0, ((),) * len(keys))

    def rearranging(self) -> tuple[int, ...]:
        """Return the seats that have to rearrange their hand; one card alone has only one order."""
        return tuple(seat for seat in sorted(self.gained) if len(self.hands[seat]) > 1)

    def with_hand(self, seat: int, hand: Iterable[Ciphertext]) -> Deck:
        """Return the deck with another hand at ``seat``."""
        hands = list(self.hands)
        hands[seat] = tuple(hand)
        return replace(self, hands=tuple(hands))

    def join(self, seat: int, cards: Iterable[Ciphertext]) -> Deck:
        """Return the deck with ``cards`` appended to the hand of ``seat``."""
        joined = self.with_hand(seat, (*self.hands[seat], *cards))
        return replace(joined, gained=joined.gained | {seat})

    def join_public(self, seat: int, cards: Iterable[Card]) -> Deck:
        """Append cards that everybody has seen, in the order of the pack."""
        return self.join(seat, (trivial(CARD_POINTS[card], self.keys[seat]) for card in sorted(cards)))

    def without(self, seat: int, positions: Iterable[int]) -> Deck:
        """Return the deck without these positions of a hand; the rest closes up."""
        gone = set(positions)
        return self.with_hand(seat, (card for at, card in enumerate(self.hands[seat]) if at not in gone))

    def owed(self, dues: Sequence[Due], seat: int) -> list[Ciphertext]:
        """Return the ciphertexts of the positions that ``seat`` owes a share for, in their order."""
        return [self.cards[due.position] for due in dues if due.owed_by(seat)]

    def hand_out(self, dues: Sequence[Due], shares: Mapping[int, Sequence[Element]]) -> tuple[Deck, Card | None]:
        """Return the deck after the dues were opened, and the card that became public.

        ``shares`` holds, for each seat that owes any, its shares in the order of ``owed``.
        """
        deck, public = self, None
        remaining = {seat: iter(given) for seat, given in shares.items()}
        for due in dues:
            for_holder = for_all = self.cards[due.position]
            for seat, given in remaining.items():
                if due.owed_by(seat):
                    share = next(given)
                    for_all = remove_share(for_all, share)
                    if seat != due.seat:
                        for_holder = remove_share(for_holder, share)
            if due.public:
                public = opened_card(for_all.b)
            if due.seat is not None:
                deck = deck.join(due.seat, (for_holder,))
        return replace(deck, top=max(self.top, *(due.position + 1 for due in dues))), public


def opened_card(point: Element) -> Card:
    """Return the card that an opened point stands for; raises VerificationError if it is none."""
    number = card_number(point)
    if number is None:
        raise VerificationError("The opened point is not a card of the pack.")
    return Card(number)


def deal_dues(players: int, dealer: int, pack_size: int) -> tuple[Due, ...]:
    """Return what the deal opens: six cards a seat, one at a time, and the face-up card."""
    order = deal_order(players, dealer)
    dealt = [Due(position, seat) for position, seat in enumerate(order)]
    if len(order) == pack_size:
        dealt[-1] = replace(dealt[-1], public=True)
    else:
        dealt.append(Due(len(order), None, public=True))
    return tuple(dealt)


def draw_dues(top: int, draws: Iterable[tuple[int, int]]) -> tuple[Due, ...]:
    """Return what a refill opens; ``draws`` are seats with their numbers of face-down cards, in drawing order."""
    seats = [seat for seat, number in draws for _ in range(number)]
    return tuple(Due(top + at, seat) for at, seat in enumerate(seats))
