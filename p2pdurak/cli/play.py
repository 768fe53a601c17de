"""``p2pdurak play``: sit down at once with bots, each a peer in a process of its own, on this machine only.

With a whole terminal it is the console, with a small or dumb one the game is played by typing; without any it is told
in plain lines, and a bot plays for the person too. What draws is imported only where there is something to draw on:
bots and all other commands start a sixth of a second sooner without it.
"""

from __future__ import annotations

import os
import secrets
from dataclasses import replace
from typing import TYPE_CHECKING

import trio

from p2pdurak.cli.kept import practice_folder
from p2pdurak.cli.lines import play_in_lines
from p2pdurak.cli.opponents import TABLE, bot_keys, newcomers, only_latest, opponents
from p2pdurak.cli.options import rules_of
from p2pdurak.cli.output import Print, printer
from p2pdurak.cli.players import HELP, Bot, Player, Typist
from p2pdurak.cli.speaking import language_in, spoken
from p2pdurak.cli.telling import Teller
from p2pdurak.cli.terminal import Terminal, wanted_terminal
from p2pdurak.net.addresses import LOOPBACK_VARIABLE
from p2pdurak.net.code import CODE_ENTROPY_BYTES, make_code
from p2pdurak.net.known import KnownPlayers
from p2pdurak.net.lobby import Seated
from p2pdurak.net.mesh import open_mesh
from p2pdurak.net.opener import Opener
from p2pdurak.net.profile import Profile
from p2pdurak.wire.names import clean_nickname
from p2pdurak.wire.terms import Terms

if TYPE_CHECKING:
    import argparse
    from gettext import NullTranslations

    from p2pdurak.net.lobby import LobbyEvent


def terms_of(args: argparse.Namespace, games: int) -> Terms:
    """Return what the options say is to be played; raises NotationError."""
    return Terms(
        TABLE,
        rules_of(args),
        args.deck,
        args.bots + 1,
        open_books=not args.closed_books,
        games=games if args.games is None else args.games,
        watchers=False,
        code=True,
    )


def run(args: argparse.Namespace) -> int:
    """Play with bots; return the exit status."""
    kind = Terminal.NONE if args.json else wanted_terminal(lines=args.lines)
    terms = terms_of(args, 1 if kind is Terminal.NONE else 0)
    name = None if args.name is None else clean_nickname(args.name)
    os.environ[LOOPBACK_VARIABLE] = "1"  # nobody else is meant to come
    with Profile.open(args.profile, nickname=name) as profile:
        profile.called(name or profile.player)
        if kind is Terminal.SCREEN:
            from p2pdurak.cli.console import Console
            from p2pdurak.cli.sitting import play_bots

            return Console(profile, name, args.lang).run(lambda console: play_bots(console, terms, args.pace))
        show, say = printer(args.json), spoken(args, profile)
        if kind is Terminal.NONE:
            text = say.gettext(
                "There is no terminal here to play at: a bot plays for you, and the game is told in lines."
            )
            show({"event": "no-terminal", "text": text})
            return trio.run(_play_in_lines, profile, terms, name, Bot(), show, say, 0.0)
        show({"event": "help", "text": say.gettext(HELP)})
        player = Typist(show, say, practice_folder(profile.folder))
        return trio.run(_play_in_lines, profile, terms, name, player, show, say, args.pace)


async def _play_in_lines(
    profile: Profile, terms: Terms, name: str | None, player: Player, show: Print, say: NullTranslations, pace: float
) -> int:
    """Play the match, told and asked in lines; return the exit status."""
    terms = replace(terms, table=say.gettext(terms.table))
    known = KnownPlayers.open(profile.folder)
    teller = Teller(show, profile.signing_key.public, known, say, bots=lambda: bot_keys(profile.folder))
    code = make_code(secrets.token_bytes(CODE_ENTROPY_BYTES))
    nickname = name or profile.player
    teller.asks = at_once = isinstance(player, Typist)

    def at_table(event: LobbyEvent) -> None:
        nonlocal at_once
        teller.at_table(event)
        if at_once and isinstance(event, Seated):  # whoever says "play" need not say it again, but for another game
            at_once = False
            lobby.say_ready(ready=True)

    async with open_mesh(profile.signing_key, nickname) as mesh:
        lobby = Opener(mesh, terms, at_table, ready=player.always_ready, code=code)
        bots = newcomers(terms.seats - 1, nickname, profile.folder, mesh.port, code, say)
        async with opponents(bots, profile.folder, pace, language_in(say), teller.warn):
            tell = only_latest(profile.folder, teller.of_game)
            return await play_in_lines(lobby, player, teller, practice_folder(profile.folder), None, tell=tell)
