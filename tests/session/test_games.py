"""Whole games: on any wire they end, everywhere alike, and their transcripts hold."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from p2pdurak.bots import steady
from p2pdurak.cards import Card, card_set, pack
from p2pdurak.crypto.elgamal import Ciphertext, open_with_shares, share
from p2pdurak.errors import IllegalAction, LocalProtocolError
from p2pdurak.game.actions import Lead, Pass
from p2pdurak.game.opening import FIRST, Opening, next_opening
from p2pdurak.game.rules import legal_actions, outcome
from p2pdurak.game.ruleset import PRESETS, NextLead, NoTrumpLead, ruleset
from p2pdurak.session.audit import Report, audit, match_problem
from p2pdurak.session.deck import opened_card
from p2pdurak.session.events import (
    BoutOver,
    Called,
    DealerChosen,
    Dealt,
    Finished,
    GameOver,
    LeadDecided,
    LeadReason,
    Played,
)
from p2pdurak.session.player import Player
from p2pdurak.session.session import Session
from p2pdurak.wire.messages import Kind
from tests.helpers import RELIABLE, ROUGH, Choose, Faults, Table, eager, entropy, make_genesis, signing_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State
    from p2pdurak.session.round import CompleteRound
    from p2pdurak.wire.genesis import Genesis

ALL_GAMES = list(product(range(2, 7), (36, 52), ("albanian", "perevodnoy-2"), (RELIABLE, ROUGH)))
EVERYDAY = [
    (2, 36, "perevodnoy-2", ROUGH),
    (3, 52, "albanian", ROUGH),
    (6, 36, "perevodnoy-2", RELIABLE),
]


@pytest.mark.parametrize(("players", "pack_size", "rules", "faults"), EVERYDAY)
def test_a_game_ends_and_holds(players: int, pack_size: int, rules: str, faults: Faults) -> None:
    play_and_check(players, pack_size, rules, faults, seed=1, choose=lambda seat: eager)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 5))
@pytest.mark.parametrize(("players", "pack_size", "rules", "faults"), ALL_GAMES)
def test_every_game_ends_and_holds(players: int, pack_size: int, rules: str, faults: Faults, seed: int) -> None:
    play_and_check(players, pack_size, rules, faults, seed=seed)


@pytest.mark.soak
@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("pack_size", [36, 52])
@pytest.mark.parametrize("players", range(2, 7))
def test_every_ruleset_pack_and_number_of_players(players: int, pack_size: int, rules: str) -> None:
    play_and_check(players, pack_size, rules, RELIABLE, seed=7, choose=lambda seat: steady.choose)


@pytest.mark.soak
@pytest.mark.parametrize("rules", PRESETS)
@pytest.mark.parametrize("seed", range(40))
def test_many_games_of_all_rules_end_and_hold(rules: str, seed: int) -> None:
    play_and_check(2 + seed % 3, 36, rules, RELIABLE, seed=seed)


def play_and_check(
    players: int,
    pack_size: int,
    rules: str,
    faults: Faults,
    *,
    seed: int,
    choose: Callable[[int], Choose] | None = None,
) -> None:
    genesis = make_genesis(players, rules=PRESETS[rules], pack_size=pack_size, seed=seed)
    table = Table(genesis, seed=seed, choose=choose, faults=faults, watchers=1).run()
    watcher = table.sessions[-1]
    assert all(session.finished and not session.convicted for session in table.sessions)
    assert not table.refused
    (transcript,) = table.transcripts()
    for session in table.sessions:
        assert session.state == watcher.state
    check_report(audit(transcript), watcher)
    check_events(table)
    for round_ in [round_ for round_ in watcher.rounds if round_.kind is Kind.PLAY][::9]:
        check_whole_pack(round_, opened_books(watcher))


def check_report(report: Report, watcher: Session) -> None:
    assert report.holds, report.problems
    genesis, counts, events = report.genesis, report.counts, [round_.kind for round_ in watcher.rounds]
    players, cards = genesis.players, genesis.pack_size
    assert report.final_head == watcher.state.final_head
    assert report.outcome == outcome(watcher.state.play)
    assert counts.rounds == len(events)
    assert counts.signatures == sum(len(round_.spoken) for round_ in watcher.rounds)
    assert (counts.shuffles, counts.books) == (players, players)
    assert counts.lowest_trump_claims == players * events.count(Kind.CALL)
    assert counts.rule_decisions == events.count(Kind.PLAY)
    # A card goes to its holder by the shares of all others, the face-up card to everybody by all. What remains of a
    # talon after a draw by repetition was never shared.
    handed_out = cards - watcher.state.play.talon - (watcher.state.play.talon == 0)
    assert counts.shares == handed_out * (players - 1) + players


def check_events(table: Table) -> None:
    """Everybody was told the same, in the same order."""
    told = (DealerChosen, Dealt, Called, LeadDecided, Played, BoutOver, GameOver, Finished)
    stories = [[event for event in events if isinstance(event, told)] for events in table.events]
    assert all(story == stories[0] for story in stories)
    kinds = [type(event) for event in stories[0]]
    assert kinds[:2] == [DealerChosen, Dealt]
    assert kinds[-2:] == [GameOver, Finished]
    assert kinds.count(LeadDecided) == 1


def opened_books(session: Session) -> tuple[bytes, ...]:
    """The game secrets of all seats."""
    return tuple(book for book in session.state.books if book is not None)


def check_whole_pack(round_: CompleteRound, books: tuple[bytes, ...]) -> None:
    """With the books open, hands, talon, table and discard are the whole pack, each card once."""
    state, game = round_.state, round_.state.play
    players = [Player(state.game_id, seat, secret) for seat, secret in enumerate(books)]
    hands = [player.hand(state.cards) for player in players]
    for seat, hand in enumerate(hands):
        assert len(hand) == game.hands[seat].size
        assert game.hands[seat].known & ~card_set(hand) == 0
    talon = [face_down(players, state.cards.cards[at]) for at in range(state.cards.top, state.genesis.pack_size)]
    assert len(talon) == max(game.talon - 1, 0)
    if game.talon:
        talon.append(game.face_up)
    discard = [card for card in pack(state.genesis.pack_size) if game.discard >> card & 1]
    everywhere = [*(card for hand in hands for card in hand), *talon, *game.on_table, *discard]
    assert sorted(everywhere) == list(pack(state.genesis.pack_size))


def face_down(players: Sequence[Player], card: Ciphertext) -> Card:
    return opened_card(open_with_shares(card, [share(player.x, card) for player in players]))


def test_every_card_can_be_turned_up() -> None:
    """Card 0, the ace of clubs, is as good a trump as any other."""
    turned_up = set()
    for seed in range(60):
        table = Table(make_genesis(2, seed=seed), seed=seed)
        table.run(until=lambda table: table.sessions[0].state.face_up is not None)
        turned_up.add(table.sessions[0].state.face_up)
        if table.sessions[0].state.face_up == 0:
            break
    assert 0 in turned_up


def test_the_hand_a_player_sees_is_the_hand_the_books_show(trio: Table) -> None:
    seen: list[tuple[int, int, tuple[Card, ...]]] = []

    def watching(seat: int) -> Choose:
        def choose(view: State) -> Action:
            session = table.sessions[seat]
            seen.append((session.state.round, seat, session.hand()))
            return eager(view)

        return choose

    table = Table(trio.genesis, seed=7, choose=watching)
    table.run()
    watcher = trio.sessions[-1]
    assert table.transcripts() == trio.transcripts()
    for round_, seat, hand in seen:
        state = watcher.rounds[round_].state
        assert Player(state.game_id, seat, opened_books(watcher)[seat]).hand(state.cards) == hand


def test_a_match_goes_on_from_head_to_head_and_closed_books_stay_closed(duel: Table) -> None:
    (transcript,) = duel.transcripts()
    first, state = audit(transcript), duel.sessions[0].state
    assert first.outcome is not None
    opening = next_opening(duel.genesis.rules, first.outcome, state.dealer, 2)
    genesis = make_genesis(2, seed=10, number=2, opening=opening, previous=state.final_head, open_books=False)
    table = Table(genesis, seed=10, choose=lambda seat: eager).run()
    lead = next(event for event in table.events[0] if isinstance(event, LeadDecided))
    assert (lead.reason, lead.leader) == (LeadReason.GAME_BEFORE, opening.leader)
    assert table.sessions[0].state.dealer == opening.dealer
    (transcript,) = table.transcripts()
    second = audit(transcript)
    assert second.holds
    assert second.counts.books == 0
    assert table.sessions[0].rounds[-1].kind is Kind.RESULT
    for session in table.sessions:
        assert session.player is not None
        assert session.player.game_secret not in transcript
    assert match_problem(first, second) is None
    assert match_problem(second, first) is not None
    assert match_problem(first, first) is not None
    wrong = [FIRST, Opening(opening.dealer, None), *(Opening(dealer, leader) for dealer in (0, 1) for leader in (0, 1))]
    for other in set(wrong) - {opening}:
        forged = Report(genesis_with(genesis, other), second.state)
        assert match_problem(first, forged) is not None
    unfinished = Report(first.genesis, table.sessions[0].rounds[-1].state)
    assert match_problem(unfinished, second) is not None


def genesis_with(genesis: Genesis, opening: Opening) -> Genesis:
    return make_genesis(2, seed=10, number=genesis.number, opening=opening, previous=genesis.previous)


@pytest.mark.parametrize(
    ("players", "pack_size", "option"),
    [
        (2, 36, NoTrumpLead.LOT),
        (2, 36, NoTrumpLead.LOWEST_CARD),
        pytest.param(6, 36, NoTrumpLead.LOWEST_CARD, marks=pytest.mark.soak),
    ],
)
def test_the_first_lead_goes_to_the_lowest_trump(players: int, pack_size: int, option: NoTrumpLead) -> None:
    rules = ruleset("albanian", {"no_trump_lead": option.value, "next_lead": NextLead.LOWEST_TRUMP.value})
    for seed in range(4 if players == 2 else 1):
        table = Table(make_genesis(players, rules=rules, pack_size=pack_size, seed=seed), seed=seed)
        table.run(until=lambda table: all(session.state.game for session in table.sessions))
        lead = next(event for event in table.events[0] if isinstance(event, LeadDecided))
        hands = [card_set(session.hand()) for session in table.sessions]
        face_up = table.sessions[0].state.face_up
        assert face_up is not None
        trumps = [
            [card for card in pack(pack_size) if hand >> card & 1 and card.suit == face_up.suit] for hand in hands
        ]
        if any(trumps):
            lowest = max(card for hand in trumps for card in hand)
            assert lead.reason is LeadReason.LOWEST_TRUMP
            assert (lead.card, hands[lead.leader] >> lowest & 1) == (lowest, 1)
        else:
            called = [event for event in table.events[0] if isinstance(event, Called)][-1]
            equal = len(called.opened) > 1
            by_card = LeadReason.LOT_AMONG_LOWEST if equal else LeadReason.LOWEST_CARD
            assert lead.reason is (LeadReason.LOT if option is NoTrumpLead.LOT else by_card)


class TestOwnMistakes:
    """The caller errs: an exception, and nothing has happened."""

    def test_a_move_that_is_illegal_or_not_in_hand(self, duel: Table) -> None:
        table = Table(duel.genesis, seed=10, choose=lambda seat: eager)
        table.run(until=lambda table: any(session.my_decision for session in table.sessions))
        asked = next(session for session in table.sessions if session.my_decision)
        other = next(session for session in table.sessions if session is not asked)
        before, heard = asked.state, asked.messages_from(0)
        absent = next(card for card in pack(36) if card not in asked.hand())
        for wrong in (Pass(), Lead((absent,))):
            with pytest.raises(IllegalAction):
                asked.act(wrong)
        with pytest.raises(LocalProtocolError):
            other.act(legal_actions(asked.view())[0])
        assert (asked.state, asked.messages_from(0)) == (before, heard)
        assert asked.my_decision
        asked.act(legal_actions(asked.view())[0])
        with pytest.raises(LocalProtocolError):
            asked.act(Pass())

    def test_a_watcher_does_not_act(self, trio: Table) -> None:
        watcher = Session(trio.genesis)
        assert watcher.start() == []
        assert watcher.hand() == ()
        with pytest.raises(LocalProtocolError):
            watcher.act(Pass())
        with pytest.raises(LocalProtocolError):
            watcher.view()
        assert trio.sessions[-1].view() == trio.sessions[-1].state.play

    def test_a_seat_needs_its_key_and_a_secret(self, duel: Table) -> None:
        secret = entropy("secret")
        for key, given in ((signing_key(1), secret), (None, secret), (signing_key(0), None)):
            with pytest.raises(LocalProtocolError):
                Session(duel.genesis, seat=0, key=key, secret=given)

    def test_nothing_is_said_after_the_end(self, duel: Table) -> None:
        finished = duel.sessions[0]
        assert (finished.kind, finished.waiting_for(), finished.my_decision) == (None, (), False)
        assert finished.start() == []
        with pytest.raises(LocalProtocolError):
            finished.act(Pass())


def test_a_view_counts_cards_on_their_way_as_hidden(duel: Table) -> None:
    """Between a bout and the draw the hand is shorter than the rules say, and can be looked at all the same."""
    table, looks = Table(duel.genesis, seed=10, choose=lambda seat: eager), 0

    def look(table: Table) -> bool:
        nonlocal looks
        for seat, session in enumerate(table.sessions):
            if session.state.game is not None:
                hand = session.view().hands[seat]
                assert (hand.known, hand.size) == (card_set(session.hand()), session.state.play.hands[seat].size)
                looks += hand.hidden > 0
        return False

    table.run(until=look)
    assert looks
