"""What both descriptions of the game say up to the first lead, sentence by sentence; ``docs/sources.md`` points here."""

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
from p2pdurak.session.events import DealerChosen
from p2pdurak.wire.genesis import Genesis
from p2pdurak.wire.messages import Kind
from tests.game.positions import bits, legal, position
from tests.helpers import Table, make_genesis

SOURCES = ("albanian", "perevodnoy-2")
SIZES = [(name, pack_size, players) for name in SOURCES for pack_size in (36, 52) for players in range(2, 7)]


@pytest.mark.parametrize(("name", "pack_size", "players"), SIZES)
def test_two_to_six_play_with_one_pack_of_36_or_52(name: str, pack_size: int, players: int) -> None:
    order = random.Random(players).sample(pack(pack_size), pack_size)
    state = deal(PRESETS[name], order, players)
    dealt = [card for hand in state.hands for card in pack(pack_size) if hand.known >> card & 1]
    assert state.players == players
    assert sorted([*dealt, *order[6 * players :]]) == list(pack(pack_size))


@pytest.mark.parametrize("name", SOURCES)
def test_there_is_no_other_number_of_players_and_no_other_pack(name: str) -> None:
    for players in (1, 7):
        with pytest.raises(ValueError, match="cannot play"):
            deal(PRESETS[name], pack(52), players)
    for size in (32, 54):
        with pytest.raises(NotationError, match="36 or 52"):
            pack(size)


def test_ranks_rise_from_two_to_ace() -> None:
    """Of two cards of a suit, the one that stands later in this row beats the other, and only that one."""
    row = [parse_card(f"{rank}♣") for rank in "2 3 4 5 6 7 8 9 10 J Q K A".split()]
    for low, high in [(row[i], row[j]) for j in range(13) for i in range(j)]:
        state = position(f"{low} 2♦", f"{high} 3♦", pack_size=52, turned="K♠")
        assert Cover(low, high) in legal_actions(_led(state, f"lead {low}"))
        state = position(f"{high} 2♦", f"{low} 3♦", pack_size=52, turned="K♠")
        assert legal(_led(state, f"lead {high}")) == ["take"]


def _led(state: object, action: str) -> object:
    raise NotImplementedError
