"""What only a deliverer can be blamed for: it is refused, convicts no seat, and leaves the session as it was."""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING

import pytest

from p2pdurak.crypto.framing import frame
from p2pdurak.errors import MalformedMessage
from p2pdurak.session.session import Session
from p2pdurak.wire.codec import VERSION, decode, encode
from p2pdurak.wire.envelope import SIGNATURE_DOMAIN, seal
from p2pdurak.wire.messages import Commit, Confirm, Kind, Play
from tests.crypto.curve import BASE, L, edwards_encode, multiply
from tests.helpers import Dishonest, Table, entropy, make_genesis, signing_key

if TYPE_CHECKING:
    from collections.abc import Callable


@cache
def in_play() -> Table:
    """A game of three in the middle of play; seat 1 can sign what it likes."""
    table = Table(make_genesis(3, seed=7), seed=7, cheats={1: lambda *_: None})
    return table.run(until=lambda table: any(session.my_decision for session in table.sessions))


@pytest.fixture
def table() -> Table:
    return in_play().fork({1: lambda *_: None})


def cheat_of(table: Table) -> Dishonest:
    cheat = table.sessions[1]
    assert isinstance(cheat, Dishonest)
    return cheat


def assert_refused(session: Session, message: bytes, code: str) -> None:
    before = session.state, session.messages_from(0), session.waiting_for(), session.transcript()
    with pytest.raises(MalformedMessage) as raised:
        session.receive(message)
    assert (raised.value.code, raised.value.seat) == (code, None)
    assert session.convicted is None
    assert (session.state, session.messages_from(0), session.waiting_for(), session.transcript()) == before


TAKE = Play("take", (), b"", b"", None)
OUTSIDES: dict[str, tuple[Callable[[Dishonest], bytes], str]] = {
    "another version": (lambda cheat: cheat.sealed_fields("confirm", (), version=VERSION + 1), "version"),
    "another game": (lambda cheat: cheat.sealed(Kind.CONFIRM, Confirm(), game_id=entropy("other")), "game"),
    "another seat": (lambda cheat: cheat.sealed(Kind.CONFIRM, Confirm(), seat=0), "signature"),
    "no seat": (lambda cheat: cheat.sealed(Kind.CONFIRM, Confirm(), seat=3), "seat"),
    "a seat below all": (lambda cheat: cheat.sealed_fields("confirm", (), seat=-1), "seat"),
    "a negative round": (lambda cheat: cheat.sealed_fields("confirm", (), round_=-1), "round"),
    "a round without end": (lambda cheat: cheat.sealed_fields("confirm", (), round_=2**63), "round"),
    "half a head": (lambda cheat: cheat.sealed(Kind.CONFIRM, Confirm(), head=bytes(16)), "round"),
    "a signature changed": (lambda cheat: cheat.sealed(Kind.CONFIRM, Confirm())[:-1] + b"\0", "signature"),
    "nothing": (lambda cheat: b"", "encoding"),
    "text": (lambda cheat: encode("hello"), "envelope"),
    "a tail": (lambda cheat: cheat.sealed(Kind.CONFIRM, Confirm()) + b"\0", "encoding"),
    "a map bomb": (lambda cheat: b"\xdf\xff\xff\xff\xff" + bytes(1000), "encoding"),
    "an array bomb": (lambda cheat: b"\xdd\xff\xff\xff\xff" + bytes(1000), "encoding"),
    "a deep bomb": (lambda cheat: b"\x91" * 16_000, "encoding"),
    "a deep bomb, signed": (lambda cheat: signed_bytes(cheat, b"\x91" * 16_000), "encoding"),
    "a wide bomb, signed": (lambda cheat: signed_bytes(cheat, b"\xdc\xff\xff" + bytes(16_000)), "encoding"),
    "a megabyte": (lambda cheat: bytes(1_000_000), "oversize"),
    "too much in a body": (lambda cheat: cheat.sealed_fields("play", (bytes(16_300),)), "oversize"),
    "too many in a body": (lambda cheat: cheat.sealed_fields("play", (0,) * 65), "encoding"),
    "too deep a body": (lambda cheat: cheat.sealed_fields("play", ((((0,),),),)), "encoding"),
}


def signed_bytes(cheat: Dishonest, payload: bytes) -> bytes:
    return encode((payload, signing_key(1).sign(SIGNATURE_DOMAIN, payload)))


@pytest.mark.parametrize("outside", OUTSIDES)
def test_a_wrong_outside_blames_its_deliverer_alone(table: Table, outside: str) -> None:
    make, code = OUTSIDES[outside]
    message = make(cheat_of(table))
    assert_refused(table.sessions[0], message, code)


def test_nobody_without_a_seat_is_heard(table: Table) -> None:
    state = table.sessions[0].state
    for seat in range(3):
        message = seal(signing_key(5), state.game_id, state.round, state.head, seat, Kind.PLAY, TAKE)
        assert_refused(table.sessions[0], message, "signature")


def test_messages_of_an_earlier_table_convict_nobody(table: Table) -> None:
    """The same seats sat down once before; what they said then is refused here, commits above all."""
    earlier = Table(make_genesis(3, seed=8), seed=7, watchers=1)
    earlier.run(until=lambda table: table.sessions[0].state.round > 6)
    for message in earlier.journals[0]:
        assert_refused(table.sessions[0], message, "game")
    fresh = Session(table.genesis)
    for message in earlier.journals[0]:
        assert_refused(fresh, message, "game")


def test_no_byte_of_a_message_can_be_changed(table: Table) -> None:
    honest = table.sessions[0]
    message = cheat_of(table).sealed(Kind.COMMIT, Commit(bytes(32), bytes(32)))
    for at in range(len(message)):
        altered = message[:at] + bytes([message[at] ^ 0x10]) + message[at + 1 :]
        with pytest.raises(MalformedMessage):
            honest.receive(altered)
    assert honest.convicted is None


def test_another_signature_under_the_same_words_is_no_second_message(table: Table) -> None:
    """Whoever holds a key can sign the same bytes twice; words count, not signatures."""
    honest = table.sessions[0]
    round_ = honest.rounds[1]
    said = next(said.envelope for said in round_.spoken if said.envelope.seat == 1)
    value = decode(said.data)
    assert isinstance(value, tuple)
    assert value[0] == said.payload
    again = encode((said.payload, signed_otherwise(entropy("signing key", 1), said.payload)))
    assert again != said.data
    assert honest.receive(again) == []
    assert honest.convicted is None
    assert again not in honest.messages_from(0)
    # A peer that hears this one first is at the same head, with another attachment in its file.
    other = Session(table.genesis)
    for data in table.journals[2]:
        other.receive(again if data == said.data else data)
    assert other.state.head == honest.state.head
    assert other.transcript() != honest.transcript()


def signed_otherwise(seed: bytes, payload: bytes) -> bytes:
    """Return a signature of RFC 8032 with a nonce of one's own instead of the prescribed one."""
    digest = hashlib.sha512(seed).digest()
    a = int.from_bytes(digest[:32], "little") & ((1 << 254) - 8) | (1 << 254)
    data, nonce = frame(SIGNATURE_DOMAIN, payload), 123_456_789
    first = edwards_encode(multiply(nonce, BASE))
    public = edwards_encode(multiply(a, BASE))
    h = int.from_bytes(hashlib.sha512(first + public + data).digest(), "little")
    return first + ((nonce + h * a) % L).to_bytes(32, "little")
