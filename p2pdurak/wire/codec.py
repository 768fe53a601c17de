"""msgpack in and out, strict and bounded.

One value has exactly one encoding: what arrives is decoded and encoded again, and any difference is refused, so that
no two byte strings mean the same message. Only integers, byte strings, text, None, booleans and arrays exist here;
maps, floats and extensions do not. Rejected: accepting any well-formed msgpack, which has several encodings for
most values and so would make heads and comparisons depend on the sender's library.

Source: the msgpack specification, "Formats".
"""

from __future__ import annotations

from typing import TypeAlias, cast

import msgpack

from p2pdurak.errors import MalformedMessage

Value: TypeAlias = "int | bytes | str | bool | tuple[Value, ...] | None"

VERSION = 1
"""Version of the protocol; peers of different versions do not play with each other."""

MAX_MESSAGE_BYTES = 16_384
"""Longest message: a 52-card shuffle with its proof is about 10.3 kB."""

MAX_ARRAY_ITEMS = 64
"""Longest array: the positions of a play, at most a whole hand of 52 cards."""

MAX_DEPTH = 4
"""Deepest nesting: genesis > seats > one seat; a body > its positions."""


def encode(value: Value) -> bytes:
    """Return the one encoding of ``value``."""
    return cast("bytes", msgpack.packb(value, use_bin_type=True))


def decode(data: bytes, *, limit: int = MAX_MESSAGE_BYTES) -> Value:
    """Return the value that ``data`` is the one encoding of; arrays come back as tuples.

    Raises MalformedMessage for anything else, also for more than ``limit`` bytes.
    """
    if len(data) > limit:
        raise MalformedMessage(
            "oversize", "A message of {size} bytes is longer than the {limit} allowed.", size=len(data), limit=limit
        )
    try:
        value = msgpack.unpackb(
            data,
            use_list=False,
            raw=False,
            strict_map_key=True,
            max_array_len=MAX_ARRAY_ITEMS,
            max_map_len=0,
            max_ext_len=0,
        )
        _check(value, MAX_DEPTH)
        again = encode(value)
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException) as error:
        raise MalformedMessage("encoding", "A message is not in the binary form that the protocol uses.") from error
    if again != data:
        raise MalformedMessage("encoding", "A message is not in its one canonical binary form.")
    return cast("Value", value)


def _check(value: object, depth: int) -> None:
    """Raise ValueError for a type that the protocol does not know, or for too deep nesting."""
    # An empty extension is decoded as a named tuple: exactly this type is an array.
    if type(value) is tuple:
        if depth == 0:
            raise ValueError("nested too deeply")
        for item in value:
            _check(item, depth - 1)
    elif type(value) not in (int, bytes, str, bool, type(None)):
        raise ValueError(f"{type(value).__name__} is not a type of the protocol")
