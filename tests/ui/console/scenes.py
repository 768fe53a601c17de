"""Moments of real games as one player's console shows them: played by sessions in memory, from one seed."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from p2pdurak.game.state import Decision
from p2pdurak.session.events import Event, Send, Voted
from p2pdurak.ui.console.chat_line import ChatLine
from p2pdurak.ui.console.conversation import Conversation
from p2pdurak.ui.console.model import TableModel
from p2pdurak.ui.console.settings import Settings
from p2pdurak.ui.console.table_screen import TableScreen
from p2pdurak.wire.messages import Gone, Kind
from tests.helpers import Table, eager, make_genesis, signing_key

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pdurak.game.actions import Action
    from p2pdurak.ui.console.screen import Screen

NOW = 1000.0
SIZES = {"80x24": (80, 24), "120x40": (120, 40), "60x20": (60, 20)}
LANGUAGES = ("en", "ru")
STATES = ("deck", "lead", "defend", "throw", "waiting", "refused", "leaving", "overdue", "voting", "result")


class SeenTable(Table):
    """A table of which seat 0 has a console."""

    def __init__(self, players: int, seed: int) -> None:
        super().__init__(make_genesis(players, seed=seed), seed=seed, choose=lambda _: eager)
        self.decided: list[Action] = []
        self.overdue: list[str] = []
        keys = [signing_key(seat).public for seat in range(players)]
        self.screen = TableScreen(
            Settings(name="Anna"),
            TableModel(self.genesis, 0),
            decide=self.decided.append,
            next_game=lambda: None,
            leave=lambda: None,
            linked=lambda: keys[:-1] if players > 4 else keys,
            resign=lambda: None,
            vote=lambda: None,
            overdue=lambda: self.overdue,
            chat=ChatLine(Conversation(keys[0], lambda _: None), lambda: None),
        )

    def happen(self, at: int, events: Sequence[Event]) -> None:
        super().happen(at, events)
        if at == 0:
            for event in events:
                if not isinstance(event, Send):
                    self.screen.hear(self.sessions[0], event, NOW)


def painted(screen: Screen, now: float = NOW) -> dict[str, str]:
    """The screen in all sizes and languages, by name."""
    kept = screen.settings
    texts = {}
    for language in LANGUAGES:
        for size, (columns, rows) in SIZES.items():
            screen.settings = replace(kept, language=language)
            texts[f"{language} {size}"] = screen.canvas(columns, rows, now).text()
    screen.settings = kept
    return texts


@cache
def scenes(players: int) -> dict[str, dict[str, str]]:
    """For each state of the table screen, all its paintings at a first moment when it is in that state."""
    table, found = SeenTable(players, seed=7), dict[str, dict[str, str]]()

    def look(_: Table) -> bool:
        for state, take in SCENES.items():
            if state not in found and (texts := take(table)):
                found[state] = texts
        return False

    table.run(until=look)
    screen = table.screen
    screen.path, screen.score = "/home/anna/game-1.durak", dict.fromkeys(screen.table.names, 0)
    found["result"] = painted(screen)
    return found


def _deck(table: SeenTable) -> dict[str, str] | None:
    model = table.screen.table
    return painted(table.screen) if model.kind is Kind.SHUFFLE and len(model.said[Kind.SHUFFLE]) == 1 else None


def _asked(decision: Decision, press: str = "", covers: int = 0) -> Callable[[SeenTable], dict[str, str] | None]:
    def take(table: SeenTable) -> dict[str, str] | None:
        session, screen = table.sessions[0], table.screen
        if not session.my_decision or session.state.play.decision is not decision:
            return None
        if len(screen.table.pairs) - len(session.state.play.unbeaten) < covers:
            return None
        screen.ask(session.view())
        if screen.chooser.only_pass:
            screen.chooser.rest()
            return None
        if press:
            dull = [card for card in screen.chooser.hand if not screen.chooser.playable() >> card & 1]
            key = press if press != "dull" else "1234567890"[screen.chooser.hand.index(dull[0])] if dull else ""
            if not key:
                screen.chooser.rest()
                return None
            screen.press(key)
        texts = painted(screen)
        screen.leaving = False
        screen.chooser.rest()
        return texts

    return take


def _waiting(table: SeenTable) -> dict[str, str] | None:
    model = table.screen.table
    others = model.kind is Kind.PLAY and model.waiting and 0 not in model.waiting
    return painted(table.screen, NOW + 7) if others and len(model.pairs) > 1 and model.ended is None else None


def _overdue(press: str) -> Callable[[SeenTable], dict[str, str] | None]:
    """Somebody has been waited for too long, and one of the others, if there is one, has voted to end the game."""

    def take(table: SeenTable) -> dict[str, str] | None:
        model, screen = table.screen.table, table.screen
        if model.kind is not Kind.PLAY or not model.waiting or 0 in model.waiting or len(model.pairs) < 2:
            return None
        (seat,), log = model.waiting, list(model.log)
        table.overdue.append(model.names[seat])
        voter = next((other for other in model.others() if other != seat), None)
        if voter is not None:
            model.vote = Gone((seat,), ())
            model.missing = tuple(other for other in range(model.genesis.players) if other not in (seat, voter))
            model.log.append(Voted(voter, (seat,), model.missing))
        if press:
            screen.press(press)
        texts = painted(screen, NOW + 130)
        screen.voting, model.vote, model.missing, model.log = False, None, (), log
        table.overdue.clear()
        return texts

    return take


SCENES: dict[str, Callable[[SeenTable], dict[str, str] | None]] = {
    "deck": _deck,
    "lead": _asked(Decision.LEAD),
    "defend": _asked(Decision.DEFEND),
    "throw": _asked(Decision.THROW_IN),
    "waiting": _waiting,
    "refused": _asked(Decision.DEFEND, press="dull", covers=1),
    "leaving": _asked(Decision.DEFEND, press="q"),
    "overdue": _overdue(""),
    "voting": _overdue("v"),
}
