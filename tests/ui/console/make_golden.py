"""The pictures of the table: ``python -m tests.ui.console.make_golden`` paints them anew. Look at the differences."""

from __future__ import annotations

from pathlib import Path

from tests.ui.console import chat_scenes, start_scene
from tests.ui.console.scenes import STATES, scenes

FOLDER = Path(__file__).parent / "golden"
PLAYERS = (2, 6)


def picture(players: int, state: str) -> str:
    """All paintings of one state in one text."""
    return "".join(f"=== {name}\n{text}" for name, text in scenes(players)[state].items())


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for players in PLAYERS:
        for state in STATES:
            (FOLDER / f"{players}-{state}.txt").write_text(picture(players, state), encoding="utf-8")
    for name in chat_scenes.SCENES:
        (FOLDER / f"chat-{name}.txt").write_text(chat_scenes.picture(name), encoding="utf-8")
    (FOLDER / "start.txt").write_text(start_scene.picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
