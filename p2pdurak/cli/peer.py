"""``host``, ``join``, ``watch`` and ``bot``: one peer in a process of its own, from its profile to the last game."""

from __future__ import annotations

import hashlib
import os
import secrets
from typing import TYPE_CHECKING

import trio

from p2pdurak.cli.finding import find
from p2pdurak.cli.options import rules_of
from p2pdurak.cli.output import Print, printer
from p2pdurak.cli.players import HELP, Bot, Player, Typist, Watcher
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.errors import LinkError
from p2pdurak.net.addresses import local_addresses, reachable_addresses
from p2pdurak.net.announcement import Announcement
from p2pdurak.net.background import background
from p2pdurak.net.code import CODE_ENTROPY_BYTES, clean_code, make_code
from p2pdurak.net.discovery import announce
from p2pdurak.net.guest import Guest
from p2pdurak.net.lobby import Lobby, LobbyEvent, Seated, Warned
from p2pdurak.net.mesh import Mesh, open_mesh
from p2pdurak.net.node import Node, play_match
from p2pdurak.net.opener import Opener
from p2pdurak.net.profile import Profile
from p2pdurak.session.events import Convicted, Event, Turn
from p2pdurak.ui.narration import Narrator
from p2pdurak.wire.names import clean_nickname
from p2pdurak.wire.terms import Terms

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from p2pdurak.session.session import Session
    from p2pdurak.wire.talk import Place

CHEATED = 1


def terms_of(args: argparse.Namespace, table: str) -> Terms:
    """Return what the options say is to be played; raises NotationError."""
    return Terms(
        table,
        rules_of(args),
        args.deck,
        args.players,
        open_books=not args.closed_books,
        games=args.games,
        by_lot=args.seats_by_lot,
        watchers=not args.no_watchers,
        code=args.code is not None,
        grace=args.grace,
    )


def _code_of(args: argparse.Namespace) -> str | None:
    """Return the code that was given, or a new one where the opener only wants one; raises NotationError."""
    if args.code is None:
        return None
    return clean_code(args.code) if args.code else make_code(secrets.token_bytes(CODE_ENTROPY_BYTES))


def run(args: argparse.Namespace) -> int:
    """Play, host or watch as ``args`` say; return the exit status."""
    show = printer(args.json)
    player: Player = Bot() if args.bot else Watcher() if args.watch else Typist(show)
    nickname = None if args.name is None else clean_nickname(args.name)
    if args.opens:
        terms_of(args, args.table or "table")  # refuse contradicting options before anything is made
    with Profile.open(args.profile) as profile:
        peer = _Peer(args, profile, nickname or profile.name, player, show)
        return trio.run(peer.run)


class _Peer:
    """One run of one peer, which tells what happens through ``show``, each game by its own narrator."""

    def __init__(self, args: argparse.Namespace, profile: Profile, nickname: str, player: Player, show: Print) -> None:
        self._args = args
        self._profile = profile
        self._nickname = nickname
        self._player = player
        self._show = show
        self._code = _code_of(args)
        self._convicted = False
        self._session: Session | None = None
        self._narrator: Narrator | None = None
        self._begun = 0.0
        self._seen: tuple[Place, ...] = ()

    async def run(self) -> int:
        """Sit at a table until its match is over or the person leaves."""
        key = self._profile.signing_key
        async with background() as tasks, open_mesh(key, self._nickname, port=self._args.port) as mesh:
            self._introduce(mesh)
            lobby = await self._sit(mesh, tasks)
            node = Node(lobby, self._profile.games, self._player.decide, self._tell)
            with trio.CancelScope() as leave:
                tasks.start_soon(self._player.listen, lobby, leave)
                await play_match(lobby, node, self._finished)
        return CHEATED if self._convicted else 0

    def _introduce(self, mesh: Mesh) -> None:
        words = fingerprint_words(mesh.identity.public)
        name = self._nickname
        text = f"{name} is process {os.getpid()} on port {mesh.port}, with the key {words}."
        if isinstance(self._player, Typist):
            text = f"You are {name}, in the profile {self._profile.name}; your key is {words}.\n{HELP}"
        self._show({"event": "peer", "player": name, "pid": os.getpid(), "port": mesh.port, "key": words, "text": text})

    async def _sit(self, mesh: Mesh, tasks: trio.Nursery) -> Lobby:
        """Open a table, or find the one that is meant."""
        if not self._args.opens:
            opened = await find(self._args.target, mesh)
            ready = self._player.always_ready
            return Guest(
                mesh,
                opened.opener,
                opened.addresses,
                self._at_table,
                ready=ready,
                watches=self._args.watch,
                code=self._code,
            )
        terms = terms_of(self._args, self._args.table or f"{self._nickname}'s table")
        lobby = Opener(mesh, terms, self._at_table, ready=self._player.always_ready, code=self._code)
        await tasks.start(self._announce, terms, mesh)
        where = " or ".join(f"{host}:{mesh.port}" for host in reachable_addresses(local_addresses()))
        code = f" --code {self._code}" if self._code else ""
        text = f"The table {terms.table} is open: others type 'p2pdurak join{code}', or 'p2pdurak join {where}{code}'."
        self._show({"event": "open", "table": terms.table, "port": mesh.port, "code": self._code, "text": text})
        return lobby

    async def _announce(
        self, terms: Terms, mesh: Mesh, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Announce the table as long as it is there; without multicast it can still be joined by address."""
        name = terms.rules.name
        announcement = Announcement(terms.table, mesh.identity.public, name, terms.pack_size, terms.seats, mesh.port)
        try:
            async with announce(announcement):
                task_status.started()
                await trio.sleep_forever()
        except LinkError as error:
            self._show({"event": "warning", "reason": str(error), "text": str(error)})
            task_status.started()

    def _at_table(self, event: LobbyEvent) -> None:
        """Tell who comes, goes, and is ready."""
        match event:
            case Warned(sentence):
                self._show({"event": "warning", "reason": sentence, "text": sentence})
            case Seated(terms, places, _):
                before = {place.key: place for place in self._seen}
                now = {place.key: place for place in places}
                self._seen = places
                for key, place in now.items():
                    if key not in before:
                        text = f"{place.nickname} sits down ({len(places)} of {terms.seats})."
                        words = fingerprint_words(key)
                        self._show({"event": "seated", "player": place.nickname, "key": words, "text": text})
                    if place.ready and not (key in before and before[key].ready):
                        self._show({"event": "ready-to-play", "player": place.nickname, "text": None})
                for key, place in before.items():
                    if key not in now:
                        text = f"{place.nickname} has left; the seat is free again."
                        self._show({"event": "left", "player": place.nickname, "text": text})

    def _tell(self, session: Session, event: Event) -> None:
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
        self._convicted = self._convicted or isinstance(event, Convicted)

    def _finished(self, session: Session, path: Path) -> None:
        """Tell where the transcript is, and how to check it."""
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        text = f"The transcript is {path}\nCheck it:  p2pdurak verify {path}"
        rounds = len(session.rounds)
        self._show({"event": "saved", "path": str(path), "sha256": digest, "rounds": rounds, "text": text})
