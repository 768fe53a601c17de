"""How soon a game of four processes goes on after one was killed: ``python -m tests.benchmarks.bench_resume``.

Somebody is killed without a warning, at an instant that nobody has chosen, and started again at once.
"""

from __future__ import annotations

import random
import statistics
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from p2pdurak.session.audit import audit
from tests.cli.test_resume import NAMES, Company

if TYPE_CHECKING:
    from tests.cli.typing import Terminal

KILLS = 50
SEED = 1


def words_of(name: str, witness: Terminal) -> int:
    """Return how many messages of the player ``name`` a peer has heard."""
    return sum(line["player"] == name for line in witness.said("heard"))


async def one_game(home: Path, chance: random.Random, took: list[float]) -> None:
    """Play one game to its end with kills in it; all must have the same transcript, which holds."""
    async with AsyncExitStack() as stack:
        company = Company(home, stack)
        await company.meet(players=4)
        while len(took) < KILLS:
            await company.heard_more(chance.randrange(1, 50))
            victim = chance.choice(NAMES)
            if company.over:
                break
            witness = company.at[NAMES[NAMES.index(victim) - 1]]
            await company.kill(victim)
            so_far, before = words_of(victim, witness), trio.current_time()
            await company.resume(victim)
            # The game waits where it needs the victim, and goes on when another hears of it again.
            while words_of(victim, witness) <= so_far and not company.over:
                await witness.heard.wait()
            took.append(trio.current_time() - before)
        (transcript,) = await company.transcripts()
    if not audit(transcript).holds:
        raise SystemExit("a transcript does not hold")


def main() -> None:
    chance, took, games = random.Random(SEED), list[float](), 0
    while len(took) < KILLS:
        with tempfile.TemporaryDirectory() as home:
            trio.run(one_game, Path(home), chance, took)
        games += 1
    took.sort()
    late = sum(one > 3 for one in took)
    print(f"\nFrom the restart of a killed process to the game's going on, 4 processes, {games} games, {KILLS} kills:")
    print(f"  median {statistics.median(took):.2f} s, the longest {took[-1]:.2f} s, {late} longer than 3 s")


if __name__ == "__main__":
    main()
