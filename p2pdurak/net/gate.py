"""Who has proved to know the code of a table, seen from its opener."""

from __future__ import annotations

from p2pdurak.errors import LinkError
from p2pdurak.net.code import CodeKeeper, Guesses


class Gate:
    """The code of one opened table; ``admitted`` are the keys of those who have given it."""

    def __init__(self, code: str) -> None:
        self.admitted: set[bytes] = set()
        self._code = code
        self._guesses = Guesses()
        self._keepers: dict[bytes, tuple[bytes, CodeKeeper]] = {}

    def answer(self, peer: bytes, binding: bytes, message: bytes, now: float) -> bytes:
        """Return what to say to ``peer``, linked by ``binding``, that knocks with ``message`` at the time ``now``.

        Raises WrongCode or TooManyGuesses, both LinkErrors with a sentence for the peer; MalformedMessage.
        """
        bound, keeper = self._keepers.get(peer, (b"", None))
        if keeper is None or bound != binding:  # an attempt is for one link
            self._guesses.begin(now)
            keeper = CodeKeeper(self._code, binding)
            self._keepers[peer] = binding, keeper
        try:
            reply = keeper.answer(message)
        except LinkError:
            del self._keepers[peer]
            raise
        if keeper.done:
            del self._keepers[peer]
            self._guesses.right()
            self.admitted.add(peer)
        return reply

    def left(self, peer: bytes) -> None:
        """Forget an attempt that was not brought to its end; it stays counted."""
        self._keepers.pop(peer, None)
