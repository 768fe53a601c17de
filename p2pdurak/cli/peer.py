"""``host``, ``join``, ``watch`` and ``bot``: one peer in a process of its own, from its profile to the last game."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

import trio

from p2pdurak.cli.finding import find, follow
from p2pdurak.cli.options import rules_of
from p2pdurak.cli.output import Print, printer
from p2pdurak.cli.players import HELP, Bot, Player, Typist, Watcher
from p2pdurak.cli.telling import Teller
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.errors import LinkError
from p2pdurak.net.addresses import Address, local_addresses, reachable_addresses
from p2pdurak.net.announcement import Announcement
from p2pdurak.net.background import background
from p2pdurak.net.code import CODE_ENTROPY_BYTES, clean_code, make_code
from p2pdurak.net.discovery import announce
from p2pdurak.net.guest import Guest
from p2pdurak.net.invite import Invite, invitable, qr_lines
from p2pdurak.net.known import KnownPlayers
from p2pdurak.net.mesh import Mesh, open_mesh
from p2pdurak.net.node import Node, play_match
from p2pdurak.net.opener import Opener
from p2pdurak.net.profile import Profile
from p2pdurak.wire.names import clean_nickname
from p2pdurak.wire.terms import Terms

if TYPE_CHECKING:
    import argparse

    from p2pdurak.net.lobby import Lobby

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


def code_of(args: argparse.Namespace) -> str | None:
    """Return the code that was given, or a new one where the opener only wants one; raises NotationError."""
    if args.code is None:
        return None
    return clean_code(args.code) if args.code else make_code(secrets.token_bytes(CODE_ENTROPY_BYTES))


def run(args: argparse.Namespace) -> int:
    """Play, host or watch as ``args`` say; return the exit status."""
    show = printer(args.json)
    player: Player = Bot(args.pace, leashed=args.leashed) if args.bot else Watcher() if args.watch else Typist(show)
    nickname = None if args.name is None else clean_nickname(args.name)
    if args.opens:
        terms_of(args, args.table or "table")  # refuse contradicting options before anything is made
    with Profile.open(args.profile) as profile:
        peer = _Peer(args, profile, nickname or profile.name, player, show)
        return trio.run(peer.run)


class _Peer:
    """One run of one peer."""

    def __init__(self, args: argparse.Namespace, profile: Profile, nickname: str, player: Player, show: Print) -> None:
        self._args = args
        self._profile = profile
        self._nickname = nickname
        self._player = player
        self._show = show
        self._code = code_of(args)
        self._target: str | None = None if args.opens else args.target or getattr(args, "join", None)
        known = KnownPlayers.open(profile.folder)
        self._teller = Teller(show, profile.signing_key.public, known)
        self._teller.asks = isinstance(player, Typist) and getattr(args, "games", 0) != 1

    async def run(self) -> int:
        """Sit at a table until its match is over or the person leaves."""
        key = self._profile.signing_key
        async with background() as tasks, open_mesh(key, self._nickname, port=self._args.port) as mesh:
            self._introduce(mesh)
            lobby = await (self._open(mesh, tasks) if self._args.opens else self._join(mesh, tasks))
            node = Node(lobby, self._profile.games, self._player.decide, self._teller.of_game)
            with trio.CancelScope() as leave:
                tasks.start_soon(self._player.listen, lobby, leave)
                await play_match(lobby, node, self._teller.finished)
        return CHEATED if self._teller.convicted else 0

    def _introduce(self, mesh: Mesh) -> None:
        name, words = self._nickname, fingerprint_words(mesh.identity.public)
        text = f"{name} is process {os.getpid()} on port {mesh.port}, with the key {words}."
        if isinstance(self._player, Typist):
            text = f"You are {name}, in the profile {self._profile.name}; your key is {words}.\n{HELP}"
        self._show({"event": "peer", "player": name, "pid": os.getpid(), "port": mesh.port, "key": words, "text": text})

    async def _join(self, mesh: Mesh, tasks: trio.Nursery) -> Lobby:
        """Find the table that is meant, and go there."""
        if isinstance(self._player, Typist):
            which = self._target or "a table on this network"
            self._show(
                {"event": "looking", "text": f"Looking for {which} … ('p2pdurak doctor' helps if there is none.)"}
            )
        opened = await find(self._target, mesh)
        tasks.start_soon(follow, opened.opener, mesh)
        return Guest(
            mesh,
            opened.opener,
            opened.addresses,
            self._teller.at_table,
            ready=self._player.always_ready,
            watches=self._args.watch,
            code=self._code or opened.code,
        )

    async def _open(self, mesh: Mesh, tasks: trio.Nursery) -> Lobby:
        """Open a table, and say how others come to it."""
        terms = terms_of(self._args, self._args.table or f"{self._nickname}'s table")
        lobby = Opener(mesh, terms, self._teller.at_table, ready=self._player.always_ready, code=self._code)
        await tasks.start(self._announce, terms, mesh)
        addresses = local_addresses()
        where = " or ".join(str(Address(host, mesh.port)) for host in reachable_addresses(addresses))
        code = f" --code {self._code}" if self._code else ""
        line = {"event": "open", "table": terms.table, "port": mesh.port, "code": self._code}
        text = f"The table {terms.table} is open: others type 'p2pdurak join{code}', or 'p2pdurak join {where}{code}'"
        if hosts := invitable(addresses):
            invite = str(Invite(hosts, mesh.port, mesh.identity.public, self._code, terms.table))
            line["invite"] = invite
            text += f",\nor 'p2pdurak join' with this invite behind it: {invite}"
            if self._args.qr:
                text += "\n" + "\n".join(qr_lines(invite))
        self._show({**line, "text": text})
        return lobby

    async def _announce(
        self, terms: Terms, mesh: Mesh, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED
    ) -> None:
        """Announce the table as long as it is there; without multicast it can still be joined by address."""
        public, name = mesh.identity.public, terms.rules.name
        announcement = Announcement(terms.table, public, name, terms.pack_size, terms.seats, mesh.port)
        try:
            async with announce(announcement):
                task_status.started()
                await trio.sleep_forever()
        except LinkError as error:
            self._teller.warn(str(error))
            task_status.started()
