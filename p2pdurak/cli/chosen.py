"""What a choice on the start screen leads to: a table, or the end of an interrupted game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from p2pdurak.cli.finding import Opened, SeveralTables, calling, find
from p2pdurak.cli.invitation import table_name
from p2pdurak.cli.opponents import TABLE
from p2pdurak.cli.options import PACE_SECONDS
from p2pdurak.cli.resume import give_up
from p2pdurak.cli.sitting import join_table, new_code, open_table, play_bots, take_up_here
from p2pdurak.cli.starting import Answer
from p2pdurak.cli.waiting import own_game, sought_by
from p2pdurak.errors import LinkError, Sentence
from p2pdurak.game.ruleset import DEFAULT
from p2pdurak.net.addresses import parse_address
from p2pdurak.net.code import clean_code
from p2pdurak.net.refusals import Reason, Refused
from p2pdurak.ui.console.choices import Choice, GiveUp, Join, OpenNew, PlayBots, TakeUp
from p2pdurak.ui.console.new_table_screen import NewTableScreen, Plan
from p2pdurak.ui.console.start_screen import CODE_WANTED
from p2pdurak.wire.terms import Terms

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.cli.console import Console
    from p2pdurak.errors import DurakError, Said
    from p2pdurak.net.mesh import Mesh

BOTS_TERMS = Terms(TABLE, DEFAULT, 36, 4, watchers=False, code=True)
"""What is played with bots where nothing else was asked for."""


async def follow(console: Console, choice: Choice) -> Said | str:
    """Do what was chosen, until the person leaves; return what is to be told then. Raises DurakError if it fails."""
    match choice:
        case TakeUp(path):
            await take_up_here(console, Path(path))
        case GiveUp(path):
            give_up(console.profile.folder, Path(path))
            return Sentence("The game is given up.")
        case PlayBots():
            await play_bots(console, BOTS_TERMS, PACE_SECONDS)
        case OpenNew():
            await _open_new(console)
        case Join() as join:
            await _join(console, join)
    return ""


async def _open_new(console: Console) -> None:
    """Let the person describe a table, and open it."""
    answer = Answer[Plan | None]()
    say, public = console.shell.say, console.profile.signing_key.public
    name = table_name(say, console.nickname, public, code=False)
    console.shell.show(
        NewTableScreen(
            console.shell.settings,
            name,
            opened=answer.give,
            back=lambda: answer.give(None),
        )
    )
    plan = await answer.wait()
    if plan is None:
        return
    terms = plan.terms
    if terms.code and terms.table == name:
        terms = replace(terms, table=table_name(say, console.nickname, public, code=True))
    await open_table(console, terms, new_code() if terms.code else None, bots=plan.bots)


async def _join(console: Console, join: Join) -> None:
    """Go to the table that was chosen on the start screen; to our own where that was left in a game."""
    target, code = join.target or None, clean_code(join.code) if join.code else None
    waiting = None if join.key or join.watch else own_game(console.profile, target)
    if waiting is not None:
        await take_up_here(console, waiting.game.path, waiting.taken_up)
        return

    async def reach(mesh: Mesh, tell: Callable[[Said], object]) -> Opened:
        if join.key:
            addresses = parse_address(join.target)
            tell(calling(join.target))
            return Opened(await mesh.reach(addresses, join.key), addresses)
        try:
            sought = sought_by(console.profile, watches=join.watch, code=code is not None)
            return await find(target, mesh, sought, tell)
        except SeveralTables as error:
            if target is None:  # a command was given
                raise
            raise LinkError(
                "Several tables of one name are open: {tables}. Choose one by its number, or go to its address.",
                tables=error.values["tables"],
            ) from error

    await join_table(console, reach, code, watch=join.watch)


def wanted_code(error: DurakError) -> Said | None:
    """Return what is wrong where a table has let us down for want of the right code; None if it was something else."""
    match error:
        case Refused(code=Reason.CODE_WANTED):  # what it advises is for a command
            return CODE_WANTED
        case Refused(code=Reason.CODE_WRONG):
            return error
        case _:
            return None
