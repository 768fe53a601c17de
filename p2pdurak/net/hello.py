"""The hello that opens a link, without I/O: what is said, and what is signed.

Each side says one hello, and proves by one signature that it holds the key it named.  Both signatures cover the role,
the hash of the listener's TLS certificate and both hellos byte for byte, so they hold for this one TLS connection: a
relay in the middle has another certificate, a recorded signature meets another nonce, a reflected one another role.
The order is dialler's hello, listener's hello and signature, dialler's signature: whoever signs already knows the
other's key.  This is SIGMA's idea (Krawczyk, CRYPTO 2003) with TLS 1.3 as the key exchange, bound in the manner of
tls-server-end-point (RFC 5929), since the standard library exports no keying material.

Rejected: client certificates, which drag X.509 into naming players; Noise, which would need another dependency.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import Enum

from p2pdurak.crypto.identity import verify_signature
from p2pdurak.errors import CryptoError, LinkBroken, MalformedMessage, NotationError, Sentence
from p2pdurak.wire.codec import VERSION, decode, encode
from p2pdurak.wire.names import clean_nickname

# An honest hello has at most 177 bytes; later versions get room to say more before they are told apart.
MAX_HELLO_BYTES = 512
NONCE_BYTES = 32
PUBLIC_KEY_BYTES = 32
HELLO_DOMAIN = b"p2pdurak/1/hello"

_MAGIC = "p2pdurak"


class Role(Enum):
    """Who a signer is on a link."""

    DIALLER = b"\x01"
    LISTENER = b"\x02"


class VersionMismatch(LinkBroken):
    """The other side speaks another version of the protocol."""

    def __init__(self, theirs: int) -> None:
        who = (
            Sentence("this p2pdurak needs to be updated")
            if theirs > VERSION
            else Sentence("the other one needs to be updated")
        )
        super().__init__(
            "Protocol version {ours} is spoken here and version {theirs} on the other side: {who}.",
            ours=VERSION,
            theirs=theirs,
            who=who,
        )
        self.theirs = theirs


@dataclass(frozen=True, slots=True)
class Hello:
    """What one side says of itself: 32-byte public key, cleaned nickname, 32-byte fresh nonce."""

    public: bytes
    nickname: str
    nonce: bytes


def encode_hello(hello: Hello) -> bytes:
    """Return the hello as msgpack."""
    return encode((_MAGIC, VERSION, hello.public, hello.nickname, hello.nonce))


def decode_hello(data: bytes) -> Hello:
    """Return the hello in ``data``; raise VersionMismatch, or LinkBroken for anything that is not a hello."""
    try:
        value = decode(data, limit=MAX_HELLO_BYTES)
    except MalformedMessage:
        raise LinkBroken("The other side does not speak p2pdurak.") from None
    match value:
        # The version is judged first, and whatever stands behind it is left to that version.
        case (str(magic), int(version), *_) if magic == _MAGIC and type(version) is int and version != VERSION:
            raise VersionMismatch(version)
        case (str(magic), int(version), bytes(public), str(nickname), bytes(nonce)) if (
            magic == _MAGIC and type(version) is int
        ):
            hello = Hello(public, nickname, nonce)
        case _:
            raise LinkBroken("The other side does not speak p2pdurak.")
    if len(public) != PUBLIC_KEY_BYTES or len(nonce) != NONCE_BYTES:
        raise LinkBroken("The other side sent a malformed hello.")
    try:
        canonical = clean_nickname(nickname)
    except NotationError as error:
        raise LinkBroken("The other side's nickname is refused. {error}", error=error) from None
    if canonical != nickname:
        raise LinkBroken("The other side's nickname is not in its cleaned form.")
    return hello


def binding(certificate_hash: bytes, dialler: bytes, listener: bytes) -> bytes:
    """Return 32 bytes that name this connection: both sides compute the same, no other connection has them.

    ``certificate_hash`` is the SHA-256 of the listener's certificate (DER); ``dialler`` and ``listener`` are the two
    encoded hellos as they crossed the wire.
    """
    hashes = (certificate_hash, hashlib.sha256(dialler).digest(), hashlib.sha256(listener).digest())
    return hashlib.sha256(b"".join(hashes)).digest()


def signed_part(role: Role, bound: bytes) -> bytes:
    """Return what the peer in ``role`` signs under ``HELLO_DOMAIN``: its role, and the connection's binding."""
    return role.value + bound


def verify_hello(hello: Hello, role: Role, bound: bytes, signature: bytes) -> None:
    """Raise LinkBroken unless ``signature`` proves that the peer in ``role`` holds the key its hello names."""
    try:
        verify_signature(hello.public, HELLO_DOMAIN, signed_part(role, bound), signature)
    except CryptoError:
        raise LinkBroken("The other side does not hold the key that it claims, or somebody sits in between.") from None
