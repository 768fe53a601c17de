"""What peers tell each other over a link beside the game itself: looking, sitting down, beginning, catching up.

Each talk is an array of its name and its fields. Only ``chat`` is signed, since a link already proves who speaks, and
nothing here is part of a game's chain: what matters of it ends up in the genesis, which every seat checks and signs.
Normative text: ``protocol/lobby.md``.
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from typing import TypeAlias

from p2pdurak.errors import MalformedMessage, NotationError
from p2pdurak.wire.codec import Value, decode, encode
from p2pdurak.wire.digest import DIGEST_BYTES
from p2pdurak.wire.genesis import MAX_PLAYERS, NONCE_BYTES
from p2pdurak.wire.names import clean_nickname
from p2pdurak.wire.terms import Terms, decode_terms, encode_terms

KEY_BYTES = 32
MAX_WORDS_CHARS = 200
MAX_WAIT_SECONDS = 86_400
MAX_HOST_CHARS = 64
MAX_KNOCK_BYTES = 256
MAX_CHAT_BYTES = 1_024
SIGNATURE_BYTES = 64
MAX_WATCHERS = 16
MAX_TALK_BYTES = 20_000
"""Longest talk: a message of the game with its frame."""
_REASON = re.compile(r"[a-z-]{1,24}")


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
class Linked:
    """These seats of this game have a link to me, and take part over it; in growing order, without the teller."""

    game_id: bytes
    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Look:
    """Tell me how your table stands."""


@dataclass(frozen=True, slots=True)
class Stand:
    """How the table stands; ``lot`` is the hash of the opener's nonce for the next game; with a code, no names."""

    terms: Terms
    lot: bytes
    playing: bool
    taken: int
    nicknames: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Knock:
    """A step of proving that one knows the table's code, in either direction."""

    message: bytes


@dataclass(frozen=True, slots=True)
class Sit:
    """I want a seat in game ``number``, 0 for whichever is next; with a 32-byte nonce for it, and my TCP port."""

    number: int
    nonce: bytes
    port: int


@dataclass(frozen=True, slots=True)
class Watch:
    """I want to watch."""


@dataclass(frozen=True, slots=True)
class Ready:
    """I am ready for the next game, or not any more."""

    ready: bool


@dataclass(frozen=True, slots=True)
class Place:
    """A seated peer: its key and nickname, the address as the opener sees it, and whether it is ready."""

    key: bytes
    nickname: str
    host: str
    port: int
    ready: bool = False


@dataclass(frozen=True, slots=True)
class Places:
    """The opener says who sits at the table and who watches; ``lot`` is the hash of its own nonce."""

    terms: Terms
    lot: bytes
    places: tuple[Place, ...]
    watchers: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Begin:
    """The opener proposes the genesis of a game."""

    genesis: bytes


@dataclass(frozen=True, slots=True)
class Chat:
    """Words of a person, one's own or passed on, with the speaker's signature; ``chat`` reads them."""

    payload: bytes
    signature: bytes


@dataclass(frozen=True, slots=True)
class Refuse:
    """The opener refuses what was asked, and says why: by a word, and by the same in English.

    ``seconds`` is how long to wait, where that is what to do.
    """

    reason: str
    seconds: int
    words: str


Talk: TypeAlias = Say | Have | Linked | Look | Stand | Knock | Sit | Watch | Ready | Places | Begin | Chat | Refuse


def encode_talk(talk: Talk) -> bytes:
    """Return the bytes of a talk."""
    return encode(_fields(talk))


def _fields(talk: Talk) -> tuple[Value, ...]:
    match talk:
        case Say(game_id, message):
            return ("say", game_id, message)
        case Have(game_id, round_):
            return ("have", game_id, round_)
        case Linked(game_id, seats):
            return ("linked", game_id, seats)
        case Look():
            return ("look",)
        case Stand(terms, lot, playing, taken, nicknames):
            return ("stand", encode_terms(terms), lot, playing, taken, nicknames)
        case Knock(message):
            return ("knock", message)
        case Sit(number, nonce, port):
            return ("sit", number, nonce, port)
        case Watch():
            return ("watch",)
        case Ready(ready):
            return ("ready", ready)
        case Places(terms, lot, places, watchers):
            listed = tuple((place.key, place.nickname, place.host, place.port, place.ready) for place in places)
            return ("places", encode_terms(terms), lot, listed, watchers)
        case Begin(genesis):
            return ("begin", genesis)
        case Chat(payload, signature):
            return ("chat", payload, signature)
        case Refuse(reason, seconds, words):
            return ("refuse", reason, seconds, words)


def decode_talk(data: bytes) -> Talk:
    """Return the talk in ``data``; raises MalformedMessage.

    Whether the genesis makes sense is for whoever acts on it.
    """
    try:
        talk = _of_game(value := decode(data, limit=MAX_TALK_BYTES)) or _of_lobby(value)
    except NotationError as error:
        raise MalformedMessage("talk", "What a table says of itself makes no sense: {error}", error=error) from error
    if talk is None:
        raise MalformedMessage("talk", "Something arrived that peers do not say to each other.")
    return talk


def _of_game(value: Value) -> Talk | None:
    match value:
        case ("say", bytes() as game_id, bytes() as message) if len(game_id) == DIGEST_BYTES:
            return Say(game_id, message)
        case ("have", bytes() as game_id, int() as round_) if len(game_id) == DIGEST_BYTES and round_ >= 0:
            return Have(game_id, round_)
        case ("linked", bytes() as game_id, tuple() as seats) if len(game_id) == DIGEST_BYTES:
            return Linked(game_id, _seats(seats))
        case ("begin", bytes() as genesis):
            return Begin(genesis)
        case ("chat", bytes() as payload, bytes() as signature) if (
            len(payload) <= MAX_CHAT_BYTES and len(signature) == SIGNATURE_BYTES
        ):
            return Chat(payload, signature)
    return None


def _of_lobby(value: Value) -> Talk | None:
    match value:
        case ("look",):
            return Look()
        case ("stand", terms, bytes() as lot, bool() as playing, int() as taken, tuple() as nicknames) if (
            len(lot) == DIGEST_BYTES
        ):
            return Stand(decode_terms(terms), lot, playing, taken, tuple(_nickname(name) for name in nicknames))
        case ("knock", bytes() as message) if len(message) <= MAX_KNOCK_BYTES:
            return Knock(message)
        case ("sit", int() as number, bytes() as nonce, int() as port) if (
            number >= 0 and len(nonce) == NONCE_BYTES and 0 < port < 65_536
        ):
            return Sit(number, nonce, port)
        case ("watch",):
            return Watch()
        case ("ready", bool() as ready):
            return Ready(ready)
        case ("places", terms, bytes() as lot, tuple() as places, tuple() as watchers) if (
            len(lot) == DIGEST_BYTES and len(watchers) <= MAX_WATCHERS
        ):
            listed = tuple(_place(place) for place in places)
            return Places(decode_terms(terms), lot, listed, tuple(_key(watcher) for watcher in watchers))
        case ("refuse", str() as reason, int() as seconds, str() as words) if (
            _REASON.fullmatch(reason)
            and 0 <= seconds <= MAX_WAIT_SECONDS
            and len(words) <= MAX_WORDS_CHARS
            and words.isprintable()
        ):
            return Refuse(reason, seconds, words)
    return None


def _place(value: Value) -> Place:
    match value:
        case (key, nickname, str() as host, int() as port, bool() as ready) if _is_address(host) and 0 < port < 65_536:
            return Place(_key(key), _nickname(nickname), host, port, ready)
    raise NotationError("a place does not have the right fields")


def _is_address(host: str) -> bool:
    """Tell whether ``host`` is a literal IP address, or empty: nobody is made to ask a name server for a stranger."""
    try:
        return not host or (len(host) <= MAX_HOST_CHARS and bool(ipaddress.ip_address(host)))
    except ValueError:
        return False


def _seats(values: tuple[Value, ...]) -> tuple[int, ...]:
    seats = tuple(seat for seat in values if type(seat) is int and 0 <= seat < MAX_PLAYERS)
    if len(seats) == len(values) < MAX_PLAYERS and list(seats) == sorted(set(seats)):
        return seats
    raise NotationError("seats are not given in growing order")


def _key(value: Value) -> bytes:
    if isinstance(value, bytes) and len(value) == KEY_BYTES:
        return value
    raise NotationError("a key is not 32 bytes long")


def _nickname(value: Value) -> str:
    if isinstance(value, str) and clean_nickname(value) == value:
        return value
    raise NotationError("a nickname is not in its canonical form")
