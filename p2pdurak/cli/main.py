"""Arguments, and the one place where an error becomes a sentence and an exit status."""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import version
from io import TextIOWrapper
from typing import TYPE_CHECKING

from p2pdurak.cli import demo, peer, rules, tables, verify
from p2pdurak.errors import DurakError
from p2pdurak.game.ruleset import DEFAULT, PRESETS
from p2pdurak.ui.language import LANGUAGES
from p2pdurak.wire.terms import MAX_GAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

FAILED = 2
INTERRUPTED = 130
MAX_PORT = 65_535


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

    playing = commands.add_parser(
        "demo", help="watch bots play a whole match, each a process of its own, and verify it"
    )
    _add_table_options(playing)
    _add_json(playing)
    playing.set_defaults(run=demo.run)

    checking = commands.add_parser("verify", help="check finished games from their files")
    checking.add_argument("files", nargs="+", metavar="FILE", help="transcripts; the games of a match in their order")
    _add_json(checking)
    checking.set_defaults(run=verify.run)

    explaining = commands.add_parser("rules", help="list the rules that can be played, or explain some of them")
    explaining.add_argument("rules", nargs="?", metavar="NAME", help="the rules to explain (default: list all)")
    _add_setting(explaining)
    explaining.add_argument("--lang", choices=LANGUAGES, help="the language of the text (default: your locale's)")
    _add_json(explaining)
    explaining.set_defaults(run=rules.run)

    hosting = commands.add_parser("host", help="open a table on this network, and play at it by typing")
    hosting.add_argument("--table", metavar="NAME", help="the table's name (default: yours)")
    _add_table_options(hosting, players=6, games=0)
    _add_peer(hosting, opens=True)

    joining = commands.add_parser("join", help="sit down at a table on this network, and play by typing")
    _add_target(joining)
    _add_peer(joining)

    watching = commands.add_parser("watch", help="follow a game, check everything, and see no hidden card")
    _add_target(watching)
    _add_peer(watching, watch=True)

    listing = commands.add_parser("tables", help="list the tables of this network as they come and go")
    listing.add_argument("--once", action="store_true", help="list those that are there now, and end")
    listing.add_argument("--profile", metavar="NAME", help="the profile to use (default: the first free one)")
    _add_json(listing)
    listing.set_defaults(run=tables.run)

    bot = commands.add_parser("bot", help="run one bot peer that joins a table, or opens one")
    _add_target(bot)
    bot.add_argument("--open", action="store_true", dest="opens", help="open a table instead of joining one")
    bot.add_argument("--table", metavar="NAME", help="the name of the table to open")
    _add_table_options(bot)
    _add_peer(bot, bot=True, opens=None)
    return parser


def _add_target(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "target", nargs="?", metavar="TABLE|HOST:PORT", help="which table (default: the only one on this network)"
    )


def _add_peer(
    parser: argparse.ArgumentParser, *, opens: bool | None = False, watch: bool = False, bot: bool = False
) -> None:
    parser.add_argument("--name", metavar="NICKNAME", help="the nickname (default: the profile's name)")
    parser.add_argument("--profile", metavar="NAME", help="the profile to use (default: the first free one)")
    parser.add_argument("--port", type=_port, metavar="PORT", help="the TCP port to listen on (default: a free one)")
    _add_json(parser)
    parser.set_defaults(run=peer.run, watch=watch, bot=bot)
    if opens is not None:
        parser.set_defaults(opens=opens)


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:6]) <= MAX_PORT):
        raise argparse.ArgumentTypeError(f"a port is a number from 1 to {MAX_PORT}")
    return int(text)


def _add_table_options(parser: argparse.ArgumentParser, players: int = 4, games: int = 1) -> None:
    parser.add_argument(
        "--players", type=int, choices=range(2, 7), default=players, metavar="N", help=f"2 to 6 (default: {players})"
    )
    parser.add_argument("--deck", type=int, choices=(36, 52), default=36, help="cards in the pack (default: 36)")
    parser.add_argument(
        "--rules", default=DEFAULT.name, metavar="NAME", help=f"{', '.join(PRESETS)} (default: {DEFAULT.name})"
    )
    _add_setting(parser)
    default = games or "as many as you like"
    parser.add_argument(
        "--games", type=_games, default=games, metavar="G", help=f"games of the match (default: {default})"
    )
    parser.add_argument("--closed-books", action="store_true", help="do not reveal the game secrets at the end")


def _add_setting(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", help="change one option of the rules"
    )


def _games(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:5]) <= MAX_GAMES):
        raise argparse.ArgumentTypeError(f"a match has 1 to {MAX_GAMES} games")
    return int(text)


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, for programs")
