"""Which seats of a game can be heard: over a link of our own, or through a seat that has one.

All seats pass on what they hear, so a seat without a link to us may take part as well as any other. Seats tell which
others are linked to them, and only that: what they were told themselves they keep, or two of them could hold a third in
reach for each other that has long been gone. Rejected: distances that are passed on, as routers do, since two links in
a row are all that a table of six needs in practice. Normative text: ``protocol/lobby.md``, "Who is in reach".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence


class Reach:
    """The links of one game's seats, whose ``keys`` are given, as the peer ``me`` knows them."""

    def __init__(self, keys: Sequence[bytes], me: bytes) -> None:
        self._keys = keys
        self._me = me
        self._linked: set[int] = set()
        self._told: dict[int, frozenset[int]] = {}

    def speaks(self, peer: bytes) -> None:
        """Take note that a linked peer takes part in the game: by what it says, since a link alone may only look."""
        self._linked.update(seat for seat, key in enumerate(self._keys) if key == peer)

    def hears(self, peer: bytes, seats: Collection[int]) -> None:
        """Take note of which seats are linked to a peer that is linked to us."""
        self.speaks(peer)
        self._told[self._keys.index(peer)] = frozenset(seats) & frozenset(range(len(self._keys)))

    def leaves(self, peer: bytes) -> None:
        """Take note that the link to a seat has ended: what it told does not count any more."""
        seat = self._keys.index(peer)
        self._linked.discard(seat)
        self._told.pop(seat, None)

    @property
    def linked(self) -> tuple[int, ...]:
        """The seats that are linked to us, which is what we tell."""
        return tuple(sorted(self._linked))

    def seats(self, but_for: Collection[int] = ()) -> frozenset[int]:
        """Return the seats in reach, ourselves among them; what the seats ``but_for`` have told does not count."""
        told = (seats for seat, seats in self._told.items() if seat not in but_for)
        me = (seat for seat, key in enumerate(self._keys) if key == self._me)
        return frozenset(self._linked).union(me, *told)
