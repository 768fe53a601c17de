"""A game looked through quickly: signatures, order and hashes are checked, proofs and rules are not.

This is for lists of games, and tells in a tenth of the time how a game of one's own went. It is no verdict: whoever
wants one audits the transcript.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.errors import DurakError
from p2pdurak.session.rounds import current
from p2pdurak.session.session import Session
from p2pdurak.wire.messages import decode_body

if TYPE_CHECKING:
    from collections.abc import Iterable

    from p2pdurak.session.public import PublicState
    from p2pdurak.wire.envelope import Envelope
    from p2pdurak.wire.genesis import Genesis
    from p2pdurak.wire.messages import Body


class _Skimmer(Session):
    """A session that believes the proofs."""

    def _check(self, state: PublicState, envelope: Envelope) -> Body:
        round_ = current(state)
        if round_ is None or envelope.seat not in round_.speakers(state) or envelope.kind != round_.kind:
            return super()._check(state, envelope)
        return decode_body(round_.kind, envelope.body)


def skim(genesis: Genesis, messages: Iterable[bytes]) -> Session:
    """Return the game as far as ``messages`` make sense; it is ``finished`` if they are all that there is to say.

    Messages that nobody could have said in good faith end it early, since without proofs they are not recognised.
    """
    session = _Skimmer(genesis)
    try:
        for message in messages:
            session.receive(message)
    except (DurakError, LookupError, ValueError):
        pass
    return session
