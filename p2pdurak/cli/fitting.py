"""Which of several tables can be meant: each is asked how it stands, and those that would not have us are left out.

Asking over the links that are then played over was rejected: those to the other tables would stay. So each is asked
over a link of its own, under a key of the moment, as a list of tables is made.
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

import trio

from p2pdurak.crypto.identity import SigningKey
from p2pdurak.errors import LinkError, MalformedMessage
from p2pdurak.net.dial import dial
from p2pdurak.net.profile import SEED_BYTES
from p2pdurak.wire.talk import Look, Stand, decode_talk, encode_talk

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from p2pdurak.net.announcement import Announcement
    from p2pdurak.net.link import Link

LOOKER = "looker"
"""What whoever only asks is called by the tables; they tell nobody."""
STAND_SECONDS = 1.0
"""How long a table that is there may take to say how it stands; that takes it milliseconds."""


class Sought(NamedTuple):
    """What somebody who names no table, or one of several of that name, comes for.

    ``watches`` tells that it is not for a seat, ``code`` that a table's code was given, and ``waiting`` are the openers
    of the games that wait for this player.
    """

    watches: bool = False
    code: bool = False
    waiting: Collection[bytes] = ()

    def fits(self, opener: bytes, stand: Stand) -> bool:
        """Tell whether a table has what is sought."""
        if opener in self.waiting and not self.watches:
            return True
        has_room = stand.terms.watchers if self.watches else stand.taken < stand.terms.seats and not stand.playing
        return has_room and stand.terms.code == self.code


class Standing(NamedTuple):
    """A table that has answered: how its opener introduces itself, and how it stands if it has told that in time."""

    table: Announcement
    host: str
    stand: Stand | None


async def ask_all(tables: Sequence[Announcement]) -> list[Standing]:
    """Return those that answer; raises the LinkError of one of them if none does."""
    answers: list[Standing] = []
    failures: list[LinkError] = []

    async def ask(table: Announcement) -> None:
        try:
            async with dial(_nobody(), LOOKER, table.candidates, expected=table.public) as link:
                answers.append(Standing(table, link.nickname, await _stand(link)))
        except LinkError as error:
            failures.append(error)

    async with trio.open_nursery() as nursery:
        for table in tables:
            nursery.start_soon(ask, table)
    if not answers:
        raise failures[0]
    return answers


def _nobody() -> SigningKey:
    return SigningKey(secrets.token_bytes(SEED_BYTES))


async def _stand(link: Link) -> Stand | None:
    """Return how the table at the other end stands; None if it does not tell."""
    link.send(encode_talk(Look()))
    with trio.move_on_after(STAND_SECONDS):
        while True:
            try:
                talk = decode_talk(await link.receive())
            except (LinkError, MalformedMessage):
                return None
            if isinstance(talk, Stand):
                return talk
    return None
