"""Who takes part in a running game: told to the others and to the person, with whom the game has waited for too long.

A player is away when out of reach, whoever of the others can still be heard; so nobody is told that somebody is away
whose moves arrive. It is told only of who stays out of reach for a while: links break and come back within a second,
and what seats say of each other may change at any rate, where one of them talks nonsense. In the last rounds nobody is
away: who has said all that was theirs to say may go.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from p2pdurak.errors import Sentence
from p2pdurak.net.patience import Patience
from p2pdurak.net.reach import Reach
from p2pdurak.wire.messages import Kind
from p2pdurak.wire.talk import Linked, encode_talk
from p2pdurak.wire.terms import GRACE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from p2pdurak.errors import MalformedMessage
    from p2pdurak.net.lobby import Lobby
    from p2pdurak.session.session import Session
    from p2pdurak.wire.genesis import Genesis

LAST_ROUNDS = (Kind.RESULT, Kind.BOOKS)
"""Who has said all that was theirs to say may go."""

COMING_SECONDS = 3.0
"""Who is there links up sooner."""
AWAY_SECONDS = 2.0
"""Who is out of reach for so long without a break is told as away."""
NOTICE_SECONDS = 0.5
"""How often it is looked whether somebody is."""
ALONE_SECONDS = 30.0
"""Whoever has come back and has met nobody for so long is told that the game may be over."""
LOOK_SECONDS, MAX_LOOK_SECONDS = 1.0, 60.0
"""How often it is looked whether somebody is waited for too long."""


class Attendance:
    """The players of the game ``genesis``, as the table of ``lobby`` sees them."""

    def __init__(self, lobby: Lobby, genesis: Genesis) -> None:
        self._lobby = lobby
        self._genesis = genesis
        self._reach = Reach(genesis.keys, lobby.me)
        self._patience = Patience(GRACE_SECONDS if lobby.terms is None else lobby.terms.grace)
        self._told: tuple[int, ...] = ()
        self._expected: set[int] = set()
        self._away: set[int] = set()
        self._nonsense: set[bytes] = set()
        self._begun = trio.current_time()
        self._out_since = {seat: self._begun for seat, key in enumerate(genesis.keys) if key != lobby.me}
        self._alone = lobby.came_late
        self._clash: tuple[int, ...] = ()

    def speaks(self, peer: bytes) -> None:
        """Take note that somebody speaks of the game over a link of ours, unless that has just ended."""
        if peer in self._lobby.mesh.peers():
            self._reach.speaks(peer)

    def hears(self, peer: bytes, linked: Linked) -> None:
        """Take note of who is linked to a player that is linked to us."""
        if peer in self._lobby.mesh.peers():
            self._reach.hears(peer, linked.seats)

    def leaves(self, peer: bytes) -> None:
        """Take note that the link to a player has ended."""
        self._reach.leaves(peer)

    def signs(self, seat: int) -> None:
        """Take note that a player has said something in the last rounds: whatever was told, it has been back for it."""
        self._return(seat)

    def in_reach(self) -> tuple[bytes, ...]:
        """Return the keys of the players in reach."""
        return tuple(self._genesis.keys[seat] for seat in self._reach.seats())

    def through_others(self) -> tuple[bytes, ...]:
        """Return the keys of those of them that are not linked to us: who is heard through others, and we."""
        return tuple(self._genesis.keys[seat] for seat in self._reach.seats() - set(self._reach.linked))

    def overdue(self) -> tuple[int, ...]:
        """Return the seats without whom we could vote to end the game now."""
        return self._patience.overdue()

    def overdue_names(self) -> tuple[str, ...]:
        """Return their nicknames."""
        return tuple(self._genesis.name(seat) for seat in self._patience.overdue())

    def tell(self, peer: bytes) -> None:
        """Tell a peer who is linked to us, if we play."""
        if self._lobby.me in self._genesis.keys:
            self._lobby.mesh.send(peer, encode_talk(Linked(self._genesis.game_id, self._told)))

    def look(self, session: Session) -> None:
        """See whom the game waits for and who is in reach, and tell what has changed; where the session is at rest."""
        if self._told != self._reach.linked:
            self._told = self._reach.linked
            for peer in self._lobby.hears(self._genesis):
                self.tell(peer)
        in_reach = self._reach.seats()
        self._expected |= in_reach
        self._alone = self._alone and not self._reach.linked
        now = trio.current_time()
        self._out_since = {
            seat: self._out_since.get(seat, now) for seat in range(self._genesis.players) if seat not in in_reach
        }
        for seat in sorted(in_reach):
            self._return(seat)
        if session.kind not in (*LAST_ROUNDS, None):
            for seat in self._missed():
                self._away.add(seat)
                name = self._genesis.name(seat)
                self._lobby.warn(Sentence("{name} is away; the game waits where it needs them.", name=name))
        self._patience.look(session, self._reach)
        if session.clash != self._clash:
            self._clash = session.clash
            self._tell_clash()

    def talks_nonsense(self, peer: bytes, error: MalformedMessage) -> None:
        """Tell, once, of a player who has lost the link by what it said."""
        if peer not in self._nonsense:
            self._nonsense.add(peer)
            name = self._genesis.name(self._genesis.keys.index(peer))
            self._lobby.warn(
                Sentence(
                    "{name} says what nobody may say, and loses the link to us for a while: {error}",
                    name=name,
                    error=error,
                )
            )

    def _missed(self) -> list[int]:
        """Return the seats that are out of reach for long enough to be told as away, and have not been told."""
        latest = trio.current_time() - AWAY_SECONDS
        return sorted(seat for seat in self._expected - self._away if self._out_since.get(seat, float("inf")) <= latest)

    def _return(self, seat: int) -> None:
        if seat in self._away:
            self._away.discard(seat)
            self._lobby.warn(Sentence("{name} is back.", name=self._genesis.name(seat)))

    def _tell_clash(self) -> None:
        if self._clash:
            names = ", ".join(self._genesis.name(seat) for seat in self._clash)
            self._lobby.warn(
                Sentence(
                    "The votes contradict each other: no vote can end the game now, until one of these gives up, "
                    "or more of them: {names}.",
                    names=names,
                )
            )

    async def notice(self) -> None:
        """Have it looked when somebody has been out of reach for long; never ends.

        From when on everybody can have come, whoever never came is away as well.
        """
        while True:
            await trio.sleep(NOTICE_SECONDS)
            waited = trio.current_time() - self._begun
            if waited >= COMING_SECONDS:
                self._expected = set(range(self._genesis.players))
            if self._missed():
                await self._lobby.mesh.wake()
            if self._alone and waited >= ALONE_SECONDS:
                self._alone = False
                self._lobby.warn(
                    Sentence(
                        "Nobody of this game has been found for {seconds} seconds. It may be over: then nobody "
                        "comes, and you can leave; it stays here until you take it up again or give it up.",
                        seconds=round(ALONE_SECONDS),
                    )
                )

    async def be_patient(self, vote: Callable[[], Awaitable[None]], *, follows: bool) -> None:
        """Tell when somebody has been waited for so long that the others may end the game; ``vote`` if it ``follows``.

        Who follows joins the votes of others.
        """
        patience, told = self._patience, (-1, set[int]())
        while True:
            pause, before = min(max(patience.left(), LOOK_SECONDS), MAX_LOOK_SECONDS), trio.current_time()
            await trio.sleep(pause)
            slept = trio.current_time() - before - pause
            if slept > LOOK_SECONDS:  # it was we who stood still
                patience.forgive(slept)
            out = set(patience.overdue())
            if follows and out and any(set(other.out) - set(other.resigned) <= out for other in patience.votes):
                await vote()
            elif not follows and out and told != (patience.round, out):
                told = (patience.round, out)
                self._lobby.overdue(self.overdue_names())
