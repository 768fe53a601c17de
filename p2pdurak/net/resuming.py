"""Back in the midst of a game: links and lobby as they were before the program ended, from what the journal says.

Whoever opened the table is its opener again, under the same key, so that others know it; guests and watchers go back
to that opener. Nobody is waited for here: the game goes on with whoever links up, in whatever order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.errors import MalformedMessage, StorageError
from p2pdurak.net.addresses import candidates
from p2pdurak.net.guest import Guest
from p2pdurak.net.journal import SECRET_BYTES, SECRET_SUFFIX
from p2pdurak.net.mesh import open_mesh
from p2pdurak.net.opener import Opener
from p2pdurak.net.saved import take_up
from p2pdurak.net.storage import read_whole
from p2pdurak.session.opening import secret_commitment
from p2pdurak.wire.envelope import open_envelope
from p2pdurak.wire.messages import Commit, Kind, decode_body

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    from p2pdurak.crypto.identity import SigningKey
    from p2pdurak.net.lobby import Lobby, LobbyEvent
    from p2pdurak.net.mesh import Mesh
    from p2pdurak.net.saved import Header, Interrupted


def nickname_in(header: Header, key: bytes) -> str | None:
    """Return what ``key`` is called in the game; None for a watcher."""
    return next((seat.nickname for seat in header.genesis.seats if seat.key == key), None)


def take_up_game(path: Path, me: bytes) -> Interrupted:
    """Open the interrupted game of the key ``me``; raises StorageError if it is damaged, or its secret another one."""
    interrupted = take_up(path)
    if not _fits(interrupted.journal.secret, interrupted.header, interrupted.messages, me):
        interrupted.journal.close()
        raise StorageError(
            "{path} is damaged: it is not the secret of this game, which cannot go on here without it.",
            path=path.with_suffix(SECRET_SUFFIX),
        )
    return interrupted


def has_its_secret(path: Path, header: Header, messages: Iterable[bytes], me: bytes) -> bool:
    """Tell whether the secret beside a journal, which may be in use, is there and the one of this game."""
    kept = path.with_suffix(SECRET_SUFFIX)
    try:
        secret = read_whole(kept) if kept.exists() else b""
    except StorageError:
        return False
    return len(secret) == SECRET_BYTES and _fits(secret, header, messages, me)


def _fits(secret: bytes, header: Header, messages: Iterable[bytes], me: bytes) -> bool:
    """Tell whether ``me`` has committed to this secret, if it has committed to any; a watcher needs none."""
    genesis = header.genesis
    if me not in genesis.keys:
        return True
    seat = genesis.keys.index(me)
    try:
        for message in messages:
            envelope = open_envelope(message, genesis.game_id, genesis.keys)
            if envelope.seat == seat and envelope.kind == Kind.COMMIT:
                commit = decode_body(Kind.COMMIT, envelope.body)
                ours = secret_commitment(genesis.game_id, seat, secret)
                return isinstance(commit, Commit) and commit.secret == ours
    except MalformedMessage:
        pass  # what nobody said is told of when the messages are heard again
    return True


def reopen_mesh(
    identity: SigningKey, header: Header, nickname: str, *, loopback: bool = False
) -> AbstractAsyncContextManager[Mesh]:
    """Listen where we did, so that others find us; on another port if that one is taken.

    ``nickname`` is what a watcher is called; a player keeps the name in the game. With ``loopback`` all others are on
    this machine. Raises LinkError on entering.
    """
    nickname = nickname_in(header, identity.public) or nickname
    return open_mesh(identity, nickname, port=header.port or None, returning=True, loopback=loopback)


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
