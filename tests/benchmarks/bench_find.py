"""From a table's opening to a guest's seat, on loopback: ``python -m tests.benchmarks.bench_find``."""

import statistics
import tempfile
from pathlib import Path

import trio

from tests.cli.typing import terminal

RUNS = 7


async def one_finding(home: Path) -> float:
    """Let a guest wait for a table, open one, and return the seconds until the guest has its seat."""
    async with terminal(home, "join", "--name", "Boris") as boris:
        await boris.until("peer")
        await trio.sleep(1)  # it is looking around by now
        async with terminal(home, "host", "--name", "Anna") as anna:
            await anna.until("open")
            opened = trio.current_time()
            await anna.until("seated", 2)
            return trio.current_time() - opened


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        seconds = sorted(trio.run(one_finding, Path(home)) for _ in range(RUNS))
    print(f"\nFrom a table's opening to a waiting guest's seat, on loopback, {RUNS} runs:")
    print(f"  median {statistics.median(seconds):.2f} s, from {seconds[0]:.2f} to {seconds[-1]:.2f} s")


if __name__ == "__main__":
    main()
