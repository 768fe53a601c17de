"""From a fresh byte stream to a link: TLS, then the mutual hello.

The dialler's half is in two steps.  After ``greet`` it knows for sure who listens, while the listener knows nothing
yet; only ``Greeting.confirm`` signs.  So a dialler that tries several addresses at once lets go of all but one, and
the listener never sees a second link.

Everything here may take the peer's own sweet time: callers set the deadline, ``HELLO_SECONDS``.
"""

from __future__ import annotations

import hashlib
import secrets
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import trio

from p2pdurak.errors import LinkBroken
from p2pdurak.net.frames import FrameDecoder, Kind, encode_frame
from p2pdurak.net.hello import (
    HELLO_DOMAIN,
    MAX_HELLO_BYTES,
    NONCE_BYTES,
    Hello,
    Role,
    VersionMismatch,
    binding,
    decode_hello,
    encode_hello,
    signed_part,
    verify_hello,
)
from p2pdurak.net.link import Introduction, Link
from p2pdurak.net.tls import ListenerTLS, dialler_context

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from p2pdurak.crypto.identity import SigningKey

HELLO_SECONDS = 5.0


class _Wire:
    """Hello frames on a TLS stream."""

    def __init__(self, stream: trio.SSLStream[trio.abc.Stream]) -> None:
        self.stream = stream
        self.decoder = FrameDecoder(MAX_HELLO_BYTES)

    async def put(self, *bodies: bytes) -> None:
        await self.stream.send_all(b"".join(encode_frame(Kind.HELLO, body) for body in bodies))

    async def get(self) -> bytes:
        while (frame := self.decoder.next_frame()) is None:
            data = await self.stream.receive_some()
            if not data:
                raise LinkBroken("The other side hung up before it had introduced itself.")
            self.decoder.feed(data)
        if frame.kind is not Kind.HELLO:
            raise LinkBroken("The other side did not introduce itself.")
        return frame.body


@dataclass(frozen=True, slots=True)
class Greeting:
    """A listener has proved who it is; it does not know yet who dials."""

    wire: _Wire
    identity: SigningKey
    introduction: Introduction

    async def confirm(self) -> Link:
        """Prove to the listener who we are, and return the link, ready to run; raise LinkBroken if it is gone."""
        async with _closed_on_failure(self.wire.stream):
            await self.wire.put(_sign(self.identity, Role.DIALLER, self.introduction.binding))
        return Link(self.wire.stream, self.introduction, self.wire.decoder)

    async def aclose(self) -> None:
        """Let go of this listener."""
        await trio.aclose_forcefully(self.wire.stream)


async def greet(
    transport: trio.abc.Stream, identity: SigningKey, nickname: str, address: str, expected: bytes | None = None
) -> Greeting:
    """Introduce ourselves to a listener and learn who it is.

    Raises LinkBroken if the listener does not prove to hold the key it names, or holds another key than
    ``expected``; VersionMismatch if it speaks another version.  The transport is closed on every failure.
    """
    stream = trio.SSLStream(transport, dialler_context(), https_compatible=False)
    async with _closed_on_failure(stream):
        await stream.do_handshake()
        certificate: bytes = stream.getpeercert(binary_form=True)
        wire = _Wire(stream)
        mine = encode_hello(Hello(identity.public, nickname, secrets.token_bytes(NONCE_BYTES)))
        await wire.put(mine)
        theirs = await wire.get()
        hello = decode_hello(theirs)
        bound = binding(hashlib.sha256(certificate).digest(), mine, theirs)
        verify_hello(hello, Role.LISTENER, bound, await wire.get())
        _check_key(hello.public, identity, expected)
    return Greeting(wire, identity, Introduction(hello.public, hello.nickname, address, True, bound))


async def answer(
    transport: trio.abc.Stream, tls: ListenerTLS, identity: SigningKey, nickname: str, address: str
) -> Link:
    """Hear a dialler's introduction, give ours, and return the link, ready to run.

    Raises LinkBroken if the dialler does not prove to hold the key it names; VersionMismatch, after having told the
    dialler as well, if it speaks another version.  The transport is closed on every failure.
    """
    stream = trio.SSLStream(transport, tls.context, server_side=True, https_compatible=False)
    async with _closed_on_failure(stream):
        await stream.do_handshake()
        wire = _Wire(stream)
        theirs = await wire.get()
        mine = encode_hello(Hello(identity.public, nickname, secrets.token_bytes(NONCE_BYTES)))
        try:
            hello = decode_hello(theirs)
        except VersionMismatch:
            # The dialler reads our version from the hello, and tells its own person.
            await wire.put(mine)
            raise
        _check_key(hello.public, identity, None)
        bound = binding(tls.certificate_hash, theirs, mine)
        await wire.put(mine, _sign(identity, Role.LISTENER, bound))
        verify_hello(hello, Role.DIALLER, bound, await wire.get())
    return Link(stream, Introduction(hello.public, hello.nickname, address, False, bound), wire.decoder)


@asynccontextmanager
async def _closed_on_failure(stream: trio.SSLStream[trio.abc.Stream]) -> AsyncIterator[None]:
    try:
        yield
    except BaseException as error:
        await trio.aclose_forcefully(stream)
        if isinstance(error, trio.BrokenResourceError):
            raise LinkBroken("The connection was lost during the introduction.") from None
        raise


def _sign(identity: SigningKey, role: Role, bound: bytes) -> bytes:
    return identity.sign(HELLO_DOMAIN, signed_part(role, bound))


def _check_key(public: bytes, identity: SigningKey, expected: bytes | None) -> None:
    if public == identity.public:
        raise LinkBroken("That address leads back to this very program.")
    if expected is not None and public != expected:
        raise LinkBroken("Somebody else answers there than the player who was expected.")
