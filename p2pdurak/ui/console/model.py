"""What is known of the game on the table, as data: fed by the session's events, read by what paints it.

The state of the rules is looked up in the session whenever an event is heard, which is when nothing else works at it;
painting never touches a session. Only what our own seat may see gets here.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from p2pdurak.game.actions import Cover, Lead, Pass, Show, Take, ThrowIn, Transfer
from p2pdurak.session.events import (
    BoutOver,
    Called,
    Convicted,
    DealerChosen,
    Dealt,
    Event,
    Finished,
    GameOver,
    Heard,
    LeadDecided,
    OtherHead,
    Played,
    Removed,
    Resigned,
    Voted,
)
from p2pdurak.wire.messages import Gone, Kind

if TYPE_CHECKING:
    from p2pdurak.cards import Card
    from p2pdurak.game.actions import Action
    from p2pdurak.game.rules import Outcome
    from p2pdurak.game.state import State
    from p2pdurak.session.session import Session
    from p2pdurak.wire.genesis import Genesis

PREPARATIONS = (Kind.COMMIT, Kind.REVEAL, Kind.SHUFFLE, Kind.CONFIRM, Kind.DEAL, Kind.REARRANGE)
"""What each seat does before a first card is led, in this order."""


class TableModel:
    """One game as our seat, or a watcher without a seat, sees it.

    ``pairs`` lie on the table, or lay there last if ``ended`` is set; ``log`` are the events of this bout, or of the
    last one as long as nothing is led. ``waiting`` are the seats that have to speak, since the time ``since``.
    """

    def __init__(self, genesis: Genesis, me: int | None) -> None:
        self.genesis = genesis
        self.me = me
        self.view: State | None = None
        self.hand: tuple[Card, ...] = ()
        self.face_up: Card | None = None
        self.dealer: int | None = None
        self.pairs: dict[Card, Card | None] = {}
        self.ended: BoutOver | None = None
        self.log: list[Event] = []
        self.last: dict[int, Action] = {}
        self.kind: Kind | None = Kind.COMMIT
        self.waiting: tuple[int, ...] = ()
        self.since = 0.0
        self.said: dict[Kind, set[int]] = {kind: set() for kind in Kind}
        self.checked: Counter[Kind] = Counter()
        self.doubts: list[OtherHead] = []
        self.convicted: Convicted | None = None
        self.outcome: Outcome | None = None
        self.resigned: set[int] = set()
        self.removed: Removed | None = None
        self.vote: Gone | None = None
        """The vote on which the game waits, while there is one."""
        self.missing: tuple[int, ...] = ()
        """Whose votes lack for it."""
        self.finished = False
        self._round = -1

    @property
    def names(self) -> tuple[str, ...]:
        """The nicknames by seat."""
        return tuple(self.genesis.name(seat) for seat in range(self.genesis.players))

    @property
    def playing(self) -> bool:
        """Whether the first lead is decided."""
        return self.view is not None

    @property
    def over(self) -> bool:
        """Whether nobody leads or defends any more, however the game has ended."""
        return self.outcome is not None or self.removed is not None or self.convicted is not None

    @property
    def transferrer(self) -> int | None:
        """The seat that has transferred the attack last in the bout on the table, None if nobody has."""
        deeds = (event for event in reversed(self.log) if isinstance(event, Played))
        return next((deed.seat for deed in deeds if isinstance(deed.action, Transfer | Show)), None)

    def others(self) -> tuple[int, ...]:
        """Return all other seats, clockwise from our left; for a watcher, all."""
        players = self.genesis.players
        if self.me is None:
            return tuple(range(players))
        return tuple((self.me + step) % players for step in range(1, players))

    def hear(self, session: Session, event: Event, now: float) -> None:
        """Take an event, and look how the table stands after it."""
        self.take(event)
        self._look(session, now)

    def take(self, event: Event) -> None:
        """Follow an event by itself: what lies on the table, who has said what."""
        match event:
            case Heard(seat, kind, _):
                self.said[kind].add(seat)
                self.checked[kind] += 1
            case DealerChosen(dealer, _):
                self.dealer = dealer
                self.log.append(event)
            case Dealt(face_up, _):
                self.face_up = face_up
            case Called() | LeadDecided():
                self.log.append(event)
            case Played(seat, action):
                self._lay(seat, action)
                self.log.append(event)
            case BoutOver():
                self.ended = event
                self.log.append(event)
            case GameOver(outcome):
                self.outcome = outcome
            case OtherHead():
                self.doubts.append(event)
            case Convicted():
                self.convicted = event
            case Resigned(seat):
                self.resigned.add(seat)
                self.log.append(event)
            case Voted(_, out, _) if not self.resigned.issuperset(out):
                self.log.append(event)
            case Removed():
                self.removed = event
                self.doubts.clear()  # who was left behind by a vote takes the others for confused at first
            case Finished():
                self.finished = True
            case _:
                pass

    def _lay(self, seat: int, action: Action) -> None:
        """Follow the cards onto the table; the first of a bout clears what is left of the last one."""
        if isinstance(action, Lead):
            self.pairs, self.log, self.last, self.ended = {}, [], {}, None
        self.last[seat] = action
        match action:
            case Lead(cards) | ThrowIn(cards):
                self.pairs |= dict.fromkeys(cards)
                self._forget_passes()
            case Cover(attack, card):
                self.pairs[attack] = card
                self._forget_passes()
            case Transfer(card):
                self.pairs[card] = None
            case _:
                pass

    def _forget_passes(self) -> None:
        self.last = {seat: action for seat, action in self.last.items() if not isinstance(action, Pass)}

    def took(self, seat: int) -> bool:
        """Tell whether this seat has said "take" in the bout that is on the table."""
        return isinstance(self.last.get(seat), Take)

    def _look(self, session: Session, now: float) -> None:
        self.kind = session.kind
        waiting = session.waiting_for()
        if (session.state.round, waiting) != (self._round, self.waiting):
            self._round, self.waiting, self.since = session.state.round, waiting, now
        self.vote, self.missing = next(iter(session.open_votes.items()), (None, ()))
        if session.state.game is not None:
            self.view = session.view()
        if self.face_up is not None:
            self.hand = session.hand()
