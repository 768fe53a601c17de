"""A whole game as a text that people can read, and its way back.

The text tells the start and then, bout by bout, every action with its seat and everything drawn; cards that the
writer does not know are ``?``. What follows from the rules (who takes, who is the fool) is written too, and a reader
checks it: so a game in writing is a test of the engine. Lines that begin with ``#`` are remarks.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Final, TypeAlias

from p2pdurak.cards import CardSet, card_set, cards_in, parse_card
from p2pdurak.errors import DurakError, NotationError
from p2pdurak.game.actions import Action, parse_action
from p2pdurak.game.rules import apply, outcome, refill, start
from p2pdurak.game.ruleset import parse_ruleset
from p2pdurak.game.state import Hand, Phase, State

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNKNOWN: Final = "?"

_Lines: TypeAlias = "deque[tuple[int, str]]"


@dataclass(frozen=True, slots=True)
class Refill:
    """The step between bouts: the cards drawn by each seat whose draw is known, as ``rules.refill`` takes them."""

    drawn: tuple[tuple[int, CardSet], ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """A game from its first lead, as far as it went."""

    start: State
    steps: tuple[Action | Refill, ...] = ()

    def states(self) -> Iterator[State]:
        """Yield the state before each step, and the last one.

        Raises IllegalAction or ValueError at a step that the rules do not allow.
        """
        state = self.start
        yield state
        for step in self.steps:
            state = refill(state, dict(step.drawn)) if isinstance(step, Refill) else apply(state, step)
            yield state


def format_game(record: Record) -> str:
    """Return the game as text, lines ended by newlines; ``parse_game`` reads it."""
    return "".join(line + "\n" for line in _written(record))


def _written(record: Record) -> Iterator[str]:
    begin = record.start
    yield f"rules {begin.rules}"
    yield f"pack {begin.pack_size}"
    yield f"dealer {begin.dealer}"
    yield f"turned {begin.face_up}"
    for seat, hand in enumerate(begin.hands):
        yield f"hand {seat} {_cards(hand.known, hand.hidden)}"
    yield f"leader {begin.leader}"
    states = record.states()
    before = next(states)
    yield from _heading(before)
    for step, after in zip(record.steps, states, strict=True):
        if isinstance(step, Refill):
            yield from _drawing(before, after)
            yield from _heading(after)
        else:
            yield f"{before.asked} {step}"
            if after.ended is not None:
                yield f"{'taken' if after.ended.taken else 'beaten'} by {after.ended.defender}"
        before = after


def _heading(state: State) -> Iterator[str]:
    yield ""
    if state.phase is Phase.BOUT:
        yield f"bout {state.bouts + 1}"
        return
    result = outcome(state)
    if result is not None:
        ending = f"draw by {result.draw_reason.value}" if result.draw_reason else f"fool {result.fool}"
        yield f"{ending}, out {' '.join(map(str, result.places)) or 'nobody'}"


def _drawing(before: State, after: State) -> Iterator[str]:
    for seat, number in before.draws:
        new = after.hands[seat].known & ~before.hands[seat].known
        yield f"draw {seat} {_cards(new, number - new.bit_count())}"
    if not before.draws:
        yield "draw nothing"


def _cards(known: CardSet, hidden: int) -> str:
    return " ".join([*map(str, cards_in(known)), *[_UNKNOWN] * hidden])


def parse_game(text: str) -> Record:
    """Return the game whose ``format_game`` this is, apart from remarks, empty lines and how cards are written.

    Raises NotationError that names the line where the text is no game or goes against the rules.
    """
    lines = [(number, " ".join(line.split())) for number, line in enumerate(text.splitlines(), 1)]
    rest = deque((number, line) for number, line in lines if line and not line.startswith("#"))
    told = list(rest)
    try:
        state = begin = _read_start(rest)
        steps: list[Action | Refill] = []
        while rest:
            step = _read_step(rest, state)
            if step is not None:
                state = refill(state, dict(step.drawn)) if isinstance(step, Refill) else apply(state, step)
                steps.append(step)
    except (DurakError, ValueError) as error:
        place = told[len(told) - len(rest) - 1][0] if told else 1
        raise NotationError(f"Line {place}: {error}") from error
    record = Record(begin, tuple(steps))
    _compare(told, [line for line in format_game(record).split("\n") if line])
    return record


def _compare(told: list[tuple[int, str]], expected: list[str]) -> None:
    for (number, line), right in zip_longest(told, expected, fillvalue=(0, "")):  # type: ignore[misc]
        if line != right:
            raise NotationError(f"Line {number}: {line!r} should be {right!r}.")
