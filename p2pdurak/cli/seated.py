"""``host``, ``join`` and ``watch`` for a person: on the screen where there is one, else by typing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.cli import peer
from p2pdurak.cli.finding import find
from p2pdurak.cli.invitation import table_name
from p2pdurak.cli.terminal import Terminal, wanted_terminal
from p2pdurak.cli.waiting import own_game, reminders, sought_by
from p2pdurak.errors import DurakError
from p2pdurak.net.profile import Profile
from p2pdurak.wire.names import clean_nickname

if TYPE_CHECKING:
    import argparse

    from p2pdurak.cli.console import Console


def run(args: argparse.Namespace) -> int:
    """Sit down at a table, or watch it, as ``args`` say; return the exit status."""
    if args.json or args.qr or wanted_terminal(lines=args.lines) is not Terminal.SCREEN:
        return peer.run(args)
    from p2pdurak.cli.console import Console  # only here is there something to draw on

    code = peer.code_of(args)
    if args.opens:
        peer.terms_of(args, args.table or "table")  # refuse contradicting options before anything is made
    nickname = None if args.name is None else clean_nickname(args.name)
    with Profile.open(args.profile, nickname=nickname) as profile:
        console = Console(profile, nickname, args.lang, args.port)
        return console.run(lambda console: _sit_down(console, args, code))


async def _sit_down(console: Console, args: argparse.Namespace, code: str | None) -> None:
    from p2pdurak.cli.chosen import wanted_code
    from p2pdurak.cli.sitting import join_table, open_table, take_up_here
    from p2pdurak.cli.starting import from_start
    from p2pdurak.ui.console.choices import Join

    waiting = None if args.opens or args.watch else own_game(console.profile, args.target)
    if waiting is not None:
        await take_up_here(console, waiting.game.path, waiting.taken_up)
        return
    note = next(iter(reminders(console.profile, None if args.opens else args.target)), None)
    if args.opens:
        name = args.table or table_name(
            console.shell.say, console.nickname, console.profile.signing_key.public, code=code is not None
        )
        await open_table(console, peer.terms_of(args, name), code, note=note)
        return
    sought = sought_by(console.profile, watches=args.watch, code=code is not None)
    try:
        await join_table(
            console,
            lambda mesh, tell: find(args.target, mesh, sought, tell),
            code,
            watch=args.watch,
            note=note,
        )
    except DurakError as error:
        trouble = wanted_code(error)
        if trouble is None:
            raise
        await from_start(console, trouble, Join(args.target or "", watch=args.watch))
