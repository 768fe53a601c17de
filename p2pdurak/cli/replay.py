"""``p2pdurak replay``: look at a finished game again, step by step or as plain lines."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from p2pdurak.cards import cards_in
from p2pdurak.cli.output import fit, printer
from p2pdurak.cli.speaking import spoken
from p2pdurak.cli.terminal import Terminal, terminal
from p2pdurak.cli.verify import read
from p2pdurak.errors import Sentence
from p2pdurak.game.state import Decision
from p2pdurak.net.profile import Profile
from p2pdurak.session.events import Turn
from p2pdurak.ui.console.replaying import Moment, Replay, read_replay
from p2pdurak.ui.language import told
from p2pdurak.ui.line import sorted_hand
from p2pdurak.ui.narration import Narrator

if TYPE_CHECKING:
    import argparse
    from gettext import NullTranslations

    from p2pdurak.cli.console import Console
    from p2pdurak.cli.output import Print


def run(args: argparse.Namespace) -> int:
    """Show the game on the screen, or print it; raises NotationError if the file cannot be read as one."""
    if not args.json and terminal() is not Terminal.NONE:
        _say_that_it_is_checked(args)
    replay = read_replay(read(Path(args.file)))
    if args.text or args.json or terminal() is not Terminal.SCREEN:
        _tell(replay, printer(args.json), spoken(args))
        return 0
    from p2pdurak.cli.console import Console  # only here is there something to draw on

    with Profile.open(args.profile) as profile:
        return Console(profile, language=args.lang).run(lambda console: _step_through(console, replay))


def _say_that_it_is_checked(args: argparse.Namespace) -> None:
    """Say what takes a while, to somebody who looks on."""
    checking = Sentence("Checking the game in {file}: every message, proof and card …", file=args.file)
    if sys.stderr is not None:
        sys.stderr.write(f"{fit(told(spoken(args), checking))}\n")
        sys.stderr.flush()


async def _step_through(console: Console, replay: Replay) -> None:
    from p2pdurak.ui.console.replay_screen import ReplayScreen

    done = trio.Event()
    console.shell.rules = replay.genesis.rules
    console.shell.show(ReplayScreen(console.shell.settings, replay, done.set))
    await done.wait()


def _tell(replay: Replay, show: Print, say: NullTranslations) -> None:
    """Print the game as it is told while it is played, with the hands before each bout."""
    narrator = Narrator(replay.genesis, say)
    for line in narrator.beginning():
        show(line)
    for moment in replay.moments:
        for event in moment.events:
            for line in narrator.lines(event):
                show(line)
        if replay.open_hands and any(
            isinstance(event, Turn) and event.decision is Decision.LEAD for event in moment.events
        ):
            _tell_hands(replay, moment, show)
    for event in replay.after:
        for line in narrator.lines(event):
            show(line)


def _tell_hands(replay: Replay, moment: Moment, show: Print) -> None:
    """Print all hands."""
    game = moment.game
    hands = [[str(card) for card in sorted_hand(cards_in(hand.known), game.trump)] for hand in game.hands]
    names = [replay.genesis.name(seat) for seat in range(replay.genesis.players)]
    width = max(map(len, names))
    text = "\n".join(f"    {name:{width}}  {' '.join(cards)}" for name, cards in zip(names, hands, strict=True))
    show({"event": "hands", "hands": dict(zip(names, hands, strict=True)), "text": text})
