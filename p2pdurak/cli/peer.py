"""``p2pdurak bot``: one peer in a process of its own, played by a program."""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import trio

from p2pdurak.bots.steady import choose
from p2pdurak.cli.output import Print, printer
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.errors import LinkError
from p2pdurak.game.ruleset import ruleset
from p2pdurak.net.announcement import Announcement
from p2pdurak.net.background import background
from p2pdurak.net.discovery import Found, Updated, announce, browse
from p2pdurak.net.lobby import Lobby, LobbyEvent, Next, Offer, SatDown, StoodUp
from p2pdurak.net.mesh import Mesh, open_mesh
from p2pdurak.wire.names import clean_nickname, clean_table_name
from p2pdurak.net.node import Node, play_match
from p2pdurak.net.profile import Profile
from p2pdurak.session.events import Convicted, Event, Turn
from p2pdurak.ui.narration import Narrator

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State
    from p2pdurak.session.session import Session

FIND_SECONDS = 30.0
CHEATED = 1


def offer_of(args: argparse.Namespace) -> Offer:
    """Return what the options say is to be played; raises NotationError."""
    settings = dict(setting.partition("=")[::2] for setting in args.set)
    rules = ruleset(args.rules, settings)
    return Offer(clean_table_name(args.table), rules, args.deck, args.players, not args.closed_books, args.games)


def run(args: argparse.Namespace) -> int:
    """Open or join a table and play; return the exit status."""
    offer = offer_of(args) if args.open else None
    show = printer(args.json)
    with Profile.open(args.profile) as profile:
        return trio.run(_play, args, offer, profile, show)


async def _play(args: argparse.Namespace, offer: Offer | None, profile: Profile, show: Print) -> int:
    nickname = clean_nickname(args.name or profile.name)
    report = _Report(show)
    async with background() as tasks, open_mesh(profile.signing_key, nickname) as mesh:
        words = fingerprint_words(mesh.identity.public)
        text = f"{nickname} is process {os.getpid()} on port {mesh.port}, with the key {words}."
        show({"event": "peer", "player": nickname, "pid": os.getpid(), "port": mesh.port, "key": words, "text": text})
        announcing = trio.CancelScope()
        if offer is None:
            opener = await _find(clean_table_name(args.table), mesh)
        else:
            opener = mesh.identity.public
            await tasks.start(_announce, announcing, offer, mesh)
        lobby = Lobby(mesh, opener, offer, report.seated)
        genesis = await lobby.gather(Next())
        announcing.cancel()
        node = Node(mesh, lobby, profile.games, _decide, report.tell)
        await play_match(lobby, node, genesis, report.finished)
    return CHEATED if report.convicted else 0


async def _decide(view: State) -> Action:
    return choose(view)


async def _announce(
    scope: trio.CancelScope, offer: Offer, mesh: Mesh, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
) -> None:
    """Announce the table until the scope is cancelled; taking it back holds up nobody."""
    announcement = Announcement(
        offer.table, mesh.identity.public, offer.rules.name, offer.pack_size, offer.seats, mesh.port
    )
    with scope:
        async with announce(announcement):
            task_status.started()
            await trio.sleep_forever()


async def _find(table: str, mesh: Mesh) -> bytes:
    """Wait for the table of that name, and return its opener's key once there is a link; raises LinkError."""
    with trio.move_on_after(FIND_SECONDS):
        async with browse() as tables:
            async for event in tables:
                if isinstance(event, Found | Updated) and event.table.name == table:
                    return await mesh.reach(event.table.candidates, event.table.public)
    raise LinkError(f"No table named {table} was found in {FIND_SECONDS:.0f} seconds; is it open?")


class _Report:
    """Tells a match through ``show``, each game by its own narrator."""

    def __init__(self, show: Print) -> None:
        self.convicted = False
        self._show = show
        self._session: Session | None = None
        self._narrator: Narrator | None = None
        self._begun = 0.0

    def seated(self, event: LobbyEvent) -> None:
        """Tell who has taken a seat, or left it."""
        words = fingerprint_words(event.key)
        match event:
            case SatDown(nickname, _, taken, seats):
                text = f"{nickname} sits down ({taken} of {seats})."
                self._show({"event": "seated", "player": nickname, "key": words, "text": text})
            case StoodUp(nickname):
                text = f"{nickname} has left; the seat is free again."
                self._show({"event": "left", "player": nickname, "key": words, "text": text})

    def tell(self, session: Session, event: Event) -> None:
        """Tell an event of a game."""
        if self._session is not session or self._narrator is None:
            self._session, self._narrator = session, Narrator(session.genesis)
            self._begun = trio.current_time()
            for line in self._narrator.beginning():
                self._show(line)
        if isinstance(event, Turn) and self._begun:
            seconds = trio.current_time() - self._begun
            self._begun = 0.0
            text = f"  The deck was ready {seconds:.2f} seconds after everybody was."
            self._show({"event": "ready", "seconds": round(seconds, 3), "text": text})
        for line in self._narrator.lines(event):
            self._show(line)
        self.convicted = self.convicted or isinstance(event, Convicted)

    def finished(self, session: Session, path: Path) -> None:
        """Tell where the transcript is."""
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        rounds = len(session.rounds)
        self._show({"event": "saved", "path": str(path), "sha256": digest, "rounds": rounds})
