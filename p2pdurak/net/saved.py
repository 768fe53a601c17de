"""A running game as it is kept on disk, and taken up again after whatever ended the program.

The journal's header is all that a peer must know besides what was said: the genesis, the terms, who opened the table,
where everybody was reached, and the port to be reachable on again. The game secret lies beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2pdurak.errors import MalformedMessage, NotationError, StorageError
from p2pdurak.net.journal import Journal, secret_of
from p2pdurak.wire.codec import Value, decode, encode
from p2pdurak.wire.genesis import Genesis, decode_genesis
from p2pdurak.wire.talk import Begin, Places, decode_talk, encode_talk

if TYPE_CHECKING:
    from pathlib import Path

    from p2pdurak.wire.talk import Place
    from p2pdurak.wire.terms import Terms

MAX_HEADER_BYTES = 40_000


@dataclass(frozen=True, slots=True)
class Header:
    """What a game is taken up with; ``code`` is the table's, which only its opener and guests know."""

    genesis: Genesis
    terms: Terms
    places: tuple[Place, ...]
    opener: bytes
    code: str | None
    port: int


def encode_header(header: Header) -> bytes:
    """Return the header as it stands in a journal; genesis and places have the form in which peers tell them."""
    begin = encode_talk(Begin(header.genesis.encode()))
    places = encode_talk(Places(header.terms, bytes(32), header.places, ()))
    return encode((begin, places, header.opener, header.code, header.port))


def decode_header(data: bytes) -> Header:
    """Return the header in ``data``; raises StorageError."""
    try:
        match decode(data, limit=MAX_HEADER_BYTES):
            case (bytes() as begun, bytes() as shown, bytes() as opener, (None | str()) as code, int() as port):
                return _header(begun, shown, opener, code, port)
    except (MalformedMessage, NotationError) as error:
        raise StorageError("The beginning of a saved game cannot be read: {error}", error=error) from error
    raise StorageError("The beginning of a saved game is not of this version of p2pdurak.")


def _header(begun: bytes, shown: bytes, opener: bytes, code: Value, port: int) -> Header:
    begin, places = decode_talk(begun), decode_talk(shown)
    if not (isinstance(begin, Begin) and isinstance(places, Places) and (code is None or isinstance(code, str))):
        raise StorageError("The beginning of a saved game is not of this version of p2pdurak.")
    return Header(decode_genesis(begin.genesis), places.terms, places.places, opener, code, port)


@dataclass(frozen=True, slots=True)
class Interrupted:
    """A game that was not played to its end: its header, the messages heard and said, and its journal, open."""

    header: Header
    messages: tuple[bytes, ...]
    journal: Journal


def peek(path: Path) -> tuple[Header, tuple[bytes, ...]]:
    """Return header and messages of an interrupted game, perhaps one that is being played; raises StorageError."""
    header, *messages = Journal.peek(path)
    return decode_header(header), tuple(messages)


def hindrance(path: Path) -> StorageError | None:
    """Return why an interrupted game cannot be taken up here, None if it seems to be possible; nothing is changed."""
    try:
        secret_of(path)
        peek(path)
    except StorageError as error:
        return error
    return None


def take_up(path: Path) -> Interrupted:
    """Open an interrupted game; raises StorageError if it is damaged."""
    header, messages, journal = Journal.open(path)
    try:
        return Interrupted(decode_header(header), messages, journal)
    except StorageError:
        journal.close()
        raise
