"""What all other seats together can do with all their secrets: nothing, until the honest seat opens its books."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING

from p2pdurak.crypto.elgamal import Ciphertext, remove_share, share
from p2pdurak.crypto.group import CARD_POINTS, Element, G, card_number
from p2pdurak.crypto.scalars import ORDER, encode_scalar
from p2pdurak.crypto.shuffle import draw_shuffle
from p2pdurak.session.events import Send
from p2pdurak.wire.messages import Kind, Play
from tests.helpers import Table, eager, make_genesis

if TYPE_CHECKING:
    from collections.abc import Iterator

    from p2pdurak.session.player import Player
    from p2pdurak.session.round import CompleteRound

HONEST, COALITION = 0, (1, 2)


@cache
def played() -> Table:
    """A game of three up to the first lead and some bouts; seats 1 and 2 tell each other everything."""
    table = Table(make_genesis(3, seed=7), seed=7, choose=lambda seat: eager)
    return table.run(
        until=lambda table: table.sessions[0].state.play.bouts == 4 if table.sessions[0].state.game else False
    )


def player(seat: int) -> Player:
    found = played().sessions[seat].player
    assert found is not None
    return found


def round_of(kind: Kind, seat: int | None = None) -> CompleteRound:
    """Return the first round of a kind (in which ``seat`` spoke)."""
    return next(
        round_
        for round_ in played().sessions[HONEST].rounds
        if round_.kind is kind and (seat is None or seat in [said.envelope.seat for said in round_.spoken])
    )


def masks_of(seat: int) -> Iterator[int]:
    """Return all masks with which a seat re-encrypted anything so far."""
    me = player(seat)
    for round_ in played().sessions[HONEST].rounds:
        state = round_.state
        if round_.kind in (Kind.SHUFFLE, Kind.REARRANGE) and seat in [said.envelope.seat for said in round_.spoken]:
            deck = state.cards
            key, cards = (deck.key, deck.cards) if round_.kind is Kind.SHUFFLE else (me.key, deck.hands[seat])
            yield from draw_shuffle(state.proof(seat, round_.kind), key, cards, me.secret)[1]


@cache
def known_scalars() -> tuple[int, ...]:
    """Return what the coalition knows: keys, masks, and sums of two of each sort."""
    keys = [player(seat).x for seat in COALITION]
    masks = [list(masks_of(seat)) for seat in COALITION]
    sums = [first + second for first, second in product(masks[0][:36], masks[1][:36])]
    return tuple({scalar % ORDER for scalar in (1, *keys, sum(keys), keys[0] * keys[1], *masks[0], *masks[1], *sums)})


def multiples_of(element: Element) -> set[Element]:
    return {element * scalar for scalar in known_scalars()}


def opened_by(seats: tuple[int, ...], card: Ciphertext) -> int | None:
    """Return the card after the seats have taken off all that they can, None if that opens nothing."""
    for seat in seats:
        card = remove_share(card, share(player(seat).x, card))
    return card_number(card.b)


def hidden_positions() -> range:
    """Return the positions of the pack that nobody drew yet."""
    deck = played().sessions[HONEST].state.cards
    return range(deck.top, len(deck.cards))


class TestAHiddenCard:
    def test_of_the_honest_hand_is_not_opened_by_the_keys_of_all_others(self) -> None:
        state = played().sessions[HONEST].state
        for card in state.cards.hands[HONEST]:
            for seats in ((), (1,), (2,), COALITION):
                assert opened_by(seats, card) is None
            assert opened_by((HONEST,), card) is not None

    def test_of_the_talon_is_not_opened_by_the_keys_of_all_others(self) -> None:
        state = played().sessions[HONEST].state
        assert hidden_positions()
        for at in hidden_positions():
            assert opened_by(COALITION, state.cards.cards[at]) is None
            assert opened_by((HONEST, *COALITION), state.cards.cards[at]) is not None

    def test_was_not_opened_on_its_way_into_the_honest_hand(self) -> None:
        """The position of the pack, after the shares that everybody saw and those that the coalition can compute."""
        state = round_of(Kind.DEAL).state
        mine = [due.position for due in state.dues if due.seat == HONEST]
        assert len(mine) == 6
        for at in mine:
            assert opened_by(COALITION, state.cards.cards[at]) is None
            assert opened_by((HONEST, *COALITION), state.cards.cards[at]) is not None

    def test_is_none_of_the_candidates(self) -> None:
        """For each card M, is ``b - M`` a known multiple of ``a``, of a key or of G? It is with the honest secret."""
        deck = played().sessions[HONEST].state.cards
        for card in deck.hands[HONEST][:2]:
            known = multiples_of(deck.keys[HONEST]) | multiples_of(deck.key) | multiples_of(G)
            known |= {card.a * player(seat).x for seat in COALITION}
            assert not [point for point in CARD_POINTS if card.b - point in known]
            known.add(card.a * player(HONEST).x)
            assert len([point for point in CARD_POINTS if card.b - point in known]) == 1


class TestArrangingAnew:
    """P5: which card of a hand was drawn when."""

    def hands(self) -> tuple[tuple[Ciphertext, ...], tuple[Ciphertext, ...]]:
        round_ = round_of(Kind.REARRANGE, HONEST)
        after = played().sessions[HONEST].rounds[round_.state.round + 1].state
        return round_.state.cards.hands[HONEST], after.cards.hands[HONEST]

    def test_gives_new_ciphertexts_of_the_same_cards(self) -> None:
        before, after = self.hands()
        assert len(before) == len(after) == 6
        assert not {half for card in before for half in (card.a, card.b)} & {
            half for card in after for half in (card.a, card.b)
        }
        opened = [[opened_by((HONEST,), card) for card in hand] for hand in (before, after)]
        assert None not in opened[0]
        assert opened[0] != opened[1]
        assert set(opened[0]) == set(opened[1])

    def test_cannot_be_undone_with_the_randomness_of_all_others(self) -> None:
        before, after = self.hands()
        of_g, of_key = multiples_of(G), multiples_of(player(HONEST).key)
        for old in before:
            for new in after:
                assert new.a - old.a not in of_g
                assert new.b - old.b not in of_key

    def test_is_undone_by_the_honest_secret(self) -> None:
        before, after = self.hands()
        mine = {G * mask for mask in masks_of(HONEST)}
        assert sum(new.a - old.a in mine for old in before for new in after) == len(before)

    def test_hides_when_a_played_card_was_drawn(self) -> None:
        """The ciphertext that a play opens was never seen in the pack, and none of it leads back there."""
        round_ = round_of(Kind.PLAY, HONEST)
        body = round_.spoken[0].body
        assert isinstance(body, Play)
        assert body.positions
        deck = round_.state.cards
        dealt = round_of(Kind.DEAL).state.cards.cards
        of_g = multiples_of(G)
        for at in body.positions:
            played_card = deck.hands[HONEST][at]
            for drawn in dealt:
                assert played_card.a != drawn.a
                assert played_card.a - drawn.a not in of_g


class TestWhatIsSaid:
    def test_holds_no_secret_before_the_books(self, trio: Table) -> None:
        for seat in range(3):
            session = trio.sessions[seat]
            me = session.player
            assert me is not None
            secrets = [me.game_secret, encode_scalar(me.x), me.x.to_bytes(32, "big")]
            after_reveal = [me.lot_seed]
            for round_ in session.rounds:
                data = b"".join(said.envelope.data for said in round_.spoken)
                if round_.kind is not Kind.BOOKS:
                    assert not [secret for secret in secrets if secret in data]
                if round_.kind is Kind.COMMIT:
                    assert not [secret for secret in after_reveal if secret in data]
                    assert me.key.encode() not in data

    def test_masks_and_nonces_are_never_said(self) -> None:
        said = b"".join(event.message for event in played().events[HONEST] if isinstance(event, Send) and event.own)
        for mask in masks_of(HONEST):
            assert encode_scalar(mask) not in said

    def test_has_a_length_that_does_not_tell_the_cards(self) -> None:
        """The same seats with other secrets, and so other cards: before play every message is as long as ever."""
        lengths = set()
        for seed in range(3):
            table = Table(make_genesis(2, seed=7), seed=seed)
            table.run(until=lambda table: any(round_.kind is Kind.REARRANGE for round_ in table.sessions[0].rounds))
            rounds = table.sessions[0].rounds
            lengths.add(
                tuple(
                    (round_.kind, *sorted(len(said.envelope.payload) for said in round_.spoken))
                    for round_ in rounds[:7]
                )
            )
        assert len(lengths) == 1

    def test_a_pass_is_as_long_for_every_hand(self, trio: Table) -> None:
        passes = {
            len(said.envelope.payload)
            for round_ in trio.sessions[0].rounds
            for said in round_.spoken
            if round_.kind is Kind.CALL and getattr(said.body, "position", 0) is None
        }
        assert len(passes) <= 1


def test_no_share_is_given_before_everybody_confirmed() -> None:
    """In every honest course, shares come right after a round in which all signed the head, and only what is due."""
    rounds = played().sessions[HONEST].rounds
    for before, round_ in pairwise(rounds):
        if round_.kind in (Kind.DEAL, Kind.DRAW):
            assert before.kind is Kind.CONFIRM
            assert len(before.spoken) == 3
            for said in round_.spoken:
                owed = round_.state.cards.owed(round_.state.dues, said.envelope.seat)
                assert len(getattr(said.body, "shares", b"")) == 32 * len(owed)


def test_a_card_nobody_drew_is_shared_by_nobody() -> None:
    state = played().sessions[HONEST].state
    journal = b"".join(played().journals[HONEST])
    for at in hidden_positions():
        for seat in range(3):
            assert share(player(seat).x, state.cards.cards[at]).encode() not in journal
