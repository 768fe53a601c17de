"""The pictures of the tour: ``python -m tests.ui.console.make_tour`` draws docs/tour/*.svg anew.

Each is what the console paints at a moment of a real game, played in memory from one seed.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.game.ruleset import DEFAULT
from p2pdurak.game.state import Decision
from p2pdurak.ui.console.chat_line import ChatLine
from p2pdurak.ui.console.conversation import Conversation
from p2pdurak.ui.console.lobby_screen import LobbyScreen, Met
from p2pdurak.ui.console.settings import Settings
from p2pdurak.wire.messages import Kind
from p2pdurak.wire.talk import Place
from p2pdurak.wire.terms import Terms
from tests.helpers import signing_key
from tests.ui.console.make_picture import COLUMNS, PATH, ROWS, svg
from tests.ui.console.scenes import NOW, SeenTable
from tests.ui.console.start_scene import LEFT, start_screen

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from p2pdurak.ui.console.screen import Screen
    from tests.helpers import Table

FOLDER = PATH.parent / "tour"


def painted(screen: Screen, now: float = NOW) -> str:
    return svg(screen.canvas(COLUMNS, ROWS, now))


def start() -> str:
    screen, _ = start_screen(LEFT[0])
    return painted(screen)


def lobby() -> str:
    keys = [signing_key(at).public for at in range(3)]
    wishes: list[object] = []
    screen = LobbyScreen(
        Settings(),
        keys[0],
        words=fingerprint_words,
        ready=wishes.append,
        start=lambda: None,
        leave=lambda: None,
        chat=ChatLine(Conversation(keys[0], wishes.append), lambda: None),
    )
    screen.terms = Terms("kitchen", DEFAULT, 36, 4)
    screen.places = (
        Place(keys[0], "Anna", "", 47800),
        Place(keys[1], "Boris", "192.168.1.7", 47800, True),
        Place(keys[2], "Clara", "192.168.1.9", 47800),
    )
    screen.met = {keys[1]: Met("known", day="2026-01-02"), keys[2]: Met("new")}
    return painted(screen)


@cache
def moments() -> dict[str, str]:
    """The pictures of one game, each at the first moment that is so."""
    seen = SeenTable(4, seed=5)
    found: dict[str, str] = {}

    def asked(decision: Decision) -> bool:
        session = seen.sessions[0]
        return session.my_decision and session.state.play.decision is decision

    def shown(name: str, *keys: str) -> None:
        screen = seen.screen
        screen.ask(seen.sessions[0].view())
        for key in keys:
            screen.press(key)
        found[name] = painted(screen)
        screen.leaving = False
        screen.chooser.rest()

    def look(_: Table) -> bool:
        model = seen.screen.table
        if "deck" not in found and model.kind is Kind.SHUFFLE and model.said[Kind.SHUFFLE]:
            found["deck"] = painted(seen.screen)
        if "lead" not in found and asked(Decision.LEAD):
            shown("lead")
        if "defence" not in found and asked(Decision.DEFEND) and model.pairs:
            shown("defence")
        if "refused" not in found and asked(Decision.DEFEND) and (key := _dull(seen)):
            shown("refused", key)
        return False

    seen.run(until=look)
    screen = seen.screen
    screen.path, screen.score = "game-1f3a.durak", dict.fromkeys(screen.table.names, 0)
    if screen.table.outcome is not None and screen.table.outcome.fool is not None:
        screen.score = {**screen.score, screen.table.names[screen.table.outcome.fool]: 1}
    found["result"] = painted(screen)
    return found


def _dull(seen: SeenTable) -> str:
    """The key of a card that may not be played now; empty if there is none."""
    chooser = seen.screen.chooser
    chooser.ask(seen.sessions[0].view())
    dull = [card for card in chooser.hand if not chooser.playable() >> card & 1]
    chooser.rest()
    return "1234567890"[chooser.hand.index(dull[0])] if dull and len(chooser.hand) <= 10 else ""


def _russian() -> str:
    screen, _ = start_screen()
    screen.settings = replace(screen.settings, language="ru")
    return painted(screen)


def _of_game(name: str) -> Callable[[], str]:
    return lambda: moments()[name]


STEPS: dict[str, Callable[[], str]] = {
    "1-start": start,
    "2-lobby": lobby,
    **{f"{at}-{name}": _of_game(name) for at, name in enumerate(("deck", "lead", "defence", "refused", "result"), 3)},
    "8-russian": _russian,
}


def file(step: str) -> Path:
    return FOLDER / f"{step}.svg"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for step, draw in STEPS.items():
        file(step).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
