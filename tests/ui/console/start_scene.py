"""The start screen with everything on it: interrupted games, one of them damaged, and tables."""

from __future__ import annotations

from dataclasses import replace

from p2pdurak.errors import StorageError
from p2pdurak.game.ruleset import PRESETS
from p2pdurak.ui.console.choices import OpenTable
from p2pdurak.ui.console.left_games import LeftGame
from p2pdurak.ui.console.settings import Settings
from p2pdurak.ui.console.start_screen import StartScreen
from tests.helpers import signing_key
from tests.ui.console.scenes import LANGUAGES, NOW, SIZES

LEFT = (
    LeftGame("/games/game-1.journal", ("Anna", "Boris"), NOW - 10 * 60),
    LeftGame("/games/game-2.journal", ("Clara",), NOW - 26 * 3600),
    LeftGame("/games/game-3.journal", (), NOW, StorageError("{path} is damaged: it has no header.", path="game-3")),
)


def start_screen(*left: LeftGame) -> tuple[StartScreen, list[object]]:
    """A start screen with these games and a table, and what is chosen on it."""
    chosen: list[object] = []
    screen = StartScreen(Settings(), "Zoe", "acid actor", chosen=chosen.append, named=chosen.append)
    key = signing_key(0).public
    table = OpenTable(key, "127.0.0.1:47800", "kitchen", "Dan", PRESETS["albanian"], 36, 4, 1, False, False, ("Dan",))
    screen.left, screen.tables = left, {key: table}
    return screen, chosen


def picture() -> str:
    """The screen in all sizes and languages, also when a game is about to be given up."""
    parts: list[str] = []
    for language in LANGUAGES:
        for size, (columns, rows) in SIZES.items():
            screen, _ = start_screen(*LEFT)
            screen.settings = replace(screen.settings, language=language)
            parts.append(f"=== {language} {size}\n{screen.canvas(columns, rows, NOW).text()}")
            screen.press("x")
            parts.append(f"=== {language} {size} giving up\n{screen.canvas(columns, rows, NOW).text()}")
    return "".join(parts)
