"""A message around its body: version, game, round, head, seat, kind, and the signature of the seat.

``[payload, signature]``, where the payload is itself an encoded array. The exact payload bytes are kept and passed on,
never encoded again; heads and comparisons concern them alone, the signature is an attachment.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2pdurak.crypto.identity import SigningKey, verify_signature
from p2pdurak.errors import CryptoError, MalformedMessage
from p2pdurak.wire.codec import VERSION, Value, decode, encode
from p2pdurak.wire.digest import DIGEST_BYTES
from p2pdurak.wire.messages import Body, Kind, encode_body

if TYPE_CHECKING:
    from collections.abc import Sequence

SIGNATURE_DOMAIN = b"p2pdurak/1/message"
MAX_ROUNDS = 1 << 32
"""Rounds are numbered in 32 bits inside the proofs; what a session keeps, it bounds by its own round."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """One signed message of a game, its signature verified, its kind and body not yet judged."""

    data: bytes
    payload: bytes
    round: int
    head: bytes
    seat: int
    kind: str
    body: Value


def seal(key: SigningKey, game_id: bytes, round_: int, head: bytes, seat: int, kind: Kind, body: Body) -> bytes:
    """Return the signed message that says ``body`` on ``head`` in round ``round_``."""
    payload = encode((VERSION, game_id, round_, head, seat, str(kind), encode_body(body)))
    return encode((payload, key.sign(SIGNATURE_DOMAIN, payload)))


def open_envelope(data: bytes, game_id: bytes, keys: Sequence[bytes]) -> Envelope:
    """Return the message in ``data``, if a seat of this game signed it.

    ``keys`` are the seats' public signing keys. Raises MalformedMessage, which never blames the signer: whatever is
    wrong with the outside of a message is the fault of whoever delivered it.
    """
    match decode(data):
        case (bytes() as payload, bytes() as signature):
            pass
        case _:
            raise MalformedMessage("envelope", "Something arrived that is not a signed message.")
    match decode(payload):
        case (version, game, int() as round_, bytes() as head, int() as seat, str() as kind, body):
            pass
        case _:
            raise MalformedMessage("envelope", "A signed message does not have the fields of a message.")
    if type(version) is not int or version != VERSION:
        raise MalformedMessage("version", "A message of another protocol version arrived; all must run the same.")
    if game != game_id:
        raise MalformedMessage("game", "A message of another game arrived.")
    if isinstance(seat, bool) or not 0 <= seat < len(keys):
        raise MalformedMessage("seat", "A message for a seat that does not exist arrived.")
    if isinstance(round_, bool) or not 0 <= round_ < MAX_ROUNDS or len(head) != DIGEST_BYTES:
        raise MalformedMessage("round", "A message with an impossible round or head arrived.")
    try:
        verify_signature(keys[seat], SIGNATURE_DOMAIN, payload, signature)
    except CryptoError as error:
        raise MalformedMessage(
            "signature", "A message does not carry the signature of seat {number}.", number=seat + 1
        ) from error
    return Envelope(data, payload, round_, head, seat, kind, body)
