"""``p2pdurak verify``: check finished games from their files, offline, trusting nobody."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2pdurak.cli.output import printer
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.errors import NotationError
from p2pdurak.session.audit import Report, audit, match_problem

if TYPE_CHECKING:
    import argparse

HOLDS, DOES_NOT_HOLD, UNREADABLE = 0, 1, 2
MAX_FILE_BYTES = 64 * 1024 * 1024
"""A game of six with 52 cards is about 0.5 MB, an endless one some 5 MB."""

COUNTED = {
    "signatures": "signatures of the players under every message",
    "rounds": "rounds, each built on the hash of all before it",
    "shuffles": "shuffles of the deck proved: nothing added, removed or changed",
    "rearrangements": "rearranged hands proved the same way",
    "shares": "decryption shares proved correct",
    "openings": "cards opened with proof",
    "lowest_trump_claims": "answers to the calls for the lowest trump proved",
    "rule_decisions": "decisions legal by the rules",
    "books": "opened books that give exactly what their player said",
}


def run(args: argparse.Namespace) -> int:
    """Verify all files; return the exit status of the worst."""
    show = printer(args.json)
    reports: list[Report] = []
    worst = HOLDS
    for file in args.files:
        try:
            report = audit(read(Path(file)))
        except NotationError as error:
            show({"event": "unreadable", "file": file, "reason": str(error)})
            if not args.json:
                sys.stderr.write(f"{file}: {error}\n")
            worst = UNREADABLE
            continue
        chain = match_problem(reports[-1], report) if reports else None
        reports.append(report)
        show(describe(report, file, chain))
        if (chain or not report.holds) and worst == HOLDS:
            worst = DOES_NOT_HOLD
    return worst


def read(path: Path) -> bytes:
    """Return the bytes of a transcript file; raises NotationError if it cannot be one."""
    try:
        if not path.is_file() and path.exists():
            raise NotationError("This is not a file with a transcript in it.")
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise NotationError(f"This file cannot be read: {error.strerror}.") from error
    if len(data) > MAX_FILE_BYTES:
        raise NotationError("This file is far too large for a transcript.")
    return data


def describe(report: Report, file: str, chain: str | None = None) -> dict[str, Any]:
    """Return what was found in one file, as a line with text and data; ``chain`` is what is wrong with its order."""
    genesis = report.genesis
    names = [genesis.name(seat) for seat in range(genesis.players)]
    keys = [fingerprint_words(key) for key in genesis.keys]
    counts = asdict(report.counts)
    problems = [
        {
            "round": problem.round,
            "seats": [seat + 1 for seat in problem.seats],
            "players": [names[seat] for seat in problem.seats],
            "keys": [keys[seat] for seat in problem.seats],
            "reason": problem.reason,
            "cheated": problem.convicts,
        }
        for problem in report.problems
    ]
    text = [
        f"Verifying {file}",
        f"  Game {genesis.number} of {', '.join(names)}: {genesis.rules.name}, {genesis.pack_size} cards.",
        "  A name is only a name; these keys played:",
        *(f"    {name}: {key}" for name, key in zip(names, keys, strict=True)),
        *(f"  {counts[name]:6} {meaning}" for name, meaning in COUNTED.items() if counts[name]),
    ]
    if not genesis.open_books:
        text.append("  The table did not open its books; the proofs alone were checked.")
    if genesis.number > 1:
        text.append("  Dealer and lead follow from the game before; give its file too, to have that checked.")
    text += [f"  DOES NOT HOLD: {_sentence(problem)}" for problem in problems]
    if chain:
        text.append(f"  DOES NOT HOLD: {chain}.")
    if report.holds and not chain:
        text.append(f"  Result: {_result(report, names)}")
        text.append("  All of it holds: the shuffle was fair, and every move was legal.")
    return {
        "event": "verified",
        "file": file,
        "holds": report.holds and chain is None,
        "game_id": genesis.game_id.hex(),
        "players": names,
        "keys": keys,
        "counts": counts,
        "problems": problems,
        "chain": chain,
        "fool": names[report.outcome.fool] if report.outcome and report.outcome.fool is not None else None,
        "text": "\n".join(text),
    }


def _sentence(problem: dict[str, Any]) -> str:
    who = " and ".join(
        f"{name} (seat {seat}, key {key})"
        for name, seat, key in zip(problem["players"], problem["seats"], problem["keys"], strict=True)
    )
    if problem["cheated"]:
        return f"round {problem['round']}: {who} cheated: {problem['reason'].rstrip('.')}."
    waiting = f" (waiting for {who})" if who else ""
    return f"round {problem['round']}{waiting}: {problem['reason'].rstrip('.')}."


def _result(report: Report, names: list[str]) -> str:
    outcome = report.outcome
    if outcome is None or outcome.fool is None:
        return "a draw."
    return f"{names[outcome.fool]} is the fool."
