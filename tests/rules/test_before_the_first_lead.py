"""What both descriptions of the game say up to the first lead, sentence by sentence; see ``docs/sources.md``."""

from __future__ import annotations

import random

import pytest

from p2pdurak.cards import card_set, pack, parse_card
from p2pdurak.errors import NotationError
from p2pdurak.game.actions import Cover
from p2pdurak.game.opening import find_leader, lowest_trump_calls, next_opening
from p2pdurak.game.rules import Outcome, legal_actions
from p2pdurak.game.ruleset import PRESETS, NextLead, NoTrumpLead, ruleset
from p2pdurak.game.simulate import deal, drawn, play
from p2pdurak.game.state import Phase
from p2pdurak.session.deck import opened_card
from p2pdurak.session.events import DealerChosen
from p2pdurak.wire.genesis import decode_genesis
from p2pdurak.wire.messages import Kind
from tests.game.positions import after, bits, legal, position
from tests.helpers import Table, make_genesis

SOURCES = ("albanian", "perevodnoy-2")
both = pytest.mark.parametrize("name", SOURCES)
SIZES = [(name, pack_size, players) for name in SOURCES for pack_size in (36, 52) for players in range(2, 7)]


@pytest.mark.parametrize(("name", "pack_size", "players"), SIZES)
def test_two_to_six_play_with_one_pack_of_36_or_52(name: str, pack_size: int, players: int) -> None:
    order = random.Random(players).sample(pack(pack_size), pack_size)
    state = deal(PRESETS[name], order, players)
    dealt = [card for hand in state.hands for card in pack(pack_size) if hand.known >> card & 1]
    assert state.players == players
    assert sorted([*dealt, *order[6 * players :]]) == list(pack(pack_size))


@both
def test_there_is_no_other_number_of_players_and_no_other_pack(name: str) -> None:
    for players in (1, 7):
        with pytest.raises(ValueError, match="cannot play"):
            deal(PRESETS[name], pack(52), players)
    for size in (32, 54):
        with pytest.raises(NotationError, match="36 or 52"):
            pack(size)


def test_ranks_rise_from_two_to_ace() -> None:
    """Of two cards of a suit, the one that stands later in this row beats the other, and only that one."""
    row = [parse_card(f"{rank}♣") for rank in (*range(2, 11), *"JQKA")]
    for low, high in [(row[i], row[j]) for j in range(13) for i in range(j)]:
        state = position(f"{low} 2♦", f"{high} 3♦", pack_size=52, turned="K♠")
        assert Cover(low, high) in legal_actions(after(state, f"lead {low}"))
        state = position(f"{high} 2♦", f"{low} 3♦", pack_size=52, turned="K♠")
        assert legal(after(state, f"lead {high}")) == ["take"]


def test_the_pack_lies_with_aces_on_top_and_the_lowest_rank_at_the_bottom_before_it_is_shuffled() -> None:
    assert (
        " ".join(str(card) for card in pack(52) if str(card).endswith("♥")) == "A♥ K♥ Q♥ J♥ 10♥ 9♥ 8♥ 7♥ 6♥ 5♥ 4♥ 3♥ 2♥"
    )
    assert {str(card)[:-1] for card in pack(52)[:4]} == {"A"}
    assert {str(card)[:-1] for card in pack(52)[-4:]} == {"2"}
    assert {str(card)[:-1] for card in pack(36)[-4:]} == {"6"}
    table = Table(make_genesis(2, pack_size=52))
    table.run(until=lambda table: any(isinstance(event, DealerChosen) for event in table.events[0]))
    deck = table.sessions[0].state.cards
    assert [opened_card(card.b - deck.key) for card in deck.cards] == list(pack(52))


@both
def test_the_first_dealer_is_drawn_by_lot(name: str) -> None:
    dealers = set()
    for seed in range(12):
        table = Table(make_genesis(3, rules=PRESETS[name], seed=seed), seed=seed)
        table.run(until=lambda table: any(isinstance(event, DealerChosen) for event in table.events[0]))
        (chosen,) = [event for event in table.events[0] if isinstance(event, DealerChosen)]
        assert chosen.by_lot
        dealers.add(chosen.dealer)
    assert dealers == {0, 1, 2}


@both
@pytest.mark.parametrize("fool", range(4))
def test_the_loser_deals_the_next_game(name: str, fool: int) -> None:
    places = tuple(seat for seat in range(4) if seat != fool)
    assert next_opening(PRESETS[name], Outcome(fool, places), dealer=(fool + 1) % 4, players=4).dealer == fool


@pytest.mark.parametrize("players", [2, 3])
def test_everybody_shuffles_before_a_card_is_dealt(players: int) -> None:
    table = Table(make_genesis(players)).run(until=lambda table: bool(table.sessions[0].state.face_up))
    kinds = [round_.kind for round_ in table.sessions[0].rounds]
    assert kinds.count(Kind.SHUFFLE) == players
    assert kinds.index(Kind.DEAL) > max(at for at, kind in enumerate(kinds) if kind is Kind.SHUFFLE)


@pytest.mark.parametrize(("name", "pack_size", "players"), SIZES)
def test_each_gets_six_cards_from_the_top_one_at_a_time(name: str, pack_size: int, players: int) -> None:
    order = random.Random(players).sample(pack(pack_size), pack_size)
    state = deal(PRESETS[name], order, players, dealer=players - 1)
    for seat, hand in enumerate(state.hands):
        assert hand.known == card_set(order[seat : 6 * players : players])
        assert hand.size == 6


@pytest.mark.parametrize(("name", "pack_size", "players"), SIZES)
def test_the_top_card_of_the_rest_is_turned_gives_the_trump_and_lies_under_it(
    name: str, pack_size: int, players: int
) -> None:
    chance = random.Random(players)
    order = chance.sample(pack(pack_size), pack_size)
    begin = deal(PRESETS[name], order, players)
    assert begin.talon == pack_size - 6 * players
    if begin.talon == 0:
        # Six players with 36 cards: the sources do not say; the last card dealt gives the trump.
        assert begin.trump == order[-1].suit
        return
    turned = order[6 * players]
    assert (begin.face_up, begin.trump) == (turned, turned.suit)
    # Whatever is drawn comes from the talon in its order, and the turned card at the very end.
    taken = 0
    for state in play(begin, order, lambda state: chance.choice(legal_actions(state))):
        if state.phase is Phase.REFILL:
            for cards in drawn(state, order).values():
                first = 6 * players + 1 + taken
                assert cards == card_set(order[first : first + cards.bit_count()])
                taken += cards.bit_count()


@both
def test_in_the_first_game_the_lowest_trump_leads(name: str) -> None:
    hands = [bits("A♣ K♠ 6♦"), bits("9♠ 6♣ 6♥"), bits("J♠ Q♠ 7♦")]
    assert find_leader(PRESETS[name], 36, hands, parse_card("8♠"), lambda seats: -1) == 1


@both
def test_without_a_trump_the_lot_or_the_lowest_card_decides(name: str) -> None:
    hands, turned = [bits("A♣ K♦ 8♦"), bits("9♥ 7♣ 8♥"), bits("J♥ Q♥ 8♣")], parse_card("8♠")
    by_card = ruleset(name, {"no_trump_lead": NoTrumpLead.LOWEST_CARD})
    by_lot = ruleset(name, {"no_trump_lead": NoTrumpLead.LOT})
    assert find_leader(by_card, 36, hands, turned, lambda seats: -1) == 1
    assert find_leader(by_lot, 36, hands, turned, lambda seats: seats[-1]) == 2
    assert len(lowest_trump_calls(by_lot, 36, 3, turned)) == 8


@both
def test_in_later_games_the_fools_right_or_left_neighbour_leads(name: str) -> None:
    over = Outcome(fool=0, places=(1, 2, 3))
    under, from_under = (ruleset(name, {"next_lead": value}) for value in (NextLead.UNDER, NextLead.FROM_UNDER))
    # Seats are numbered clockwise, which is to the left: the right neighbour of seat 0 is seat 3.
    assert next_opening(under, over, dealer=2, players=4).leader == 3
    assert next_opening(from_under, over, dealer=2, players=4).leader == 1


@both
def test_which_of_the_two_is_agreed_before_the_match(name: str) -> None:
    """The choice is part of what starts each game of a match, and of what every message is signed for."""
    tables = [make_genesis(3, rules=ruleset(name, {"next_lead": choice})) for choice in NextLead]
    assert [decode_genesis(genesis.encode()).rules.next_lead for genesis in tables] == list(NextLead)
    assert len({genesis.game_id for genesis in tables}) == len(NextLead)
