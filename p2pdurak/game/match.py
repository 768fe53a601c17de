"""A match: several games in a row, with who dealt, who led, how each ended, and the score.

Between games seats may change, players leave and others come; so a match knows its players by name, and a game says
who sat where. How the next game opens follows from the last one alone. Keeping the opening of each game as data was
rejected: it could contradict the game before.

In writing a match is a text for people, like a game, and its reader checks what follows from the rules.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from p2pdurak.cards import pack
from p2pdurak.errors import NotationError
from p2pdurak.game.bouts import DrawReason
from p2pdurak.game.lines import Lines, read_number
from p2pdurak.game.notation import format_outcome, parse_outcome
from p2pdurak.game.opening import FIRST, Opening, next_opening
from p2pdurak.game.ruleset import MIN_PLAYERS, Draws, NextLead, Ruleset, max_players, parse_ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from p2pdurak.game.bouts import Outcome


@dataclass(frozen=True, slots=True)
class Game:
    """A game that was played: the players' names by seat, who dealt and led first, and how it ended."""

    players: tuple[str, ...]
    dealer: int
    leader: int
    outcome: Outcome

    @property
    def fool(self) -> str | None:
        """The name of the fool, None after a draw."""
        return None if self.outcome.fool is None else self.players[self.outcome.fool]


@dataclass(frozen=True, slots=True)
class Match:
    """The games that a table has played with the same rules and pack, first game first."""

    rules: Ruleset
    pack_size: int
    games: tuple[Game, ...] = ()

    def opening(self, players: Sequence[str]) -> Opening:
        """Return how the next game opens if the players sit so, clockwise from seat 0 (R6, R8 to R10)."""
        if not self.games:
            return FIRST
        last = self.games[-1]
        moved = [players.index(name) if name in players else None for name in last.players]
        return next_opening(self.rules, last.outcome, last.dealer, len(players), moved)

    def after(self, game: Game) -> Match:
        """Return the match with one more game; raises NotationError when the game cannot be the next one."""
        _check_seats(game, max_players(self.pack_size))
        _check_ending(self.rules, game)
        opening = self.opening(game.players)
        if opening.dealer not in (None, game.dealer):
            raise NotationError(
                "Seat {right} deals this game, not seat {seat}.", right=opening.dealer, seat=game.dealer
            )
        if opening.leader not in (None, game.leader):
            raise NotationError(
                "Seat {right} leads this game, not seat {seat}.", right=opening.leader, seat=game.leader
            )
        return Match(self.rules, self.pack_size, (*self.games, game))

    @property
    def draws(self) -> int:
        """Number of games without a fool."""
        return sum(game.fool is None for game in self.games)

    def score(self) -> Mapping[str, int]:
        """Return how many times each player was the fool, in the order in which they came to the table."""
        fools = Counter(game.fool for game in self.games)
        return {name: fools[name] for game in self.games for name in game.players}


def _check_seats(game: Game, most: int) -> None:
    seats = range(len(game.players))
    if not MIN_PLAYERS <= len(seats) <= most:
        raise NotationError(
            "A game has {least} to {most} players, not {number}.", least=MIN_PLAYERS, most=most, number=len(seats)
        )
    if len(set(game.players)) < len(seats):
        raise NotationError("Each player has one seat and a name of their own.")
    for name in game.players:
        if not name or name != " ".join(name.split()):
            raise NotationError(
                "{name!r} is no name: it is one line, with single spaces between words.", name=name[:40]
            )
    if game.dealer not in seats or game.leader not in seats:
        raise NotationError("The dealer and the leader must have a seat.")


def _check_ending(rules: Ruleset, game: Game) -> None:
    seats, (fool, places, reason) = set(range(len(game.players))), game.outcome
    if len(set(places)) < len(places) or not set(places) <= seats - {fool}:
        raise NotationError("Who is out has a seat, is named once, and is not the fool.")
    holders = len(seats) - len(places)
    # R37: all but the fool are out; without a fool there is a reason.
    if (fool is None) == (reason is None) or (fool is not None and (fool not in seats or holders > 1)):
        raise NotationError("A game ends with one fool when all others are out, or with a draw and its reason.")
    # R39: nobody holds a card; where so chosen, that makes a fool and no draw.
    if reason is DrawReason.EMPTY_HANDS:
        if holders:
            raise NotationError("A game is a draw by empty hands only when all are out.")
        if rules.draws is Draws.DEFENDER_LOSES:
            raise NotationError(
                "With draws=defender-loses there is no draw by empty hands: the last defender is the fool."
            )
    # R40: as long as bouts begin, there is a leader and a defender.
    elif reason is not None and holders < MIN_PLAYERS:
        raise NotationError("A game that goes round in circles is a draw only while two or more hold cards.")


def format_match(match: Match) -> str:
    """Return the match as text, lines ended by newlines; ``parse_match`` reads it."""
    return "".join(line + "\n" for line in _written(match))


def _written(match: Match) -> Iterator[str]:
    yield f"rules {match.rules}"
    yield f"pack {match.pack_size}"
    before = Match(match.rules, match.pack_size)
    for number, game in enumerate(match.games, 1):
        yield ""
        yield f"game {number}"
        if not before.games or before.games[-1].players != game.players:
            yield from (f"seat {seat} {name}" for seat, name in enumerate(game.players))
        yield from _reasons(before, game)
        yield f"ended {format_outcome(game.outcome)}"
        before = before.after(game)
    yield ""
    yield from (f"score {fools} {name}" for name, fools in match.score().items())
    yield f"draws {match.draws}"


def _reasons(before: Match, game: Game) -> Iterator[str]:
    opening = before.opening(game.players)
    again = "the fool" if before.games and before.games[-1].fool is not None else "after a draw"
    yield f"dealer {game.dealer}, {'by lot' if opening.dealer is None else again}"
    side = "under" if before.rules.next_lead is NextLead.UNDER else "from under"
    yield f"leader {game.leader}, {'by the cards' if opening.leader is None else f'{side} the fool'}"


def parse_match(text: str) -> Match:
    """Return the match whose ``format_match`` this is, apart from remarks, empty lines and indentation.

    Raises NotationError that names the line where the text is no match or goes against the rules.
    """
    lines = Lines(text)
    try:
        match = Match(parse_ruleset(lines.field("rules")), _read_pack(lines))
        while lines.word == "game":
            match = match.after(_read_game(lines, match))
    except NotationError as error:
        raise NotationError("Line {number}: {error}", number=lines.number, error=error) from error
    # Numbers of games, reasons and the score follow from the rest. Here they are compared.
    lines.compare(_written(match))
    return match


def _read_pack(lines: Lines) -> int:
    size = read_number(lines.field("pack"))
    pack(size)
    return size


def _read_game(lines: Lines, match: Match) -> Game:
    lines.take()
    names = []
    while lines.word == "seat":
        names.append(lines.take().partition(" ")[2])
    players = tuple(names) if names or not match.games else match.games[-1].players
    dealer, leader = (read_number(lines.field(word).partition(",")[0]) for word in ("dealer", "leader"))
    return Game(players, dealer, leader, parse_outcome(lines.field("ended")))
