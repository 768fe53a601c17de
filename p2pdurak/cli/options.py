"""The options that several commands share, each said once."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from p2pdurak.game.ruleset import DEFAULT, PRESETS, Ruleset, read_settings, ruleset
from p2pdurak.wire.terms import GRACE_SECONDS, MAX_GAMES, MAX_GRACE_SECONDS

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_PORT = 65_535
MAX_PACE_SECONDS = 60.0
PACE_SECONDS = 0.9
CODE_VARIABLE = "P2PDURAK_CODE"
"""The environment variable that a table's code may stand in; what is typed behind a command all users here can read."""


def add_json(parser: argparse.ArgumentParser) -> None:
    """Offer lines for programs."""
    parser.add_argument("--json", action="store_true", help="print one JSON object a line, for programs")


def add_profile(parser: argparse.ArgumentParser, default: str | None = argparse.SUPPRESS) -> None:
    """Ask who we are; a command leaves what was said before it as it is, and so has no default of its own."""
    text = "the profile to use (default: one that is free and fits; games and resume look through all)"
    parser.add_argument("--profile", metavar="NAME", default=default, help=text)


def add_setting(parser: argparse.ArgumentParser) -> None:
    """Ask for single options of a ruleset."""
    parser.add_argument(
        "--set", action="append", default=[], metavar="OPTION=VALUE", help="change one option of the rules"
    )


def add_game(parser: argparse.ArgumentParser, *, players: int = 4, games: int = 1) -> None:
    """Ask what is played, by how many, how often."""
    parser.add_argument(
        "--players", type=int, choices=range(2, 7), default=players, metavar="N", help=f"2 to 6 (default: {players})"
    )
    _add_rules(parser)
    parser.add_argument(
        "--games",
        type=_number("a match has 1 to {} games", 1, MAX_GAMES),
        default=games,
        metavar="G",
        help=f"games of the match (default: {games or 'as many as you like'})",
    )


def _add_rules(parser: argparse.ArgumentParser) -> None:
    """Ask for pack and rules, and whether the books stay closed."""
    parser.add_argument("--deck", type=int, choices=(36, 52), default=36, help="cards in the pack (default: 36)")
    parser.add_argument(
        "--rules", default=DEFAULT.name, metavar="NAME", help=f"{', '.join(PRESETS)} (default: {DEFAULT.name})"
    )
    add_setting(parser)
    parser.add_argument("--closed-books", action="store_true", help="do not reveal the game secrets at the end")


def add_opponents(parser: argparse.ArgumentParser) -> None:
    """Ask what is played with bots, how often, and who we are."""
    parser.add_argument(
        "--bots", type=int, choices=range(1, 6), default=3, metavar="N", help="bots to play with, 1 to 5 (default: 3)"
    )
    _add_rules(parser)
    parser.add_argument(
        "--games",
        type=_number("a match has 1 to {} games", 1, MAX_GAMES),
        metavar="G",
        help="games of the match (default: as many as you like, one without a terminal)",
    )
    add_pace(parser, PACE_SECONDS)
    parser.add_argument(
        "--name", metavar="NICKNAME", help="your nickname (default: the one set on the screen, or your login)"
    )
    add_profile(parser)


def add_table(parser: argparse.ArgumentParser) -> None:
    """Ask how a table is opened."""
    parser.add_argument("--table", metavar="NAME", help="the table's name (default: the opener's)")
    parser.add_argument(
        "--code",
        nargs="?",
        const="",
        default=os.environ.get(CODE_VARIABLE) or None,
        help="let in only who gives this code; alone, it makes one up",
    )
    parser.add_argument("--qr", action="store_true", help="show the invite as a QR code too")
    parser.add_argument("--seats-by-lot", action="store_true", help="seat the players by lot, not as they come")
    parser.add_argument("--no-watchers", action="store_true", help="let nobody watch")
    parser.add_argument(
        "--grace",
        type=_number("the grace time is 0 to {} seconds", 0, MAX_GRACE_SECONDS),
        default=GRACE_SECONDS,
        metavar="SECONDS",
        help=f"how long to wait for somebody before the others may end the game (default: {GRACE_SECONDS})",
    )


def add_target(parser: argparse.ArgumentParser) -> None:
    """Ask which table is meant."""
    parser.add_argument(
        "target",
        nargs="?",
        metavar="TABLE|HOST:PORT|INVITE",
        help="which table (default: the only one on this network)",
    )


def add_code(parser: argparse.ArgumentParser) -> None:
    """Ask for the code of a table that is there already."""
    parser.add_argument(
        "--code",
        metavar="CODE",
        default=os.environ.get(CODE_VARIABLE) or None,
        help=f"the table's code, if it asks for one (default: {CODE_VARIABLE}, which nobody else sees)",
    )


def add_lines(parser: argparse.ArgumentParser) -> None:
    """Ask for lines where a whole screen could be used."""
    parser.add_argument("--lines", action="store_true", help="play by typing, even if the terminal has a whole screen")


def add_pace(parser: argparse.ArgumentParser, seconds: float = 0.0) -> None:
    """Ask how fast bots decide."""
    parser.add_argument(
        "--pace",
        type=_pace,
        default=seconds,
        metavar="SECONDS",
        help=f"what a bot's decision takes (default: {seconds})",
    )


def add_leash(parser: argparse.ArgumentParser) -> None:
    """Ask whether a bot is to end with whoever started it."""
    parser.add_argument("--leashed", action="store_true", help="leave when standard input ends")


def add_peer(parser: argparse.ArgumentParser) -> None:
    """Ask for what every peer has."""
    parser.add_argument(
        "--name",
        metavar="NICKNAME",
        help="the nickname (default: the one set on the screen, or your login; a bot has its profile's name)",
    )
    add_profile(parser)
    parser.add_argument(
        "--port",
        type=_number("a port is a number from 1 to {}", 1, MAX_PORT),
        metavar="PORT",
        help="the TCP port to listen on (default: a free one)",
    )
    add_json(parser)


def rules_of(args: argparse.Namespace) -> Ruleset:
    """Return the rules that ``--rules`` and ``--set`` say; raises NotationError."""
    return ruleset(args.rules, read_settings(args.set))


def _number(sentence: str, lowest: int, highest: int) -> Callable[[str], int]:
    """Return a reader of numbers within bounds, which explains a mistake by ``sentence``."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and lowest <= int(text[:9]) <= highest):
            raise argparse.ArgumentTypeError(sentence.format(highest))
        return int(text)

    return read


def _pace(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= MAX_PACE_SECONDS:
        raise argparse.ArgumentTypeError(f"the pace is 0 to {MAX_PACE_SECONDS:.0f} seconds")
    return seconds
