"""What is told of a game in plain lines."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from p2pdurak.bots import steady
from p2pdurak.cards import parse_card
from p2pdurak.game.opening import Opening
from p2pdurak.game.ruleset import PRESETS, NextLead
from p2pdurak.session.events import Convicted, LeadDecided, LeadReason, Send
from p2pdurak.ui.language import catalogue
from p2pdurak.ui.narration import Line, Narrator
from p2pdurak.wire.messages import Body, Kind, Shuffle
from tests.helpers import Dishonest, SendTo, Table, make_genesis

if TYPE_CHECKING:
    from collections.abc import Sequence


def told(table: Table, at: int, language: str = "en") -> list[Line]:
    narrator = Narrator(table.genesis, catalogue(language))
    return [*narrator.beginning(), *(line for event in table.events[at] for line in narrator.lines(event))]


@pytest.mark.parametrize(("players", "pack"), [(2, 36), (4, 36), (3, 52)])
def test_every_peer_and_a_watcher_tell_the_same(players: int, pack: int) -> None:
    genesis = make_genesis(players, pack_size=pack, rules=PRESETS["albanian"])
    table = Table(genesis, watchers=1, choose=lambda seat: steady.choose).run()
    # The order in which messages are heard differs from peer to peer; nothing else does, so nothing hidden is told.
    plays = [[line for line in told(table, at) if line["event"] != "heard"] for at in range(players + 1)]
    assert all(play == plays[0] for play in plays)
    assert {line["text"] for line in told(table, players) if "text" in line} == {
        line["text"] for line in told(table, 0) if "text" in line
    }


def test_the_steps_that_make_it_fair_are_told_once_each() -> None:
    table = Table(make_genesis(3), choose=lambda seat: steady.choose).run()
    text = "\n".join(line["text"] for line in told(table, 0) if "text" in line)
    for sentence in (
        "All 3 have committed",
        "All 3 have revealed",
        "is the dealer, by the lot",
        "(1 of 3); the proof holds",
        "(2 of 3); the proof holds",
        "(3 of 3); the proof holds",
        "All 3 have signed the same deck",
        "All 3 have given decryption shares",
        "gives the trump",
        "All 3 have signed the final head",
        "All 3 have opened their books",
    ):
        assert text.count(sentence) == 1, sentence


@pytest.mark.parametrize("players", [2, 3])
def test_a_game_is_told_in_russian(players: int) -> None:
    table = Table(make_genesis(players, rules=PRESETS["perevodnoy-2"]), choose=lambda seat: steady.choose).run()
    english, russian = told(table, 0), told(table, 0, "ru")
    assert [without_text(line) for line in english] == [without_text(line) for line in russian]
    text = "\n".join(line["text"] for line in russian if "text" in line)
    for sentence in ("тасует колоду (1 из", "Роздано по шесть карт", "ходит ", "в дураках", "открыли свои записи"):
        assert sentence in text
    names = [seat.nickname for seat in table.genesis.seats]
    assert latin_words(text, "perevodnoy", *names) == set()


def without_text(line: Line) -> Line:
    return {key: value for key, value in line.items() if key != "text"}


def latin_words(text: str, *known: str) -> set[str]:
    """The words in Latin letters, but for those that are known; a card has none, since its letter is only one."""
    return set(re.findall("[A-Za-z]{2,}", text)) - set(known)


def verdict(language: str) -> Line:
    def spoil(session: Dishonest, kind: Kind, body: Body) -> Sequence[Send | SendTo] | None:
        if kind is Kind.SHUFFLE and isinstance(body, Shuffle):
            return session.instead(kind, Shuffle(body.deck, body.proof[:-1] + b"\0"))
        return None

    table = Table(make_genesis(3), cheats={1: spoil}).run()
    (convicted,) = [event for event in table.events[0] if isinstance(event, Convicted)]
    (line,) = Narrator(table.genesis, catalogue(language)).lines(convicted)
    return line


def test_who_cheats_is_named_in_a_sentence() -> None:
    line = verdict("en")
    assert line["players"] == ["Boris"]
    assert line["text"].startswith("\nBoris cheated in round ")
    assert line["text"].endswith(". The deal is dead.")


def test_who_cheats_is_named_in_russian_with_the_reason() -> None:
    line = verdict("ru")
    assert line["text"].startswith("\nBoris: обман в раунде ")
    assert "неверное сообщение «shuffle»: " in line["text"]
    assert latin_words(line["text"], "Boris", "shuffle") == set()


def opened(opening: Opening, next_lead: NextLead = NextLead.UNDER) -> str:
    """What is told of dealer and lead in the third game of a match, up to the first lead."""
    rules = replace(PRESETS["podkidnoy"], next_lead=next_lead, first_bout_cap=6)
    genesis = make_genesis(3, rules=rules, number=3, opening=opening, previous=bytes([1] * 32))
    table = Table(genesis, choose=lambda seat: steady.choose)
    table.run(until=lambda table: all(session.state.game for session in table.sessions))
    return "\n".join(line["text"] for line in told(table, 0) if "text" in line)


def test_in_a_later_game_it_is_told_who_was_the_fool_and_which_side_leads() -> None:
    under = opened(Opening(1, 0))
    assert "  Boris deals, as the fool of the game before.\n" in under
    assert "  Anna leads: to the right of Boris, the fool, who defends (under the fool).\n" in under
    assert "Bout 1: Anna leads, Boris defends." in under
    from_under = opened(Opening(1, 2), NextLead.FROM_UNDER)
    assert "  Clara leads: to the left of Boris, the fool (from under the fool).\n" in from_under
    assert "  Boris deals again, after a draw.\n" in opened(Opening(1, None))
    assert "Boris deals: the fool of the game before, or" in opened(Opening(1, None), NextLead.LOWEST_TRUMP)


def test_rules_without_a_name_are_told_by_what_differs() -> None:
    assert "play podkidnoy, first_bout_cap=6 with 36 cards." in opened(Opening(1, 0))


@pytest.mark.parametrize(("language", "sentence"), [("en", "leads by lot among those"), ("ru", "жребий выбирает")])
def test_the_lot_among_equals_is_told_as_one(language: str, sentence: str) -> None:
    event = LeadDecided(1, LeadReason.LOT_AMONG_LOWEST, parse_card("6♣"))
    genesis = make_genesis(3)
    (line,) = Narrator(genesis, catalogue(language)).lines(event)
    assert sentence in line["text"]
    assert line["reason"] == "lot-among-lowest"
