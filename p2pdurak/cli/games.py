"""``p2pdurak games``: the saved games of this machine's profiles, finished and interrupted, the newest first.

Each is looked through and not audited, and without ``--all`` only the newest are: the work is bounded, however many
games there are. Where that shows something odd, that one game is audited.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from p2pdurak.cli.kept import SavedGame, moment, profiles_of, saved_games
from p2pdurak.cli.output import printer, program
from p2pdurak.cli.speaking import spoken
from p2pdurak.cli.verify import read
from p2pdurak.errors import MalformedMessage, NotationError, StorageError
from p2pdurak.net.journal import JOURNAL_SUFFIX, SECRET_SUFFIX
from p2pdurak.net.profile import in_use, public_key_of
from p2pdurak.net.resuming import has_its_secret
from p2pdurak.net.saved import peek
from p2pdurak.session.audit import audit
from p2pdurak.session.events import Removed
from p2pdurak.session.skim import skim
from p2pdurak.ui.console.saying import STEPS, ended_without
from p2pdurak.ui.language import told
from p2pdurak.wire.gamefile import SUFFIX, unpack_file
from p2pdurak.wire.genesis import decode_genesis
from p2pdurak.wire.messages import Kind

if TYPE_CHECKING:
    import argparse
    from gettext import NullTranslations
    from pathlib import Path

    from p2pdurak.errors import Said
    from p2pdurak.session.session import Session
    from p2pdurak.wire.genesis import Genesis

NEWEST: Final = 20


def run(args: argparse.Namespace) -> int:
    """List the games; return the exit status."""
    show, say = printer(args.json), spoken(args)
    files = saved_games(profiles_of(args.profile), JOURNAL_SUFFIX, SUFFIX, SECRET_SUFFIX)
    kept = {game.path.with_suffix("") for game in files if game.path.suffix != SECRET_SUFFIX}
    games = [game for game in files if game.path.suffix != SECRET_SUFFIX or game.path.with_suffix("") not in kept]
    several = len({game.profile for game in games}) > 1
    shown = games if args.all else games[:NEWEST]
    busy = {profile for profile in {game.profile for game in shown} if _is_busy(profile)}
    for game in shown:
        playing = game.profile in busy
        match game.path.suffix:
            case suffix if suffix == SUFFIX:
                line = _finished(game, say)
            case suffix if suffix == JOURNAL_SUFFIX:
                line = _interrupted(game, say, playing=playing)
            case _:
                line = _not_begun(game, say, playing=playing)
        show(_placed(line, game, say, several=several))
    rest = len(games) - len(shown)
    if rest:
        older = say.ngettext("{number} older game: {command}", "{number} older games: {command}", rest)
        command = f"{program()} games --all"
        show({"event": "more", "number": rest, "text": older.format(number=rest, command=command)})
    elif not games:
        show({"event": "none", "text": say.gettext("No games are saved here yet.")})
    return 0


def _is_busy(profile: Path) -> bool:
    """Tell whether a running program has the profile; nobody here can where nothing can be written."""
    try:
        return in_use(profile)
    except StorageError:
        return False


@cache
def _key(profile: Path) -> bytes | None:
    """Return the public key of a profile, None if that cannot be read."""
    try:
        return public_key_of(profile)
    except StorageError:
        return None


def _placed(line: dict[str, Any], game: SavedGame, say: NullTranslations, *, several: bool) -> dict[str, Any]:
    """Add to the first row of a line whose game it is, where that may be asked, and whether it was only watched."""
    where = [say.gettext("in the profile {name}").format(name=game.profile.name)] if several else []
    where += [say.gettext("watched")] if line.get("watched") else []
    head, _, rest = line["text"].partition("\n")
    return {**line, "text": f"{' · '.join([head, *where])}\n{rest}"}


def _about(game: SavedGame, genesis: Genesis) -> dict[str, Any]:
    return {
        "game": game.id,
        "players": [genesis.name(seat) for seat in range(genesis.players)],
        "table": genesis.table,
        "number": genesis.number,
        "rules": genesis.rules.name,
        "options": str(genesis.rules),
        "pack": genesis.pack_size,
        "when": datetime.fromtimestamp(game.when).astimezone().isoformat(timespec="seconds"),
        "profile": game.profile.name,
        "watched": _key(game.profile) not in (None, *genesis.keys),
        "path": str(game.path),
    }


def _line(event: str, game: SavedGame, genesis: Genesis, state: str, command: str) -> dict[str, Any]:
    """Return a line of the list; ``state`` is a sentence about the game, ``command`` what can be done with it."""
    about = _about(game, genesis)
    head = f"{moment(game.when)}  {', '.join(about['players'])} · {genesis.rules.title} · {about['pack']}"
    return {"event": event, **about, "command": command, "text": f"{head}\n    {state}\n    {command}"}


def _finished(game: SavedGame, say: NullTranslations) -> dict[str, Any]:
    """Return the line about a transcript."""
    try:
        data = read(game.path)
        beginning, messages, whole = unpack_file(data)
        genesis = decode_genesis(beginning)
    except (NotationError, MalformedMessage) as error:
        return _damaged(game, error, say)
    session = skim(genesis, messages)
    verify = f"{program()} verify {game.path}"
    if whole and session.finished and session.transcript() == data:
        fools = [genesis.name(seat) for seat in session.state.fools]
        return {**_line("finished", game, genesis, _ended(session, say), verify), "fools": fools}
    return _odd(game, genesis, data, verify, say)


def _ended(session: Session, say: NullTranslations) -> str:
    """Return how a finished game ended."""
    genesis, state = session.genesis, session.state
    if state.removal is not None:
        removal = state.removal
        names = [genesis.name(seat) for seat in range(genesis.players)]
        return ended_without(say, names, Removed(removal.seats, removal.resigned, removal.fools))
    if not state.fools:
        return say.gettext("A draw.")
    return say.gettext("{name} is the fool.").format(name=genesis.name(state.fools[0]))


def _odd(game: SavedGame, genesis: Genesis, data: bytes, verify: str, say: NullTranslations) -> dict[str, Any]:
    """Return the line about a transcript that is not of a finished game: a proof that somebody cheated, or damaged."""
    cheats = [problem for problem in audit(data).problems if problem.convicts]
    if not cheats:
        state = say.gettext("This transcript is damaged or breaks off; what is wrong is told by:")
        return _line("broken", game, genesis, state, verify)
    names = [genesis.name(seat) for problem in cheats for seat in problem.seats]
    state = say.gettext("Ended because of cheating, proven of: {names}.").format(names=", ".join(names))
    return {**_line("convicted", game, genesis, state, verify), "cheats": names, "round": cheats[0].round}


def _interrupted(game: SavedGame, say: NullTranslations, *, playing: bool) -> dict[str, Any]:
    """Return the line about a journal."""
    try:
        header, messages = peek(game.path)
    except StorageError as error:
        return _damaged(game, error, say)
    session, me = skim(header.genesis, messages), _key(game.profile)
    names = [header.genesis.name(seat) for seat in session.waiting_for()]
    more = {"round": session.state.round, "waiting": names, "playing": playing}
    command = f"{program()} resume {game.id} --profile {game.profile.name}"
    event, state = "interrupted", _waits(session, names, say)
    if playing:
        event, command = "playing", ""
        state = say.gettext("Being played in the profile {name}.").format(name=game.profile.name)
    elif me is None or not has_its_secret(game.path, header, messages, me):
        event, command = "lost", f"{program()} verify {game.path}"
        why = say.gettext("It cannot go on here: the key of the profile {name} is missing or damaged.")
        if me is not None:
            why = say.gettext("It cannot go on here: its secret, the file {path}, is missing or damaged.")
            why = f"{why}\n    {_to_give_up(game, say)}"
        state = f"{state}\n    {why}".format(path=game.path.with_suffix(SECRET_SUFFIX), name=game.profile.name)
    line = _line(event, game, header.genesis, state, command)
    return {**line, **more, "text": line["text"].rstrip()}


def _to_give_up(game: SavedGame, say: NullTranslations) -> str:
    """Return how a game is given up that cannot be taken up."""
    text = say.gettext("To give it up, start '{command}' and press X at it.")
    return text.format(command=f"{program()} --profile {game.profile.name}")


def _not_begun(game: SavedGame, say: NullTranslations, *, playing: bool) -> dict[str, Any]:
    """Return the line about a secret with nothing beside it: the program ended between the two."""
    text = say.gettext("A game is beginning in the profile {name}.").format(name=game.profile.name)
    if not playing:
        text = say.gettext(
            "The program ended when this game was about to begin: nothing was said in it here, so it cannot be taken "
            "up, and this file is of no use any more."
        )
    event = "playing" if playing else "not-begun"
    text = f"{moment(game.when)}  {game.path}\n    {text}"
    return {"event": event, "game": game.id, "profile": game.profile.name, "path": str(game.path), "text": text}


def _waits(session: Session, names: list[str], say: NullTranslations) -> str:
    """Return where an interrupted game stopped."""
    if session.kind is None:
        return say.gettext("Interrupted when all was said already.")
    game, who = session.state.game, ", ".join(names)
    bout = 0 if game is None else game.bouts + (not session.state.over)
    if session.kind is Kind.PLAY:
        template = say.gettext("Interrupted in bout {bout}, when it was the turn of {names}.")
        return template.format(bout=bout, names=who)
    # A person counts bouts; before the first one there are only rounds.
    template = say.gettext("Interrupted in round {round} ({step}), waiting for {names}.")
    if bout:
        template = say.gettext("Interrupted in bout {bout} ({step}), waiting for {names}.")
    step = say.gettext(STEPS[session.kind])
    return template.format(round=session.state.round, bout=bout, step=step, names=who)


def _damaged(game: SavedGame, error: Said, say: NullTranslations) -> dict[str, Any]:
    """Return the line about a file that cannot be read."""
    text = f"{moment(game.when)}  {game.path}\n    {told(say, error)}"
    if game.path.suffix == JOURNAL_SUFFIX:
        text += f"\n    {_to_give_up(game, say)}"
    return {"event": "damaged", "game": game.id, "path": str(game.path), "reason": str(error), "text": text}
