"""From what a person typed to a link with the opener of a table."""

from __future__ import annotations

import ipaddress
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import trio

from p2pdurak.cli.fitting import ask_all
from p2pdurak.errors import LinkError, Sentence
from p2pdurak.net.addresses import Address, candidates, local_addresses, loopback_only, parse_address
from p2pdurak.net.discovery import Found, Lost, Updated, browse
from p2pdurak.net.invite import is_invite, parse_invite
from p2pdurak.net.opener import NOBODY

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2pdurak.cli.fitting import Sought, Standing
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


async def find(
    target: str | None, mesh: Mesh, sought: Sought, tell: Callable[[Sentence], object] = lambda _: None
) -> Opened:
    """Return the table that ``target`` means: a name, HOST:PORT, an invite, or None for the only one on this network.

    What may be both a name and an address is an address only if no table on the network has that name. Of several
    tables it is the only one that has what is ``sought``. ``tell`` hears what is being tried, without a stop. Raises
    LinkError if there is no such table, or more than one; NotationError if it is none of these.
    """
    if target is not None and is_invite(target):
        invite = parse_invite(target)
        tell(calling(invite.name))
        return Opened(await mesh.reach(invite.candidates, invite.public), invite.candidates, invite.code)
    if target is None or not (":" in target or "." in target):
        tell(_looking(target))
        return await _named(target, mesh, sought)
    if not _is_literal(target):
        tell(Sentence("Looking on this network for a table named {name}", name=target))
        tables: list[Announcement] = []
        with suppress(LinkError):  # without multicast it can only be an address
            tables = await _discover(target, EVERYBODY_SECONDS)
        if tables:
            return await _reach(tables, mesh, sought)
        tell(calling(target))
        try:
            return await _at(target, mesh)
        except LinkError as error:
            raise LinkError(
                "No table on this network is named {name}, and as an address it leads nowhere. {trouble}",
                name=target,
                trouble=error,
            ) from error
    tell(calling(target))
    return await _at(target, mesh)


def calling(table: str) -> Sentence:
    """Return that a table is called, by its name or address."""
    return Sentence("Calling {table}", table=table)


def _looking(name: str | None) -> Sentence:
    if name is None:
        return Sentence("Looking for a table on this network, up to {seconds} s", seconds=round(FIND_SECONDS))
    return Sentence(
        "Looking on this network for a table named {name}, up to {seconds} s", name=name, seconds=round(FIND_SECONDS)
    )


async def _at(target: str, mesh: Mesh) -> Opened:
    addresses = parse_address(target)
    if "%" not in target:  # without a scope, a link-local address may be on any of our networks
        addresses = tuple(way for address in addresses for way in candidates(*address))
    return Opened(await mesh.reach(addresses), addresses)


def _is_literal(target: str) -> bool:
    """Tell whether this is certainly an address, since it has numbers where names of machines may have words."""
    try:
        host = parse_address(target)[0].host.partition("%")[0]
        return bool(ipaddress.ip_address(host))
    except ValueError:
        return False


async def _named(name: str | None, mesh: Mesh, sought: Sought) -> Opened:
    """Return the table of that name, or the only one, as soon as it is found and reached."""
    patience = trio.current_time() + REACH_SECONDS
    while True:
        tables = await _discover(name, FIND_SECONDS)
        if not tables and name is None:
            raise LinkError(
                "No table was found on this network in {seconds} seconds. Is one open? Try its address.",
                seconds=round(FIND_SECONDS),
            )
        if not tables:
            raise LinkError(
                "No table named {name} was found on this network in {seconds} seconds. Is it open? Try its address.",
                name=name,
                seconds=round(FIND_SECONDS),
            )
        try:
            return await _reach(tables, mesh, sought)
        except SeveralTables:
            raise
        except LinkError:
            if trio.current_time() > patience:
                raise
        await trio.sleep(RETRY_SECONDS)


class SeveralTables(LinkError):
    """More than one table may be meant."""


async def _reach(tables: Sequence[Announcement], mesh: Mesh, sought: Sought) -> Opened:
    """Return the only one of these that answers, or of those the only one that has what is sought.

    Raises SeveralTables if that does not leave one, another LinkError if none answers.
    """
    if len(tables) > 1:
        answers = await ask_all(tables)
        fitting = [one for one in answers if one.stand is not None and sought.fits(one.table.public, one.stand)]
        answers = fitting or answers
        if len(answers) > 1:
            raise _several(answers, "watch" if sought.watches else "join")
        tables = [answers[0].table]
    table = tables[0]
    return Opened(await mesh.reach(table.candidates, table.public), table.candidates)


def _several(answers: Sequence[Standing], command: str) -> SeveralTables:
    ours = local_addresses()
    tables = [one.table for one in answers]
    listed = "; ".join(
        f"{table.name} ({', '.join([*_introduced(host), *_ways_to(table, ours)])})" for table, host, _ in answers
    )
    example = _ways_to(tables[0], ours)[0]
    if len({table.name.casefold() for table in tables}) > 1:
        return SeveralTables(
            "Several tables are open: {tables}. Say which one, by its name or address: p2pdurak {command} {example}",
            tables=listed,
            command=command,
            example=example,
        )
    return SeveralTables(
        "Several tables of one name are open: {tables}. Say which one, by its address: p2pdurak {command} {example}",
        tables=listed,
        command=command,
        example=example,
    )


def _introduced(host: str) -> list[str]:
    """Return whose table it is, unless it has a code, and so tells nobody."""
    return [host] if host != NOBODY else []


def _ways_to(table: Announcement, ours: tuple[str, ...]) -> list[str]:
    """Return the addresses to choose the table by; one that is ours too, like a container bridge's, leads nowhere."""
    ways = [address for address in table.candidates if loopback_only() or address.host not in ours]
    return [str(address) for address in ways or table.candidates]


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


async def _discover(name: str | None, seconds: float) -> list[Announcement]:
    """Return the tables of that name, or all, as soon as all who are there must have answered; none after ``seconds``.

    Raises LinkError if multicast DNS cannot be used.
    """
    seen: dict[bytes, Announcement] = {}
    asked = trio.current_time()
    with trio.move_on_after(seconds) as patience:
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
    return list(seen.values())
