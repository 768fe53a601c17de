from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings

from p2pdurak.errors import NotationError
from p2pdurak.game.ruleset import (
    DEFAULT,
    OPTIONS,
    PRESETS,
    DrawOrder,
    LeadCards,
    Ruleset,
    Throwers,
    Transfers,
    max_players,
    parse_ruleset,
    read_settings,
    ruleset,
)
from tests.game.strategies import rulesets

ALBANIAN = (
    "lead=one throwers=all throw_after_take=false bout_cap=6 first_bout_cap=none transfer=none "
    "transfer_first_bout=true transfer_by_showing=false draw_order=clockwise draws=true no_trump_lead=lowest-card "
    "next_lead=under"
)


def test_all_six_presets_are_there_and_the_default_is_the_second_source() -> None:
    assert list(PRESETS) == ["prostoy", "albanian", "perevodnoy", "perevodnoy-2", "podkidnoy", "perevodnoy-apps"]
    assert DEFAULT.name == "perevodnoy-2"
    assert len(set(PRESETS.values())) == 6


def test_presets_differ_from_the_albanian_game_as_their_names_say() -> None:
    albanian = PRESETS["albanian"]
    assert PRESETS["prostoy"] == replace(albanian, throwers=Throwers.NONE)
    assert PRESETS["perevodnoy"] == replace(albanian, transfer=Transfers.BEFORE_BEAT)
    assert PRESETS["perevodnoy-2"] == replace(albanian, transfer=Transfers.ANY)
    podkidnoy = replace(
        albanian,
        lead=LeadCards.SAME_RANK,
        throw_after_take=True,
        first_bout_cap=5,
        draw_order=DrawOrder.DEFENDER_LAST,
    )
    assert PRESETS["podkidnoy"] == podkidnoy
    assert PRESETS["perevodnoy-apps"] == replace(podkidnoy, transfer=Transfers.BEFORE_BEAT)


def test_the_text_names_every_option_in_a_fixed_order() -> None:
    assert str(PRESETS["albanian"]) == ALBANIAN
    assert [word.split("=")[0] for word in ALBANIAN.split()] == list(OPTIONS)


@settings(derandomize=True, deadline=None)
@given(rulesets())
def test_text_of_a_ruleset_comes_back(rules: Ruleset) -> None:
    assert parse_ruleset(str(rules)) == rules
    assert (rules.name in PRESETS) == (rules in PRESETS.values())
    settings = dict(word.split("=") for word in str(rules).split())
    # One option after the other could pass through a contradiction; all at once they cannot.
    assert ruleset("prostoy", settings) == rules


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_knows_its_name_and_a_mixture_is_custom(name: str) -> None:
    assert ruleset(name).name == name
    assert ruleset(name, {"bout_cap": "5", "first_bout_cap": "3"}).name == "custom"


@pytest.mark.parametrize(
    ("name", "settings", "title"),
    [
        ("podkidnoy", {"lead": "one", "first_bout_cap": "6"}, "podkidnoy, lead=one, first_bout_cap=6"),
        ("perevodnoy-2", {}, "perevodnoy-2"),
        # The nearest one counts, whichever it was made from.
        ("prostoy", {"throwers": "all", "transfer": "any", "bout_cap": "none"}, "perevodnoy-2, bout_cap=none"),
    ],
)
def test_rules_without_a_name_go_by_the_nearest_preset_and_what_differs(
    name: str, settings: dict[str, str], title: str
) -> None:
    assert ruleset(name, settings).title == title


@given(rulesets())
def test_a_title_says_what_is_played_and_fits_into_an_announcement(rules: Ruleset) -> None:
    name, *changes = rules.title.split(", ")
    assert ruleset(name, read_settings(changes)) == rules
    assert re.fullmatch("[a-z0-9_=, -]{1,240}", rules.title)


def test_the_longest_title_fits_too() -> None:
    settings = (
        "throwers=neighbours throw_after_take=true bout_cap=none first_bout_cap=52 transfer_first_bout=false "
        "transfer_by_showing=true draw_order=defender-last draws=defender-loses no_trump_lead=lot "
        "next_lead=lowest-trump"
    )
    rules = ruleset("perevodnoy-2", read_settings(settings.split()))
    assert rules.title == "perevodnoy-2, " + settings.replace(" ", ", ")
    assert len(rules.title) == 234


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("Perevodnoy_2", "perevodnoy-2"),
        ("PODKIDNOY", "podkidnoy"),
        ("простой", "prostoy"),
        ("Албанский", "albanian"),
        ("переводной", "perevodnoy"),
        ("Переводной 2", "perevodnoy-2"),
        ("подкидной", "podkidnoy"),
    ],
)
def test_presets_may_be_called_as_people_call_them(written: str, name: str) -> None:
    assert ruleset(written).name == name


def test_options_and_values_may_be_written_in_capitals_and_with_hyphens() -> None:
    settings = read_settings(["First-Bout-Cap=None", "TRANSFER=Before_Beat"])
    assert ruleset("albanian", settings) == ruleset("albanian", {"first_bout_cap": "none", "transfer": "before-beat"})


@pytest.mark.parametrize(
    "text",
    [
        "",
        ALBANIAN.replace(" throwers=all", ""),
        ALBANIAN.replace("lead=one throwers=all", "throwers=all lead=one"),
        ALBANIAN.replace(" ", "  ", 1),
        ALBANIAN + " lead=one",
        ALBANIAN + " ",
        ALBANIAN.replace("=6", "=06"),
        ALBANIAN.replace("=6", "=+6"),
        ALBANIAN.replace("=6", "=53"),
        ALBANIAN.replace("=6", "=0"),
        ALBANIAN.replace("true", "True"),
        ALBANIAN.replace("=one", "=two"),
        ALBANIAN.replace("=one", ""),
    ],
)
def test_only_the_canonical_text_is_read(text: str) -> None:
    with pytest.raises(NotationError):
        parse_ruleset(text)


def test_unknown_names_options_and_values_are_answered_with_the_possible_ones() -> None:
    with pytest.raises(NotationError, match="choose one of prostoy, albanian, perevodnoy, perevodnoy-2, podkidnoy"):
        ruleset("poker")
    with pytest.raises(NotationError, match="choose one of lead, throwers, throw_after_take"):
        ruleset("prostoy", {"jokers": "2"})
    with pytest.raises(NotationError, match="throwers cannot be 'some': choose all, neighbours, leader or none"):
        ruleset("prostoy", {"throwers": "some"})
    with pytest.raises(NotationError, match="choose a number from 1 to 52, or none"):
        ruleset("prostoy", {"bout_cap": "many"})
    with pytest.raises(NotationError, match="choose true or false"):
        ruleset("podkidnoy", {"throw_after_take": "yes"})


def test_settings_are_read_as_people_write_them() -> None:
    assert read_settings([]) == {}
    assert read_settings(["lead=one", " bout_cap = 5 ", "lead=same-rank"]) == {"lead": "same-rank", "bout_cap": "5"}
    assert ruleset("albanian", read_settings(["bout_cap=none"])).bout_cap is None
    for text in ("bout_cap", "", "5", "lead one"):
        with pytest.raises(NotationError, match="An option is set as OPTION=VALUE"):
            read_settings(["lead=one", text])


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        ("podkidnoy", {"throwers": "none"}, "throwers=none"),
        ("prostoy", {"throw_after_take": "true"}, "set throw_after_take=false, or choose who throws in"),
        ("podkidnoy", {"bout_cap": "4"}, "first_bout_cap=5 is above bout_cap=4"),
        ("albanian", {"transfer_by_showing": "true"}, "set transfer_by_showing=false, or choose a transfer"),
        ("albanian", {"transfer_first_bout": "false"}, "set transfer_first_bout=true, or choose a transfer"),
    ],
)
def test_contradictions_are_refused_in_one_sentence(name: str, settings: dict[str, str], sentence: str) -> None:
    with pytest.raises(NotationError, match=sentence):
        ruleset(name, settings)


@pytest.mark.parametrize("cap", [0, -1, 53])
def test_caps_that_cannot_be_are_refused(cap: int) -> None:
    with pytest.raises(NotationError, match="from 1 to 52"):
        Ruleset(bout_cap=cap)
    with pytest.raises(NotationError, match="from 1 to 52"):
        Ruleset(bout_cap=None, first_bout_cap=cap)


@pytest.mark.parametrize("pack_size", [36, 52])
def test_six_can_play_with_either_pack(pack_size: int) -> None:
    assert max_players(pack_size) == 6
