"""``p2pdurak tables``: the tables of this network, as they come and go.

DNS-SD tells who is there, a link to each table tells what is up, and only the link is a sign of life: a killed process
stays in DNS-SD for minutes, its link ends at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import trio

from p2pdurak.cli.output import Print, printer
from p2pdurak.errors import LinkError, MalformedMessage
from p2pdurak.net.background import background
from p2pdurak.net.dial import dial
from p2pdurak.net.discovery import Found, Lost, Updated, browse
from p2pdurak.net.profile import Profile
from p2pdurak.wire.talk import Look, Stand, decode_talk, encode_talk

if TYPE_CHECKING:
    import argparse

    from p2pdurak.crypto.identity import SigningKey
    from p2pdurak.net.announcement import Announcement
    from p2pdurak.net.link import Link

ONCE_SECONDS = 1.5
LOOK_SECONDS = 1.0
AGAIN_SECONDS = 2.0
"""A table that is announced but does not answer is asked again after this time."""


def run(args: argparse.Namespace) -> int:
    """Show tables until interrupted, or those that are there now; return the exit status."""
    with Profile.open(args.profile) as profile:
        listing = Listing(profile.signing_key, profile.name, printer(args.json))
        trio.run(listing.run, ONCE_SECONDS if args.once else float("inf"))
        if args.once and not listing.seen:
            printer(args.json)({"event": "none", "text": "No table is open on this network."})
    return 0


@dataclass(frozen=True, slots=True)
class _Shown:
    """What was last said of a table."""

    stand: Stand
    address: str


class Listing:
    """The tables that answer, each asked over a link of its own; ``show`` takes a line whenever one changes."""

    def __init__(self, key: SigningKey, name: str, show: Print) -> None:
        self.seen = 0
        self._key = key
        self._name = name
        self._show = show
        self._asking: dict[bytes, trio.CancelScope] = {}

    async def run(self, seconds: float) -> None:
        """Follow what is announced for so long."""
        with trio.move_on_after(seconds):
            async with background() as tasks, browse() as tables:
                async for event in tables:
                    match event:
                        case Found(table) | Updated(table):
                            self._forget(table)
                            self._asking[table.public] = trio.CancelScope()
                            tasks.start_soon(self._ask, table, self._asking[table.public])
                        case Lost(table):
                            self._forget(table)

    def _forget(self, table: Announcement) -> None:
        scope = self._asking.pop(table.public, None)
        if scope is not None:
            scope.cancel()

    async def _ask(self, table: Announcement, scope: trio.CancelScope) -> None:
        """Keep a link to the table and tell what changes, until it is no longer announced."""
        with scope:
            while True:
                shown: list[_Shown] = []
                lost = False
                try:
                    async with dial(self._key, self._name, table.candidates, expected=table.public) as link:
                        await self._follow(link, shown)
                except LinkError:
                    lost = True
                finally:
                    # Not when we only stop looking.
                    if shown and (lost or scope.cancel_called):
                        gone = shown[-1].stand.terms.table
                        key = table.public.hex()
                        self._show({"event": "gone", "table": gone, "key": key, "text": f"- {gone} is gone."})
                await trio.sleep(AGAIN_SECONDS)

    async def _follow(self, link: Link, shown: list[_Shown]) -> None:
        """Ask again and again; listening goes on in between, for it tells at once when the link ends."""
        while True:
            link.send(encode_talk(Look()))
            with trio.move_on_after(LOOK_SECONDS):
                while True:
                    self._take(await link.receive(), link, shown)

    def _take(self, data: bytes, link: Link, shown: list[_Shown]) -> None:
        """Tell what a table says if it is news."""
        try:
            talk = decode_talk(data)
        except MalformedMessage as error:
            raise LinkError(str(error)) from error
        if isinstance(talk, Stand) and (not shown or shown[-1].stand != talk):
            shown.append(_Shown(talk, link.address))
            self.seen += 1
            self._show(_line(talk, link))


def _line(stand: Stand, link: Link) -> dict[str, Any]:
    """Return one table as a line."""
    terms = stand.terms
    who = ", ".join(stand.nicknames) or ("ask for the code" if terms.code else "nobody")
    state = "playing" if stand.playing else "gathering"
    text = (
        f"+ {terms.table}: {terms.rules.name}, {terms.pack_size} cards, {stand.taken} of {terms.seats} seats ({who}), "
        f"{state}; host {link.nickname} at {link.address}"
    )
    return {
        "event": "table",
        "table": terms.table,
        "key": link.peer.hex(),
        "host": link.nickname,
        "address": link.address,
        "rules": terms.rules.name,
        "pack": terms.pack_size,
        "seats": terms.seats,
        "taken": stand.taken,
        "players": list(stand.nicknames),
        "playing": stand.playing,
        "code": terms.code,
        "watchers": terms.watchers,
        "text": text,
    }
