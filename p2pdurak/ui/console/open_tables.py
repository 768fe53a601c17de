"""The tables of this network from one start screen to the next: each keeps its place, for a digit is pressed for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2pdurak.ui.console.choices import OpenTable


class OpenTables:
    """The tables that there are, in the order in which their openers were first seen.

    Whoever comes back to the start screen sees those of last time at once; they stay while they are asked anew, and
    ``settle`` then takes away which have not answered.
    """

    def __init__(self) -> None:
        self._first_seen: dict[bytes, int] = {}
        self._tables: dict[bytes, OpenTable] = {}
        self._heard: set[bytes] = set()

    def ask_anew(self) -> None:
        """Take note that all have to answer again."""
        self._heard = set()

    def put(self, table: OpenTable) -> None:
        """Take what a table says of itself."""
        self._first_seen.setdefault(table.key, len(self._first_seen))
        self._heard.add(table.key)
        self._tables[table.key] = table

    def remove(self, key: bytes) -> None:
        """Take away the table of an opener, if it is there."""
        self._tables.pop(key, None)

    def settle(self) -> None:
        """Take away which have not answered since they were asked anew."""
        self._tables = {key: table for key, table in self._tables.items() if key in self._heard}

    def in_order(self) -> dict[bytes, OpenTable]:
        """Return the tables by the keys of their openers."""
        return dict(sorted(self._tables.items(), key=lambda item: self._first_seen[item[0]]))
