"""Back in the midst of a game: links and lobby as they were before the program ended, from what the journal says.

Whoever opened the table is its opener again, under the same key, so that others know it; guests and watchers go back
to that opener. Nobody is waited for here: the game goes on with whoever links up, in whatever order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.net.addresses import candidates
from p2pdurak.net.guest import Guest
from p2pdurak.net.mesh import open_mesh
from p2pdurak.net.opener import Opener

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from p2pdurak.crypto.identity import SigningKey
    from p2pdurak.net.lobby import Lobby, LobbyEvent
    from p2pdurak.net.mesh import Mesh
    from p2pdurak.net.saved import Header


def nickname_in(header: Header, key: bytes) -> str | None:
    """Return what ``key`` is called in the game; None for a watcher."""
    return next((seat.nickname for seat in header.genesis.seats if seat.key == key), None)


def reopen_mesh(identity: SigningKey, header: Header, nickname: str) -> AbstractAsyncContextManager[Mesh]:
    """Listen where we did, so that others find us; on another port if that one is taken.

    ``nickname`` is what a watcher is called; a player keeps the name in the game. Raises LinkError on entering.
    """
    nickname = nickname_in(header, identity.public) or nickname
    return open_mesh(identity, nickname, port=header.port or None, returning=True)


def restore_lobby(mesh: Mesh, header: Header, tell: Callable[[LobbyEvent], object], *, ready: bool) -> Lobby:
    """Return the lobby of the table that the game was begun at; ``tell`` and ``ready`` are as for a new one."""
    lobby: Opener | Guest
    if header.opener == mesh.identity.public:
        lobby = Opener(mesh, header.terms, tell, ready=ready, code=header.code)
    else:
        ways = [
            way for place in header.places if place.key == header.opener for way in candidates(place.host, place.port)
        ]
        watches = nickname_in(header, mesh.identity.public) is None
        lobby = Guest(mesh, header.opener, ways, tell, ready=ready, watches=watches, code=header.code)
    lobby.take_up(header)
    return lobby
