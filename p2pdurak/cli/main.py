"""Arguments, and the one place where an error becomes a sentence and an exit status."""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import version
from io import TextIOWrapper
from typing import TYPE_CHECKING

from p2pdurak.cli import demo, doctor, options, peer, rules, tables, verify
from p2pdurak.errors import DurakError
from p2pdurak.ui.language import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FAILED = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status. No traceback ever reaches a user."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a suit that the terminal cannot show is no reason to stop
            stream.reconfigure(errors="replace")
    args = _parser().parse_args(arguments)
    try:
        status: int = args.run(args)
    except DurakError as error:
        sys.stderr.write(f"p2pdurak: {error}\n")
        return FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our lines has had enough
        sys.stderr.close()
        return FAILED
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="p2pdurak", description="Durak for 2 to 6 players without a server, with a deck that nobody can rig."
    )
    parser.add_argument("--version", action="version", version=f"p2pdurak {version('p2pdurak')}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_peers(commands.add_parser)
    _add_others(commands.add_parser)
    doctor.add_parser(commands)
    return parser


def _add_peers(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the commands that run one peer."""
    host = command("host", help="open a table on this network, and play at it by typing")
    options.add_table(host)
    options.add_game(host, players=6, games=0)
    options.add_peer(host)
    host.set_defaults(run=peer.run, opens=True, bot=False, watch=False)

    join = command("join", help="sit down at a table on this network, and play by typing")
    watch = command("watch", help="follow a game, check everything, and see no hidden card")
    for parser in (join, watch):
        options.add_target(parser)
        options.add_code(parser)
        options.add_peer(parser)
        parser.set_defaults(run=peer.run, opens=False, bot=False, watch=parser is watch)

    bot = command("bot", help="run one bot peer that joins a table, or opens one")
    options.add_target(bot)
    bot.add_argument("--open", action="store_true", dest="opens", help="open a table instead of joining one")
    options.add_table(bot)
    options.add_game(bot)
    options.add_peer(bot)
    bot.set_defaults(run=peer.run, bot=True, watch=False)


def _add_others(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the commands that look, explain and check."""
    show = command("demo", help="watch bots play a whole match, each a process of its own, and verify it")
    options.add_game(show)
    options.add_json(show)
    show.set_defaults(run=demo.run)

    check = command("verify", help="check finished games from their files")
    check.add_argument("files", nargs="+", metavar="FILE", help="transcripts; the games of a match in their order")
    options.add_json(check)
    check.set_defaults(run=verify.run)

    explain = command("rules", help="list the rules that can be played, or explain some of them")
    explain.add_argument("rules", nargs="?", metavar="NAME", help="the rules to explain (default: list all)")
    options.add_setting(explain)
    explain.add_argument("--lang", choices=LANGUAGES, help="the language of the text (default: your locale's)")
    options.add_json(explain)
    explain.set_defaults(run=rules.run)

    listing = command("tables", help="list the tables of this network as they come and go")
    listing.add_argument("--once", action="store_true", help="list those that are there now, and end")
    options.add_profile(listing)
    options.add_json(listing)
    listing.set_defaults(run=tables.run)
