"""From what a person typed to a link with the opener of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import trio

from p2pdurak.errors import LinkError
from p2pdurak.net.addresses import Address, parse_address
from p2pdurak.net.discovery import Found, Lost, Updated, browse
from p2pdurak.net.invite import is_invite, parse_invite

if TYPE_CHECKING:
    from p2pdurak.net.announcement import Announcement
    from p2pdurak.net.mesh import Mesh

FIND_SECONDS = 30.0
OTHERS_SECONDS = 0.3
"""How long we look for a second table before the only one is taken to be meant."""


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
        return Opened(await mesh.reach(addresses), addresses)
    table = await _discover(target)
    return Opened(await mesh.reach(table.candidates, table.public), table.candidates)


async def _discover(name: str | None) -> Announcement:
    """Wait for a table of that name, or any, and return it if there is only one."""
    seen: dict[bytes, Announcement] = {}
    with trio.move_on_after(FIND_SECONDS) as patience:
        async with browse() as tables:
            async for event in tables:
                match event:
                    case Found(table) | Updated(table) if name is None or table.name.casefold() == name.casefold():
                        seen[table.public] = table
                        patience.deadline = min(patience.deadline, trio.current_time() + OTHERS_SECONDS)
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
        listed = "; ".join(f"{table.name} at {table.candidates[0]}" for table in seen.values())
        raise LinkError(f"Several tables are open: {listed}. Say which one, by its name or address.")
    return next(iter(seen.values()))
