"""Several games in a row: who deals and leads, the score, and the text of it all."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pdurak.cards import pack
from p2pdurak.errors import NotationError
from p2pdurak.game.match import Game, Match, format_match, parse_match
from p2pdurak.game.opening import FIRST, Opening
from p2pdurak.game.rules import DrawReason, Outcome, apply, legal_actions, outcome, refill
from p2pdurak.game.ruleset import Draws, NextLead, Ruleset
from p2pdurak.game.simulate import deal, drawn
from p2pdurak.game.state import Phase
from tests.game.positions import PEREVODNOY_2
from tests.game.strategies import random_ruleset, rulesets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TWO = ("Anna", "Boris")
EXAMPLE = (Path(__file__).parent / "golden" / "matches" / "changed_seats.txt").read_text("utf-8")


def random_match(seed: int) -> Match:
    """A match of whole random games, between which people come, go and change their seats."""
    chance = random.Random(seed)
    people = ["Anna", "Boris K.", "Ёлка", "4", "Eve, the other", "fool"]
    match = Match(random_ruleset(chance), chance.choice([36, 52]))
    players = tuple(chance.sample(people, chance.randint(2, 6)))
    for _ in range(chance.randint(0, 5)):
        if chance.random() < 0.5:
            players = tuple(chance.sample(people, chance.randint(2, 6)))
        opening = match.opening(players)
        dealer = chance.randrange(len(players)) if opening.dealer is None else opening.dealer
        cards = chance.sample(pack(match.pack_size), match.pack_size)
        begin = state = deal(match.rules, cards, len(players), dealer, opening.leader, chance.choice)
        while state.phase is not Phase.OVER:
            if state.phase is Phase.REFILL:
                state = refill(state, drawn(state, cards))
            else:
                state = apply(state, chance.choice(legal_actions(state)))
        result = outcome(state)
        assert result is not None
        match = match.after(Game(players, dealer, begin.leader, result))
    return match


@pytest.mark.parametrize("seed", range(25))
def test_r8_r9_r10_a_match_of_whole_games_comes_back_from_its_text(seed: int) -> None:
    match = random_match(seed)
    text = format_match(match)
    assert parse_match(text) == match
    assert parse_match("# a remark\n\n" + text.replace("\n", "  \n\n")) == match
    assert sum(match.score().values()) + match.draws == len(match.games)


def test_r6_r9_an_empty_match_opens_by_lot_and_cards() -> None:
    match = Match(PEREVODNOY_2, 36)
    assert match.opening(TWO) == FIRST
    assert (match.score(), match.draws) == ({}, 0)
    assert parse_match(format_match(match)) == match


def test_r8_r9_the_opening_follows_from_the_last_game_alone() -> None:
    first = Match(PEREVODNOY_2, 36).after(Game(TWO, 1, 1, Outcome(0, (1,))))
    assert first.opening(TWO) == Opening(dealer=0, leader=1)
    second = first.after(Game(TWO, 0, 1, Outcome(None, (), DrawReason.REPETITION)))
    assert second.opening(TWO) == Opening(dealer=0, leader=None)
    assert second.opening(("Boris", "Anna")) == Opening(dealer=1, leader=None)
    assert second.opening(("Boris", "Clara")) == FIRST
    assert (second.score(), second.draws) == ({"Anna": 1, "Boris": 0}, 1)
    from_under = Match(replace(PEREVODNOY_2, next_lead=NextLead.FROM_UNDER), 36, first.games)
    assert from_under.opening(("Anna", "Clara", "Boris")) == Opening(dealer=0, leader=1)


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (Game(TWO, 1, 1, Outcome(0, (1,))), "Seat 0 deals this game, not seat 1"),
        (Game(TWO, 0, 0, Outcome(0, (1,))), "Seat 1 leads this game, not seat 0"),
        (Game(("Anna",), 0, 0, Outcome(0, ())), "2 to 6 players, not 1"),
        (Game(tuple("abcdefg"), 0, 1, Outcome(0, (1, 2, 3, 4, 5, 6))), "2 to 6 players, not 7"),
        (Game(("Anna", "Anna"), 0, 1, Outcome(0, (1,))), "a name of their own"),
        (Game(("Anna", ""), 0, 1, Outcome(0, (1,))), "'' is no name"),
        (Game(("Anna", " Boris"), 0, 1, Outcome(0, (1,))), "' Boris' is no name"),
        (Game(("Anna", "Boris\nClara"), 0, 1, Outcome(0, (1,))), "is no name"),
        (Game(TWO, 2, 1, Outcome(0, (1,))), "must have a seat"),
        (Game(TWO, 0, -1, Outcome(0, (1,))), "must have a seat"),
        (Game(TWO, 0, 1, Outcome(0, (0,))), "is not the fool"),
        (Game(TWO, 0, 1, Outcome(0, (1, 1))), "named once"),
        (Game(TWO, 0, 1, Outcome(0, (1, 2))), "has a seat"),
        (Game(TWO, 0, 1, Outcome(0, ())), "one fool when all others are out"),
        (Game(TWO, 0, 1, Outcome(2, (0, 1))), "one fool when all others are out"),
        (Game(TWO, 0, 1, Outcome(None, (1,))), "its reason"),
        (Game(TWO, 0, 1, Outcome(0, (1,), DrawReason.REPETITION)), "its reason"),
    ],
)
def test_a_game_that_cannot_be_the_next_is_refused(game: Game, complaint: str) -> None:
    match = Match(PEREVODNOY_2, 36).after(Game(TWO, 1, 1, Outcome(0, (1,))))
    with pytest.raises(NotationError, match=complaint):
        match.after(game)


def endings(draws: Draws, players: int) -> Iterator[Outcome]:
    """Every way in which so many players can end a game: some still hold cards, the others got rid of them in turn."""
    for out in (out for number in range(players + 1) for out in permutations(range(players), number)):
        holders = set(range(players)) - set(out)
        if len(holders) > 1:
            yield from (Outcome(None, out, reason) for reason in (DrawReason.REPETITION, DrawReason.NO_PROGRESS))
        elif holders:
            yield Outcome(holders.pop(), out)
        elif draws is Draws.TRUE:
            yield Outcome(None, out, DrawReason.EMPTY_HANDS)
        else:
            yield from (Outcome(fool, tuple(seat for seat in out if seat != fool)) for fool in out)


def accepted(match: Match, game: Game) -> bool:
    try:
        match.after(game)
    except NotationError:
        return False
    return True


@pytest.mark.parametrize(("draws", "players"), list(product(Draws, (2, 3))))
def test_r37_r39_r40_a_game_ends_in_no_other_way_than_the_rules_let_it(draws: Draws, players: int) -> None:
    match, seats = Match(replace(PEREVODNOY_2, draws=draws), 36), ("Anna", "Boris", "Clara")[:players]
    outs = [out for number in range(players + 2) for out in product(range(players), repeat=number)]
    possible = {
        result
        for result in map(Outcome._make, product([None, *range(players + 1)], outs, [None, *DrawReason]))
        if accepted(match, Game(seats, 0, 0, result))
    }
    assert possible == set(endings(draws, players))


@pytest.mark.parametrize(
    ("ending", "complaint"),
    [
        ("draw by empty-hands, out 1 2", "Line 10: A game is a draw by empty hands only when all are out"),
        ("draw by repetition, out 1 2", "Line 10: A game that goes round in circles is a draw only while two or more"),
        (
            "draw by no-progress, out 1 2 0",
            "Line 10: A game that goes round in circles is a draw only while two or more",
        ),
        ("fool 0, out 1", "Line 10: A game ends with one fool when all others are out"),
    ],
)
def test_an_ending_that_cannot_be_is_named_with_its_line(ending: str, complaint: str) -> None:
    text = (Path(__file__).parent / "golden" / "matches" / "dealer_after_a_draw.txt").read_text("utf-8")
    text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))
    first = "draw by empty-hands, out 1 2 0"
    with pytest.raises(NotationError, match=complaint):
        parse_match(text.replace(first, ending, 1))
    with pytest.raises(NotationError, match="Line 10: With draws=defender-loses there is no draw by empty hands"):
        parse_match(text.replace("draws=true", "draws=defender-loses"))


@st.composite
def matches(draw: Callable[[st.SearchStrategy[object]], object]) -> Match:
    """A match of games that end in any way, and between which anything may happen to the seats."""
    chance = random.Random(str(draw(st.integers(0, 1 << 32))))
    rules = draw(rulesets())
    assert isinstance(rules, Ruleset)
    match = Match(rules, chance.choice([36, 52]))
    for _ in range(chance.randint(0, 8)):
        players = tuple(chance.sample(["Anna", "Boris K.", "Ёлка", "4", "ended fool", "game"], chance.randint(2, 4)))
        opening = match.opening(players)
        dealer, leader = (chance.randrange(len(players)) if seat is None else seat for seat in opening)
        result = chance.choice(list(endings(rules.draws, len(players))))
        match = match.after(Game(players, dealer, leader, result))
    return match


@settings(max_examples=100, derandomize=True, deadline=None)
@given(matches())
def test_a_match_of_games_that_end_in_any_way_comes_back_from_its_text(match: Match) -> None:
    assert parse_match(format_match(match)) == match


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("rules lead", "lead", "Line 3: here should be the word 'rules'"),
        ("pack 36", "pack 37", "Line 4: There is no pack of 37"),
        ("game 2", "game 3", "Line 15: 'game 3' should be 'game 2'"),
        ("seat 0 Anna\n", "", "Line 12: The dealer and the leader must have a seat"),
        ("dealer 0, by lot", "dealer 0", "Line 11: 'dealer 0' should be 'dealer 0, by lot'"),
        ("dealer 0, the fool", "dealer 1, the fool", "Line 21: Seat 0 deals this game"),
        ("leader 2, under the fool", "leader 1, under the fool", "Line 21: Seat 2 leads this game"),
        ("leader 2, under the fool", "leader 2, by the cards", "Line 20: .* should be 'leader 2, under the fool'"),
        ("ended fool 2, out 0 1 3", "ended loser 2, out 0 1 3", "Line 13: here should be the fool, or 'draw by"),
        ("ended fool 2, out 0 1 3", "ended fool 2", "Line 13: '' should be a number"),
        ("ended fool 2, out 0 1 3", "ended fool many, out 0 1 3", "Line 13: 'many' should be a number"),
        ("score 2 Anna", "score 3 Anna", "'score 3 Anna' should be 'score 2 Anna'"),
        ("draws 2\n", "", "The text breaks off before 'draws 2'"),
        ("draws 2\n", "draws 2\ngame 7\n", "here the text should end"),
    ],
)
def test_what_goes_against_the_rules_is_named_with_its_line(old: str, new: str, complaint: str) -> None:
    assert old in EXAMPLE
    with pytest.raises(NotationError, match=complaint):
        parse_match(EXAMPLE.replace(old, new, 1))
