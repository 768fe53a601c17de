"""How others come to a table that we have opened: what they are told, and the announcement on the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from p2pdurak.errors import LinkError
from p2pdurak.net.addresses import Address, local_addresses, reachable_addresses
from p2pdurak.net.announcement import Announcement
from p2pdurak.net.discovery import announce
from p2pdurak.net.invite import Invite, invitable
from p2pdurak.ui.language import marked as _

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.net.mesh import Mesh
    from p2pdurak.wire.terms import Terms


def invitation(mesh: Mesh, terms: Terms, code: str | None) -> tuple[tuple[str, str], ...]:
    """Return what others can be told, each line with what it is: the code, the address, the invite."""
    addresses = local_addresses()
    lines = [(_("The table's code:"), code)] if code else []
    where = ", ".join(str(Address(host, mesh.port)) for host in reachable_addresses(addresses))
    lines.append((_("Others see the table by themselves; if not, they go to this address:"), where))
    if hosts := invitable(addresses):
        invite = str(Invite(hosts, mesh.port, mesh.identity.public, code, terms.table))
        lines.append(
            (_("Or with this invite, which holds the code too:") if code else _("Or with this invite:"), invite)
        )
    return tuple(lines)


async def announce_table(terms: Terms, mesh: Mesh, warn: Callable[[str], object]) -> None:
    """Announce the table until cancelled; ``warn`` is told in a sentence when that cannot be done."""
    public, name = mesh.identity.public, terms.rules.name
    announcement = Announcement(terms.table, public, name, terms.pack_size, terms.seats, mesh.port)
    try:
        async with announce(announcement):
            await trio.sleep_forever()
    except LinkError as error:
        warn(str(error))
