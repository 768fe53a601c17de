"""Games of a profile that were left and wait for it, for whoever sits down without having thought of them.

The opener's own game is special: nobody else has its table, so whoever looked for that would look in vain.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from p2pdurak.cli.fitting import Sought
from p2pdurak.cli.kept import SavedGame, interrupted_in
from p2pdurak.cli.output import program
from p2pdurak.errors import NotationError, Sentence, StorageError
from p2pdurak.net.guest import Guest
from p2pdurak.net.invite import is_invite, parse_invite
from p2pdurak.net.refusals import Reason, Refused, refusal, refused
from p2pdurak.net.resuming import has_its_secret, nickname_in
from p2pdurak.net.saved import peek

if TYPE_CHECKING:
    from collections.abc import Iterator
    from gettext import NullTranslations
    from pathlib import Path

    from p2pdurak.net.lobby import Lobby
    from p2pdurak.net.profile import Profile
    from p2pdurak.net.saved import Header

MOST = 3
"""Of so many games it is told at most."""


class WaitingGame(NamedTuple):
    """An interrupted game in which the profile has a seat: its file, its header, and our key."""

    game: SavedGame
    header: Header
    me: bytes

    @property
    def names(self) -> str:
        """The nicknames of the others."""
        return ", ".join(seat.nickname for seat in self.header.genesis.seats if seat.key != self.me)

    @property
    def reminder(self) -> Sentence:
        """That it waits, and how it is taken up."""
        command = f"{program()} resume {self.game.id}"
        return Sentence("An interrupted game with {names} waits for you: {command}", names=self.names, command=command)

    @property
    def taken_up(self) -> Sentence:
        """That we are taken back to our own table."""
        return Sentence(
            "You have opened the table {table} yourself, and its game with {names} was interrupted: it is taken up "
            "now. To go to another table, say which.",
            table=self.header.terms.table,
            names=self.names,
        )

    def is_at(self, target: str) -> bool:
        """Tell whether ``target``, a name or an invite, means the table of this game; an address may be any table's."""
        if is_invite(target):
            with suppress(NotationError):  # what is wrong with it is told when it is used
                return parse_invite(target).public == self.header.opener
            return False
        return target.casefold() == self.header.terms.table.casefold()


def own_game(profile: Profile, target: str | None) -> WaitingGame | None:
    """Return the latest game at a table that this profile has opened, if ``target`` means that table or no other."""
    for waiting in _waiting(profile):
        if waiting.header.opener == waiting.me and (target is None or waiting.is_at(target)):
            return waiting
    return None


def sought_by(profile: Profile, *, watches: bool, code: bool) -> Sought:
    """Return what this profile's player comes for, who gives a ``code`` or not: a seat, an own game, or to watch."""
    openers = () if watches else tuple(waiting.header.opener for waiting in _waiting(profile))
    return Sought(watches, code, openers)


def better(error: Refused, profile: Profile, lobby: Lobby) -> Refused:
    """Return what is to be told of a refusal: with no game there, a code is of no use at a table that is in one."""
    in_vain = error.code == Reason.CODE_WANTED and lobby.came_late and not (isinstance(lobby, Guest) and lobby.watches)
    return refused(refusal(Reason.PLAYING)) if in_vain and not any(_waiting(profile)) else error


def left_behind(journal: Path, say: NullTranslations) -> dict[str, Any]:
    """Return the line for whoever leaves the game in a ``journal``: how it is taken up again."""
    profile = journal.parent.parent
    game = SavedGame(profile, journal, 0.0).id
    text = say.gettext("The game waits for you. Take it up again:")
    command = f"{program()} resume {game} --profile {profile.name}"
    return {"event": "game-left", "game": game, "profile": profile.name, "text": f"{text}  {command}"}


def reminders(profile: Profile, target: str | None = None) -> list[Sentence]:
    """Return what is to be said of the games that wait, but for one at the table that ``target`` means."""
    others = [waiting for waiting in _waiting(profile) if target is None or not waiting.is_at(target)]
    return [waiting.reminder for waiting in others[:MOST]]


def _waiting(profile: Profile) -> Iterator[WaitingGame]:
    """Yield the games with others in which the profile has a seat, the latest first; a damaged one waits for nobody."""
    me = profile.signing_key.public
    for game in interrupted_in([profile.folder]):
        with suppress(StorageError):
            header, messages = peek(game.path)
            ours = not game.practice and nickname_in(header, me) is not None
            if ours and has_its_secret(game.path, header, messages, me):
                yield WaitingGame(game, header, me)
