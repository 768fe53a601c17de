"""What one peer tells of its table and its games, line by line."""

from __future__ import annotations

import hashlib
from datetime import date
from typing import TYPE_CHECKING

import trio

from p2pdurak.cli.output import program
from p2pdurak.cli.waiting import left_behind
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.net.chat import Spoken, TooMuch
from p2pdurak.net.lobby import LobbyEvent, Overdue, Seated, Warned
from p2pdurak.session.events import Convicted, Event, Turn
from p2pdurak.ui.console.model import TableModel
from p2pdurak.ui.console.saying import waited_for
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.language import told
from p2pdurak.ui.narration import Narrator
from p2pdurak.ui.phrases import remark_text

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from gettext import NullTranslations
    from pathlib import Path

    from p2pdurak.cli.output import Print
    from p2pdurak.errors import Said
    from p2pdurak.net.known import KnownPlayers
    from p2pdurak.net.lobby import Lobby
    from p2pdurak.session.session import Session
    from p2pdurak.wire.talk import Place
    from p2pdurak.wire.terms import Terms

OVERDUE = _(
    "The game has waited for {names} longer than the grace time. Type 'vote' to end it without them; "
    "all the others have to agree, and who is voted out is the fool."
)


SILENCE_SECONDS = 10.0
"""After so long a wait it is told once for whom the game waits."""
LOOK_SECONDS = 1.0


def _terms_line(terms: Terms, say: NullTranslations) -> dict[str, object]:
    """Return what is played at a table, and how to have it explained, as a line."""
    name, changes = terms.rules.nearest()
    options = "".join(f" --set {option}={value}" for option, value in changes.items())
    text = say.gettext("Here {rules} is played, with {pack} cards; this explains the rules: {command}").format(
        rules=terms.rules.title, pack=terms.pack_size, command=f"{program()} rules {name}{options}"
    )
    about = {"table": terms.table, "rules": terms.rules.name, "options": str(terms.rules), "pack": terms.pack_size}
    return {"event": "terms", **about, "text": text}


class Teller:
    """Tells through ``show``, in the language of ``say``, who comes and goes, and each game by its own narrator.

    ``me`` is our own key, and ``bots`` gives those of the bots that are ours, who are neither strangers nor
    acquaintances; ``lobby`` is None until the table is reached.
    """

    def __init__(
        self,
        show: Print,
        me: bytes,
        known: KnownPlayers,
        say: NullTranslations,
        *,
        bots: Callable[[], Collection[bytes]] = frozenset,
    ) -> None:
        self._bots = bots
        self.convicted = False
        self.has_told_an_end = self._invites = False
        self.asks = False
        """Whether a person is to say when the next game may begin."""
        self.lobby: Lobby | None = None
        self.table: TableModel | None = None
        """The game as it stands."""
        self._show = show
        self._say = say
        self._me = me
        self._known = known
        self._seen: tuple[Place, ...] = ()
        self._terms: Terms | None = None
        self._session: Session | None = None
        self._narrator: Narrator | None = None
        self._begun: float | None = None
        if known.note is not None:
            self.warn(known.note)

    def warn(self, what: Said | str) -> None:
        """Tell of something that went wrong and is survived."""
        self._show({"event": "warning", "reason": str(what), "text": told(self._say, what)})

    def leaves(self, journal: Path) -> None:
        """Tell that the game in a journal waits for us, and how it is taken up again."""
        line = left_behind(journal, self._say)
        self._show({**line, "text": f"\n{line['text']}"})  # the cursor may stand behind what was typed last

    def at_table(self, event: LobbyEvent) -> None:
        """Tell who comes, goes, and is ready."""
        match event:
            case Warned(said):
                self.warn(said)
            case Overdue(names):
                text = self._say.gettext(OVERDUE).format(names=", ".join(names))
                self._show({"event": "overdue", "players": list(names), "text": f"  {text}"})
            case Spoken() | TooMuch():
                self._of_chat(event)
            case Seated(terms, places, _, playing):
                if terms != self._terms:
                    self._terms = terms
                    self._show(_terms_line(terms, self._say))
                before = {place.key: place for place in self._seen}
                self._seen = places
                for taken, place in enumerate(places, start=1):
                    old = before.pop(place.key, None)
                    if old is None:
                        self._sits_down(place, taken, terms.seats, playing=playing)
                    if place.ready and not (old and old.ready):
                        text = self._say.gettext("{name} is ready.").format(name=place.nickname)
                        self._show({"event": "ready-to-play", "player": place.nickname, "text": text})
                for place in before.values():
                    left = self._say.gettext("{name} has left; the seat is free again.")
                    self._show({"event": "left", "player": place.nickname, "text": left.format(name=place.nickname)})
                if not playing and any(place.key == self._me for place in places):
                    self._invite()

    def _of_chat(self, event: Spoken | TooMuch) -> None:
        """Tell what somebody says; our own words we have typed."""
        who = {"player": event.nickname, "watching": event.watching}
        name = self._say.gettext("{name} (watching)").format(name=event.nickname) if event.watching else event.nickname
        if isinstance(event, TooMuch):
            text = self._say.gettext("says too much; some of it is left out")
            self._show({"event": "too-much", **who, "text": f"> {name} {text}"})
            return
        phrase = event.remark if isinstance(event.remark, int) else None
        line = {"event": "chat", **who, "phrase": phrase, "words": event.remark if phrase is None else None}
        if event.speaker != self._me:
            line["text"] = f"> {name}: {remark_text(self._say, event.remark)}"
        self._show(line)

    def _sits_down(self, place: Place, taken: int, seats: int, *, playing: bool) -> None:
        """Tell who has a seat: who plays already has not just sat down, and may be away."""
        words = fingerprint_words(place.key)
        if place.key != self._me and place.key in self._bots():
            text = self._say.gettext("{name} sits down ({taken} of {seats}), a bot of yours.").format(
                name=place.nickname, taken=taken, seats=seats
            )
            line = {"event": "seated", "player": place.nickname, "taken": taken, "key": words, "text": text}
            self._show({**line, "acquaintance": "bot"})
            return
        text = self._say.gettext("{name} sits down ({taken} of {seats}); the key is {words}.")
        if playing:
            text = self._say.gettext("{name} plays here; the key is {words}.")
        text = text.format(name=place.nickname, taken=taken, seats=seats, words=words)
        line = {"event": "seated", "player": place.nickname, "taken": taken, "key": words, "text": text}
        if place.key != self._me:
            # A date, not a moment: it is for a person to remember by.
            acquaintance = self._known.meet(place.key, place.nickname, date.today())
            known = told(self._say, acquaintance.sentence)
            line |= {"acquaintance": acquaintance.kind.name.lower(), "text": f"{text} {known}"}
        self._show(line)

    def of_game(self, session: Session, event: Event) -> None:
        """Tell an event of a game."""
        if self._session is not session or self._narrator is None:
            self._session, self._narrator = session, Narrator(session.genesis, self._say)
            self._begun = trio.current_time()
            if self.lobby is not None and self.lobby.came_late and not self._seen:
                # They have sat here since before we were away; who is missed or back is told by itself.
                self._seen, self._terms = self.lobby.places, self.lobby.terms
            self.table = TableModel(session.genesis, None if session.player is None else session.player.seat)
            for line in self._narrator.beginning():
                self._show(line)
        if self.table is not None:
            self.table.hear(session, event, trio.current_time())
        if isinstance(event, Turn) and self._begun is not None:
            self._deck_is_ready(trio.current_time() - self._begun)
            self._begun = None
        for line in self._narrator.lines(event):
            self._show(line)
        self.convicted = self.convicted or isinstance(event, Convicted)

    def waited_for(self) -> str:
        """Return for what and for whom the game waits, without a stop; empty if it waits for nobody else."""
        return "" if self.table is None or self.table.convicted else waited_for(self._say, self.table)

    async def tell_silence(self) -> None:
        """Tell of each long wait, once, for whom it is; never ends."""
        told_of = None
        while True:
            await trio.sleep(LOOK_SECONDS)
            table = self.table
            if table is None or (table, table.since) == told_of or trio.current_time() < table.since + SILENCE_SECONDS:
                continue
            if waiting := self.waited_for():
                told_of = (table, table.since)
                names = [table.names[seat] for seat in table.missing or table.waiting if seat != table.me]
                text = self._say.gettext("The game waits: {waiting}.").format(waiting=waiting)
                self._show({"event": "waits", "players": names, "text": f"  {text}"})

    def _deck_is_ready(self, seconds: float) -> None:
        """Tell how long the deck took; whoever has come since has measured only the catching up."""
        if self.lobby is not None and self.lobby.came_late:
            text = self._say.gettext("The deck was there before you came; how it was made has been checked here too.")
            self._show({"event": "ready", "seconds": None, "text": f"  {text}"})
            return
        text = self._say.gettext("The deck was ready {seconds} seconds after everybody was.")
        self._show(
            {"event": "ready", "seconds": round(seconds, 3), "text": f"  {text.format(seconds=f'{seconds:.2f}')}"}
        )

    def finished(self, session: Session, path: Path) -> None:
        """Tell where the transcript is, and how to check it."""
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        text = self._say.gettext("The transcript is {path}\nCheck it:  {command}").format(
            path=path, command=f"{program()} verify {path}"
        )
        rounds = len(session.rounds)
        self._show({"event": "saved", "path": str(path), "sha256": digest, "rounds": rounds, "text": text})
        terms = None if self.lobby is None else self.lobby.terms
        self.has_told_an_end = True
        self._invites = self.asks and not (terms is not None and session.genesis.number == terms.games)

    def _invite(self) -> None:
        """Ask for the next game, now that we have a seat in it."""
        if self._invites:
            self._invites = False
            more = self._say.gettext("Press Enter when you are ready for the next game; 'quit' leaves.")
            self._show({"event": "next", "text": f"\n{more}"})
