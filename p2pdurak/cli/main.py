"""Arguments, and the one place where an error becomes a sentence and an exit status."""

from __future__ import annotations

import argparse
import errno
import os
import re
import sys
import traceback
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from typing import TYPE_CHECKING, NoReturn

from p2pdurak.cli import options
from p2pdurak.cli.output import fit, program
from p2pdurak.cli.speaking import add_language, spoken
from p2pdurak.errors import DurakError, Sentence
from p2pdurak.net.game_files import NAME_PREFIX, SHORT_DIGITS
from p2pdurak.net.profile import default_home, profile_folders
from p2pdurak.net.storage import make_folder, write_whole
from p2pdurak.ui.language import told

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from gettext import NullTranslations

    from p2pdurak.errors import Said

FAILED = 2
INTERRUPTED = 130
FAULT = 70
"""The program itself is at fault; the number is that of BSD's ``sysexits.h``."""
FAULT_FILE = "last-fault.txt"
DISK_FULL = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status. No traceback ever reaches a user."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a suit that the terminal cannot show is no reason to stop
            stream.reconfigure(errors="replace")
    args = _parser().parse_args(arguments)
    try:
        status: int = args.run(args)
    except BaseException as error:
        return _explain(error, spoken(args))
    return status


def _explain(error: BaseException, say: NullTranslations) -> int:
    """Say in a sentence what ended the command, and return the exit status.

    What happens in several tasks at once comes as a group, of which the gravest counts.
    """
    leaves = list(_leaves(error))
    for leaf in leaves:
        if isinstance(leaf, KeyboardInterrupt):
            return INTERRUPTED
    for leaf in leaves:
        if isinstance(leaf, DurakError):
            _complain(say, leaf)
            if (remedy := _remedy(leaf)) is not None:
                _complain(say, remedy)
            return FAILED
        if isinstance(leaf, BrokenPipeError):  # whoever read our lines has had enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            return FAILED
        if isinstance(leaf, OSError):
            _complain(say, Sentence("The lines cannot be written: {trouble}.", trouble=leaf.strerror))
            return FAILED
    if any(isinstance(leaf, SystemExit) for leaf in leaves):
        raise error
    return _confess(error, say)


def _remedy(error: DurakError) -> Sentence | None:
    """Return what to do where the disk was too full for a game that was going on."""
    cause, path = error.__cause__, str(error.values.get("path", ""))
    game = re.search(rf"{NAME_PREFIX}([0-9a-f]{{{SHORT_DIGITS}}})", path)
    if game is None or not isinstance(cause, OSError) or cause.errno not in DISK_FULL:
        return None
    command = f"{program()} resume {game[1]}"
    return Sentence("Free some space, then: {command}. Nothing is lost.", command=command)


def _confess(error: BaseException, say: NullTranslations) -> int:
    """Say that the program itself is at fault, and keep the details for whoever can mend it."""
    from p2pdurak.cli.kept import interrupted_in  # no start has to wait for what is hardly ever needed

    details = "".join(traceback.format_exception(error))
    path = default_home() / FAULT_FILE
    try:
        make_folder(path.parent)
        write_whole(path, details.encode())
    except DurakError as trouble:
        _complain(say, trouble)
    _complain(
        say,
        Sentence(
            "This is a fault of the program itself: {what} What is needed to mend it is in {path}.",
            what=f"{type(error).__name__}: {error}.",
            path=path,
        ),
    )
    with suppress(DurakError):  # what cannot be read is not known of
        if interrupted_in(profile_folders()):
            _complain(say, Sentence("A game that was going on is not lost: p2pdurak resume takes it up again."))
    return FAULT


def _complain(say: NullTranslations, said: Said) -> None:
    if sys.stderr is not None:
        sys.stderr.write(f"p2pdurak: {fit(told(say, said))}\n")


def _leaves(error: BaseException) -> Iterator[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


class _Version(argparse.Action):
    """Print the version and end. It is looked up only then, which alone takes as long as a third of all other work."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:

        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="p2pdurak", description="Durak for 2 to 6 players without a server, with a deck that nobody can rig."
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="show the program's version number and exit")
    options.add_profile(parser, None)
    add_language(parser)
    parser.set_defaults(run=_command("starting"))
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_peers(commands.add_parser)
    _add_others(commands.add_parser)
    for command in commands.choices.values():  # said behind the command or before it, it is the same
        add_language(command, argparse.SUPPRESS)
    return parser


def _command(module: str) -> Callable[[argparse.Namespace], int]:
    """Return a command of ``p2pdurak.cli`` that is imported when it is called.

    A bot has no use for the screens, and ``rules`` none for the network; without this every start takes longer.
    """

    def run(args: argparse.Namespace) -> int:
        status: int = import_module(f"p2pdurak.cli.{module}").run(args)
        return status

    return run


def _add_peers(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the commands that run one peer."""
    against = command("play", help="sit down at once with bots, each a peer of its own on this machine")
    options.add_opponents(against)
    options.add_lines(against)
    options.add_json(against)
    against.set_defaults(run=_command("play"))

    host = command("host", help="open a table on this network, and play at it")
    options.add_table(host)
    options.add_game(host, players=6, games=0)
    options.add_peer(host)
    options.add_lines(host)
    host.set_defaults(run=_command("seated"), opens=True, bot=False, watch=False)

    join = command("join", help="sit down at a table on this network, and play")
    watch = command("watch", help="follow a game, check everything, and see no hidden card")
    for parser in (join, watch):
        options.add_target(parser)
        options.add_code(parser)
        options.add_peer(parser)
        options.add_lines(parser)
        parser.set_defaults(run=_command("seated"), opens=False, bot=False, watch=parser is watch, qr=False)

    bot = command("bot", help="run one bot peer that joins a table, or opens one")
    options.add_target(bot)
    bot.add_argument("--join", metavar="TABLE", help="the table to join, as without the option")
    bot.add_argument("--open", action="store_true", dest="opens", help="open a table instead of joining one")
    options.add_table(bot)
    options.add_game(bot)
    options.add_pace(bot)
    options.add_leash(bot)
    options.add_peer(bot)
    bot.set_defaults(run=_command("peer"), bot=True, watch=False)
    _add_resume(command)


def _add_resume(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the command that goes on where another one ended."""
    again = command("resume", help="take up a game that was interrupted, as the player that you were in it")
    again.add_argument("game", nargs="?", metavar="GAME", help="which one, as 'games' lists it (default: the latest)")
    options.add_lines(again)
    again.add_argument("--bot", action="store_true", help="let a bot play on, as after the command 'bot'")
    again.add_argument(
        "--at", metavar="HOST:PORT", help="where the table's opener is now, if it is not found by itself"
    )
    options.add_pace(again)
    options.add_leash(again)
    options.add_profile(again)
    options.add_json(again)
    again.set_defaults(run=_command("resume"), pace=None)


def _add_others(command: Callable[..., argparse.ArgumentParser]) -> None:
    """Add the commands that look, explain and check."""
    show = command("demo", help="watch bots play a whole match, each a process of its own, and verify it")
    options.add_game(show)
    options.add_json(show)
    show.set_defaults(run=_command("demo"))

    check = command("verify", help="check finished games from their files")
    check.add_argument("files", nargs="+", metavar="FILE", help="transcripts; the games of a match in their order")
    options.add_json(check)
    check.set_defaults(run=_command("verify"))

    again = command("replay", help="step through a finished game, with all hands where the books are open")
    again.add_argument("file", metavar="FILE", help="its transcript")
    again.add_argument("--text", action="store_true", help="print it as plain lines")
    options.add_profile(again)
    options.add_json(again)
    again.set_defaults(run=_command("replay"))

    kept = command("games", help="list the games that are kept here: finished ones, and interrupted ones")
    kept.add_argument("--all", action="store_true", help="list all of them, not only the newest")
    options.add_profile(kept)
    options.add_json(kept)
    kept.set_defaults(run=_command("games"))

    explain = command("rules", help="list the rules that can be played, or explain some of them")
    explain.add_argument("rules", nargs="?", metavar="NAME", help="the rules to explain (default: list all)")
    options.add_setting(explain)
    options.add_json(explain)
    explain.set_defaults(run=_command("rules"))

    listing = command("tables", help="list the tables of this network as they come and go")
    listing.add_argument("--once", action="store_true", help="list those that are there now, and end")
    options.add_json(listing)
    listing.set_defaults(run=_command("tables"))

    examine = command("doctor", help="find out why friends cannot see each other, and what helps")
    options.add_json(examine)
    examine.set_defaults(run=_command("doctor"))
