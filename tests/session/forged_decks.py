"""Decks, hands and shares as cheats make them: with the prover's own code, over a false statement or witness."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.crypto.elgamal import Ciphertext, encode_deck, mask, reencrypt, share
from p2pdurak.crypto.group import Element, G, hash_to_element
from p2pdurak.crypto.proofs import prove_shares
from p2pdurak.crypto.scalars import ORDER
from p2pdurak.crypto.shuffle import prove_shuffle
from p2pdurak.wire.messages import Kind, Rearrange, Shares, Shuffle

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pdurak.crypto.scalars import Scalar
    from tests.helpers import Dishonest

JOKER = hash_to_element("a card of no pack")
MASK = 7**80 % ORDER


def mixed(
    session: Dishonest,
    kind: Kind,
    key: Element,
    cards: Sequence[Ciphertext],
    order: Sequence[int],
    masks: Sequence[Scalar],
    change: Callable[[list[Ciphertext]], object] = lambda outputs: None,
) -> tuple[bytes, bytes]:
    """Return what the prover's code makes of ``order``, which need not be a permutation, with changed outputs."""
    outputs = [reencrypt(cards[at], key, masked) for at, masked in zip(order, masks, strict=True)]
    change(outputs)
    transcript = session.state.proof(session.me.seat, kind)
    return encode_deck(outputs), prove_shuffle(transcript, key, cards, outputs, order, masks, session.me.secret)


def shuffled(
    order: Callable[[list[int]], object] = lambda order: None,
    change: Callable[[list[Ciphertext]], object] = lambda outputs: None,
    *,
    of_unshuffled: bool = False,
) -> Callable[[Dishonest, Shuffle], Shuffle]:
    def forge(session: Dishonest, body: Shuffle) -> Shuffle:
        deck = session.state.cards
        cards = type(deck).unshuffled(deck.keys, len(deck.cards)).cards if of_unshuffled else deck.cards
        places = list(range(len(cards)))
        order(places)
        masks = session.me.secret.scalars("masks of a cheat", b"", len(cards))
        return Shuffle(*mixed(session, Kind.SHUFFLE, deck.key, cards, places, masks, change))

    return forge


def rearranged(
    order: Callable[[list[int]], object] = lambda order: None,
    change: Callable[[list[Ciphertext]], object] = lambda outputs: None,
) -> Callable[[Dishonest, Rearrange], Rearrange]:
    def forge(session: Dishonest, body: Rearrange) -> Rearrange:
        hand = session.state.cards.hands[session.me.seat]
        places = list(range(len(hand)))
        order(places)
        masks = session.me.secret.scalars("masks of a cheat", b"", len(hand))
        return Rearrange(*mixed(session, Kind.REARRANGE, session.me.key, hand, places, masks, change))

    return forge


def all_alike(order: list[int]) -> None:
    order[:] = [0] * len(order)


def set_at(place: int, value: int) -> Callable[[list[int]], object]:
    return lambda order: order.__setitem__(place, value)


def put(place: int, point: Element) -> Callable[[list[Ciphertext]], object]:
    """Put in a card under a key that only the cheat knows; for the joint key it would take all the others."""
    return lambda outputs: outputs.__setitem__(place, mask(point, G * MASK, MASK))


def cross(outputs: list[Ciphertext]) -> None:
    """Swap the second components of two cards."""
    first, second = outputs[:2]
    outputs[:2] = [Ciphertext(first.a, second.b), Ciphertext(second.a, first.b)]


def two_from_another_hand(session: Dishonest, body: Rearrange) -> Rearrange:
    """Bring in two cards of the left neighbour, still under that seat's key."""
    deck, me = session.state.cards, session.me
    other = deck.hands[(me.seat + 1) % len(deck.hands)]
    masks = me.secret.scalars("masks of a cheat", b"", len(deck.hands[me.seat]))
    hand = [*other[:2], *deck.hands[me.seat][2:]]
    return Rearrange(*mixed(session, Kind.REARRANGE, me.key, hand, list(range(len(hand))), masks))


def given(session: Dishonest) -> list[Ciphertext]:
    return session.state.cards.owed(session.state.dues, session.me.seat)


def shares_of(session: Dishonest, kind: Kind, shares: Sequence[Element], *, x: Scalar | None = None) -> Shares:
    """Return these shares with the proof that the prover's code makes for them, under ``x`` if that is given."""
    x = session.me.x if x is None else x
    proof = prove_shares(
        session.state.proof(session.me.seat, kind), x, G * x, given(session), shares, session.me.secret
    )
    return Shares(b"".join(element.encode() for element in shares), proof)


def own_shares(session: Dishonest) -> list[Element]:
    return [share(session.me.x, card) for card in given(session)]


def share_wrongly(change: Callable[[list[Element]], object]) -> Callable[[Dishonest, Shares], Shares]:
    def forge(session: Dishonest, body: Shares) -> Shares:
        shares = own_shares(session)
        change(shares)
        return shares_of(session, session.kind or Kind.DEAL, shares)

    return forge


def with_another_key(session: Dishonest, body: Shares) -> Shares:
    return shares_of(session, Kind.DEAL, [card.a * MASK for card in given(session)], x=MASK)


def swap_first(shares: list[Element]) -> None:
    shares[:2] = shares[1::-1]


def repeat_first(shares: list[Element]) -> None:
    shares[1] = shares[0]


def cancel_out(shares: list[Element]) -> None:
    """Make two shares wrong so that their plain sum stays right; only random weights notice."""
    shares[0] += JOKER
    shares[1] -= JOKER
