"""What a table plays and on what terms, as its opener offers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2pdurak.errors import NotationError
from p2pdurak.game.ruleset import Ruleset, parse_ruleset
from p2pdurak.wire.genesis import MAX_PLAYERS, MIN_PLAYERS, PACK_SIZES, Genesis
from p2pdurak.wire.names import clean_table_name

if TYPE_CHECKING:
    from p2pdurak.wire.codec import Value

MAX_GAMES = 1_000
GRACE_SECONDS = 120
MAX_GRACE_SECONDS = 86_400


@dataclass(frozen=True, slots=True)
class Terms:
    """The offer of a table; raises NotationError if it makes no sense.

    ``games`` is the number of games of the match, 0 for as many as people like. ``by_lot`` seats the players by lot
    and not in the order of their coming. ``watchers`` tells whether others may watch, ``code`` whether a code is asked
    for. ``grace`` is how many seconds an absent player is waited for before the others may go on without.
    """

    table: str
    rules: Ruleset
    pack_size: int = 36
    seats: int = 6
    open_books: bool = True
    games: int = 0
    by_lot: bool = False
    watchers: bool = True
    code: bool = False
    grace: int = GRACE_SECONDS

    def __post_init__(self) -> None:
        if clean_table_name(self.table) != self.table:
            raise NotationError("The table's name is not in its canonical form.")
        if self.pack_size not in PACK_SIZES:
            raise NotationError("The pack has 36 or 52 cards.")
        if not MIN_PLAYERS <= self.seats <= MAX_PLAYERS:
            raise NotationError("A table has {least} to {most} seats.", least=MIN_PLAYERS, most=MAX_PLAYERS)
        if not (0 <= self.games <= MAX_GAMES and 0 <= self.grace <= MAX_GRACE_SECONDS):
            raise NotationError("The number of games or the grace time of the table is out of bounds.")

    def agree_with(self, genesis: Genesis) -> bool:
        """Tell whether ``genesis`` is a game on these terms."""
        return (
            (genesis.table, genesis.rules, genesis.pack_size, genesis.open_books)
            == (self.table, self.rules, self.pack_size, self.open_books)
            and genesis.players <= self.seats
        )  # fmt: skip


def encode_terms(terms: Terms) -> tuple[Value, ...]:
    """Return the fields of ``terms`` in their order on the wire."""
    return (
        terms.table,
        str(terms.rules),
        terms.pack_size,
        terms.seats,
        terms.open_books,
        terms.games,
        terms.by_lot,
        terms.watchers,
        terms.code,
        terms.grace,
    )


def decode_terms(value: Value) -> Terms:
    """Return the terms with these fields; raises NotationError."""
    match value:
        case (
            str() as table,
            str() as rules,
            int() as pack_size,
            int() as seats,
            bool() as open_books,
            int() as games,
            bool() as by_lot,
            bool() as watchers,
            bool() as code,
            int() as grace,
        ):
            ruleset = parse_ruleset(rules)
            return Terms(table, ruleset, pack_size, seats, open_books, games, by_lot, watchers, code, grace)
    raise NotationError("The terms of the table do not have the right fields.")
