"""Cheats who really do it: every honest seat and watcher names exactly them, at once, and the transcript proves it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, cast

import pytest

from p2pdurak.crypto.group import G, H
from p2pdurak.crypto.proofs import prove_key, prove_shares
from p2pdurak.crypto.secret import PlayerSecret
from p2pdurak.session.audit import audit
from p2pdurak.session.opening import reveal_commitment, secret_commitment
from p2pdurak.wire.messages import Books, Commit, Kind, Reveal, Shares
from tests.helpers import ROUGH, Dishonest, Instead, Table, Tamper, eager, entropy, make_genesis, replacing
from tests.session.cheats import CHEATS
from tests.session.conftest import Course
from tests.session.forged_decks import given, own_shares, rearranged, shuffled

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.wire.messages import Body, Rearrange, Shuffle

CODES = {"commit": ("body", "kind"), "confirm": ("body", "kind"), "result": ("body", "kind"), "books": ("proof",)}


@cache
def course() -> Course:
    """A game of two and a watcher: seat 1 shuffles last, passes some calls, opens the lowest trump, and leads."""
    return Course(make_genesis(2, seed=7), cheat=1, seed=7)


def kind_of(cheat: str) -> Kind:
    return Kind(cheat.partition(":")[0])


SAME_CHECK = ("of zeros", "a scalar short", "a scalar long", "a byte long", "enormous")
EVERYDAY = [
    cheat
    for cheat in CHEATS
    if not (kind_of(cheat) in (Kind.REARRANGE, Kind.CALL, Kind.PLAY) and cheat.endswith(SAME_CHECK))
]
"""All cheats but those that one and the same length check meets in every kind; the rest is tried on request."""


@pytest.mark.parametrize("cheat", EVERYDAY)
def test_a_cheat_is_named(cheat: str) -> None:
    kind = kind_of(cheat)
    table = course().before(kind, CHEATS[cheat]()).run()
    table.assert_caught(1, codes=CODES.get(kind, ("proof", "illegal", "body")))
    assert not table.refused
    assert kind is Kind.BOOKS or table.sessions[1].state.books == ()  # nobody opened a secret


@pytest.mark.soak
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("cheat", CHEATS)
def test_a_cheat_is_named_by_a_whole_table_on_a_rough_wire(cheat: str, players: int) -> None:
    happened = 0
    for seed in range(12):
        genesis = make_genesis(players, seed=seed)
        table = Table(genesis, seed=seed, faults=ROUGH, cheats={1: CHEATS[cheat]()}, watchers=1).run()
        if any(table.sessions[at].convicted for at in table.honest):
            table.assert_caught(1)
            happened += 1
        if happened == 2:
            break
    assert happened, "no game gave an occasion for it"


def test_the_fault_is_noticed_when_it_happens() -> None:
    """Nobody goes a step further than the round in which the cheat spoke."""
    table = course().before(Kind.DEAL, CHEATS["deal: a wrong share"]()).run()
    for at in table.honest:
        verdict = table.sessions[at].convicted
        assert verdict is not None
        assert verdict.round == table.sessions[at].state.round
        assert table.sessions[at].kind is None
        assert table.sessions[at].waiting_for() == ()
        assert len(verdict.fault.evidence) == 1


# Keys and commitments


def committing_to(key: bytes, reveal: Reveal | None = None) -> Tamper:
    """Commit to a key that is not one's own, and reveal it."""

    def tamper(session: Dishonest, kind: Kind, body: Body) -> Instead:
        me, state = session.me, session.state
        if kind is Kind.COMMIT:
            return Commit(
                secret_commitment(state.game_id, me.seat, me.game_secret),
                reveal_commitment(state.game_id, me.seat, me.lot_seed, key),
            )
        if kind is Kind.REVEAL:
            assert isinstance(body, Reveal)
            proof = body.proof if reveal is None else reveal.proof
            return session.instead(kind, Reveal(me.lot_seed, key, proof))
        return None

    return tamper


def revealed_by(table: Table, seat: int) -> Reveal:
    body = next(said.body for said in table.sessions[0].rounds[1].spoken if said.envelope.seat == seat)
    assert isinstance(body, Reveal)
    return body


def test_the_key_and_proof_of_another_seat_are_no_use(trio: Table) -> None:
    theirs = revealed_by(trio, 0)
    table = Table(trio.genesis, seed=7, cheats={2: committing_to(theirs.key, theirs)}).run()
    table.assert_caught(2, codes=["proof"])


def test_a_rogue_key_cannot_be_proved(trio: Table) -> None:
    """``a * G`` minus the keys of the others would make the joint key one's own; the proof of it is missing."""
    others = [trio.sessions[seat].player for seat in (0, 1)]
    rogue = G * 5
    for player in others:
        assert player is not None
        rogue -= player.key

    def tamper(session: Dishonest, kind: Kind, body: Body) -> Instead:
        proof = prove_key(session.state.proof(2, Kind.REVEAL), 5, rogue, session.me.secret)
        return committing_to(rogue.encode(), Reveal(b"", b"", proof))(session, kind, body)

    table = Table(trio.genesis, seed=7, cheats={2: tamper}).run()
    table.assert_caught(2, codes=["proof"])


def test_the_identity_is_no_key(trio: Table) -> None:
    table = Table(trio.genesis, seed=7, cheats={1: committing_to(bytes(32))}).run()
    table.assert_caught(1, codes=["proof"])


def test_a_generator_of_unknown_logarithm_is_no_key(trio: Table) -> None:
    table = Table(trio.genesis, seed=7, cheats={1: committing_to(H.encode())}).run()
    table.assert_caught(1, codes=["proof"])


def test_two_who_share_one_key_are_both_named() -> None:
    table = Table(make_genesis(3), cheats={1: lambda *_: None, 2: lambda *_: None}, watchers=1)
    first, second = (table.sessions[seat].player for seat in (1, 2))
    assert first is not None
    assert second is not None
    second.x, second.key = first.x, first.key
    table.run().assert_caught(1, 2, codes=["equal-keys"])


def test_a_mirrored_commitment_cannot_be_opened(trio: Table) -> None:
    theirs = trio.sessions[0].rounds[0].spoken[0].body
    opening = revealed_by(trio, 0)

    def tamper(session: Dishonest, kind: Kind, body: Body) -> Instead:
        if kind is Kind.COMMIT:
            return theirs
        return session.instead(kind, opening) if kind is Kind.REVEAL else None

    table = Table(trio.genesis, seed=7, cheats={1: tamper}).run()
    table.assert_caught(1, codes=["proof"])


def test_a_mirrored_commitment_to_the_secret_is_found_with_the_books(duel: Table) -> None:
    commits = {said.envelope.seat: said.body for said in duel.sessions[0].rounds[0].spoken}
    victim = duel.sessions[0].player
    assert victim is not None

    def tamper(session: Dishonest, kind: Kind, body: Body) -> Instead:
        theirs, mine = commits[0], commits[1]
        assert isinstance(theirs, Commit)
        assert isinstance(mine, Commit)
        if kind is Kind.COMMIT:
            return Commit(theirs.secret, mine.reveal)
        return session.instead(kind, Books(victim.game_secret)) if kind is Kind.BOOKS else None

    table = Table(duel.genesis, seed=10, cheats={1: tamper}).run()
    table.assert_caught(1, codes=["proof"])


# Replays


@pytest.mark.parametrize("kind", [Kind.SHUFFLE, Kind.DEAL, Kind.REARRANGE, Kind.CALL, Kind.PLAY])
def test_what_was_said_in_another_game_does_not_fit(kind: Kind) -> None:
    """The same seats with the same secrets play again with fresh nonces; the cheat says what it said then."""
    earlier = Table(make_genesis(2, seed=99), seed=7).run(until=lambda table: table.sessions[1].state.round > 30)
    said = next(
        said.body
        for round_ in earlier.sessions[1].rounds
        for said in round_.spoken
        if round_.kind is kind and said.envelope.seat == 1
    )
    table = course().before(kind, replacing(kind, lambda session, body: session.instead(kind, said))).run()
    table.assert_caught(1, codes=["proof", "illegal"])


def test_a_shuffle_of_another_seat_said_again_is_no_shuffle() -> None:
    """Seat 1 says after seat 0 word for word what that seat said: its output as a shuffle of itself, or of the pack."""
    honest = course().table.sessions[0]
    shuffles = [round_.spoken[0] for round_ in honest.rounds if round_.kind is Kind.SHUFFLE]
    theirs = next(said.body for said in shuffles if said.envelope.seat == 0)
    tamper = replacing(Kind.SHUFFLE, lambda session, body: session.instead(Kind.SHUFFLE, theirs))
    course().before(Kind.SHUFFLE, tamper).run().assert_caught(1, codes=["proof"])


# Randomness that is not derived as prescribed harms nobody, and the books show it.


def in_order(session: Dishonest, body: Body) -> Instead:
    """Shuffle by leaving every card in its place."""
    return shuffled()(session, cast("Shuffle", body))


def hand_in_order(session: Dishonest, body: Body) -> Instead:
    return rearranged()(session, cast("Rearrange", body))


def shares_with_other_nonce(session: Dishonest, body: Body) -> Instead:
    me = session.me
    dice = PlayerSecret(entropy("dice"), session.state.game_id, me.seat)
    transcript = session.state.proof(me.seat, Kind.DEAL)
    owed = given(session)
    shares = own_shares(session)
    return Shares(
        b"".join(element.encode() for element in shares), prove_shares(transcript, me.x, me.key, owed, shares, dice)
    )


@pytest.mark.parametrize(
    ("kind", "cheat"),
    [(Kind.SHUFFLE, in_order), (Kind.REARRANGE, hand_in_order), (Kind.DEAL, shares_with_other_nonce)],
)
def test_randomness_of_ones_own_is_found_with_the_books(
    kind: Kind, cheat: Callable[[Dishonest, Body], Instead]
) -> None:
    table = course().before(kind, replacing(kind, cheat)).run()
    table.assert_nobody_convicted()
    (transcript,) = table.transcripts()
    report = audit(transcript)
    assert [(problem.seats, problem.convicts) for problem in report.problems] == [((1,), True)]
    assert str(kind) in str(report.problems[0].reason)
    assert report.counts.books == 1


@pytest.mark.parametrize("what", ["lot_seed", "x"])
def test_a_lot_or_a_key_of_ones_own_is_found_with_the_books(what: str) -> None:
    table = Table(make_genesis(2, seed=10), seed=10, choose=lambda seat: eager, cheats={1: lambda *_: None})
    cheat = table.sessions[1].player
    assert cheat is not None
    if what == "x":
        cheat.x, cheat.key = 12345, G * 12345
    else:
        cheat.lot_seed = entropy("luck")
    table.run().assert_nobody_convicted()
    report = audit(table.sessions[0].transcript())
    assert [(problem.seats, problem.convicts) for problem in report.problems] == [((1,), True)]
    assert report.problems[0].round == 0
