"""The pages about the rules agree with the program, and no link in the documentation leads nowhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from p2pdurak.game.ruleset import OPTIONS, PRESETS
from p2pdurak.ui.language import catalogue
from p2pdurak.ui.rule_options import MEANINGS, possible_values, written

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "protocol").glob("*.md")])
PLAYERS_PAGES = {"rules.md": "en", "rules.ru.md": "ru"}
SOURCES = (ROOT / "docs" / "sources.md").read_text("utf-8")
SENTENCES = re.findall(r"^\| (\d+) \| (.+?) … \| (.+?) \| (.+?) \| (.+?) \|$", SOURCES, re.MULTILINE)
NUMBERS = re.findall(r"^\| (R\d+) \|", (ROOT / "protocol" / "rules.md").read_text("utf-8"), re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as they are made on the web: small letters, blanks as hyphens."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_into_the_repository_leads_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8")):
        if re.match(r"[a-z]+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = page.parent / file if file else page
        assert target.exists(), f"{page.name} links to {link}"
        assert not anchor or anchor in anchors(target), f"{page.name} links to {link}"


@pytest.mark.parametrize("page", PLAYERS_PAGES)
def test_the_options_of_a_page_are_those_of_the_presets(page: str) -> None:
    say, text = catalogue(PLAYERS_PAGES[page]), (ROOT / "docs" / page).read_text("utf-8")
    presets = [written(rules) for rules in PRESETS.values()]
    (heading,) = re.findall(r"^\| .+? \| .+? \| .+? \| (.+) \|\n\|[-|]+\|\n\| `lead` \|", text, re.MULTILINE)
    assert heading.split(" | ") == list(PRESETS)
    rows = re.findall(r"^\| `(\w+)` \| (.+?) \| (.+?) \| (.+) \|$", text, re.MULTILINE)
    assert [option for option, *_ in rows] == list(OPTIONS)
    for option, meaning, possible, values in rows:
        assert meaning == say.gettext(MEANINGS[option])
        assert possible.replace("`", "") == possible_values(say, option)
        assert values.split(" | ") == [preset[option] for preset in presets]


def comparison(text: str) -> list[list[str]]:
    """The cells of the table that compares the rulesets in words, without headings."""
    (table,) = re.findall(r"^\| \| `prostoy` .+\n\|[-|]+\|\n((?:\|.+\n)+)", text, re.MULTILINE)
    return [line.strip("| ").split(" | ")[1:] for line in table.splitlines()]


@pytest.mark.parametrize("page", PLAYERS_PAGES)
def test_the_comparison_in_words_differs_where_the_rules_do(page: str) -> None:
    _, lead, throwing, adding, transfer, limit, drawing = comparison((ROOT / "docs" / page).read_text("utf-8"))
    rows = {
        "lead": lead,
        "throwers": throwing,
        "throw_after_take": adding,
        "transfer": transfer,
        "draw_order": drawing,
    }
    for option, cells in rows.items():
        values = [written(rules)[option] for rules in PRESETS.values()]
        meant = dict(zip(values, cells, strict=True))
        assert [meant[value] for value in values] == cells
        assert len(set(cells)) == len(set(values))
    assert limit == ["1", *(str(rules.first_bout_cap or rules.bout_cap) for rules in list(PRESETS.values())[1:])]
    told = {option for option in OPTIONS if len({written(rules)[option] for rules in PRESETS.values()}) > 1}
    assert told == {*rows, "first_bout_cap"}


def test_both_sources_are_gone_through_in_order() -> None:
    numbers = [int(number) for number, *_ in SENTENCES]
    second = numbers.index(1, 1)
    assert numbers == [*range(1, second + 1), *range(1, len(numbers) - second + 1)]
    for part in (SENTENCES[:second], SENTENCES[second:]):
        beginnings = [beginning for _, beginning, *_ in part]
        assert len(set(beginnings)) == len(beginnings)
        assert all(re.fullmatch("[А-Яа-яёЁ ,]+", beginning) for beginning in beginnings)


@pytest.mark.parametrize(("number", "beginning", "demand", "rules", "tests"), SENTENCES)
def test_a_sentence_points_at_rules_and_tests_that_exist(
    number: str, beginning: str, demand: str, rules: str, tests: str
) -> None:
    assert set(rules.split(", ")) <= set(NUMBERS)
    for test in re.findall(r"`(.+?)`", tests):
        file, _, name = test.partition("::")
        assert re.search(rf"^def {name}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE), test


def test_every_test_of_a_source_belongs_to_a_sentence() -> None:
    for file in ("test_before_the_first_lead.py", "test_bouts.py"):
        for name in re.findall(r"^def (test_\w+)\(", (Path(__file__).parent / file).read_text("utf-8"), re.MULTILINE):
            assert f"`tests/rules/{file}::{name}`" in SOURCES


def test_the_pages_for_players_can_be_found() -> None:
    for page in (ROOT / "README.md", ROOT / "docs" / "README.md"):
        links = re.findall(r"\]\(([^)\s]+)\)", page.read_text("utf-8"))
        assert {(page.parent / link).resolve() for link in links if ":" not in link} >= {
            ROOT / "docs" / name for name in (*PLAYERS_PAGES, "sources.md")
        }
