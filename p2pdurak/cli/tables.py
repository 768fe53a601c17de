"""``p2pdurak tables``: the tables of this network, as they come and go.

DNS-SD tells who is there, a link to each table tells what is up, and only the link is a sign of life: a killed process
stays in DNS-SD for minutes, its link ends at once.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import trio

from p2pdurak.cli.fitting import LOOKER
from p2pdurak.cli.output import Print, printer
from p2pdurak.cli.speaking import spoken
from p2pdurak.crypto.identity import SigningKey
from p2pdurak.errors import LinkError, MalformedMessage, Sentence
from p2pdurak.net.background import background
from p2pdurak.net.dial import dial
from p2pdurak.net.discovery import Found, Lost, Updated, browse
from p2pdurak.net.profile import SEED_BYTES
from p2pdurak.ui.language import told
from p2pdurak.wire.talk import Look, Stand, decode_talk, encode_talk

if TYPE_CHECKING:
    import argparse
    from gettext import NullTranslations

    from p2pdurak.net.announcement import Announcement
    from p2pdurak.net.link import Link

ONCE_SECONDS = 1.5
LOOK_SECONDS = 1.0
AGAIN_SECONDS = 2.0
"""A table that is announced but does not answer is asked again after this time."""
WONDER_SECONDS = 1.0
"""After this time it is told that a table is announced but does not answer; one that does takes milliseconds."""


def run(args: argparse.Namespace) -> int:
    """Show tables until interrupted, or those that are there now; return the exit status."""
    show, say = printer(args.json), spoken(args)
    # A key of the moment: in a profile it would take the place of a player, who may be about to sit down.
    listing = Listing(SigningKey(secrets.token_bytes(SEED_BYTES)), LOOKER, show, say)

    async def watch() -> None:
        async with background() as tasks:
            if not (args.once or args.json):
                tasks.start_soon(_explain_silence, listing, show, say)
            await listing.run(ONCE_SECONDS if args.once else float("inf"))

    trio.run(watch)
    if args.once and not listing.seen:
        show({"event": "none", "text": say.gettext("No table is open on this network.")})
    return 0


async def _explain_silence(listing: Listing, show: Print, say: NullTranslations) -> None:
    await trio.sleep(ONCE_SECONDS)
    if not listing.seen:
        show({"event": "none", "text": say.gettext("No table yet; they appear here. Ctrl-C ends.")})


class Listing:
    """The tables that answer, each asked over a link of its own; ``show`` takes a line whenever one changes.

    One that is announced and does not answer is told too, for perhaps a firewall is in between; but not one that has
    answered before: its program has ended, however long it is still announced.
    """

    def __init__(self, key: SigningKey, name: str, show: Print, say: NullTranslations) -> None:
        self.seen = 0
        self._key = key
        self._name = name
        self._show = show
        self._say = say
        self._asking: dict[bytes, _Asking] = {}
        self._answered: set[bytes] = set()

    async def run(self, seconds: float) -> None:
        """Follow what is announced for so long, and a moment longer if something has just been found."""
        async with background() as tasks, browse() as tables:
            with trio.move_on_after(seconds):
                async for event in tables:
                    match event:
                        case Found(table) | Updated(table):
                            self._forget(table)
                            asking = self._asking[table.public] = _Asking(table)
                            tasks.start_soon(self._ask, asking)
                            tasks.start_soon(self._wonder, asking)
                        case Lost(table):
                            self._forget(table)
            for asking in list(self._asking.values()):
                await asking.settled.wait()

    def _forget(self, table: Announcement) -> None:
        asking = self._asking.pop(table.public, None)
        if asking is not None:
            asking.scope.cancel()
            self._say_gone(asking)

    async def _ask(self, asking: _Asking) -> None:
        """Keep a link to the table and tell what changes, until it is no longer announced."""
        table = asking.table
        with asking.scope:
            while True:
                try:
                    async with dial(self._key, self._name, table.candidates, expected=table.public) as link:
                        await self._follow(link, asking)
                except LinkError as error:
                    asking.trouble = error
                    if asking.stand is not None:
                        self._say_gone(asking)
                await trio.sleep(AGAIN_SECONDS)

    async def _wonder(self, asking: _Asking) -> None:
        """Tell, after a moment, of a table that is announced and has never answered."""
        with trio.move_on_after(WONDER_SECONDS):
            await asking.settled.wait()
        if not asking.settled.is_set():
            if asking.table.public not in self._answered:
                asking.named = asking.table.name
                self.seen += 1
                self._show(_unreachable(asking, self._say))
            asking.settled.set()

    async def _follow(self, link: Link, asking: _Asking) -> None:
        """Ask again and again; listening goes on in between, for it tells at once when the link ends."""
        while True:
            link.send(encode_talk(Look()))
            with trio.move_on_after(LOOK_SECONDS):
                while True:
                    self._take(await link.receive(), link, asking)

    def _take(self, data: bytes, link: Link, asking: _Asking) -> None:
        """Tell what a table says if it is news."""
        try:
            talk = decode_talk(data)
        except MalformedMessage as error:
            raise LinkError("What the table says makes no sense. {error}", error=error) from error
        if isinstance(talk, Stand) and asking.stand != talk:
            asking.stand, asking.named = talk, talk.terms.table
            self._answered.add(link.peer)
            asking.settled.set()
            self.seen += 1
            self._show(_line(talk, link, self._say))

    def _say_gone(self, asking: _Asking) -> None:
        """Tell that a table of which something was told is gone."""
        name, asking.named, asking.stand = asking.named, None, None
        asking.settled.set()
        if name is not None:
            text = self._say.gettext("- {table} is gone.").format(table=name)
            self._show({"event": "gone", "table": name, "key": asking.table.public.hex(), "text": text})


@dataclass(slots=True)
class _Asking:
    """What is going on with one announced table.

    ``stand`` is what it said last, ``named`` by what name it was told of, if it was; ``trouble`` is why it could not be
    reached. ``settled`` is set when it has been told what there is to tell at first.
    """

    table: Announcement
    scope: trio.CancelScope = field(default_factory=trio.CancelScope)
    stand: Stand | None = None
    named: str | None = None
    trouble: LinkError | None = None
    settled: trio.Event = field(default_factory=trio.Event)


def _unreachable(asking: _Asking, say: NullTranslations) -> dict[str, Any]:
    """Return a table that is announced and does not answer as a line."""
    table = asking.table
    ways = [str(way) for way in table.candidates]
    why = asking.trouble or Sentence("Nobody has answered so far: perhaps a firewall is in between.")
    text = say.gettext("? {table} is announced at {ways}, but cannot be reached. {why}").format(
        table=table.name, ways=", ".join(ways), why=told(say, why)
    )
    return {
        "event": "unreachable",
        "table": table.name,
        "key": table.public.hex(),
        "addresses": ways,
        "reason": str(why),
        "text": text,
    }


def _line(stand: Stand, link: Link, say: NullTranslations) -> dict[str, Any]:
    """Return one table as a line."""
    terms, gettext = stand.terms, say.gettext
    who = ", ".join(stand.nicknames) or (gettext("ask for the code") if terms.code else gettext("nobody"))
    template = gettext(
        "+ {table}: {rules}, {pack} cards, {taken} of {seats} seats ({who}), {state}; host {host} at {address}"
    )
    if terms.code:  # then its opener does not say who it is
        template = gettext("+ {table}: {rules}, {pack} cards, {taken} of {seats} seats ({who}), {state}; at {address}")
    text = template.format(
        table=terms.table,
        rules=terms.rules.title,
        pack=terms.pack_size,
        taken=stand.taken,
        seats=terms.seats,
        who=who,
        state=gettext("playing") if stand.playing else gettext("gathering"),
        host=link.nickname,
        address=link.address,
    )
    return {
        "event": "table",
        "table": terms.table,
        "key": link.peer.hex(),
        "host": link.nickname,
        "address": link.address,
        "rules": terms.rules.name,
        "options": str(terms.rules),
        "pack": terms.pack_size,
        "seats": terms.seats,
        "taken": stand.taken,
        "players": list(stand.nicknames),
        "playing": stand.playing,
        "code": terms.code,
        "watchers": terms.watchers,
        "text": text,
    }
