"""Arguments, and the one place where an error becomes a sentence and an exit status."""

from __future__ import annotations

import argparse
import sys
from importlib.metadata import version
from io import TextIOWrapper
from typing import TYPE_CHECKING

from p2pdurak.cli import demo, peer, verify
from p2pdurak.errors import DurakError
from p2pdurak.game.ruleset import DEFAULT, PRESETS

if TYPE_CHECKING:
    from collections.abc import Sequence

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

    bot = commands.add_parser("bot", help="run one bot peer that opens a table or joins one")
    role = bot.add_mutually_exclusive_group(required=True)
    role.add_argument("--open", action="store_true", help="open a table")
    role.add_argument("--join", action="store_true", help="join the table of that name on this network")
    bot.add_argument("--table", default="kitchen", metavar="NAME", help="the table's name (default: kitchen)")
    bot.add_argument("--name", metavar="NICKNAME", help="the bot's nickname (default: its profile's name)")
    bot.add_argument("--profile", metavar="NAME", help="the profile to use (default: the first free one)")
    _add_table_options(bot)
    _add_json(bot)
    bot.set_defaults(run=peer.run)
    return parser


def _add_table_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--players", type=int, choices=range(2, 7), default=4, metavar="N", help="2 to 6 (default: 4)")
    parser.add_argument("--deck", type=int, choices=(36, 52), default=36, help="cards in the pack (default: 36)")
    parser.add_argument(
        "--rules", default=DEFAULT.name, metavar="NAME", help=f"{', '.join(PRESETS)} (default: {DEFAULT.name})"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", help="change one option of the rules"
    )
    parser.add_argument("--games", type=_games, default=1, metavar="G", help="games of the match (default: 1)")
    parser.add_argument("--closed-books", action="store_true", help="do not reveal the game secrets at the end")


def _games(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:5]) <= MAX_GAMES):
        raise argparse.ArgumentTypeError(f"a match has 1 to {MAX_GAMES} games")
    return int(text)


MAX_GAMES = 1000


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, for programs")
