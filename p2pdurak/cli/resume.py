"""``p2pdurak resume``: take up an interrupted game, as the player, opener or watcher that one was in it."""

from __future__ import annotations

import os
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import trio

from p2pdurak.cli.kept import SavedGame, interrupted_in, moment, profiles_of
from p2pdurak.cli.lines import play_in_lines
from p2pdurak.cli.opponents import bot_keys, opponents, returning, tidy
from p2pdurak.cli.options import PACE_SECONDS
from p2pdurak.cli.output import printer
from p2pdurak.cli.players import Bot, Player, Typist, Watcher
from p2pdurak.cli.presence import Presence
from p2pdurak.cli.speaking import language_in, spoken
from p2pdurak.cli.telling import Teller
from p2pdurak.cli.terminal import Terminal, wanted_terminal
from p2pdurak.errors import NotationError, Sentence, StorageError
from p2pdurak.net.addresses import LOOPBACK_VARIABLE, parse_address
from p2pdurak.net.background import background
from p2pdurak.net.game_files import NAME_PREFIX
from p2pdurak.net.journal import remove_journal
from p2pdurak.net.known import KnownPlayers
from p2pdurak.net.profile import Profile, in_use
from p2pdurak.net.resuming import nickname_in, reopen_mesh, restore_lobby, take_up_game
from p2pdurak.ui.language import told

if TYPE_CHECKING:
    import argparse
    from collections.abc import AsyncIterator, Callable, Sequence
    from gettext import NullTranslations

    from p2pdurak.cli.output import Print
    from p2pdurak.errors import Said
    from p2pdurak.net.addresses import Address
    from p2pdurak.net.lobby import Lobby, LobbyEvent
    from p2pdurak.net.mesh import Mesh
    from p2pdurak.net.saved import Header, Interrupted


def run(args: argparse.Namespace) -> int:
    """Take up a game as ``args`` say; return the exit status."""
    at = () if args.at is None else parse_address(args.at)
    profile, game, interrupted, notes = _choose(args.profile, args.game)
    with profile, interrupted.journal:
        say, show = spoken(args, profile), printer(args.json)
        for note in notes:
            show({"event": "warning", "reason": str(note), "text": told(say, note)})
        if game.practice:
            os.environ[LOOPBACK_VARIABLE] = "1"  # all its players are on this machine
        if not (args.json or args.bot) and wanted_terminal(lines=args.lines) is Terminal.SCREEN:
            from p2pdurak.cli.console import Console  # only here is there something to draw on
            from p2pdurak.cli.sitting import sit_again

            return Console(profile, language=args.lang).run(
                lambda console: sit_again(console, game, interrupted, at=at)
            )
        player: Player = Typist(show, say, game.path.parent)
        if nickname_in(interrupted.header, profile.signing_key.public) is None:
            player = Watcher(show, say)
        elif args.bot:
            player = Bot(args.pace or 0.0, leashed=args.leashed)
        pace = PACE_SECONDS if args.pace is None else args.pace
        return trio.run(in_lines, profile, game, interrupted, player, show, say, pace, at)


def _choose(profile_name: str | None, typed: str | None) -> tuple[Profile, SavedGame, Interrupted, list[Said]]:
    """Return the profile, in use by us now, and the game that is meant: the latest, where none was named.

    Also returns what is to be said about the others. Raises NotationError if there is none, StorageError if the only
    ones cannot be taken up now.
    """
    games = interrupted_in(profiles_of(profile_name))
    if typed is not None:
        games = _meant(games, typed)
    if not games:
        raise NotationError(
            "There is no interrupted game here. One that has ended meanwhile is among those that 'p2pdurak games' "
            "lists; 'p2pdurak join' goes back to the table, and 'p2pdurak host' opens it anew if it was yours."
        )
    failed: list[tuple[SavedGame, StorageError]] = []
    for game in games:
        try:
            profile, interrupted = _open(game)
        except StorageError as error:
            failed.append((game, error))
            continue
        # Other copies of this game, and games that are being played, are no trouble of whoever takes this one up.
        notes: list[Said] = [
            error for other, error in failed if other.path.stem != game.path.stem and not isinstance(error, _Running)
        ]
        more = [other for other in games if other.path.stem != game.path.stem and not _is_running(other, profile)]
        if typed is None and more:
            notes.append(
                Sentence(
                    "This is the game {game}, left at {when}. There are more interrupted games: see 'p2pdurak games'.",
                    game=game.id,
                    when=moment(game.when),
                )
            )
        return profile, game, interrupted, notes
    if typed is None and profile_name is None and all(isinstance(error, _Running) for _, error in failed):
        raise NotationError("There is no interrupted game here but those that other running programs play now.")
    raise next((error for _, error in failed if not isinstance(error, _Running)), failed[0][1])


def _meant(games: list[SavedGame], typed: str) -> list[SavedGame]:
    """Return the games that ``typed`` can mean, which are one game in several profiles; raises NotationError."""
    digits = typed.strip().lower().removeprefix(NAME_PREFIX)
    found = [game for game in games if game.path.stem.removeprefix(NAME_PREFIX).startswith(digits)]
    found = found or [game for game in games if game.path == Path(typed).absolute()]
    if not found:
        raise NotationError("There is no interrupted game {typed} here: see 'p2pdurak games'.", typed=typed)
    if len({game.path.stem for game in found}) > 1:
        raise NotationError("Several interrupted games begin with {typed}: type more of it.", typed=typed)
    return found


class _Running(StorageError):
    """Somebody plays the game now."""


def _is_running(game: SavedGame, ours: Profile) -> bool:
    return game.profile != ours.folder and in_use(game.profile)


def _open(game: SavedGame) -> tuple[Profile, Interrupted]:
    """Return the game and its profile, both ours now; raises StorageError."""
    name = game.profile.name
    try:
        profile = Profile.open(name)
    except StorageError as error:
        if not in_use(game.profile):
            raise
        raise _Running(
            "The game {game} cannot be taken up: another running p2pdurak uses the profile {name}.",
            game=game.id,
            name=name,
        ) from error
    try:
        return profile, take_up_game(game.path, profile.signing_key.public)
    except BaseException:
        profile.close()
        raise


@asynccontextmanager
async def back(
    profile: Profile,
    game: SavedGame,
    header: Header,
    nickname: str,
    pace: float,
    language: str,
    tell: Callable[[LobbyEvent], object],
    warn: Callable[[Said], object],
    *,
    ready: bool,
    private: bool = False,
    at: Sequence[Address] = (),
) -> AsyncIterator[tuple[Lobby, Presence | None]]:
    """Be back at the table of an interrupted game while the body runs, with the bots that we had there.

    Nobody else is to find a table of practice, or what is ``private``, so we are not present on the network then.

    ``nickname`` is what a watcher is called, ``pace`` what the bots' decisions take in seconds, ``language`` what they
    complain in, ``tell`` and ``ready`` are as for a new lobby; ``at`` is where the opener may be besides.
    Raises StorageError if bots are missing, LinkError if no port can be had.
    """
    if game.practice and len(returning(profile.folder, game.path.stem, 0)) < header.genesis.players - 1:
        raise StorageError("The bots of this game have not kept it, so it cannot go on.")
    mesh_again = reopen_mesh(profile.signing_key, header, nickname, loopback=game.practice)
    async with background() as tasks, mesh_again as mesh:
        if at:  # there first: where the opener was, somebody else may be now
            mesh.want(header.opener, at)
        lobby = restore_lobby(mesh, header, tell, ready=ready)
        bots = returning(profile.folder, game.path.stem, mesh.port)
        presence = None if game.practice or private else Presence(tasks, warn)
        if presence is not None:
            tasks.start_soon(presence.begin, lobby)
        async with opponents(bots, profile.folder, pace, language, warn):
            yield lobby, presence


async def in_lines(
    profile: Profile,
    game: SavedGame,
    interrupted: Interrupted,
    player: Player,
    show: Print,
    say: NullTranslations,
    pace: float,
    at: Sequence[Address] = (),
) -> int:
    """Play on, told and asked in lines; return the exit status."""
    header, ready = interrupted.header, player.always_ready
    known, language = KnownPlayers.open(profile.folder), language_in(say)
    teller = Teller(show, profile.signing_key.public, known, say, bots=lambda: bot_keys(profile.folder))
    teller.asks = isinstance(player, Typist) and header.terms.games != header.genesis.number
    table = back(
        profile,
        game,
        header,
        profile.player,
        pace,
        language,
        teller.at_table,
        teller.warn,
        ready=ready,
        private=isinstance(player, Bot) and player.leashed,
        at=at,
    )
    async with table as (lobby, presence):
        show(_resumed(game, header, lobby.mesh, say))
        return await play_in_lines(lobby, player, teller, game.path.parent, presence, interrupted)


def _resumed(game: SavedGame, header: Header, mesh: Mesh, say: NullTranslations) -> dict[str, Any]:
    names = [header.genesis.name(seat) for seat in range(header.genesis.players)]
    text = say.gettext("Back in the game of {names}, left at {when}. So far:")
    return {
        "event": "resumed",
        "game": game.id,
        "profile": game.profile.name,
        "player": mesh.nickname,
        "players": names,
        "pid": os.getpid(),
        "port": mesh.port,
        "text": text.format(names=", ".join(names), when=moment(game.when)),
    }


def give_up(profile: Path, path: Path) -> None:
    """Remove an interrupted game, and what the bots of this profile kept of it; raises StorageError."""
    remove_journal(path)
    tidy(profile)
