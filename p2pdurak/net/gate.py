"""Who has proved to know the code of a table, seen from its opener."""

from __future__ import annotations

from p2pdurak.errors import LinkError
from p2pdurak.net.code import CodeKeeper, Guesses, place_of


class Gate:
    """The code of one opened table; ``admitted`` are the keys of those who have given it."""

    def __init__(self, code: str) -> None:
        self.admitted: set[bytes] = set()
        self._code = code
        self._guesses = Guesses()
        self._keepers: dict[bytes, tuple[bytes, CodeKeeper]] = {}

    def answer(self, peer: bytes, binding: bytes, host: str, message: bytes, now: float) -> bytes:
        """Return what to say to ``peer``, linked by ``binding`` and seen at ``host``, that knocks with ``message``.

        ``now`` is the time in seconds. Raises WrongCode or TooManyGuesses, both LinkErrors; MalformedMessage.
        """
        counts, place = peer not in self.admitted, place_of(host)
        bound, keeper = self._keepers.get(peer, (b"", None))
        if keeper is None or bound != binding:  # an attempt is for one link
            if counts:
                self._guesses.begin(now, place)
            keeper = CodeKeeper(self._code, binding)
            self._keepers[peer] = binding, keeper
        try:
            reply = keeper.answer(message)
        except LinkError:
            del self._keepers[peer]
            raise
        if keeper.done:
            del self._keepers[peer]
            if counts:
                self._guesses.right(place)
            self.admitted.add(peer)
        return reply

    def left(self, peer: bytes) -> None:
        """Forget an attempt that was not brought to its end; it stays counted."""
        self._keepers.pop(peer, None)
