"""Coming to a table, step by step: asking how it stands, proving that we know its code, asking for a place there.

The opener answers each step or none; whoever comes back to a table goes the whole way again. Normative text:
``protocol/lobby.md``, "Sitting down".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.net.code import CodeAsker
from p2pdurak.net.refusals import Reason, refusal, refused
from p2pdurak.wire.talk import Knock, Look, encode_talk

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.net.mesh import Mesh
    from p2pdurak.wire.talk import Stand, Talk


class Approach:
    """The way to the table of ``opener``; ``enter`` asks for a place, once nothing bars the way to it.

    ``arrived`` tells that the opener has answered since we looked last.
    """

    def __init__(self, mesh: Mesh, opener: bytes, code: str | None, enter: Callable[[], object]) -> None:
        self.arrived = False
        self._mesh = mesh
        self._opener = opener
        self._code = code
        self._enter = enter
        self._asker: CodeAsker | None = None

    def look(self) -> None:
        """Ask how the table stands; the answer leads on. Whatever was begun before is over."""
        self.arrived, self._asker = False, None
        self.say(Look())

    def come(self, stand: Stand) -> None:
        """Give the code if the table asks for one, else enter; raises LinkError if we know none."""
        self.arrived = True
        if not stand.terms.code:
            self._enter()
            return
        if self._code is None:
            raise refused(refusal(Reason.CODE_WANTED))
        self._asker = CodeAsker(self._code, self._mesh.binding_of(self._opener))
        self.say(Knock(self._asker.first()))

    def knocked(self, message: bytes) -> None:
        """Go on proving that we know the code; raises LinkError if the opener does not."""
        if self._asker is None:
            return
        reply = self._asker.answer(message)
        if reply is not None:
            self.say(Knock(reply))
        else:
            self._asker = None
            self._enter()

    def say(self, talk: Talk) -> None:
        """Say something to the opener."""
        self._mesh.send(self._opener, encode_talk(talk))
