"""Anything that a seat signs on the right head is accepted or convicts it; no message can make a peer stumble."""

from __future__ import annotations

import random
from dataclasses import astuple
from functools import cache
from typing import TYPE_CHECKING

import pytest

from p2pdurak.errors import MalformedMessage
from p2pdurak.wire.messages import Kind, Move
from tests.helpers import Dishonest, forked, make_genesis
from tests.session.conftest import Course

if TYPE_CHECKING:
    from p2pdurak.session.session import Session
    from p2pdurak.wire.codec import Value

CHEAT = 1


@cache
def course() -> Course:
    return Course(make_genesis(2, seed=7), cheat=CHEAT, seed=7, rounds=60)


def mutated(chance: random.Random, value: Value) -> Value:
    """Return another value, near the given one."""
    match value:
        case bytes() if value and chance.random() < 0.8:
            at = chance.randrange(len(value))
            return chance.choice(
                [
                    value[:at] + chance.randbytes(1) + value[at + 1 :],
                    value[:at],
                    value[at:] + value[:at],
                    value + value[:32],
                    bytes(len(value)),
                    value[: at - at % 32] + bytes(32) + value[at - at % 32 + 32 :],
                ]
            )
        case int() if chance.random() < 0.8:
            return chance.choice([value + 1, value - 1, chance.randrange(52), 2**40])
        case tuple() if value and chance.random() < 0.8:
            at = chance.randrange(len(value))
            return (*value[:at], mutated(chance, value[at]), *value[at + 1 :])
        case _:
            strange: list[Value] = [
                None,
                0,
                51,
                b"",
                bytes(32),
                bytes(64),
                "",
                "take",
                *Move,
                (),
                (0,),
                (1, 0),
                (0, 1, 2),
            ]
            return chance.choice([str(each) if isinstance(each, str) else each for each in strange])


def moments() -> list[tuple[Session, Dishonest, tuple[Value, ...], Kind]]:
    """Return for every message of the cheat the honest session that will judge it, and its honest fields."""
    table, found = course().table, []
    for round_ in table.sessions[0].rounds:
        for said in round_.spoken:
            if said.envelope.seat == CHEAT:
                session = forked(table.sessions[0])
                session.state, session.rounds = round_.state, session.rounds[: round_.state.round]
                slots = session._heard._by_slot
                session._heard._by_slot = {at: heard for at, heard in slots.items() if at[0] < round_.state.round}
                session._spoken = {}
                cheat = forked(session, lambda *_: None)
                cheat.player, cheat._key = table.sessions[CHEAT].player, table.sessions[CHEAT]._key
                assert isinstance(cheat, Dishonest)
                found.append((session, cheat, astuple(said.body), round_.kind))
    return found


def fuzz(times: int, seed: int) -> None:
    chance, convicted, accepted = random.Random(seed), 0, 0
    for session, cheat, fields, kind in moments():
        for _ in range(times):
            said: str = kind if chance.random() < 0.95 else chance.choice([*Kind, "dance"])
            values: Value = mutated(chance, fields)
            try:
                message = cheat.sealed_fields(str(said), values)
                judge = forked(session)
                judge._quiet = True
                judge.receive(message)
            except MalformedMessage as error:
                assert error.code in ("encoding", "oversize")  # noqa: PT017
                continue
            if judge.convicted is None:
                accepted += 1
            else:
                assert judge.convicted.seats == (CHEAT,)
                convicted += 1
    assert convicted > 10 * accepted


def test_some_mutations() -> None:
    fuzz(3, seed=1)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 12))
def test_many_mutations(seed: int) -> None:
    fuzz(60, seed)
