"""Where the players of a running game are now: seen by those who have a link, passed on to those who have none.

The announcement on the network tells where the opener is, and nobody else. So two guests who both come to other
addresses in a game would not find each other again, nor would anybody while the opener is away: then a third one, with
a link to both, tells each where the other is. Announcing every player was rejected, since that would show the whole
network who plays; asking around was, since whoever has moved comes by anyway. Normative text: ``protocol/lobby.md``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from p2pdurak.net.addresses import candidates

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from p2pdurak.net.mesh import Mesh
    from p2pdurak.wire.talk import Place


class Whereabouts:
    """Where those are who play one game; between games, nobody."""

    def __init__(self, mesh: Mesh) -> None:
        self._mesh = mesh
        self._at_first: dict[bytes, str] = {}
        self._moved: dict[bytes, str] = {}

    def begin(self, places: Iterable[Place], keys: Sequence[bytes]) -> None:
        """Take note of where the players, whose ``keys`` these are, have been while they gathered."""
        self._at_first = {place.key: place.host or self.of(place.key) for place in places if place.key in keys}
        self._moved = {}

    def of(self, peer: bytes) -> str:
        """Return the literal address from which a linked peer speaks, without scope; empty if there is no link."""
        return self._mesh.address_of(peer).rpartition(":")[0].strip("[]").partition("%")[0]

    def arrives(self, peer: bytes) -> bool:
        """Take note of where a player is whose link has come up; tell whether that is another place than at first."""
        host, before = self.of(peer), self._at_first.get(peer, "")
        if not before:  # whoever was away when we came back has not moved
            self._at_first[peer] = host
        elif host != before:
            self._moved[peer] = host
        return bool(before) and host != before

    def known(self) -> bool:
        """Tell whether anybody is known to have moved."""
        return bool(self._moved)

    def now(self, places: Iterable[Place]) -> tuple[Place, ...]:
        """Return the places with the hosts of those whom we have seen elsewhere."""
        return tuple(replace(place, host=self._moved.get(place.key, place.host), ready=False) for place in places)

    def learn(self, peer: bytes, places: Iterable[Place]) -> None:
        """Dial where ``peer``, if it plays, has seen others that have no link to us; only the key can tell if it is so.

        Hosts from before are no news, and dialled anyway.
        """
        if peer not in self._at_first:
            return
        linked = (self._mesh.identity.public, *self._mesh.peers())
        for place in places:
            before = self._at_first.get(place.key)
            if before is not None and place.key not in linked and place.host not in ("", before):
                self._mesh.want(place.key, candidates(place.host, place.port))
