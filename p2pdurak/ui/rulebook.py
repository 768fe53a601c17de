"""The rules for players: a ruleset told from the deal to the fool, made from its options.

Everything follows from the ``Ruleset`` value, so a single option set otherwise changes the text, and nothing has to be
kept in step by hand; a text for each preset was rejected for that reason. A sentence names the numbered rules that it
tells, which are also what a refused player is told. What cannot happen by a ruleset is not said, and of an option that
can do nothing beside the others, that is said.

As in a game that is told, a line is a mapping with data for programs and ``text`` for people.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from p2pdurak.game.ruleset import DEFAULT, OPTIONS, PRESETS, Ruleset
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.rule_effects import idle, matters, plain
from p2pdurak.ui.rule_options import MEANINGS, SUMMARIES, option_sentence, possible_values, summary, written
from p2pdurak.ui.rule_sections import BOOK, Choice, Told

if TYPE_CHECKING:
    from collections.abc import Iterator
    from gettext import NullTranslations

Line: TypeAlias = dict[str, Any]


class Sentence(NamedTuple):
    """One sentence or two, and the numbers of the rules that they tell."""

    rules: tuple[str, ...]
    text: str


class Section(NamedTuple):
    """A part of the explanation."""

    heading: str
    sentences: tuple[Sentence, ...]


class Difference(NamedTuple):
    """What another preset does otherwise: its value of an option, and the sentence for that."""

    option: str
    value: str
    text: str


def explain(rules: Ruleset, say: NullTranslations) -> tuple[Section, ...]:
    """Return the game by these rules in the order in which it happens, in the language of ``say``."""
    rules = plain(rules)
    values = written(rules)

    def sentence(entry: Told | Choice) -> Sentence:
        if isinstance(entry, Told):
            text = say.gettext(entry.sentence)
        else:
            text = option_sentence(say, entry.option, values[entry.option])
        return Sentence(tuple(entry.rules.split()), text)

    return tuple(
        Section(say.gettext(heading), tuple(sentence(entry) for entry in entries if entry.when(rules)))
        for heading, entries in BOOK
    )


def differences(rules: Ruleset, other: Ruleset, say: NullTranslations) -> tuple[Difference, ...]:
    """Return in which options ``other`` is played in another way than ``rules``, and what it does there."""
    here, other = plain(rules), plain(other)
    there = written(other)
    return tuple(
        Difference(option, there[option], option_sentence(say, option, there[option]))
        for option in OPTIONS
        if there[option] != written(here)[option] and matters(option, other)
    )


def list_lines(say: NullTranslations) -> Iterator[Line]:
    """Return one line for each preset."""
    width = max(map(len, PRESETS))
    for name, rules in PRESETS.items():
        about = say.gettext(SUMMARIES[name])
        default = " " + say.gettext(_("(default)")) if rules == DEFAULT else ""
        yield {
            "event": "ruleset",
            "name": name,
            "summary": about,
            "default": rules == DEFAULT,
            "options": dict(written(rules)),
            "text": f"{name:{width}}  {about}{default}",
        }


def explanation_line(name: str, rules: Ruleset, say: NullTranslations, width: int = 80) -> Line:
    """Return the whole explanation of ``rules``, which are the preset ``name`` with some options set otherwise.

    ``width`` is that of the text, in columns.
    """
    sections = explain(rules, say)
    others = {other: found for other in PRESETS if (found := differences(rules, PRESETS[other], say))}
    values, preset = written(rules), written(PRESETS[name])
    changed = [f"{option}={value}" for option, value in values.items() if value != preset[option]]
    text = [
        _wrap(" ".join([name, *changed]), width) + "\n" + _wrap(_title(name, rules, say), width, "  "),
        *(_section_text(section, width) for section in sections),
        _options_text(rules, say, width),
        _differences_text(others, say, width),
    ]
    return {
        "event": "rules",
        "name": name,
        "same_as": rules.name,
        "options": dict(values),
        "meanings": {option: say.gettext(MEANINGS[option]) for option in OPTIONS},
        "possible": {option: possible_values(say, option) for option in OPTIONS},
        "idle": {option: say.gettext(why) for option, why in idle(rules).items()},
        "sections": [
            {"heading": heading, "sentences": [{"rules": list(told.rules), "text": told.text} for told in sentences]}
            for heading, sentences in sections
        ],
        "differences": {other: [found._asdict() for found in founds] for other, founds in others.items()},
        "text": "\n\n".join(text),
    }


def _title(name: str, rules: Ruleset, say: NullTranslations) -> str:
    about = summary(say, rules, name)
    if rules.name in (name, "custom"):
        return about
    return say.gettext(_("the same as {rules}")).format(rules=rules.name) + f": {about}"


def _section_text(section: Section, width: int) -> str:
    sentences = [f"{sentence.text} [{', '.join(sentence.rules)}]" for sentence in section.sentences]
    return "\n".join([section.heading, *(_wrap(sentence, width, "  • ") for sentence in sentences)])


def _options_text(rules: Ruleset, say: NullTranslations, width: int) -> str:
    heading = say.gettext(_("Options, each with its value here; --set OPTION=VALUE changes one"))
    without_effect = idle(rules)
    lines = []
    for option, value in written(rules).items():
        line = f"{option}={value}: {say.gettext(MEANINGS[option])} ({possible_values(say, option)})"
        if option in without_effect:
            why = say.gettext(without_effect[option])
            line += "; " + say.gettext(_("without effect here, since {why}")).format(why=why)
        lines.append(_wrap(line, width, "  • "))
    return "\n".join([_wrap(heading, width), *lines])


def _differences_text(others: dict[str, tuple[Difference, ...]], say: NullTranslations, width: int) -> str:
    lines = [say.gettext(_("How the other rules differ"))]
    for other, found in others.items():
        lines.append(f"  {other}")
        lines += [_wrap(f"{option}={value}: {text}", width, "    • ") for option, value, text in found]
    return "\n".join(lines)


def _wrap(text: str, width: int, mark: str = "") -> str:
    return textwrap.fill(text, width, initial_indent=mark, subsequent_indent=" " * len(mark), break_on_hyphens=False)
