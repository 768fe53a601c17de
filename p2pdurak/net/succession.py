"""Who opens the next game of a match when a game was ended without the opener: those who stay go on without asking.

The one who stays in the first seat has the table then. Everybody knows that from the transcript alone, so nothing has
to be said or agreed on. Normative text: ``protocol/lobby.md``, "When the opener has left".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.errors import Sentence
from p2pdurak.net.addresses import candidates
from p2pdurak.net.guest import Guest
from p2pdurak.net.opener import Opener

if TYPE_CHECKING:
    from p2pdurak.net.lobby import Lobby
    from p2pdurak.session.session import Session


def heir(session: Session, opener: bytes) -> bytes:
    """Return the key of whoever opens the game after ``session``: ``opener``, unless it was ended without that seat."""
    keys, staying = session.genesis.keys, session.state.staying()
    return opener if opener in {keys[seat] for seat in staying} or opener not in keys else keys[staying[0]]


def succeed(lobby: Lobby, session: Session) -> Lobby:
    """Return the lobby for the game after ``session``: the same, or another where somebody else has the table now."""
    key = heir(session, lobby.opener)
    if key == lobby.opener or lobby.terms is None:
        return lobby
    names = session.genesis.name
    keys = session.genesis.keys
    old, new_name = keys.index(lobby.opener), names(keys.index(key))
    removal = session.state.removal
    if removal is not None and old in removal.resigned:
        said = Sentence("{old} has given the game up: {new} has the table from now on.", old=names(old), new=new_name)
    else:
        said = Sentence(
            "The game was ended without {old}: {new} has the table from now on.", old=names(old), new=new_name
        )
    lobby.warn(said)
    new: Opener | Guest
    if key == lobby.me:
        new = Opener(lobby.mesh, lobby.terms, lobby.tell, ready=lobby.always_ready, code=lobby.code)
    else:
        ways = [way for place in lobby.places if place.key == key for way in candidates(place.host, place.port)]
        watches = lobby.me not in keys
        new = Guest(lobby.mesh, key, ways, lobby.tell, ready=lobby.always_ready, watches=watches, code=lobby.code)
    new.inherit(lobby)
    return new
