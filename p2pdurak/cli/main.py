"""Arguments, and the one place where an error becomes a sentence and an exit status."""

from __future__ import annotations

import argparse
import os
import sys
from importlib.metadata import version
from io import TextIOWrapper
from typing import TYPE_CHECKING

from p2pdurak.cli import demo, doctor, options, peer, play, replay, rules, seated, tables, verify
from p2pdurak.errors import DurakError
from p2pdurak.ui.language import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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
    except BaseException as error:
        return _explain(error)
    return status


def _explain(error: BaseException) -> int:
    """Say in a sentence what ended the command, and return the exit status; a bug is raised again.

    What happens in several tasks at once comes as a group, of which the gravest counts.
    """
    leaves = list(_leaves(error))
    for leaf in leaves:
        if isinstance(leaf, KeyboardInterrupt):
            return INTERRUPTED
    for leaf in leaves:
        if isinstance(leaf, DurakError):
            _complain(str(leaf))
            return FAILED
        if isinstance(leaf, BrokenPipeError):  # whoever read our lines has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            return FAILED
        if isinstance(leaf, OSError):
            _complain(f"The lines cannot be written: {leaf.strerror}.")
            return FAILED
    raise error


def _complain(sentence: str) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"p2pdurak: {sentence}\n")


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="p2pdurak", description="Durak for 2 to 6 players without a server, with a deck that nobody can rig."
    )
    parser.add_argument("--version", action="version", version=f"p2pdurak {version('p2pdurak')}")
    options.add_profile(parser)
    parser.set_defaults(run=play.start)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_peers(commands.add_parser)
    _add_others(commands.add_parser)
    doctor.add_parser(commands)
    return parser


def _add_peers(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the commands that run one peer."""
    against = command("play", help="sit down at once with bots, each a peer of its own on this machine")
    options.add_opponents(against)
    options.add_lines(against)
    options.add_json(against)
    against.set_defaults(run=play.run)

    host = command("host", help="open a table on this network, and play at it")
    options.add_table(host)
    options.add_game(host, players=6, games=0)
    options.add_peer(host)
    options.add_lines(host)
    host.set_defaults(run=seated.run, opens=True, bot=False, watch=False)

    join = command("join", help="sit down at a table on this network, and play")
    watch = command("watch", help="follow a game, check everything, and see no hidden card")
    for parser in (join, watch):
        options.add_target(parser)
        options.add_code(parser)
        options.add_peer(parser)
        options.add_lines(parser)
        parser.set_defaults(run=seated.run, opens=False, bot=False, watch=parser is watch, qr=False)

    bot = command("bot", help="run one bot peer that joins a table, or opens one")
    options.add_target(bot)
    bot.add_argument("--join", metavar="TABLE", help="the table to join, as without the option")
    bot.add_argument("--open", action="store_true", dest="opens", help="open a table instead of joining one")
    options.add_table(bot)
    options.add_game(bot)
    options.add_pace(bot)
    bot.add_argument("--leashed", action="store_true", help="leave when standard input ends")
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

    again = command("replay", help="step through a finished game, with all hands where the books are open")
    again.add_argument("file", metavar="FILE", help="its transcript")
    again.add_argument("--text", action="store_true", help="print it as plain lines")
    options.add_profile(again)
    options.add_json(again)
    again.set_defaults(run=replay.run)

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
