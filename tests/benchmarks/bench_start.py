"""From all seats taken to the first decision, with four real peers: ``python -m tests.benchmarks.bench_start``."""

import json
import os
import statistics
import subprocess
import sys
import tempfile

RUNS = 5


def one_start(home: str) -> float:
    """Run a demo and return the seconds that the opener measured."""
    command = [sys.executable, "-m", "p2pdurak", "demo", "--json"]
    done = subprocess.run(command, env={**os.environ, "P2PDURAK_HOME": home}, stdout=subprocess.PIPE, check=True)
    lines = (json.loads(line) for line in done.stdout.splitlines())
    seconds: float = next(line["seconds"] for line in lines if line["event"] == "ready")
    return seconds


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        seconds = sorted(one_start(home) for _ in range(RUNS))
    print(f"\nFrom all seats taken to the first decision, 4 peers, 36 cards, {os.cpu_count()} cores, {RUNS} games:")
    print(f"  median {statistics.median(seconds):.2f} s, from {seconds[0]:.2f} to {seconds[-1]:.2f} s")


if __name__ == "__main__":
    main()
