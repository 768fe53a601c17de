"""Random games and moves per second of the engine, for each preset: legal_actions, a random choice, apply.

Run with ``python -m tests.benchmarks.bench_engine``. Processor time of one core; shuffling and dealing count too.
"""

from __future__ import annotations

import random
import time
from typing import Final

from p2pdurak.cards import pack
from p2pdurak.game.rules import apply, legal_actions, refill
from p2pdurak.game.ruleset import PRESETS, Ruleset
from p2pdurak.game.simulate import deal, drawn
from p2pdurak.game.state import Phase

GAMES: Final = 200


def moves_and_seconds(rules: Ruleset, pack_size: int, players: int, games: int) -> tuple[int, float]:
    """Return the number of moves of so many random games, and the processor time in seconds that they took."""
    chance = random.Random(1)
    moves = 0
    begin = time.process_time()
    for _ in range(games):
        order = chance.sample(pack(pack_size), pack_size)
        state = deal(rules, order, players, lot=chance.choice)
        while state.phase is not Phase.OVER:
            if state.phase is Phase.REFILL:
                state = refill(state, drawn(state, order))
            else:
                state = apply(state, chance.choice(legal_actions(state)))
                moves += 1
    return moves, time.process_time() - begin


def main() -> None:
    for name, rules in PRESETS.items():
        for players in (2, 4, 6):
            moves, seconds = moves_and_seconds(rules, 36, players, GAMES)
            print(
                f"{name:16} {players} players  {moves / GAMES:6.0f} moves a game  "
                f"{GAMES / seconds:6,.0f} games/s  {moves / seconds:8,.0f} moves/s"
            )


if __name__ == "__main__":
    main()
