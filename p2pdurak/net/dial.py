"""Dialling: from the addresses where a peer might be to one authenticated link.

All candidates are tried almost at once, each a little after the one before (RFC 8305, with a delay for local
networks), and the first that proves to be the expected peer wins.  The same private address may belong to different
machines, a container's bridge for example has the same one everywhere: only the key tells.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import trio

from p2pdurak.errors import LinkBroken, LinkError
from p2pdurak.net.addresses import LOOPBACK_VARIABLE, is_loopback, loopback_only
from p2pdurak.net.handshake import HELLO_SECONDS, Greeting, greet
from p2pdurak.net.hello import VersionMismatch
from p2pdurak.wire.names import clean_nickname

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable

    from p2pdurak.crypto.identity import SigningKey
    from p2pdurak.net.addresses import Address
    from p2pdurak.net.link import Link

# A local handshake takes a few milliseconds, so a candidate that has not answered by then is probably none.
STAGGER_SECONDS = 0.1
MAX_CANDIDATES = 32


@asynccontextmanager
async def dial(
    identity: SigningKey, nickname: str, addresses: Iterable[Address], *, expected: bytes | None = None
) -> AsyncIterator[Link]:
    """Connect to the peer that is at one of ``addresses``, and keep the link alive while the body runs.

    ``expected`` is the peer's 32-byte public key, or None if anybody will do.  Only the first ``MAX_CANDIDATES``
    addresses are tried.  Raises LinkBroken if none of them leads to the peer (VersionMismatch if that is why),
    LinkError if there is no address that may be dialled, NotationError if ``nickname`` is none.
    """
    nickname = clean_nickname(nickname)
    candidates = list(dict.fromkeys(addresses))[:MAX_CANDIDATES]
    if loopback_only() and candidates:
        candidates = [address for address in candidates if is_loopback(address.host)]
        if not candidates:
            raise LinkError("{variable} is set: only this machine can be reached.", variable=LOOPBACK_VARIABLE)
    if not candidates:
        raise LinkError("There is no address to dial.")
    greeting = await _race(identity, nickname, candidates, expected)
    link = await greeting.confirm()
    async with link.running():
        yield link


async def _race(identity: SigningKey, nickname: str, candidates: list[Address], expected: bytes | None) -> Greeting:
    winners: list[Greeting] = []
    failures: list[LinkBroken] = []

    async def attempt(address: Address, failed: trio.Event) -> None:
        try:
            with trio.fail_after(HELLO_SECONDS):
                greeting = await _reach(address, identity, nickname, expected)
        except trio.TooSlowError:
            failures.append(_Unreachable(address))
            failed.set()
        except LinkBroken as error:
            failures.append(error)
            failed.set()
        else:
            winners.append(greeting)
            race.cancel_scope.cancel()

    try:
        async with trio.open_nursery() as race:
            for address in candidates:
                failed = trio.Event()
                race.start_soon(attempt, address, failed)
                with trio.move_on_after(STAGGER_SECONDS):
                    await failed.wait()
        # One that had just finished when the race was over is no less valid, but one too many.
        losers = winners[1:]
    except BaseException:
        losers = winners
        raise
    finally:
        for loser in losers:
            await loser.aclose()
    if not winners:
        raise min(failures, key=_tells_least)
    return winners[0]


async def _reach(address: Address, identity: SigningKey, nickname: str, expected: bytes | None) -> Greeting:
    try:
        stream = await trio.open_tcp_stream(address.host, address.port)
    except (OSError, UnicodeError) as error:
        raise _Unreachable(address) from error
    return await greet(stream, identity, nickname, str(address), expected)


class _Unreachable(LinkBroken):
    def __init__(self, address: Address) -> None:
        super().__init__(
            "Nobody answers at {address}: is the table open, are both machines on one network, "
            "and does no firewall keep them apart?",
            address=address,
        )


def _tells_least(failure: LinkBroken) -> int:
    """Rank failures: somebody who answered tells more than silence, and another version more than anything."""
    if isinstance(failure, VersionMismatch):
        return 0
    return 2 if isinstance(failure, _Unreachable) else 1
