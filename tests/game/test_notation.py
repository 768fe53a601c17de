from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from p2pdurak.errors import NotationError
from p2pdurak.game.actions import Action, Pass
from p2pdurak.game.notation import Record, Refill, format_game, parse_game
from p2pdurak.game.rules import apply, legal_actions, outcome, refill
from p2pdurak.game.simulate import drawn
from p2pdurak.game.state import Phase
from tests.game.positions import hand
from tests.game.strategies import random_game, random_ruleset

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.txt"), key=lambda path: path.name)


def told(text: str) -> str:
    """The text without remarks."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#"))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_games(path: Path) -> None:
    text = path.read_text("utf-8")
    assert format_game(parse_game(text)) == told(text)


def test_the_sources_example_leaves_the_attacker_with_two_eights_to_beat() -> None:
    states = list(parse_game((Path(__file__).parent / "golden" / "two_eights.txt").read_text("utf-8")).states())
    transferred = states[4]
    assert (transferred.leader, transferred.defender, transferred.asked) == (0, 0, 0)
    assert [str(card) for card in transferred.unbeaten] == ["8♥", "8♦"]
    assert hand(transferred, 1) == "A♣ K♦ J♥ 7♣"


def random_record(seed: int) -> tuple[Record, Record]:
    """A random game, and the same as a spectator knows it."""
    chance = random.Random(seed)
    state, order = random_game(chance, random_ruleset(chance), chance.choice([36, 52]), chance.randint(2, 6))
    begin = state
    steps: list[Action | Refill] = []
    while state.phase is not Phase.OVER:
        if state.phase is Phase.REFILL:
            cards = drawn(state, order)
            steps.append(Refill(tuple(cards.items())))
            state = refill(state, cards)
        else:
            action = chance.choice(legal_actions(state))
            steps.append(action)
            state = apply(state, action)
    steps = steps[: chance.choice([len(steps), chance.randrange(len(steps))])]
    unseen = [Refill() if isinstance(step, Refill) else step for step in steps]
    return Record(begin, tuple(steps)), Record(begin.public_view(), tuple(unseen))


@pytest.mark.parametrize("seed", range(30))
def test_text_of_a_game_comes_back_whole_or_unfinished_seen_or_not(seed: int) -> None:
    for record in random_record(seed):
        text = format_game(record)
        assert parse_game(text) == record
        assert format_game(parse_game(text)) == text
        assert parse_game("# a remark\n\n" + text.replace("\n", "  \n\n")) == record


def test_a_finished_game_tells_its_outcome() -> None:
    record = next(record for record, _ in map(random_record, range(9)) if _finished(record))
    assert format_game(record).splitlines()[-1].startswith(("fool ", "draw by "))
    assert outcome(list(record.states())[-1]) is not None


def _finished(record: Record) -> bool:
    return list(record.states())[-1].phase is Phase.OVER


EXAMPLE = (Path(__file__).parent / "golden" / "two_eights.txt").read_text("utf-8")


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("rules lead", "rule lead", "Line 4: here should be the word 'rules'"),
        ("pack 36", "pack 40", "There is no pack of 40"),
        ("pack 36", "pack many", "Line 5: 'many' should be a number"),
        ("turned 6♠", "turned 6", "Line 7: '6' is not a card"),
        ("hand 0 K♥ 10♦", "hand 0 K♥ K♥", "Line 8: a card stands here twice"),
        ("hand 0 K♥ 10♦", "hand 0 10♦ K♥", "Line 8: 'hand 0 10♦ K♥ .* should be 'hand 0 K♥ 10♦"),
        ("hand 0 K♥ ", "hand 0 ", "each hand must have 6 cards"),
        (
            "0 lead 6♣",
            "0 lead 7♣",
            "Line 13: A player plays only cards that they hold, each once: choose another card than 7♣",
        ),
        ("0 lead 6♣", "1 lead 6♣", "Line 13: '1 lead 6♣' should be '0 lead 6♣'"),
        ("0 lead 6♣", "0 play 6♣", "Line 13: 'play 6♣' is not an action"),
        ("1 pass\n", "", "Line 2[0-9]: "),
        ("beaten by 0", "taken by 0", "Line 2[0-9]: 'taken by 0' should be 'beaten by 0'"),
        ("draw 1 A♥ 9♣ 6♦", "draw 1 A♥ 9♣ ?", "all or nothing is known"),
        ("draw 1 A♥ 9♣ 6♦", "draw 1 A♥ 9♣", "seat 1 cannot have drawn A♥ 9♣"),
        ("draw 1 A♥ 9♣ 6♦", "draw 1 6♣ 9♣ 6♦", "seat 1 cannot have drawn 9♣ 6♣ 6♦|seat 1 cannot have drawn 9♣ 6♣"),
        ("bout 2", "bout 3", "'bout 3' should be 'bout 2'"),
        ("bout 1\n", "", "Line [0-9]+: '0 lead 6♣' should be 'bout 1'"),
    ],
)
def test_what_goes_against_the_rules_is_named_with_its_line(old: str, new: str, complaint: str) -> None:
    assert old in EXAMPLE
    with pytest.raises(NotationError, match=complaint):
        parse_game(EXAMPLE.replace(old, new, 1))


def test_an_outcome_that_does_not_follow_is_refused() -> None:
    record = next(record for record, _ in map(random_record, range(9)) if _finished(record))
    text = format_game(record)
    lines = text.splitlines()
    with pytest.raises(NotationError, match="should be"):
        parse_game("\n".join([*lines[:-1], "fool 9, out nobody"]))
    with pytest.raises(NotationError, match="breaks off before"):
        parse_game("\n".join(lines[:-1]))
    with pytest.raises(NotationError, match="Line"):
        parse_game(text + "0 pass\n")
    with pytest.raises(NotationError, match="here the text should end"):
        parse_game(text + "bout 9\n")


def test_an_empty_text_is_no_game() -> None:
    with pytest.raises(NotationError, match="Line 1: here should be the word 'rules'"):
        parse_game("# nothing\n")


def test_a_refill_is_the_same_whether_empty_draws_are_named_or_not() -> None:
    assert Refill(((1, 0), (0, 3))) == Refill(((0, 3),))


def test_a_record_refuses_steps_that_are_not_legal() -> None:
    record = parse_game(EXAMPLE)
    with pytest.raises(ValueError, match="lead a card"):
        list(Record(record.start, (Pass(),)).states())


def changed_text(text: str, chance: random.Random) -> str:
    """The text with a few lines or words gone, doubled, exchanged or foreign."""
    lines = [line.split(" ") for line in text.splitlines()]
    words = [*(word for line in lines for word in line), "-1", "99", "²", "?", "nobody", "10♥", "\u2028", ""]
    for _ in range(chance.randint(1, 3)):
        line = chance.randrange(len(lines))
        word = chance.randrange(len(lines[line]))
        match chance.randrange(5):
            case 0 if len(lines) > 1:
                del lines[line]
            case 1:
                lines.insert(line, list(chance.choice(lines)))
            case 2:
                lines[line][word] = chance.choice(words)
            case 3:
                lines[line].insert(word, chance.choice(words))
            case _ if len(lines[line]) > 1:
                del lines[line][word]
    return "\n".join(map(" ".join, lines))


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_a_changed_text_is_a_game_or_is_refused_in_a_sentence(path: Path) -> None:
    text, chance = path.read_text("utf-8"), random.Random(path.stem)
    refusals = []
    for _ in range(15):
        try:
            record = parse_game(changed_text(text, chance))
        except NotationError as error:
            refusals.append(str(error))
        else:
            assert parse_game(format_game(record)) == record
    assert refusals
    assert all(re.fullmatch(r"[^\n]+\.", refusal) for refusal in refusals)
