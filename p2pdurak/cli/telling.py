"""What one peer tells of its table and its games, line by line."""

from __future__ import annotations

import hashlib
from datetime import date
from typing import TYPE_CHECKING

import trio

from p2pdurak.cli.output import program
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.net.lobby import LobbyEvent, Seated, Warned
from p2pdurak.session.events import Convicted, Event, Turn
from p2pdurak.ui.narration import Narrator

if TYPE_CHECKING:
    from pathlib import Path

    from p2pdurak.cli.output import Print
    from p2pdurak.net.known import KnownPlayers
    from p2pdurak.session.session import Session
    from p2pdurak.wire.talk import Place


class Teller:
    """Tells through ``show`` who comes and goes, and each game by its own narrator; ``me`` is our own key."""

    def __init__(self, show: Print, me: bytes, known: KnownPlayers) -> None:
        self.convicted = False
        self.asks = False
        """Whether a person is to say when the next game may begin."""
        self._show = show
        self._me = me
        self._known = known
        self._seen: tuple[Place, ...] = ()
        self._session: Session | None = None
        self._narrator: Narrator | None = None
        self._begun = 0.0
        if known.note is not None:
            self.warn(known.note)

    def warn(self, sentence: str) -> None:
        """Tell of something that went wrong and is survived."""
        self._show({"event": "warning", "reason": sentence, "text": sentence})

    def at_table(self, event: LobbyEvent) -> None:
        """Tell who comes, goes, and is ready."""
        match event:
            case Warned(sentence):
                self.warn(sentence)
            case Seated(terms, places, _):
                before = {place.key: place for place in self._seen}
                self._seen = places
                for place in places:
                    old = before.pop(place.key, None)
                    if old is None:
                        self._sits_down(place, len(places), terms.seats)
                    if place.ready and not (old and old.ready):
                        text = f"{place.nickname} is ready."
                        self._show({"event": "ready-to-play", "player": place.nickname, "text": text})
                for place in before.values():
                    text = f"{place.nickname} has left; the seat is free again."
                    self._show({"event": "left", "player": place.nickname, "text": text})

    def _sits_down(self, place: Place, taken: int, seats: int) -> None:
        words = fingerprint_words(place.key)
        text = f"{place.nickname} sits down ({taken} of {seats}); the key is {words}."
        line = {"event": "seated", "player": place.nickname, "key": words, "text": text}
        if place.key != self._me:
            # A date, not a moment: it is for a person to remember by.
            acquaintance = self._known.meet(place.key, place.nickname, date.today())
            line |= {"acquaintance": acquaintance.kind.name.lower(), "text": f"{text} {acquaintance.sentence}"}
        self._show(line)

    def of_game(self, session: Session, event: Event) -> None:
        """Tell an event of a game."""
        if self._session is not session or self._narrator is None:
            self._session, self._narrator = session, Narrator(session.genesis)
            self._begun = trio.current_time()
            for line in self._narrator.beginning():
                self._show(line)
        if isinstance(event, Turn) and self._begun:
            seconds = trio.current_time() - self._begun
            self._begun = 0.0
            text = f"  The deck was ready {seconds:.2f} seconds after everybody was."
            self._show({"event": "ready", "seconds": round(seconds, 3), "text": text})
        for line in self._narrator.lines(event):
            self._show(line)
        self.convicted = self.convicted or isinstance(event, Convicted)

    def finished(self, session: Session, path: Path) -> None:
        """Tell where the transcript is, and how to check it."""
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        text = f"The transcript is {path}\nCheck it:  {program()} verify {path}"
        rounds = len(session.rounds)
        self._show({"event": "saved", "path": str(path), "sha256": digest, "rounds": rounds, "text": text})
        if self.asks:
            more = "Press Enter when you are ready for the next game; 'quit' leaves."
            self._show({"event": "next", "text": f"\n{more}"})
