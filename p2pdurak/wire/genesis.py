"""What a game starts from: the table, its seats, and a fresh nonce from each; its hash is the game id.

The genesis covers everything that the players agreed on before the first message, so that no message of another table
or another game ever fits.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2pdurak.crypto.identity import check_public_key
from p2pdurak.errors import CryptoError, MalformedMessage, NotationError
from p2pdurak.game.opening import Opening
from p2pdurak.game.ruleset import Ruleset, parse_ruleset
from p2pdurak.wire.codec import VERSION, Value, decode, encode
from p2pdurak.wire.digest import DIGEST_BYTES, digest
from p2pdurak.wire.names import clean_nickname, clean_table_name

if TYPE_CHECKING:
    from collections.abc import Callable

MAGIC = "p2pdurak"
NONCE_BYTES = 32
NO_PREVIOUS = bytes(DIGEST_BYTES)
PACK_SIZES = (36, 52)
MIN_PLAYERS, MAX_PLAYERS = 2, 6


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sits at one place: the 32-byte public signing key, the nickname, and a 32-byte fresh nonce."""

    key: bytes
    nickname: str
    nonce: bytes


@dataclass(frozen=True, slots=True)
class Genesis:
    """The agreed beginning of one game.

    ``number`` counts the games of a match from 1; ``previous`` is the final head of the game before (zeros for the
    first); ``opening`` says who deals and who leads where the game before decided it.
    """

    table: str
    rules: Ruleset
    pack_size: int
    open_books: bool
    number: int
    opening: Opening
    previous: bytes
    seats: tuple[Seat, ...]

    def __post_init__(self) -> None:
        if not MIN_PLAYERS <= len(self.seats) <= MAX_PLAYERS:
            raise MalformedMessage("genesis", "A table has 2 to 6 seats.")
        if self.pack_size not in PACK_SIZES:
            raise MalformedMessage("genesis", "The pack has 36 or 52 cards.")
        if len({seat.key for seat in self.seats}) != len(self.seats):
            raise MalformedMessage("genesis", "Two seats have the same key; start one of them with another profile.")
        _check_name(clean_table_name, self.table)
        for seat in self.seats:
            _check_name(clean_nickname, seat.nickname)
            if len(seat.nonce) != NONCE_BYTES:
                raise MalformedMessage("genesis", "A seat's nonce is not 32 bytes long.")
            try:
                check_public_key(seat.key)
            except CryptoError as error:
                raise MalformedMessage("genesis", "{name} has an unusable key.", name=seat.nickname) from error
        first = self.number == 1
        if self.number < 1 or len(self.previous) != DIGEST_BYTES or first != (self.previous == NO_PREVIOUS):
            raise MalformedMessage("genesis", "The game's number does not fit the game before it.")
        if first and self.opening != Opening(None, None):
            raise MalformedMessage("genesis", "In a first game the lot gives the dealer and the lowest trump leads.")
        for seat_number in (self.opening.dealer, self.opening.leader):
            if seat_number is not None and not 0 <= seat_number < len(self.seats):
                raise MalformedMessage("genesis", "The dealer or leader has no seat.")

    @property
    def keys(self) -> tuple[bytes, ...]:
        """The public signing keys in seat order."""
        return tuple(seat.key for seat in self.seats)

    @property
    def players(self) -> int:
        """The number of seats."""
        return len(self.seats)

    def name(self, seat: int) -> str:
        """Return the nickname of ``seat``, with its number from 1 where another's would be read as the same.

        A sign tells that it is a number, and no word, which would be of one language: names stand in all sentences.
        """
        nicknames = [other.nickname for other in self.seats]
        numbered = [f"{nickname} #{number}" for number, nickname in enumerate(nicknames, 1)]
        nickname = nicknames[seat]
        return nickname if nicknames.count(nickname) == 1 and nickname not in numbered else numbered[seat]

    def encode(self) -> bytes:
        """Return the genesis as it stands in the file and is hashed."""
        seats = tuple((seat.key, seat.nickname, seat.nonce) for seat in self.seats)
        return encode(
            (
                MAGIC,
                VERSION,
                self.table,
                str(self.rules),
                self.pack_size,
                self.open_books,
                self.number,
                self.opening.dealer,
                self.opening.leader,
                self.previous,
                seats,
            )
        )

    @property
    def game_id(self) -> bytes:
        """The 32-byte id of the game, also the head of round 0."""
        return digest("genesis", self.encode())


def _check_name(clean: Callable[[str], str], name: str) -> None:
    """Raise MalformedMessage unless ``name`` is in its one canonical form."""
    try:
        canonical = clean(name)
    except NotationError as error:
        raise MalformedMessage("name", "A name in the game is not one. {error}", error=error) from error
    if canonical != name:
        raise MalformedMessage("name", "The name {name} is not in its canonical form.", name=canonical)


def decode_genesis(data: bytes) -> Genesis:
    """Return the genesis in ``data``; raises MalformedMessage."""
    match decode(data):
        case (
            str() as magic,
            int() as version,
            str() as table,
            str() as rules,
            int() as pack_size,
            bool() as open_books,
            int() as number,
            None | int() as dealer,
            None | int() as leader,
            bytes() as previous,
            tuple() as seats,
        ) if magic == MAGIC:
            pass
        case _:
            raise MalformedMessage("genesis", "The beginning of the game does not have the right fields.")
    if version != VERSION:
        raise MalformedMessage(
            "version",
            "This game uses protocol version {theirs}; this program knows {ours}.",
            theirs=version,
            ours=VERSION,
        )
    if any(isinstance(value, bool) for value in (version, pack_size, number, dealer, leader)):
        raise MalformedMessage("genesis", "The beginning of the game does not have the right fields.")
    try:
        ruleset = parse_ruleset(rules)
    except NotationError as error:
        raise MalformedMessage("genesis", "The rules of the game cannot be read: {error}", error=error) from error
    genesis = Genesis(
        table,
        ruleset,
        pack_size,
        open_books,
        number,
        Opening(dealer, leader),
        previous,
        tuple(_decode_seat(seat) for seat in seats),
    )
    if genesis.encode() != data:
        raise MalformedMessage("genesis", "The beginning of the game is not in its one canonical form.")
    return genesis


def _decode_seat(value: Value) -> Seat:
    match value:
        case (bytes() as key, str() as nickname, bytes() as nonce):
            return Seat(key, nickname, nonce)
        case _:
            raise MalformedMessage("genesis", "A seat of the game does not have the right fields.")
