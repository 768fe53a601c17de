"""``python -m tests.faults SEED…``: play the games of these seeds, and tell what did not hold."""

from __future__ import annotations

import argparse
import sys
import time

from tests.faults.game import play
from tests.faults.scenario import draw, draw_impatient
from tests.sharing import share_group_operations


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("seeds", nargs="+", metavar="SEED", help="an integer, or FIRST-LAST for all of them")
    parser.add_argument("--log", action="store_true", help="tell the whole course of each game")
    parser.add_argument("--impatient", action="store_true", help="with players who vote out whoever is away for long")
    args = parser.parse_args()
    share_group_operations()
    failed = 0
    for text in args.seeds:
        first, _, last = text.partition("-")
        for seed in range(int(first), int(last or first) + 1):
            started = time.perf_counter()
            report = play(draw_impatient(seed) if args.impatient else draw(seed))
            failed += bool(report.problems)
            if args.log:
                print("\n".join([*report.scenario.describe(), *report.log]))
            print(
                f"{report}; {report.seconds:.0f} s, {report.crashes} crashes", *report.remarks, sep="\n    ", flush=True
            )
            print(f"    played in {time.perf_counter() - started:.1f} s", file=sys.stderr)  # not the same every time
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
