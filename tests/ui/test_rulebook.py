"""Every ruleset is explained whole, in both languages, and every option has its say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pdurak.errors import NotationError
from p2pdurak.game.ruleset import DEFAULT, OPTIONS, PRESETS, Ruleset, ruleset
from p2pdurak.ui.language import LANGUAGES, catalogue
from p2pdurak.ui.rule_effects import matters, plain
from p2pdurak.ui.rule_options import LIMITS, MEANINGS, SENTENCES, SUMMARIES, option_sentence, written
from p2pdurak.ui.rulebook import differences, explain, explanation_line, list_lines
from tests.game.strategies import rulesets

RULES = re.findall(
    r"^\| (R\d+) \|", (Path(__file__).parents[2] / "protocol" / "rules.md").read_text("utf-8"), re.MULTILINE
)
TALKATIVE = ruleset("perevodnoy-2", {"lead": "same-rank", "transfer_by_showing": "true", "first_bout_cap": "5"})


def told(rules: Ruleset, language: str = "en") -> str:
    return "\n".join(sentence.text for part in explain(rules, catalogue(language)) for sentence in part.sentences)


def accepted(option: str, value: str) -> bool:
    """Whether the option takes that value under some rules."""
    for name in PRESETS:
        try:
            ruleset(name, {"bout_cap": "none", option: value})
        except NotationError:
            continue
        return True
    return False


def test_every_option_is_named_and_every_preset_summed_up() -> None:
    assert tuple(MEANINGS) == tuple(SENTENCES) == OPTIONS
    assert tuple(SUMMARIES) == tuple(PRESETS)


@pytest.mark.parametrize("option", OPTIONS)
def test_every_value_of_an_option_has_its_sentence(option: str) -> None:
    with pytest.raises(NotationError) as refused:
        ruleset("prostoy", {option: "?"})
    possible = re.findall(r"[\w-]+", str(refused.value).split("choose ")[1])
    values = [word for word in possible if word not in ("a", "number", "from", "to", "or")]
    if option in LIMITS:
        assert values == ["1", "52", "none"]
        values = ["1", "2", "5", "6", "21", "52", "none"]
    assert all(accepted(option, value) for value in values)
    assert set(SENTENCES[option]) <= set(values)
    for language in LANGUAGES:
        sentences = [option_sentence(catalogue(language), option, value) for value in values]
        assert len(set(sentences)) == len(values)
        assert all(re.match(r"[“«A-ZА-Я].*\.$", sentence) and "{" not in sentence for sentence in sentences)


@pytest.mark.parametrize(
    ("language", "number", "words"),
    [
        ("en", 1, "1 attack card at"),
        ("en", 2, "2 attack cards at"),
        ("ru", 1, "не больше 1 атакующей карты"),
        ("ru", 2, "не больше 2 атакующих карт"),
        ("ru", 5, "не больше 5 атакующих карт"),
        ("ru", 21, "не больше 21 атакующей карты"),
        ("ru", 52, "не больше 52 атакующих карт"),
    ],
)
def test_numbers_have_their_plural(language: str, number: int, words: str) -> None:
    for option in LIMITS:
        assert words in option_sentence(catalogue(language), option, str(number))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_book_tells_every_numbered_rule(language: str) -> None:
    cited = [number for part in explain(TALKATIVE, catalogue(language)) for it in part.sentences for number in it.rules]
    assert set(cited) == set(RULES)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_explained_with_the_sentence_of_each_option(name: str, language: str) -> None:
    say, rules = catalogue(language), plain(PRESETS[name])
    text = told(PRESETS[name], language)
    for option, value in written(rules).items():
        assert (option_sentence(say, option, value) in text) == matters(option, rules)
    assert all(part.sentences for part in explain(rules, say))


@settings(max_examples=150, derandomize=True, deadline=None)
@given(rulesets(), st.sampled_from(LANGUAGES))
def test_any_mixture_of_options_is_explained(rules: Ruleset, language: str) -> None:
    say, text = catalogue(language), told(rules, language)
    assert "{" not in text
    sentences = text.split("\n")
    assert len(set(sentences)) == len(sentences)
    for option, value in written(plain(rules)).items():
        assert (option_sentence(say, option, value) in sentences) == matters(option, plain(rules))


def test_what_cannot_happen_is_not_said() -> None:
    simple = told(PRESETS["prostoy"])
    assert not re.search(r"thrown in|asked clockwise|To transfer|6 attack cards|“take”, ", simple)
    assert "everything is beaten, the bout is over" in simple
    assert "To transfer" not in told(PRESETS["podkidnoy"])
    by_leader = told(ruleset("perevodnoy", {"throwers": "leader"}))
    assert "has become the defender, nobody throws in." in by_leader
    assert not re.search("asked clockwise|Those who may|goes round", by_leader)
    assert "Whoever led the bout throws in or passes." in by_leader
    assert "Who holds no card is not asked." in by_leader
    always_lowest = told(ruleset("albanian", {"next_lead": "lowest-trump"}))
    assert "After a draw, whoever" not in always_lowest


def test_a_transfer_is_limited_by_what_there_is() -> None:
    limit = "more cards than a bout may have"
    assert limit in told(PRESETS["perevodnoy"])
    assert limit in told(ruleset("perevodnoy", {"bout_cap": "none", "first_bout_cap": "5"}))
    without = told(ruleset("perevodnoy", {"bout_cap": "none"}))
    assert limit not in without
    assert "than the next player holds, or if nobody else is left." in without


def test_after_a_transfer_the_leader_may_be_no_neighbour() -> None:
    settings = {"throwers": "neighbours", "throw_after_take": "true"}
    near, moved = told(ruleset("albanian", settings)), told(ruleset("perevodnoy", settings))
    assert near.count("clockwise, beginning with whoever led the bout") == 2
    assert moved.count("clockwise from whoever led the bout") == 2
    assert "beginning with whoever led" not in moved
    assert "even if they led the bout" in told(PRESETS["perevodnoy-apps"])


@pytest.mark.parametrize("option", OPTIONS)
def test_one_option_set_otherwise_changes_the_text(option: str) -> None:
    values = ["3", "none"] if option in LIMITS else list(SENTENCES[option])
    texts = {told(ruleset("perevodnoy-apps", {"first_bout_cap": "none", option: value})) for value in values[:2]}
    assert len(texts) == 2


def test_differences_are_what_the_other_does() -> None:
    found = differences(DEFAULT, PRESETS["podkidnoy"], catalogue("en"))
    assert [(it.option, it.value) for it in found] == [
        ("lead", "same-rank"),
        ("throw_after_take", "true"),
        ("first_bout_cap", "5"),
        ("transfer", "none"),
        ("draw_order", "defender-last"),
    ]
    assert found[2].text.startswith("Until a bout of the game has been beaten, a bout has 5 attack cards")
    # Without throwing in, nothing can be added after a take, and limits say nothing: that goes without saying.
    assert [it.option for it in differences(PRESETS["podkidnoy"], PRESETS["prostoy"], catalogue("en"))] == [
        "lead",
        "throwers",
        "draw_order",
    ]
    assert differences(DEFAULT, DEFAULT, catalogue("en")) == ()


def test_the_list_has_a_line_for_each_preset_and_marks_the_default() -> None:
    lines = list(list_lines(catalogue("en")))
    assert [line["name"] for line in lines] == list(PRESETS)
    assert [line["name"] for line in lines if line["default"]] == ["perevodnoy-2"]
    assert lines[3]["text"].endswith("(default)")
    assert all("\n" not in line["text"] for line in lines)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [40, 80])
def test_the_text_keeps_to_its_width_and_gives_options_and_differences(language: str, width: int) -> None:
    line = explanation_line("albanian", PRESETS["albanian"], catalogue(language), width)
    assert max(map(len, line["text"].splitlines())) <= width
    assert line["same_as"] == "albanian"
    assert list(line["differences"]) == [name for name in PRESETS if name != "albanian"]
    unwrapped = " ".join(line["text"].split())
    for option, value in written(PRESETS["albanian"]).items():
        assert f"• {option}={value}: {line['meanings'][option]} ({line['possible'][option]})" in unwrapped
    for other, found in line["differences"].items():
        assert f" {other} • {found[0]['option']}={found[0]['value']}: " in unwrapped


def test_changed_options_stand_in_the_heading() -> None:
    mixed = explanation_line("albanian", ruleset("albanian", {"bout_cap": "5"}), catalogue("en"))
    assert mixed["text"].startswith("albanian bout_cap=5\n  as albanian, but most attack cards in a bout: 5\n")
    assert mixed["same_as"] == "custom"
    same = explanation_line("albanian", ruleset("albanian", {"transfer": "any"}), catalogue("en"))
    assert same["text"].startswith("albanian transfer=any\n  the same as perevodnoy-2: one card attacks,")
    assert "perevodnoy-2" not in same["differences"]


def test_of_two_presets_as_near_the_one_that_was_named_is_told() -> None:
    say = catalogue("en")
    rules = ruleset("albanian", {"throwers": "leader"})
    assert rules == ruleset("prostoy", {"throwers": "leader"})
    assert "  as albanian, but who throws in: the leader\n" in explanation_line("albanian", rules, say)["text"]
    assert "  as prostoy, but who throws in: the leader\n" in explanation_line("prostoy", rules, say)["text"]
