"""One frozen type for each kind of message; fields and their order are those of ``protocol/messages.md``.

Decoding checks types and fixed lengths only. Lengths that depend on the game (how many shares, how large a hand) come
from the state and are checked by ``session``, never taken from the message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, dataclass
from enum import StrEnum
from typing import Any, ClassVar, TypeAlias, cast

from p2pdurak.errors import MalformedMessage
from p2pdurak.wire.codec import MAX_MESSAGE_BYTES, Value


class Kind(StrEnum):
    """The kinds of rounds, and so of messages."""

    COMMIT = "commit"
    REVEAL = "reveal"
    SHUFFLE = "shuffle"
    CONFIRM = "confirm"
    DEAL = "deal"
    REARRANGE = "rearrange"
    CALL = "call"
    PLAY = "play"
    DRAW = "draw"
    RESULT = "result"
    BOOKS = "books"
    RESIGN = "resign"
    GONE = "gone"
    HERE = "here"


LEAVING = frozenset({Kind.RESIGN, Kind.GONE, Kind.HERE})
"""What is said beside the message that a round wants."""

Check: TypeAlias = Callable[[Value], bool]


def _binary(length: int | None = None) -> Check:
    return lambda v: isinstance(v, bytes) and len(v) <= MAX_MESSAGE_BYTES and length in (None, len(v))


def _number(limit: int) -> Check:
    """Return a check for 0 <= v < limit; a bool is no number."""
    return lambda v: type(v) is int and 0 <= v < limit


def _numbers(limit: int) -> Check:
    number = _number(limit)
    return lambda v: isinstance(v, tuple) and all(number(item) for item in v)


def _optional(check: Check) -> Check:
    return lambda v: v is None or check(v)


PACK_LIMIT = 52
MAX_PLAYERS = 6


@dataclass(frozen=True, slots=True)
class Commit:
    """Hash commitments to the game secret, and to the lot seed with the key share."""

    secret: bytes
    reveal: bytes
    fields: ClassVar[tuple[Check, ...]] = (_binary(32), _binary(32))


@dataclass(frozen=True, slots=True)
class Reveal:
    """The lot seed, the key share X = x*G, and the proof of knowledge of x."""

    lot_seed: bytes
    key: bytes
    proof: bytes
    fields: ClassVar[tuple[Check, ...]] = (_binary(32), _binary(32), _binary(64))


@dataclass(frozen=True, slots=True)
class Shuffle:
    """The re-encrypted and permuted deck, 64 bytes a card, and its proof."""

    deck: bytes
    proof: bytes
    fields: ClassVar[tuple[Check, ...]] = (_binary(), _binary())


@dataclass(frozen=True, slots=True)
class Confirm:
    """Nothing but the signature on the head."""

    fields: ClassVar[tuple[Check, ...]] = ()


@dataclass(frozen=True, slots=True)
class Shares:
    """Decryption shares, 32 bytes each, in the order that the state prescribes, with one proof for all."""

    shares: bytes
    proof: bytes
    fields: ClassVar[tuple[Check, ...]] = (_binary(), _binary(64))


@dataclass(frozen=True, slots=True)
class Rearrange:
    """One's own hand, re-encrypted and permuted under one's own key, and its proof."""

    hand: bytes
    proof: bytes
    fields: ClassVar[tuple[Check, ...]] = (_binary(), _binary())


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a call: open the called card at ``position``, or None with proofs that no card is a called one.

    With a position, ``share`` is the 32-byte decryption share and ``proof`` its 64-byte proof; without one, ``share``
    is empty and ``proof`` holds 128 bytes for each card in hand and called card.
    """

    position: int | None
    share: bytes
    proof: bytes
    fields: ClassVar[tuple[Check, ...]] = (_optional(_number(PACK_LIMIT)), _binary(), _binary())


class Move(StrEnum):
    """The decisions of the rules, as they stand on the wire."""

    LEAD = "lead"
    COVER = "cover"
    THROW = "throw"
    TRANSFER = "transfer"
    SHOW = "show"
    TAKE = "take"
    PASS = "pass"


MOVES = frozenset(Move)


@dataclass(frozen=True, slots=True)
class Play:
    """One decision: the move, the hand positions of the cards it opens, their shares and proof, the card covered."""

    move: str
    positions: tuple[int, ...]
    shares: bytes
    proof: bytes
    target: int | None
    fields: ClassVar[tuple[Check, ...]] = (
        lambda v: v in MOVES,
        _numbers(PACK_LIMIT),
        _binary(),
        _binary(),
        _optional(_number(PACK_LIMIT)),
    )


@dataclass(frozen=True, slots=True)
class Result:
    """Nothing but the signature on the final head."""

    fields: ClassVar[tuple[Check, ...]] = ()


@dataclass(frozen=True, slots=True)
class Books:
    """The game secret itself."""

    secret: bytes
    fields: ClassVar[tuple[Check, ...]] = (_binary(32),)


@dataclass(frozen=True, slots=True)
class Resign:
    """The seat gives up; the signature is all there is."""

    fields: ClassVar[tuple[Check, ...]] = ()


@dataclass(frozen=True, slots=True)
class Gone:
    """A vote to end the game without the seats of ``out``, of which ``resigned`` have resigned; both ascending."""

    out: tuple[int, ...]
    resigned: tuple[int, ...]
    fields: ClassVar[tuple[Check, ...]] = (_numbers(MAX_PLAYERS), _numbers(MAX_PLAYERS))


@dataclass(frozen=True, slots=True)
class Here:
    """The round is complete as usual; whoever had voted otherwise carries the ``Here`` message that overruled it."""

    overruled_by: bytes
    fields: ClassVar[tuple[Check, ...]] = (_binary(),)


Body: TypeAlias = (
    Commit | Reveal | Shuffle | Confirm | Shares | Rearrange | Answer | Play | Result | Books | Resign | Gone | Here
)

BODIES: Mapping[Kind, type[Body]] = {
    Kind.COMMIT: Commit,
    Kind.REVEAL: Reveal,
    Kind.SHUFFLE: Shuffle,
    Kind.CONFIRM: Confirm,
    Kind.DEAL: Shares,
    Kind.REARRANGE: Rearrange,
    Kind.CALL: Answer,
    Kind.PLAY: Play,
    Kind.DRAW: Shares,
    Kind.RESULT: Result,
    Kind.BOOKS: Books,
    Kind.RESIGN: Resign,
    Kind.GONE: Gone,
    Kind.HERE: Here,
}


def encode_body(body: Body) -> tuple[Value, ...]:
    """Return the fields of ``body`` in their order on the wire."""
    return cast("tuple[Value, ...]", astuple(body))


def decode_body(kind: Kind, fields: Value) -> Body:
    """Return the body of a ``kind`` message from its fields; raises MalformedMessage."""
    form = BODIES[kind]
    if not isinstance(fields, tuple) or len(fields) != len(form.fields):
        raise MalformedMessage("body", "The message does not have the fields of a {kind} message.", kind=kind)
    for check, field in zip(form.fields, fields, strict=True):
        if not check(field):
            raise MalformedMessage("body", "A field of a {kind} message has the wrong type or length.", kind=kind)
    return form(*cast("tuple[Any, ...]", fields))
