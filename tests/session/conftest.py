"""Finished games that several tests look at; nobody changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.helpers import Table, Tamper, eager, make_genesis

if TYPE_CHECKING:
    from p2pdurak.wire.genesis import Genesis
    from p2pdurak.wire.messages import Kind


@pytest.fixture(scope="session")
def duel() -> Table:
    """A short finished game of two."""
    return Table(make_genesis(2, seed=10), seed=10, choose=lambda seat: eager).run()


@pytest.fixture(scope="session")
def trio() -> Table:
    """A short finished game of three, and a watcher."""
    return Table(make_genesis(3, seed=7), seed=7, choose=lambda seat: eager, watchers=1).run()


class Course:
    """The honest course of a game, up to ``rounds``, from every moment of which it can be played on otherwise."""

    def __init__(self, genesis: Genesis, cheat: int, *, seed: int = 0, rounds: int = 1000) -> None:
        self.cheat, self.seed, self.rounds = cheat, seed, rounds
        self.moments: dict[int, Table] = {}
        self.table = Table(genesis, seed=seed, choose=lambda seat: eager, watchers=1).run(until=self._note)

    def _note(self, table: Table) -> bool:
        now = table.sessions[self.cheat].state.round
        if now not in self.moments:
            self.moments[now] = table.fork()
        return now > self.rounds

    def before(self, kind: Kind, tamper: Tamper) -> Table:
        """Return the table before the cheat speaks in a round of ``kind`` for the first time; it has not run yet."""
        rounds = self.table.sessions[self.cheat].rounds
        first = next(
            at
            for at, round_ in enumerate(rounds)
            if round_.kind is kind and any(said.envelope.seat == self.cheat for said in round_.spoken)
        )
        if first == 0:
            return Table(
                self.table.genesis,
                seed=self.seed,
                choose=lambda seat: eager,
                cheats={self.cheat: tamper},
                watchers=1,
            )
        # A message can carry a session through several rounds.
        return self.moments[max(at for at in self.moments if at < first)].fork({self.cheat: tamper})
