"""Options that can do nothing: the plain form is played in the same way, and what is told can happen."""

from __future__ import annotations

import random
from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pdurak.cards import pack
from p2pdurak.game.actions import Lead, Show, ThrowIn, Transfer
from p2pdurak.game.rules import apply, legal_actions, outcome, refill
from p2pdurak.game.ruleset import OPTIONS, PRESETS, LeadCards, Ruleset, Throwers, Transfers, ruleset
from p2pdurak.game.simulate import drawn
from p2pdurak.game.state import Decision, Phase, State
from p2pdurak.ui.language import LANGUAGES, catalogue
from p2pdurak.ui.rule_effects import idle, plain
from p2pdurak.ui.rulebook import explain, explanation_line
from tests.game.positions import position
from tests.game.strategies import random_game, rulesets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from p2pdurak.game.actions import Action


def told(rules: Ruleset) -> str:
    return "\n".join(sentence.text for part in explain(rules, catalogue("en")) for sentence in part.sentences)


@settings(max_examples=60, derandomize=True, deadline=None)
@given(rulesets(), st.sampled_from([36, 52]), st.integers(2, 6), st.integers())
def test_the_plain_form_is_played_in_the_same_way(rules: Ruleset, pack_size: int, players: int, seed: int) -> None:
    chance = random.Random(seed)
    state, order = random_game(chance, rules, pack_size, players)
    other = state._replace(setup=state.setup._replace(rules=plain(rules)))
    while state.phase is not Phase.OVER:
        if state.phase is Phase.REFILL:
            cards = drawn(state, order)
            state, other = refill(state, cards), refill(other, cards)
        else:
            actions = legal_actions(state)
            assert legal_actions(other) == actions
            action = chance.choice(actions)
            state, other = apply(state, action), apply(other, action)
        assert other._replace(setup=state.setup) == state
    assert outcome(other) == outcome(state)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(rulesets())
def test_what_is_idle_is_what_the_plain_form_lacks(rules: Ruleset) -> None:
    assert set(idle(rules)) == {option for option in OPTIONS if getattr(rules, option) != getattr(plain(rules), option)}
    assert not {"draw_order", "draws", "no_trump_lead", "next_lead"} & set(idle(rules))


@pytest.mark.parametrize("name", PRESETS)
def test_of_the_presets_only_the_simple_one_has_an_idle_value(name: str) -> None:
    assert set(idle(PRESETS[name])) == ({"bout_cap"} if name == "prostoy" else set())


def setting(name: str, text: str) -> Ruleset:
    return ruleset(name, dict(word.split("=") for word in text.split()))


@pytest.mark.parametrize(
    ("name", "text", "options"),
    [
        ("albanian", "bout_cap=1", ["throwers"]),
        ("albanian", "first_bout_cap=6", ["first_bout_cap"]),
        ("albanian", "bout_cap=26 first_bout_cap=26", ["bout_cap", "first_bout_cap"]),
        ("albanian", "bout_cap=25 first_bout_cap=5", []),
        ("prostoy", "bout_cap=none", []),
        ("prostoy", "bout_cap=none first_bout_cap=1", ["first_bout_cap"]),
        ("prostoy", "lead=same-rank", ["bout_cap"]),
        ("prostoy", "lead=same-rank bout_cap=3", []),
        ("prostoy", "transfer=any bout_cap=4 first_bout_cap=4", ["bout_cap", "first_bout_cap"]),
        ("perevodnoy-2", "bout_cap=2", ["transfer"]),
        ("perevodnoy-2", "bout_cap=1", ["throwers", "transfer"]),
        ("perevodnoy-2", "bout_cap=1 transfer_first_bout=false", ["throwers", "transfer", "transfer_first_bout"]),
        ("perevodnoy", "bout_cap=1 transfer_by_showing=true", ["throwers"]),
        ("perevodnoy", "first_bout_cap=1 transfer_first_bout=false", ["transfer_first_bout"]),
        ("perevodnoy", "first_bout_cap=1 transfer_first_bout=false transfer_by_showing=true", []),
        ("podkidnoy", "bout_cap=1 first_bout_cap=1", ["lead", "throwers", "throw_after_take", "first_bout_cap"]),
    ],
)
def test_values_without_effect(name: str, text: str, options: list[str]) -> None:
    rules = setting(name, text)
    assert [option for option in OPTIONS if option in idle(rules)] == options


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_explanation_says_which_values_have_no_effect_and_why(language: str) -> None:
    say = catalogue(language)
    line = explanation_line("podkidnoy", setting("podkidnoy", "first_bout_cap=6"), say)
    ((option, why),) = line["idle"].items()
    assert option == "first_bout_cap"
    assert {"en": "it is not below bout_cap", "ru": "bout_cap"}[language] in why
    unwrapped = " ".join(line["text"].split())
    assert unwrapped.count({"en": "without effect here, since ", "ru": "здесь ничего не меняет: "}[language] + why) == 1
    assert "first_bout_cap" not in explanation_line("podkidnoy", PRESETS["podkidnoy"], say)["idle"]


def combinations() -> list[Ruleset]:
    """Every mixture of what decides about attacks and transfers, with small limits."""
    found = []
    for lead, throwers, adding, cap, transfer, showing in product(
        LeadCards, Throwers, (True, False), (1, 2, 3, None), Transfers, (True, False)
    ):
        if (adding and throwers is Throwers.NONE) or (showing and transfer is Transfers.NONE):
            continue
        found.append(Ruleset(lead, throwers, adding, cap, None, transfer, transfer_by_showing=showing))
    return found


# What a sentence promises, as something that is seen in games: its beginning, and what must happen.
PROMISES = {
    "or with several of one rank": "led several",
    "Once everything on the table is beaten": "threw in",
    "Several may be thrown in at once": "threw in several",
    "As soon as a card is laid, all passes are void": "asked anew",
    "They are asked again whenever all is beaten again": "asked anew",
    "may add cards to what is taken": "added",
    "the defender may transfer": "transferred",
    "To transfer, lay a card": "laid to transfer",
    "also after having beaten something": "transferred after a beat",
    "That player may transfer in turn": "transferred again",
    "by showing the trump": "showed",
    "asking who throws in begins with the player to their left": "the leader defended, and others were asked",
    "never more unbeaten cards on the table": "several unbeaten or beaten",
    "takes picks up everything that lies": "several unbeaten or beaten",
}


def seen(before: State, action: Action, after: State, transfers: int) -> Iterator[str]:
    """What happens when an action turns one state of a bout into the next."""
    beaten = len(before.unbeaten) < len(before.table)
    match action:
        case Lead(cards) if len(cards) > 1:
            yield "led several"
        case ThrowIn(cards):
            yield "added" if before.taking else "threw in"
            if len(cards) > 1:
                yield "threw in several"
        case Transfer() | Show():
            yield "transferred"
            yield "laid to transfer" if isinstance(action, Transfer) else "showed"
            if beaten:
                yield "transferred after a beat"
            if transfers:
                yield "transferred again"
    if len(after.table) > 1:
        yield "several unbeaten or beaten"
        if after.decision is Decision.THROW_IN and before.decision is Decision.DEFEND:
            yield "asked anew"
    if after.decision in (Decision.THROW_IN, Decision.ADD) and after.leader == after.defender:
        yield "the leader defended, and others were asked"


def happenings(rules: Ruleset, chance: random.Random) -> Iterator[str]:
    """What happens in bouts from a random position without talon, in which few ranks make much possible."""
    players = chance.choice([2, 2, 3])
    few = chance.sample([card for card in pack(36) if card.rank in (7, 8, 14)], 10)
    hands = [few[seat::players][: 10 // players] for seat in range(players)]
    texts = [" ".join(map(str, sorted(hand))) for hand in hands]
    state = position(*texts, rules=rules, turned="7♠", leader=chance.randrange(players))
    transfers = 0
    while state.phase is Phase.BOUT:
        action = chance.choice(legal_actions(state))
        after = apply(state, action)
        yield from seen(state, action, after, transfers)
        transfers += isinstance(action, Transfer | Show)
        state = after


def check_promises(rules: Ruleset) -> None:
    """What is told happens in one game or another, and nothing happens that is not told."""
    text, chance, happened = told(rules), random.Random(str(rules)), set[str]()
    promised = {promise for sentence, promise in PROMISES.items() if sentence in text}
    for number in range(4000):
        happened.update(happenings(rules, chance))
        if number > 40 and happened >= promised:
            break
    assert happened == promised, rules


@pytest.mark.parametrize("rules", random.Random(1).sample(combinations(), 24), ids=str)
def test_what_is_told_can_happen_and_nothing_else(rules: Ruleset) -> None:
    check_promises(rules)


@pytest.mark.soak
@pytest.mark.parametrize("rules", combinations(), ids=str)
def test_what_is_told_can_happen_by_every_mixture_and_nothing_else(rules: Ruleset) -> None:
    check_promises(rules)
