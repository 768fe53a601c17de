"""People talking at a table of six, at a moment of a real game, and before one."""

from __future__ import annotations

from copy import copy
from functools import cache
from typing import TYPE_CHECKING, Final

from p2pdurak.errors import LocalProtocolError
from p2pdurak.game.state import Decision
from p2pdurak.ui.console.chat_line import ChatLine
from p2pdurak.ui.console.chat_screen import ChatScreen
from p2pdurak.ui.console.conversation import FRESH_SECONDS, Conversation, Line
from p2pdurak.ui.console.lobby_screen import LobbyScreen
from p2pdurak.ui.console.settings import Settings
from p2pdurak.wire.talk import Place
from p2pdurak.wire.terms import Terms
from tests.helpers import NAMES, signing_key
from tests.ui.console.scenes import NOW, SeenTable, painted

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.ui.console.screen import Screen
    from p2pdurak.ui.console.table_screen import TableScreen
    from p2pdurak.wire.chat import Remark

KEYS: Final = [signing_key(at).public for at in range(8)]
ALWAYS: Final = 1e12
"""A time on any clock at which words were said that stay fresh."""
HOSTILE: Final = "\x1b[2J\x1b[H\r\n\u202eyou won\x07" + "z" + "\u0301" * 40 + "\u3164\x9b1;1H"
LONG: Final = "Мне кажется, что с таким козырем можно было бы и подождать, пока не выйдут дамы! 你好世界 " * 2


class Talk:
    """A conversation that people have had, and what we said in it."""

    def __init__(self) -> None:
        self.said: list[Remark] = []
        self.shown = 0
        self.full = False
        self.conversation = Conversation(KEYS[0], self._say)
        self.line = ChatLine(self.conversation, self._show_all)

    def _say(self, remark: Remark) -> None:
        if self.full:
            raise LocalProtocolError("That is too much at once; say it again in a few seconds.")
        self.said.append(remark)
        self.conversation.hear(Line(KEYS[0], "Anna", False, remark, ALWAYS), seen=True)

    def _show_all(self) -> None:
        self.shown += 1

    def hear(self, speaker: int, remark: Remark | None, *, ago: float = 1, seen: bool = True) -> None:
        name = "Анна-Мария Вильгельмина" if speaker == 7 else NAMES[speaker % 6]
        self.conversation.hear(Line(KEYS[speaker], name, speaker > 5, remark, NOW - ago), seen=seen)


def spoken() -> Talk:
    """Some words of long ago, and some of now."""
    talk = Talk()
    talk.hear(1, "Всем привет!", ago=FRESH_SECONDS + 20)
    talk.hear(2, 1, ago=FRESH_SECONDS + 10)
    talk.hear(7, LONG[:200], ago=20)
    talk.hear(4, None, ago=10)
    talk.hear(3, "Nine of clubs, really?", ago=2)
    return talk


@cache
def _table() -> SeenTable:
    """Six players, and we defend."""
    table = SeenTable(6, seed=7)

    def asked(_: object) -> bool:
        session = table.sessions[0]
        play = session.state.game
        if not (session.my_decision and play and play.decision is Decision.DEFEND):
            return False
        table.screen.ask(session.view())
        return True

    table.run(until=asked)
    return table


def table_screen(talk: Talk) -> TableScreen:
    """The table, with people talking at it; nothing that is done to it is seen by the next who asks for one."""
    screen = copy(_table().screen)
    screen.settings, screen.chooser, screen.chat = Settings(), copy(screen.chooser), talk.line
    return screen


def lobby_screen(talk: Talk) -> LobbyScreen:
    """Six people who gather, of whom we are the first."""
    screen = LobbyScreen(
        Settings(),
        KEYS[0],
        words=lambda key: f"acid actor {key.hex()[:4]}",
        ready=lambda ready: None,
        start=None,
        leave=lambda: None,
        chat=talk.line,
    )
    rules = _table().genesis.rules
    screen.terms = Terms("kitchen", rules)
    screen.places = tuple(Place(KEYS[at], NAMES[at], "", 1, at % 2 == 1) for at in range(6))
    return screen


def _closed() -> Screen:
    return table_screen(spoken())


def _unread() -> Screen:
    talk = spoken()
    talk.hear(2, "Are you there?", seen=False)
    talk.hear(3, 5, seen=False)
    return table_screen(talk)


def _open() -> Screen:
    talk = spoken()
    talk.line.press("tab")
    return table_screen(talk)


def _typing() -> Screen:
    talk = spoken()
    talk.line.press("tab")
    talk.line.typed("Now or never, I should say, and if it is never, then ")
    return table_screen(talk)


def _refused() -> Screen:
    talk = spoken()
    talk.full = True
    talk.line.press("tab")
    talk.line.typed("3")
    return table_screen(talk)


def _hostile() -> Screen:
    talk = Talk()
    talk.hear(5, HOSTILE)
    return table_screen(talk)


def _lobby() -> Screen:
    return lobby_screen(spoken())


def _lobby_open() -> Screen:
    talk = spoken()
    talk.line.press("/")
    return lobby_screen(talk)


def _all() -> Screen:
    talk = spoken()
    for number in range(12):
        talk.hear(number % 6, f"words {number}", ago=1)
    talk.conversation.toggle(KEYS[2])
    return ChatScreen(Settings(), talk.conversation, lambda: None)


SCENES: Final[dict[str, Callable[[], Screen]]] = {
    "closed": _closed,
    "unread": _unread,
    "open": _open,
    "typing": _typing,
    "refused": _refused,
    "hostile": _hostile,
    "lobby": _lobby,
    "lobby-open": _lobby_open,
    "all": _all,
}


def picture(name: str) -> str:
    """All paintings of one scene in one text."""
    return "".join(f"=== {size}\n{text}" for size, text in painted(SCENES[name]()).items())
