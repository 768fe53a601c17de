"""``host``, ``join``, ``watch`` and ``bot``: one peer in a process of its own, from its profile to the last game."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING

import trio

from p2pdurak.cli.finding import find
from p2pdurak.cli.invitation import Ways, table_name, ways_to
from p2pdurak.cli.lines import play_in_lines
from p2pdurak.cli.options import PACE_SECONDS, rules_of
from p2pdurak.cli.output import Print, printer
from p2pdurak.cli.players import GUEST_HELP, HELP, WATCHER_HELP, Bot, Player, Typist, Watcher
from p2pdurak.cli.presence import Presence
from p2pdurak.cli.speaking import spoken
from p2pdurak.cli.telling import Teller
from p2pdurak.cli.waiting import WaitingGame, better, own_game, reminders, sought_by
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.net.background import background
from p2pdurak.net.code import CODE_ENTROPY_BYTES, clean_code, make_code
from p2pdurak.net.guest import Guest
from p2pdurak.net.invite import is_invite, qr_lines
from p2pdurak.net.known import KnownPlayers
from p2pdurak.net.mesh import Mesh, open_mesh
from p2pdurak.net.opener import Opener
from p2pdurak.net.profile import Profile
from p2pdurak.net.refusals import Refused
from p2pdurak.net.resuming import take_up_game
from p2pdurak.net.storage import ensure_room
from p2pdurak.ui.language import told
from p2pdurak.wire.names import clean_nickname
from p2pdurak.wire.terms import Terms

if TYPE_CHECKING:
    import argparse
    from gettext import NullTranslations

    from p2pdurak.net.lobby import Lobby


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
    nickname = None if args.name is None else clean_nickname(args.name)
    if args.opens:
        terms_of(args, args.table or "table")  # refuse contradicting options before anything is made
    with Profile.open(args.profile, nickname=nickname) as profile:
        # A bot is not to pass for the person who has started it.
        nickname = nickname or (profile.name if args.bot else profile.player)
        profile.called(nickname)
        # The console's setting is its person's; a bot has no such thing, and is told by whoever starts it.
        say = spoken(args, None if args.bot else profile)
        player: Player = (
            Bot(args.pace, leashed=args.leashed)
            if args.bot
            else Watcher(show, say)
            if args.watch
            else Typist(show, say, profile.games)
        )
        target = None if args.opens else _target(args)
        waiting = None if args.opens or args.watch else own_game(profile, target)
        if waiting is not None:
            return _take_up(waiting, profile, player, show, say)
        for reminder in reminders(profile, target):
            show({"event": "warning", "reason": str(reminder), "text": told(say, reminder)})
        if args.bot:
            ensure_room(profile.games)  # it is ready as soon as it sits
        peer = _Peer(args, profile, nickname, player, show, say)
        return trio.run(peer.run)


def _target(args: argparse.Namespace) -> str | None:
    """Return which table to go to, as it was typed; None for the only one."""
    target: str | None = args.target or getattr(args, "join", None)
    return target


def _take_up(waiting: WaitingGame, profile: Profile, player: Player, show: Print, say: NullTranslations) -> int:
    """Take up the game at our own table, to which nobody else could let us in; return the exit status."""
    from p2pdurak.cli.resume import in_lines  # it builds on this module

    said = waiting.taken_up
    show({"event": "warning", "reason": str(said), "text": told(say, said)})
    interrupted = take_up_game(waiting.game.path, profile.signing_key.public)
    with interrupted.journal:
        return trio.run(in_lines, profile, waiting.game, interrupted, player, show, say, PACE_SECONDS)


class _Peer:
    """One run of one peer."""

    def __init__(
        self,
        args: argparse.Namespace,
        profile: Profile,
        nickname: str,
        player: Player,
        show: Print,
        say: NullTranslations,
    ) -> None:
        self._args = args
        self._profile = profile
        self._nickname = nickname
        self._player = player
        self._show = show
        self._say = say
        self._code = code_of(args)
        self._target = None if args.opens else _target(args)
        known = KnownPlayers.open(profile.folder)
        self._teller = Teller(show, profile.signing_key.public, known, say)
        self._teller.asks = isinstance(player, Typist) and getattr(args, "games", 0) != 1

    async def run(self) -> int:
        """Sit at a table until its match is over or the person leaves."""
        key = self._profile.signing_key
        async with background() as tasks, open_mesh(key, self._nickname, port=self._args.port) as mesh:
            self._introduce(mesh)
            private = isinstance(self._player, Bot) and self._player.leashed and not self._args.opens
            presence = None if private else Presence(tasks, self._teller.warn)
            lobby = await (self._open(mesh, presence) if self._args.opens else self._join(mesh, presence))
            try:
                return await play_in_lines(lobby, self._player, self._teller, self._profile.games, presence)
            except Refused as error:
                raise better(error, self._profile, lobby) from None

    def _introduce(self, mesh: Mesh) -> None:
        name, words = self._nickname, fingerprint_words(mesh.identity.public)
        gettext = self._say.gettext
        profile, pid = self._profile.name, os.getpid()
        text = gettext("{name} is process {pid} on port {port}, in the profile {profile}, with the key {words}.")
        if isinstance(self._player, Typist | Watcher):
            text = gettext("You are {name}, in the profile {profile}; your key is {words}.")
        text = text.format(name=name, pid=pid, port=mesh.port, profile=profile, words=words)
        if isinstance(self._player, Typist):
            text += f"\n{gettext(HELP if self._args.opens else GUEST_HELP)}"
        elif isinstance(self._player, Watcher):
            text += f"\n{gettext(WATCHER_HELP)}"
        line = {"event": "peer", "player": name, "pid": pid, "port": mesh.port, "profile": profile, "key": words}
        self._show({**line, "text": text})

    async def _join(self, mesh: Mesh, presence: Presence | None) -> Lobby:
        """Find the table that is meant, and go there."""
        if isinstance(self._player, Typist | Watcher):
            gettext = self._say.gettext
            which = self._target or gettext("a table on this network")
            if is_invite(which):
                which = gettext("the table of this invite")
            text = gettext("Looking for {table} … (Ctrl-C ends it; 'p2pdurak doctor' helps if there is none.)")
            self._show({"event": "looking", "text": text.format(table=which)})
        sought = sought_by(self._profile, watches=self._args.watch, code=self._code is not None)
        opened = await find(self._target, mesh, sought)
        lobby = Guest(
            mesh,
            opened.opener,
            opened.addresses,
            self._teller.at_table,
            ready=self._player.always_ready,
            watches=self._args.watch,
            code=self._code or opened.code,
        )
        if presence is not None:
            await presence.begin(lobby)
        return lobby

    async def _open(self, mesh: Mesh, presence: Presence | None) -> Lobby:
        """Open a table, and say how others come to it."""
        named = self._args.table or table_name(
            self._say, self._nickname, mesh.identity.public, code=self._code is not None
        )
        terms = terms_of(self._args, named)
        lobby = Opener(mesh, terms, self._teller.at_table, ready=self._player.always_ready, code=self._code)
        if presence is not None:
            await presence.begin(lobby)
        self._tell_ways(ways_to(mesh, terms, self._code), terms, mesh.port)
        return lobby

    def _tell_ways(self, ways: Ways, terms: Terms, port: int) -> None:
        gettext, code = self._say.gettext, f" --code {self._code}" if self._code else ""
        told = [gettext("The table '{table}' is open. Others type:").format(table=terms.table)]
        told.append(f"  p2pdurak join{code}")
        told.append(gettext("or, if they do not see it:"))
        for way in ways.addresses:
            vpn = " " + gettext("(over a VPN)") if way in ways.over_vpn else ""
            told.append(f"  p2pdurak join {way}{code}{vpn}")
        if ways.invite:
            told.append(gettext("or, with this invite, which holds all that is needed:"))
            told.append(f"  p2pdurak join {ways.invite}")
            if self._args.qr:
                told += qr_lines(ways.invite)
        line = {"event": "open", "table": terms.table, "port": port, "code": self._code, "invite": ways.invite}
        self._show({**line, "addresses": list(map(str, ways.addresses)), "text": "\n".join(told)})
