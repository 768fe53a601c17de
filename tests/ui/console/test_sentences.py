"""Sentences can be found by the tool that collects them for translation."""

from __future__ import annotations

import ast

from tests.ui.make_catalogues import ROOT, keywords


def test_no_sentence_hides_in_a_formatted_string() -> None:
    """The tool does not look into f-strings: what stands there would never be translated."""
    hidden = []
    for path in (ROOT / "p2pdurak").rglob("*.py"):
        for joined in (
            node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.JoinedStr)
        ):
            hidden += [f"{path}: {joined.lineno}" for node in ast.walk(joined) if _translates(node)]
    assert hidden == []


def _translates(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not node.args or not isinstance(node.args[0], ast.Constant):
        return False
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return name in keywords()
