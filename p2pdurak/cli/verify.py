"""``p2pdurak verify``: check finished games from their files, offline, trusting nobody."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2pdurak.cli.output import printer
from p2pdurak.cli.speaking import spoken
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.errors import MalformedMessage, NotationError, StorageError
from p2pdurak.net.journal import JOURNAL_SUFFIX
from p2pdurak.net.saved import peek
from p2pdurak.session.audit import Report, audit, match_problem
from p2pdurak.session.events import Removed
from p2pdurak.session.session import Session
from p2pdurak.ui.console.saying import ended_without
from p2pdurak.ui.language import told

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from gettext import NullTranslations

    from p2pdurak.errors import Sentence
    from p2pdurak.session.audit import Counts, Problem

HOLDS, DOES_NOT_HOLD, UNREADABLE = 0, 1, 2
MAX_FILE_BYTES = 64 * 1024 * 1024
"""A game of six with 52 cards is about 0.5 MB, an endless one some 5 MB."""


def run(args: argparse.Namespace) -> int:
    """Verify all files; return the exit status of the worst."""
    show, say = printer(args.json), spoken(args)
    reports: list[Report] = []
    worst = HOLDS
    for file in args.files:
        try:
            report, running = _audited(Path(file))
        except (NotationError, StorageError) as error:
            show({"event": "unreadable", "file": file, "reason": str(error)})
            if not args.json:
                sys.stderr.write(f"{file}: {told(say, error)}\n")
            worst = UNREADABLE
            continue
        chain = match_problem(reports[-1], report) if reports else None
        show(describe(report, file, say, chain, running=running, follows=bool(reports)))
        reports.append(report)
        if (chain or not report.holds) and worst == HOLDS:
            worst = DOES_NOT_HOLD
    return worst


def _audited(path: Path) -> tuple[Report, bool]:
    """Return what was found in a transcript, or in the journal of a game that was not played to its end.

    Also tells whether it is such a game, of which nothing is wrong so far. Raises NotationError, StorageError.
    """
    if path.suffix != JOURNAL_SUFFIX:
        return audit(read(path)), False
    header, messages = peek(path)
    session = Session(header.genesis)
    for message in messages:
        with suppress(MalformedMessage):  # then the transcript lacks it
            session.receive(message)
    report = audit(session.transcript())
    running = not session.finished and not any(problem.convicts for problem in report.problems)
    if running:
        report.problems.clear()  # that it breaks off is no news
    return report, running


def read(path: Path) -> bytes:
    """Return the bytes of a transcript file; raises NotationError if it cannot be one."""
    try:
        if not path.is_file() and path.exists():
            raise NotationError("This is not a file with a transcript in it.")
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise NotationError("This file cannot be read: {trouble}.", trouble=error.strerror) from error
    if len(data) > MAX_FILE_BYTES:
        raise NotationError("This file is far too large for a transcript.")
    return data


def describe(
    report: Report,
    file: str,
    say: NullTranslations,
    chain: Sentence | None = None,
    *,
    running: bool = False,
    follows: bool = False,
) -> dict[str, Any]:
    """Return what was found in one file, as a line with text and data.

    ``follows`` tells that it was compared with the game before, ``chain`` what is wrong with that; ``running`` tells
    that the game is not over.
    """
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
            "reason": str(problem.reason),
            "cheated": problem.convicts,
        }
        for problem in report.problems
    ]
    return {
        "event": "verified",
        "file": file,
        "holds": report.holds and chain is None,
        "running": running,
        "game_id": genesis.game_id.hex(),
        "rules": genesis.rules.name,
        "options": str(genesis.rules),
        "players": names,
        "keys": keys,
        "counts": counts,
        "problems": problems,
        "chain": None if chain is None else str(chain),
        "fool": names[report.outcome.fool] if report.outcome and report.outcome.fool is not None else None,
        "left": [names[seat] for seat in report.removal.seats] if report.removal else [],
        "text": "\n".join(_text(report, file, names, keys, say, chain, running=running, follows=follows)),
    }


def _text(
    report: Report,
    file: str,
    names: list[str],
    keys: list[str],
    say: NullTranslations,
    chain: Sentence | None,
    *,
    running: bool,
    follows: bool,
) -> Iterator[str]:
    genesis, gettext = report.genesis, say.gettext
    yield gettext("Verifying {file}").format(file=file)
    game = gettext("Game {number} of {names}: {rules}, {pack} cards.")
    game = game.format(number=genesis.number, names=", ".join(names), rules=genesis.rules.title, pack=genesis.pack_size)
    yield f"  {game}"
    yield "  " + gettext("A name is only a name; these keys played:")
    yield from (f"    {name}: {key}" for name, key in zip(names, keys, strict=True))
    yield from (f"  {number:6} {meaning}" for number, meaning in _counted(report.counts, say) if number)
    if not genesis.open_books:
        yield "  " + gettext("The table did not open its books; the proofs alone were checked.")
    if genesis.number > 1 and follows and chain is None:
        yield "  " + gettext("Dealer and lead are those that the game before decided.")
    elif genesis.number > 1 and not follows:
        more = gettext("Dealer and lead follow from the game before; give its file too, to have that checked.")
        yield f"  {more}"
    wrong = [_problem(problem, names, keys, say) for problem in report.problems]
    for reason in [*wrong, *([] if chain is None else [told(say, chain)])]:
        yield "  " + gettext("DOES NOT HOLD: {reason}.").format(reason=reason)
    if running:
        text = gettext("This game is not over. All of it holds up to its last complete round, number {number}.")
        yield "  " + text.format(number=report.state.round - 1)
    elif report.holds and chain is None:
        yield "  " + gettext("Result: {result}").format(result=_result(report, names, say))
        yield "  " + gettext("All of it holds: the shuffle was fair, and every move was legal.")


def _counted(counts: Counts, say: NullTranslations) -> Iterator[tuple[int, str]]:
    """Return how many of each thing were checked, with what it is."""
    ngettext = say.ngettext
    n = counts.signatures
    yield n, ngettext("signature of a player under a message", "signatures of the players under every message", n)
    n = counts.rounds
    yield n, ngettext("round, built on the hash of all before it", "rounds, each built on the hash of all before it", n)
    n = counts.shuffles
    yield (
        n,
        ngettext(
            "shuffle of the deck proved: nothing added, removed or changed",
            "shuffles of the deck proved: nothing added, removed or changed",
            n,
        ),
    )
    n = counts.rearrangements
    yield n, ngettext("rearranged hand proved the same way", "rearranged hands proved the same way", n)
    n = counts.shares
    yield n, ngettext("decryption share proved correct", "decryption shares proved correct", n)
    n = counts.openings
    yield n, ngettext("card opened with proof", "cards opened with proof", n)
    n = counts.lowest_trump_claims
    yield (
        n,
        ngettext(
            "answer to the calls for the lowest trump proved", "answers to the calls for the lowest trump proved", n
        ),
    )
    n = counts.rule_decisions
    yield n, ngettext("decision legal by the rules", "decisions legal by the rules", n)
    n = counts.books
    yield (
        n,
        ngettext(
            "opened book that gives exactly what its player said",
            "opened books that give exactly what their player said",
            n,
        ),
    )


def _problem(problem: Problem, names: list[str], keys: list[str], say: NullTranslations) -> str:
    """Return what does not hold, without a stop."""
    gettext, reason = say.gettext, told(say, problem.reason).rstrip(".")
    whose = gettext("{name} (seat {seat}, key {words})")
    who = ", ".join(whose.format(name=names[seat], seat=seat + 1, words=keys[seat]) for seat in problem.seats)
    if problem.convicts:
        cheated = gettext("round {number}: {names} cheated: {reason}")
        return cheated.format(number=problem.round, names=who, reason=reason)
    if who:
        waiting = gettext("round {number} (waiting for {names}): {reason}")
        return waiting.format(number=problem.round, names=who, reason=reason)
    return gettext("round {number}: {reason}").format(number=problem.round, reason=reason)


def _result(report: Report, names: list[str], say: NullTranslations) -> str:
    removal = report.removal
    if removal is not None:
        return ended_without(say, names, Removed(removal.seats, removal.resigned, removal.fools))
    outcome = report.outcome
    if outcome is None or outcome.fool is None:
        return say.gettext("a draw.")
    return say.gettext("{name} is the fool.").format(name=names[outcome.fool])
