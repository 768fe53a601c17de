"""A whole game as a text that people can read, and its way back.

The text tells the start and then, bout by bout, every action with its seat and everything drawn; cards that the
writer does not know are ``?``. What follows from the rules (who takes, who is the fool) is written too, and a reader
checks it: so a game in writing is a test of the engine. Lines that begin with ``#`` are remarks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from p2pdurak.cards import CardSet, card_set, cards_in, parse_card
from p2pdurak.errors import IllegalAction, NotationError
from p2pdurak.game.actions import Action, parse_action
from p2pdurak.game.lines import Lines, read_number
from p2pdurak.game.phrases import either
from p2pdurak.game.rules import DrawReason, Outcome, apply, outcome, refill, start
from p2pdurak.game.ruleset import parse_ruleset
from p2pdurak.game.state import Hand, Phase, State

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNKNOWN: Final = "?"


@dataclass(frozen=True, slots=True)
class Refill:
    """The step between bouts: the cards drawn by each seat whose draw is known, as ``rules.refill`` takes them."""

    drawn: tuple[tuple[int, CardSet], ...] = ()

    def __post_init__(self) -> None:
        # Whether a seat that draws only the face-up card is named or not, the step is the same one.
        object.__setattr__(self, "drawn", tuple(sorted((seat, cards) for seat, cards in self.drawn if cards)))


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
    result = outcome(state)
    yield f"bout {state.bouts + 1}" if result is None else format_outcome(result)


def _drawing(before: State, after: State) -> Iterator[str]:
    for seat, number in before.draws:
        new = after.hands[seat].known & ~before.hands[seat].known
        yield f"draw {seat} {_cards(new, number - new.bit_count())}"
    if not before.draws:
        yield "draw nothing"


def _cards(known: CardSet, hidden: int) -> str:
    return " ".join([*map(str, cards_in(known)), *[_UNKNOWN] * hidden])


def parse_game(text: str) -> Record:
    """Return the game whose ``format_game`` this is, apart from remarks, empty lines and indentation.

    Raises NotationError that names the line where the text is no game or goes against the rules.
    """
    lines = Lines(text)
    try:
        state = begin = _read_start(lines)
        steps: list[Action | Refill] = []
        while lines.word:
            step = _read_step(lines, state)
            if step is not None:
                state = refill(state, dict(step.drawn)) if isinstance(step, Refill) else apply(state, step)
                steps.append(step)
    except (NotationError, IllegalAction) as error:
        raise NotationError("Line {number}: {error}", number=lines.number, error=error) from error
    except ValueError as error:  # cards that cannot have been dealt or drawn
        raise NotationError("Line {number}: this cannot be: {error}.", number=lines.number, error=error) from error
    record = Record(begin, tuple(steps))
    # What follows from the rules was skipped above. Here it is compared, with seats, order and spelling.
    lines.compare(_written(record))
    return record


def _read_start(lines: Lines) -> State:
    rules = parse_ruleset(lines.field("rules"))
    pack_size, dealer = read_number(lines.field("pack")), read_number(lines.field("dealer"))
    face_up = parse_card(lines.field("turned"))
    hands = []
    while lines.word == "hand":
        hands.append(Hand(*_read_cards(lines.take().split()[1:])))
    return start(rules, pack_size, dealer, face_up, hands, read_number(lines.field("leader")))


def _read_cards(words: list[str]) -> tuple[CardSet, int]:
    known = [parse_card(word) for word in words if word != _UNKNOWN]
    if len(set(known)) < len(known):
        raise NotationError("a card stands here twice.")
    return card_set(known), words.count(_UNKNOWN)


def _read_step(lines: Lines, state: State) -> Action | Refill | None:
    word = lines.word
    if state.phase is Phase.REFILL and word == "draw":
        return _read_refill(lines, state)
    action = lines.take()
    return None if word in _FOLLOWING else parse_action(action)


_FOLLOWING: Final = ("bout", "beaten", "taken", "fool", "draw")
"""First words of the lines that follow from the others."""


def _read_refill(lines: Lines, state: State) -> Refill:
    drawn = []
    for _ in state.draws or [None]:
        seat, _, cards = lines.field("draw").partition(" ")
        if state.draws:
            known, hidden = _read_cards(cards.split())
            known &= ~(1 << state.face_up)
            if hidden and known:
                raise NotationError("of what a seat draws, all or nothing is known.")
            if not hidden:
                drawn.append((read_number(seat), known))
    return Refill(tuple(drawn))


def format_outcome(result: Outcome) -> str:
    """Return one line that tells how a game ended; ``parse_outcome`` reads it."""
    ending = f"draw by {result.draw_reason.value}" if result.draw_reason else f"fool {result.fool}"
    return f"{ending}, out {' '.join(map(str, result.places)) or 'nobody'}"


def parse_outcome(text: str) -> Outcome:
    """Return the outcome whose ``format_outcome`` this is; raises NotationError."""
    ending, _, out = text.partition(", out ")
    places = () if out == "nobody" else tuple(map(read_number, out.split(" ")))
    reasons = {f"draw by {reason.value}": reason for reason in DrawReason}
    if ending in reasons:
        return Outcome(None, places, reasons[ending])
    word, _, seat = ending.partition(" ")
    if word != "fool":
        raise NotationError("here should be the fool, or {reasons}.", reasons=either(map(repr, reasons)))
    return Outcome(read_number(seat), places)
