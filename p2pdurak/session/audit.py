"""A finished game checked from its transcript: a session without a seat, and the books.

Every message is checked as a player checks it. Where the books are open, each seat's secret must then reproduce,
byte for byte, all that the seat said. The file must be the one canonical file of its game, so nothing can be left
out, added, repeated or reordered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from p2pdurak.crypto.group import ELEMENT_BYTES
from p2pdurak.errors import DurakError, MalformedMessage, NotationError, Sentence
from p2pdurak.session.player import Player
from p2pdurak.session.rounds import PLAY, TABLE
from p2pdurak.session.session import Session
from p2pdurak.wire.gamefile import unpack_file
from p2pdurak.wire.genesis import Genesis, decode_genesis
from p2pdurak.wire.messages import LEAVING, Answer, Body, Kind, Play, Shares

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from p2pdurak.errors import Said
    from p2pdurak.game.rules import Outcome
    from p2pdurak.session.leaving import Removal
    from p2pdurak.session.public import PublicState
    from p2pdurak.session.round import CompleteRound

ROUNDS = {round_.kind: round_ for _, round_ in TABLE if round_ is not None}


@dataclass(slots=True)
class Counts:
    """How many checks of each sort held."""

    signatures: int = 0
    rounds: int = 0
    shuffles: int = 0
    rearrangements: int = 0
    shares: int = 0
    openings: int = 0
    lowest_trump_claims: int = 0
    rule_decisions: int = 0
    books: int = 0

    def count(self, kind: Kind, body: Body) -> None:
        """Count one message that holds."""
        self.signatures += 1
        match kind, body:
            case Kind.SHUFFLE, _:
                self.shuffles += 1
            case Kind.REARRANGE, _:
                self.rearrangements += 1
            case _, Shares(shares=shares):
                self.shares += len(shares) // ELEMENT_BYTES
            case _, Answer(position=position):
                self.lowest_trump_claims += 1
                self.openings += position is not None
            case _, Play(positions=positions):
                self.rule_decisions += 1
                self.openings += len(positions)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that does not hold: where, whose, and why.

    ``convicts`` tells whether the transcript proves that ``seats`` cheated; otherwise the file is at fault, or the
    game was not finished.
    """

    round: int
    seats: tuple[int, ...]
    reason: Said
    convicts: bool


@dataclass(slots=True)
class Report:
    """What a transcript was found to be, up to the ``state`` it leads to; it holds when there are no problems."""

    genesis: Genesis
    state: PublicState
    counts: Counts = field(default_factory=Counts)
    problems: list[Problem] = field(default_factory=list)

    @property
    def dealer(self) -> int | None:
        """The dealer, once somebody has the lead."""
        return None if self.state.game is None else self.state.dealer

    @property
    def outcome(self) -> Outcome | None:
        """How the cards were played out; None if they were not."""
        return self.state.outcome

    @property
    def removal(self) -> Removal | None:
        """Without whom the game was ended, if it was."""
        return self.state.removal

    @property
    def final_head(self) -> bytes:
        """The head that the next game builds on; empty if the game was not finished."""
        return self.state.final_head

    @property
    def holds(self) -> bool:
        """Whether everything was checked and held."""
        return not self.problems


def audit(data: bytes) -> Report:
    """Check the transcript file ``data``; raises NotationError if it cannot be read as one."""
    beginning, messages, whole = unpack_file(data)
    try:
        genesis = decode_genesis(beginning)
    except MalformedMessage as error:
        raise NotationError("The beginning of this transcript cannot be read: {error}", error=error) from error
    session = Session(genesis)
    problems = list(_replay(session, messages))
    state = session.state
    report = Report(genesis, state, problems=problems)
    for round_ in session.rounds:
        report.counts.rounds += 1
        for said in round_.spoken:
            report.counts.count(round_.kind, said.body)
    if not report.problems:
        report.problems += _shape(session, data, whole)
    for seat, secret in enumerate(state.books):
        if secret is None:
            continue
        wrong = _first_mismatch(session.rounds, Player(state.game_id, seat, secret))
        if wrong is None:
            report.counts.books += 1
        else:
            reason = Sentence("the {kind} message is not what this seat's opened books prescribe", kind=wrong.kind)
            report.problems.append(Problem(wrong.state.round, (seat,), reason, convicts=True))
    return report


def _replay(session: Session, messages: Sequence[bytes]) -> Iterator[Problem]:
    """Let ``session`` hear the messages, up to the first that does not hold."""
    for number, message in enumerate(messages, start=1):
        try:
            session.receive(message)
        except MalformedMessage as error:
            reason = Sentence("message {number} was damaged or altered: {error}", number=number, error=error)
            yield Problem(session.state.round, session.waiting_for(), reason, convicts=False)
            return
        if session.convicted:
            verdict = session.convicted
            yield Problem(verdict.round, verdict.seats, verdict.fault, convicts=True)
            return


def _shape(session: Session, data: bytes, whole: bool) -> Iterator[Problem]:
    """Tell whether the file is complete, and the one canonical file of its game."""
    if not session.finished or not whole:
        reason = Sentence("the transcript breaks off here, before the game was finished")
        yield Problem(session.state.round, session.waiting_for(), reason, convicts=False)
    elif session.transcript() != data:
        reason = Sentence("messages were repeated, added or put in another order")
        yield Problem(session.state.round, (), reason, convicts=False)


def _first_mismatch(rounds: Sequence[CompleteRound], player: Player) -> CompleteRound | None:
    """Return the first round in which ``player``'s secret does not give what the seat said."""
    for round_ in rounds:
        for said in round_.spoken:
            if (
                said.envelope.seat == player.seat
                and said.envelope.kind not in LEAVING
                and _prescribed(round_, player, said.body) != said.body
            ):
                return round_
    return None


def _prescribed(round_: CompleteRound, player: Player, said: Body) -> Body | None:
    """Return what an honest player with this secret would have said; None if nothing could be said."""
    try:
        if isinstance(said, Play):
            action = PLAY.action(round_.state, player.seat, said)
            return PLAY.decide(round_.state, player, action)
        body: Body = ROUNDS[round_.kind].speak(round_.state, player)
    except DurakError:  # the secret does not even open this seat's own cards
        return None
    return body


def match_problem(before: Report, after: Report) -> Sentence | None:
    """Return why ``after`` is not the game that follows ``before`` in a match, or None."""
    if after.genesis.number == 1:
        return Sentence("it is the first game of a match, so it comes before the others: give the games in their order")
    if after.genesis.number != before.genesis.number + 1 or after.genesis.previous != before.final_head:
        return Sentence("it does not build on the final head of the game before")
    if not before.state.over:
        return Sentence("the game before was not finished")
    genesis = after.genesis
    seats = [genesis.keys.index(key) if key in genesis.keys else None for key in before.genesis.keys]
    if genesis.opening != before.state.next_opening(genesis.players, seats):
        return Sentence("its dealer or leader is not the one that the game before decided")
    return None
