"""What peers tell each other over a link beside the game itself: taking seats, beginning, catching up.

Each talk is an array of its name and its fields. Nothing here is signed, since a link already proves who speaks, and
nothing here is part of a game's chain: what matters of it ends up in the genesis, which every seat checks and signs.
Normative text: ``protocol/lobby.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from p2pdurak.errors import MalformedMessage
from p2pdurak.wire.codec import Value, decode, encode
from p2pdurak.wire.digest import DIGEST_BYTES
from p2pdurak.wire.genesis import NONCE_BYTES

MAX_REASON_CHARS = 200
MAX_HOST_CHARS = 64
MAX_TALK_BYTES = 20_000
"""Longest talk: a message of the game with its frame."""


@dataclass(frozen=True, slots=True)
class Say:
    """A message of the game ``game_id``, one's own or passed on."""

    game_id: bytes
    message: bytes


@dataclass(frozen=True, slots=True)
class Have:
    """I am in this round of this game; send me what I miss."""

    game_id: bytes
    round: int


@dataclass(frozen=True, slots=True)
class Sit:
    """I want a seat in game ``number``; here is my 32-byte nonce for it, and the TCP port that I listen on."""

    number: int
    nonce: bytes
    port: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a seated peer can be reached: its key, and the address as the opener sees it."""

    key: bytes
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class Places:
    """The opener says who sits at the table so far, and what is played for how many games."""

    table: str
    rules: str
    pack_size: int
    open_books: bool
    seats: int
    games: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Begin:
    """The opener proposes the genesis of a game."""

    genesis: bytes


@dataclass(frozen=True, slots=True)
class Refuse:
    """The opener has no seat for you, and says why."""

    reason: str


Talk: TypeAlias = Say | Have | Sit | Places | Begin | Refuse


def encode_talk(talk: Talk) -> bytes:
    """Return the bytes of a talk."""
    return encode(_fields(talk))


def _fields(talk: Talk) -> tuple[Value, ...]:
    match talk:
        case Say(game_id, message):
            return ("say", game_id, message)
        case Have(game_id, round_):
            return ("have", game_id, round_)
        case Sit(number, nonce, port):
            return ("sit", number, nonce, port)
        case Places(table, rules, pack_size, open_books, seats, games, places):
            listed = tuple((place.key, place.host, place.port) for place in places)
            return ("places", table, rules, pack_size, open_books, seats, games, listed)
        case Begin(genesis):
            return ("begin", genesis)
        case Refuse(reason):
            return ("refuse", reason)


def decode_talk(data: bytes) -> Talk:
    """Return the talk in ``data``; raises MalformedMessage.

    Only forms are checked here: whether names, rules and genesis make sense is for whoever acts on them.
    """
    match decode(data, limit=MAX_TALK_BYTES):
        case ("say", bytes() as game_id, bytes() as message) if len(game_id) == DIGEST_BYTES:
            return Say(game_id, message)
        case ("have", bytes() as game_id, int() as round_) if len(game_id) == DIGEST_BYTES and round_ >= 0:
            return Have(game_id, round_)
        case ("sit", int() as number, bytes() as nonce, int() as port) if (
            number > 0 and len(nonce) == NONCE_BYTES and 0 < port < 65_536
        ):
            return Sit(number, nonce, port)
        case (
            "places",
            str() as table,
            str() as rules,
            int() as pack,
            bool() as books,
            int() as seats,
            int() as games,
            tuple() as places,
        ):
            return Places(table, rules, pack, books, seats, games, tuple(_place(place) for place in places))
        case ("begin", bytes() as genesis):
            return Begin(genesis)
        case ("refuse", str() as reason) if len(reason) <= MAX_REASON_CHARS and reason.isprintable():
            return Refuse(reason)
    raise MalformedMessage("talk", "Something arrived that peers do not say to each other.")


def _place(value: Value) -> Place:
    match value:
        case (bytes() as key, str() as host, int() as port) if 0 < port < 65_536:
            if len(host) <= MAX_HOST_CHARS and host.isprintable():
                return Place(key, host, port)
    raise MalformedMessage("talk", "A place at the table does not have the right fields.")
