"""Two messages in one round: whoever signs them is convicted by everybody, whatever the order of delivery."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, cast

import pytest

from p2pdurak.crypto.elgamal import encode_deck, reencrypt, share
from p2pdurak.crypto.proofs import prove_key, prove_none_of, prove_shares
from p2pdurak.crypto.secret import PlayerSecret
from p2pdurak.crypto.shuffle import prove_shuffle
from p2pdurak.game.rules import legal_actions
from p2pdurak.session.audit import audit
from p2pdurak.session.events import Convicted, Heard, OtherHead, Send
from p2pdurak.session.lead import called_points
from p2pdurak.session.session import Session
from p2pdurak.wire.messages import (
    Answer,
    Books,
    Commit,
    Confirm,
    Kind,
    Play,
    Rearrange,
    Result,
    Reveal,
    Shares,
    Shuffle,
)
from tests.helpers import ROUGH, Dishonest, Faults, Instead, SendTo, Table, entropy, make_genesis, replacing
from tests.session.conftest import Course
from tests.session.forged_moves import play

if TYPE_CHECKING:
    from p2pdurak.session.events import Event
    from p2pdurak.wire.messages import Body

CHEAT = 2
REORDERED = Faults(duplicate=0.2, reorder=True)


@cache
def course() -> Course:
    """The first bouts of a game of four; seat 2 will be the cheat, and shuffles last."""
    return Course(make_genesis(4, seed=4), cheat=CHEAT, seed=4, rounds=70)


@cache
def whole_course() -> Course:
    return Course(make_genesis(4, seed=4), cheat=CHEAT, seed=4)


def twin(session: Dishonest, body: Body) -> Body:
    """Return another body that is just as valid in this round, or where there is none, a false one.

    It is made with the same key and other dice.
    """
    me, state = session.me, session.state
    dice = PlayerSecret(entropy("dice"), state.game_id, me.seat)
    match body:
        case Commit():
            return Commit(entropy("a"), entropy("b"))
        case Reveal(lot_seed, key, _):
            return Reveal(lot_seed, key, prove_key(state.proof(me.seat, Kind.REVEAL), me.x, me.key, dice))
        case Shuffle():
            return Shuffle(*mixed_otherwise(session, dice, Kind.SHUFFLE))
        case Rearrange():
            return Rearrange(*mixed_otherwise(session, dice, Kind.REARRANGE))
        case Shares(shares, _):
            owed = state.cards.owed(state.dues, me.seat)
            kind = session.kind or Kind.DEAL
            elements = [share(me.x, card) for card in owed]
            proof = prove_shares(state.proof(me.seat, kind), me.x, me.key, owed, elements, dice)
            return Shares(shares, proof)
        case Answer(position=None):
            hand, transcript = state.cards.hands[me.seat], state.proof(me.seat, Kind.CALL)
            proof = prove_none_of(transcript, me.x, me.key, hand, called_points(state), dice)
            return Answer(None, b"", proof)
        case Play():
            other = next(action for action in legal_actions(session.view()) if play(session, action) != body)
            return play(session, other)
        case Books():
            return Books(entropy("another"))
        case _:
            return Books(bytes(32))  # said as something that it is not


def mixed_otherwise(session: Dishonest, dice: PlayerSecret, kind: Kind) -> tuple[bytes, bytes]:
    me, deck = session.me, session.state.cards
    key, cards = (deck.key, deck.cards) if kind is Kind.SHUFFLE else (me.key, deck.hands[me.seat])
    order, masks = dice.permutation("order", b"", len(cards)), dice.scalars("masks", b"", len(cards))
    outputs = [reencrypt(cards[at], key, masked) for at, masked in zip(order, masks, strict=True)]
    transcript = session.state.proof(me.seat, kind)
    return encode_deck(outputs), prove_shuffle(transcript, key, cards, outputs, order, masks, dice)


def both_to_all(session: Dishonest, body: Body, kind: Kind) -> Instead:
    return [*session.instead(kind, body), *session.instead(kind_of(twin(session, body), kind), twin(session, body))]


def one_for_each(session: Dishonest, body: Body, kind: Kind) -> Instead:
    """Tell seat 0 one thing and all others another."""
    first = session.sealed(kind, body)
    second = session.sealed(kind_of(twin(session, body), kind), twin(session, body))
    return [SendTo(first if to == 0 else second, to) for to in range(session.genesis.players + 1)]


def kind_of(body: Body, kind: Kind) -> Kind:
    """Return the kind under which a twin is said: its own, where the round knows only one body."""
    return Kind.BOOKS if kind in (Kind.CONFIRM, Kind.RESULT) and isinstance(body, Books) else kind


Way = Callable[[Dishonest, Any, Kind], Instead]
EARLY = [Kind.COMMIT, Kind.REVEAL, Kind.SHUFFLE, Kind.CONFIRM, Kind.DEAL, Kind.REARRANGE, Kind.CALL, Kind.PLAY]


@pytest.mark.parametrize("way", [both_to_all, one_for_each])
@pytest.mark.parametrize("kind", EARLY)
def test_whoever_says_two_things_is_convicted(kind: Kind, way: Way) -> None:
    equivocate(kind, way, REORDERED)


@pytest.mark.soak
@pytest.mark.parametrize("way", [both_to_all, one_for_each])
@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("seed", range(10))
def test_whoever_says_two_things_is_convicted_in_any_order(kind: Kind, way: Way, seed: int) -> None:
    equivocate(kind, way, ROUGH if seed % 2 else REORDERED, seed=seed)


def equivocate(kind: Kind, way: Way, faults: Faults, seed: int = 0) -> None:
    cheat = replacing(kind, lambda session, body: way(session, body, kind))
    table = (course() if kind in EARLY else whole_course()).before(kind, cheat)
    table.faults = faults
    table.chance.seed(seed)
    table.run().assert_caught(CHEAT)


class Partitioned(Table):
    """Seat 0 and the others hear of each other only when the partition ends; the cheat passes on nothing."""

    held: list[tuple[int, int, bytes]] | None = None

    def happen(self, at: int, events: Sequence[Event]) -> None:
        passed_on = [event for event in events if isinstance(event, Send) and not event.own]
        super().happen(at, [event for event in events if at != CHEAT or event not in passed_on])

    def put(self, sender: int, to: int, message: bytes) -> None:
        if self.held is not None and CHEAT not in (sender, to) and (sender == 0) != (to == 0):
            self.held.append((sender, to, message))
        else:
            super().put(sender, to, message)


def test_two_decks_for_two_peers_get_no_share_from_anyone() -> None:
    """The last shuffler shows seat 0 one deck and the others another, while they cannot hear each other."""

    def cheat(session: Dishonest, body: Body) -> Instead:
        table.held = []
        return one_for_each(session, body, Kind.SHUFFLE)

    table = cast("Partitioned", course().before(Kind.SHUFFLE, replacing(Kind.SHUFFLE, cheat)))
    table.__class__ = Partitioned
    table.run().assert_nobody_convicted()
    heads = [table.sessions[at].state.head for at in table.honest]
    assert heads[0] not in heads[1:]
    assert {table.sessions[at].kind for at in table.honest} == {Kind.CONFIRM}
    held, table.held = table.held or [], None
    for sender, to, message in held:
        table.put(sender, to, message)
    table.run().assert_caught(CHEAT, codes=["equivocation"])
    said = [event.kind for at in table.honest for event in table.events[at] if isinstance(event, Heard)]
    assert Kind.CONFIRM in said
    assert Kind.DEAL not in said


def test_peers_who_lost_each_others_messages_find_the_fork_when_they_meet_again() -> None:
    """All that was said across the partition is lost; then one message on another head leads to the proof."""

    def cheat(session: Dishonest, body: Body) -> Instead:
        table.held = []
        return one_for_each(session, body, Kind.SHUFFLE)

    table = cast("Partitioned", course().before(Kind.SHUFFLE, replacing(Kind.SHUFFLE, cheat)))
    table.__class__ = Partitioned
    table.run().assert_nobody_convicted()
    table.held = None
    one, other = table.sessions[0], table.sessions[1]
    assert one.state.round == other.state.round
    for message in other.messages_from(one.state.round):
        table.happen(0, one.receive(message))
    assert any(isinstance(event, OtherHead) for event in table.events[0])
    table.assert_nobody_convicted()
    for message in other.messages_from(0):
        table.happen(0, one.receive(message))
    # Seat 0 has now heard both messages, and passes on both.
    table.run().assert_caught(CHEAT, codes=["equivocation"])


def test_the_proof_reaches_a_peer_that_has_gone_on() -> None:
    """Seat 0 convicts by a second message that seat 1 missed; seat 1 asks only for what comes after its own round."""
    behind, ahead = course().moments[8].fork({CHEAT: lambda *_: None}), course().moments[30].fork()
    cheat = behind.sessions[CHEAT]
    assert isinstance(cheat, Dishonest)
    second = cheat.sealed(Kind.COMMIT, Commit(bytes(32), bytes(32)), round_=0, head=cheat.rounds[0].state.head)
    knows, misses = behind.sessions[0], ahead.sessions[1]
    knows.receive(second)
    assert knows.convicted is not None
    for message in knows.messages_from(misses.state.round):
        misses.receive(message)
    assert misses.convicted is not None
    assert misses.convicted.seats == (CHEAT,)


@pytest.mark.parametrize("seed", range(3))
def test_of_two_cheats_in_one_round_each_peer_names_one_that_it_can_prove(seed: int) -> None:
    """The deal is dead with the first proof, so peers may name different seats; never an honest one."""

    def wrong(session: Dishonest, body: Shares) -> Instead:
        return session.instead(Kind.DEAL, Shares(body.shares[::-1], body.proof))

    moment = course().moments[max(at for at in course().moments if at < 6)]
    table = moment.fork({1: replacing(Kind.DEAL, wrong), CHEAT: replacing(Kind.DEAL, wrong)})
    table.faults = REORDERED
    table.chance.seed(seed)
    table.run()
    for at in table.honest:
        verdict = table.sessions[at].convicted
        assert verdict is not None
        assert verdict.seats in ((1,), (CHEAT,))
        (proven,) = [problem.seats for problem in audit(table.sessions[at].transcript()).problems if problem.convicts]
        assert proven == verdict.seats


def after(table: Table, message: bytes) -> Table:
    """Let seat 0 hear a message, pass it on, and all go on."""
    for at in table.honest:
        table.happen(at, table.sessions[at].receive(message))
    return table.run()


def test_a_second_message_convicts_long_after_its_round(trio: Table) -> None:
    table = trio.fork({1: lambda *_: None})
    cheat = table.sessions[1]
    assert isinstance(cheat, Dishonest)
    old = cheat.rounds[1].state
    late = cheat.sealed(Kind.CONFIRM, Confirm(), round_=1, head=old.head)
    after(table, late).assert_caught(1, codes=["equivocation"])


def test_two_messages_for_a_round_to_come_convict_too() -> None:
    table = course().before(Kind.REVEAL, lambda *_: None)
    cheat = table.sessions[CHEAT]
    assert isinstance(cheat, Dishonest)
    early = [cheat.sealed(Kind.CONFIRM, Confirm(), round_=40, head=entropy(name)) for name in "ab"]
    for message in early:
        for at in table.honest:
            table.happen(at, table.sessions[at].receive(message))
    table.run().assert_caught(CHEAT, codes=["equivocation"])


def test_a_third_message_adds_nothing() -> None:
    table = course().before(Kind.REVEAL, lambda *_: None)
    cheat, honest = table.sessions[CHEAT], table.sessions[0]
    assert isinstance(cheat, Dishonest)
    messages = [cheat.sealed(Kind.CONFIRM, Confirm(), round_=40, head=entropy(name)) for name in "abcdefg"]
    heard = [honest.receive(message) for message in messages]
    assert [event for event in heard[1] if isinstance(event, Convicted)]
    assert heard[2:] == [[]] * 5
    assert set(messages) & set(honest.messages_from(0)) == set(messages[:2])


class TestNobodyIsConvicted:
    """What an honest seat can be made to look like, and what proves nothing."""

    def dishonest(self, table: Table) -> Dishonest:
        cheat = table.sessions[CHEAT]
        assert isinstance(cheat, Dishonest)
        return cheat

    @pytest.mark.parametrize("stale", [True, False])
    def test_by_a_stale_or_invented_head(self, stale: bool) -> None:
        def cheat(session: Dishonest, body: Body) -> Instead:
            head = session.rounds[-1].state.head if stale else entropy("invented")
            return session.instead(Kind.CONFIRM, body, head=head)

        table = course().before(Kind.CONFIRM, replacing(Kind.CONFIRM, cheat)).run()
        table.assert_nobody_convicted()
        for at in table.honest:
            assert OtherHead(CHEAT, table.sessions[at].state.round) in table.events[at]
            assert table.sessions[at].waiting_for() == (CHEAT,)

    def test_by_an_identical_resend(self, trio: Table) -> None:
        table = trio.fork()
        for message in table.journals[0]:
            for session in table.sessions:
                assert session.receive(message) == []
        table.assert_nobody_convicted()
        assert table.transcripts() == trio.transcripts()

    def test_by_messages_that_arrive_early(self) -> None:
        """All that a seat will say, in one go, before anybody else was heard."""
        honest = course().table
        watcher = Session(honest.genesis)
        by_seat: dict[int, list[bytes]] = {}
        for round_ in honest.sessions[0].rounds[:60]:
            for said in round_.spoken:
                by_seat.setdefault(said.envelope.seat, []).append(said.envelope.data)
        for seat in (3, 1, 2, 0):
            for message in by_seat[seat]:
                watcher.receive(message)
        assert watcher.convicted is None
        assert watcher.state == honest.sessions[0].rounds[60].state

    def test_by_nothing_but_the_rounds_that_lie_too_far_ahead(self) -> None:
        table = course().before(Kind.REVEAL, lambda *_: None)
        cheat = self.dishonest(table)
        honest, kept = table.sessions[0], 0
        for round_ in range(10, 300):
            message = cheat.sealed(Kind.BOOKS, Books(bytes(32)), round_=round_, head=entropy(round_))
            kept += bool(honest.receive(message))
        assert kept == honest.state.round + 64 - 10 + 1
        assert honest.convicted is None


@pytest.mark.parametrize(
    ("kind", "said", "body"),
    [
        (Kind.SHUFFLE, Kind.SHUFFLE, Shuffle(b"", b"")),
        (Kind.SHUFFLE, Kind.PLAY, Play("take", (), b"", b"", None)),
        (Kind.SHUFFLE, Kind.DEAL, Shares(b"", bytes(64))),
        (Kind.SHUFFLE, Kind.BOOKS, Books(bytes(32))),
        (Kind.PLAY, Kind.PLAY, Play("take", (), b"", b"", None)),
        (Kind.PLAY, Kind.RESULT, Result()),
        (Kind.PLAY, Kind.DRAW, Shares(b"", bytes(64))),
    ],
)
def test_speaking_out_of_turn_convicts(kind: Kind, said: Kind, body: Body) -> None:
    """Seat 2 speaks in the round of another seat, on the right head; it is noticed by all, then or in passing."""
    rounds = course().table.sessions[0].rounds
    at = next(at for at, round_ in enumerate(rounds) if round_.kind is kind and round_.spoken[0].envelope.seat != CHEAT)
    moment = course().moments[max(moment for moment in course().moments if moment <= at)]
    table = moment.fork({CHEAT: lambda *_: None})
    cheat = table.sessions[CHEAT]
    assert isinstance(cheat, Dishonest)
    state = rounds[at].state
    message = cheat.sealed(said, body, round_=at, head=state.head)
    after(table, message).assert_caught(CHEAT, codes=["turn"])


def test_the_evidence_convicts_in_a_file_too(trio: Table) -> None:
    """Whichever of the two messages a peer heard first, its file proves the same."""
    table = trio.fork({1: lambda *_: None})
    cheat = table.sessions[1]
    assert isinstance(cheat, Dishonest)
    second = cheat.sealed(Kind.COMMIT, Commit(bytes(32), bytes(32)), round_=0, head=cheat.rounds[0].state.head)
    first = next(said.envelope.data for said in cheat.rounds[0].spoken if said.envelope.seat == 1)
    for order in ((first, second), (second, first)):
        fresh = Session(trio.genesis)
        for message in order:
            fresh.receive(message)
        report = audit(fresh.transcript())
        assert [problem.seats for problem in report.problems] == [(1,)]
        assert report.problems[0].convicts


def test_what_is_passed_on_is_what_was_received() -> None:
    table = course().before(Kind.REVEAL, lambda *_: None)
    cheat = table.sessions[CHEAT]
    assert isinstance(cheat, Dishonest)
    odd = cheat.sealed_fields("dance", (1, 2, (3,)), round_=9)
    assert table.sessions[0].receive(odd) == [Send(odd, own=False)]
