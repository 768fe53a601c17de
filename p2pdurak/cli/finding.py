"""From what a person typed to a link with the opener of a table."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import trio

from p2pdurak.errors import LinkError
from p2pdurak.net.addresses import Address, candidates, local_addresses, loopback_only, parse_address
from p2pdurak.net.discovery import Found, Lost, Updated, browse
from p2pdurak.net.invite import is_invite, parse_invite

if TYPE_CHECKING:
    from p2pdurak.net.announcement import Announcement
    from p2pdurak.net.mesh import Mesh

FIND_SECONDS = 30.0
OTHERS_SECONDS = 0.3
"""How long we look for a second table before the only one is taken to be meant."""
EVERYBODY_SECONDS = 1.3
"""How long after our question all tables have answered: what was said within the last second is not said again at once
(RFC 6762, section 6)."""
REACH_SECONDS = 4.0
"""How long a table that was found and is not there is looked for anew: it may just be moving to another network."""
RETRY_SECONDS = 0.3
AWAY_SECONDS = 3.0
"""How often we see whether the opener is still linked; a link that merely broke is back sooner."""
AGAIN_SECONDS = 5.0
"""How long one search for a lost opener goes on: a machine that comes to another network announces itself there."""


class Opened(NamedTuple):
    """A table that we have a link to: its opener's key, where it was reached, and the code that came with an invite."""

    opener: bytes
    addresses: tuple[Address, ...]
    code: str | None = None


async def find(target: str | None, mesh: Mesh) -> Opened:
    """Return the table that ``target`` means: a name, HOST:PORT, an invite, or None for the only one on this network.

    Raises LinkError if there is none, or more than one; NotationError if it is none of these.
    """
    if target is not None and is_invite(target):
        invite = parse_invite(target)
        return Opened(await mesh.reach(invite.candidates, invite.public), invite.candidates, invite.code)
    if target is not None and (":" in target or "." in target):
        addresses = parse_address(target)
        if "%" not in target:  # without a scope, a link-local address may be on any of our networks
            addresses = tuple(way for address in addresses for way in candidates(*address))
        return Opened(await mesh.reach(addresses), addresses)
    patience = trio.current_time() + REACH_SECONDS
    while True:
        table = await _discover(target)
        try:
            return Opened(await mesh.reach(table.candidates, table.public), table.candidates)
        except LinkError:
            if trio.current_time() > patience:
                raise
        await trio.sleep(RETRY_SECONDS)


async def follow(opener: bytes, mesh: Mesh) -> None:
    """Whenever the opener is out of reach, look where it is announced now; never ends."""
    while True:
        await trio.sleep(AWAY_SECONDS)
        if opener in mesh.peers():
            continue
        with suppress(LinkError), trio.move_on_after(AGAIN_SECONDS):  # without multicast, the old addresses must do
            async with browse() as tables:
                async for event in tables:
                    if isinstance(event, Found | Updated) and event.table.public == opener:
                        mesh.want(opener, event.table.candidates)


async def _discover(name: str | None) -> Announcement:
    """Wait for a table of that name, or any, and return it if there is only one."""
    seen: dict[bytes, Announcement] = {}
    asked = trio.current_time()
    with trio.move_on_after(FIND_SECONDS) as patience:
        async with browse() as tables:
            async for event in tables:
                match event:
                    case Found(table) | Updated(table) if name is None or table.name.casefold() == name.casefold():
                        seen[table.public] = table
                        enough = max(trio.current_time() + OTHERS_SECONDS, asked + EVERYBODY_SECONDS)
                        patience.deadline = min(patience.deadline, enough)
                    case Lost(table):
                        seen.pop(table.public, None)
                    case _:
                        pass
    if not seen:
        which = "No table" if name is None else f"No table named {name}"
        raise LinkError(
            f"{which} was found on this network in {FIND_SECONDS:.0f} seconds. Is one open? Try its address."
        )
    if len(seen) > 1:
        listed = "; ".join(f"{table.name} at {_ways_to(table)}" for table in seen.values())
        raise LinkError(f"Several tables are open: {listed}. Say which one, by its name or address.")
    return next(iter(seen.values()))


def _ways_to(table: Announcement) -> str:
    """Return the addresses to choose the table by; one that is ours too, like a container bridge's, leads nowhere."""
    ours = local_addresses()
    ways = [address for address in table.candidates if loopback_only() or address.host not in ours]
    return " or ".join(map(str, ways or table.candidates))
