"""Every sentence of an error can be told in every language: it is a template, and what fills it in is named."""

from __future__ import annotations

import ast
import string
from typing import TYPE_CHECKING, NamedTuple

import pytest

from p2pdurak.errors import DurakError, IllegalAction, NotationError, Sentence
from p2pdurak.ui.language import catalogue, told
from tests.ui.make_catalogues import ROOT, errors

if TYPE_CHECKING:
    from collections.abc import Iterator

OWN = {"seat", "evidence"}
"""Keywords of errors with a code that are no values."""

ELSEWHERE = {
    # Templates that stand, marked, in a table beside them.
    ("game/refusals.py", "SENTENCES[rule]"),
    ("game/refusals.py", "instead"),
    ("game/legality.py", "_NOW[decision]"),
    ("game/legality.py", "_at_most(state)"),
    ("net/storage.py", "FAILURES[doing].sentence"),
    ("net/refusals.py", "said.sentence"),
    # What ends a link is told in the words of what ended it.
    ("net/mesh.py", "why.sentence"),
}


class Said(NamedTuple):
    """One place where an error or a sentence is made."""

    where: str
    template: ast.expr
    values: set[str]
    open: bool
    """Whether there may be more values than are named."""


def said() -> Iterator[Said]:
    for path in sorted((ROOT / "p2pdurak").rglob("*.py")):
        file, tree = path.relative_to(ROOT / "p2pdurak").as_posix(), ast.parse(path.read_text("utf-8"))
        own = {id(call) for kind in ast.walk(tree) if is_error(kind) for call in ast.walk(kind) if is_told_above(call)}
        makers = {**errors(), **({"Sentence": 1} if uses_sentences(tree) else {})}
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            name = getattr(call.func, "attr", getattr(call.func, "id", ""))
            at = 1 if id(call) in own and file != "errors.py" else makers.get(name, 0)
            if name == "refusal" and len(call.args) > 1:  # its values are for two sentences
                yield Said(file, call.args[1], set(), open=True)
            elif at and len(call.args) >= at:
                named = {word.arg for word in call.keywords if word.arg} - (OWN if at > 1 else set())
                yield Said(file, call.args[at - 1], named, any(word.arg is None for word in call.keywords))


def is_error(node: ast.AST) -> bool:
    return isinstance(node, ast.ClassDef) and bool({getattr(base, "id", "") for base in node.bases} & set(errors()))


def is_told_above(node: ast.AST) -> bool:
    """Whether this is how the constructor of an error says its sentence."""
    return isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "__init__"


def uses_sentences(tree: ast.AST) -> bool:
    """Whether a ``Sentence`` here is that of the errors."""
    imports = [
        node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module == DurakError.__module__
    ]
    return any(alias.name == "Sentence" for node in imports for alias in node.names)


def test_every_sentence_is_a_template() -> None:
    composed = [
        f"{it.where}:{it.template.lineno}: {ast.unparse(it.template)}"
        for it in said()
        if not isinstance(it.template, ast.Constant) and (it.where, ast.unparse(it.template)) not in ELSEWHERE
    ]
    assert composed == []


def test_what_fills_a_template_in_is_named() -> None:
    wrong = []
    for it in said():
        if isinstance(it.template, ast.Constant) and isinstance(it.template.value, str):
            wanted = {name for _, name, _, _ in string.Formatter().parse(it.template.value) if name}
            # A table of templates is filled in where they are used; values for nothing are a slip in any case.
            if it.values - wanted or (it.values and wanted - it.values and not it.open):
                wrong.append(f"{it.where}:{it.template.lineno}: {sorted(it.values ^ wanted)}")
    assert wrong == []


@pytest.mark.parametrize(
    ("error", "english", "russian"),
    [
        (NotationError("Type a number from 1 to {most}.", most=3), "number from 1 to 3.", "Введите число от 1 до 3."),
        (
            NotationError(
                "This transcript cannot be followed: {error}", error=NotationError("The proof does not hold.")
            ),
            "followed: The proof does not hold.",
            "не воспроизвести: Доказательство неверно.",
        ),
        (
            Sentence("{name} was not let in: {error}", name="Anna", error="Connection reset by peer"),
            "Anna was not let in: Connection reset by peer",
            "Anna: не пускаем за стол. Connection reset by peer",
        ),
        (DurakError("Nobody has translated {this}.", this="yet"), "translated yet.", "Nobody has translated yet."),
        (
            IllegalAction(
                "R24",
                "{why}: {instead}.",
                why=Sentence("An attack is never transferred"),
                instead=Sentence("beat, or take"),
            ),
            "An attack is never transferred: beat, or take.",
            "Переводить нельзя: отбивайтесь или берите.",
        ),
        ("It is as it is.", "as it is.", "It is as it is."),
    ],
)
def test_errors_are_told_in_the_persons_language(
    error: DurakError | Sentence | str, english: str, russian: str
) -> None:
    assert told(catalogue("en"), error).endswith(english)
    assert told(catalogue("en"), error) == str(error)
    assert told(catalogue("ru"), error).endswith(russian)
