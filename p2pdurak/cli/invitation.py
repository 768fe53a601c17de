"""How others come to a table that we have opened: what they are told, and the announcement on the network."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import trio

from p2pdurak.errors import LinkError
from p2pdurak.net.addresses import Address, local_addresses
from p2pdurak.net.announcement import Announcement
from p2pdurak.net.discovery import announce
from p2pdurak.net.interfaces import Interface, Kind, interfaces, ways
from p2pdurak.net.invite import Invite, invitable

if TYPE_CHECKING:
    from collections.abc import Callable
    from gettext import NullTranslations

    from p2pdurak.errors import Said
    from p2pdurak.net.mesh import Mesh
    from p2pdurak.wire.terms import Terms

CLOSED_NUMBERS = range(100, 1000)


def table_name(say: NullTranslations, nickname: str, public: bytes, *, code: bool) -> str:
    """Return what a table is called whose opener has not named it.

    The name is announced to everybody on the network, and at a table with a code nobody else is to know who plays. So
    such a table goes by a number, which is always the same for one opener: their key, which is announced too, tells no
    less.
    """
    if not code:
        return say.gettext("{name}'s table").format(name=nickname)
    number = CLOSED_NUMBERS[int.from_bytes(public[:4], "big") % len(CLOSED_NUMBERS)]
    return say.gettext("closed table {number}").format(number=number)


class Ways(NamedTuple):
    """How others come to a table, if they do not see it: addresses, the likeliest first, and an invite."""

    addresses: tuple[Address, ...]
    over_vpn: frozenset[Address]
    invite: str | None


def ways_to(mesh: Mesh, terms: Terms, code: str | None) -> Ways:
    """Return how others come to the table from where this machine is now."""
    found: tuple[Interface, ...] = ()
    with suppress(OSError):  # then every address is taken for one of a local network
        found = interfaces()
    here = ways(local_addresses(), found)
    hosts = invitable(way.host for way in here)
    return Ways(
        tuple(Address(way.host, mesh.port) for way in here),
        frozenset(Address(way.host, mesh.port) for way in here if way.kind is Kind.VPN),
        str(Invite(hosts, mesh.port, mesh.identity.public, code, terms.table)) if hosts else None,
    )


async def announce_table(
    terms: Terms,
    mesh: Mesh,
    warn: Callable[[Said], object],
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Announce the table until cancelled; ``warn`` is told when that cannot be done: one can still join by address."""
    public, rules = mesh.identity.public, terms.rules.title
    announcement = Announcement(terms.table, public, rules, terms.pack_size, terms.seats, mesh.port)
    try:
        async with announce(announcement):
            task_status.started()
            await trio.sleep_forever()
    except LinkError as error:
        warn(error)
        task_status.started()
