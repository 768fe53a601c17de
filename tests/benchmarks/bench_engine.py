"""Random games and moves per second of the engine, for each preset: legal_actions, a random choice, apply.

Run with ``python -m tests.benchmarks.bench_engine``. One core; shuffling and dealing count too. Moves are given by
processor time, which others on the machine hardly touch, and by the time on the wall, which is what somebody waits.
"""

from __future__ import annotations

import random
import time
from typing import Final, NamedTuple

from p2pdurak.cards import pack
from p2pdurak.game.rules import apply, legal_actions, refill
from p2pdurak.game.ruleset import PRESETS, Ruleset
from p2pdurak.game.simulate import deal, drawn
from p2pdurak.game.state import Phase

GAMES: Final = 200


class Measured(NamedTuple):
    """How many moves were made, and the seconds that they took."""

    moves: int
    processor: float
    wall: float


def measure(rules: Ruleset, pack_size: int, players: int, games: int) -> Measured:
    """Play so many random games."""
    chance = random.Random(1)
    moves = 0
    processor, wall = time.process_time(), time.perf_counter()
    for _ in range(games):
        order = chance.sample(pack(pack_size), pack_size)
        state = deal(rules, order, players, lot=chance.choice)
        while state.phase is not Phase.OVER:
            if state.phase is Phase.REFILL:
                state = refill(state, drawn(state, order))
            else:
                state = apply(state, chance.choice(legal_actions(state)))
                moves += 1
    return Measured(moves, time.process_time() - processor, time.perf_counter() - wall)


def main() -> None:
    for name, rules in PRESETS.items():
        for players in (2, 4, 6):
            moves, processor, wall = measure(rules, 36, players, GAMES)
            print(
                f"{name:16} {players} players  {moves / GAMES:4.0f} moves a game  {GAMES / processor:6,.0f} games/s  "
                f"{moves / processor:7,.0f} moves/s of processor time, {moves / wall:7,.0f} on the wall"
            )


if __name__ == "__main__":
    main()
