"""A game told in plain lines, in the order in which it happens, for terminals without a screen and for programs.

Each line is a mapping with the event's name, its data for programs, and ``text`` for people where the event deserves a
sentence. Only public facts are told: the same lines come out at every peer.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from p2pdurak.game.state import Decision
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
    LeadReason,
    OtherHead,
    Played,
    Removed,
    Resigned,
    Send,
    Turn,
    Voted,
)
from p2pdurak.ui.console.saying import DRAWS, conviction, done, ended_without, vote_text
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.openings import why_deals, why_leads
from p2pdurak.wire.messages import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from gettext import NullTranslations

    from p2pdurak.cards import Card
    from p2pdurak.game.bouts import Outcome
    from p2pdurak.wire.genesis import Genesis

Line: TypeAlias = dict[str, Any]

# Where the game before has decided, ``openings`` tells how.
LEAD_REASONS: Final[Mapping[LeadReason, str]] = {
    LeadReason.LOWEST_TRUMP: _("{name} has the lowest trump, {card}, and leads."),
    LeadReason.LOWEST_CARD: _("{name} has the lowest card, {card}, since nobody holds a trump, and leads."),
    LeadReason.LOT: _("{name} leads by lot, since nobody holds a trump."),
    LeadReason.LOT_AMONG_LOWEST: _(
        "{name}, with {card}, leads by lot among those who have the lowest card, since nobody holds a trump."
    ),
}

SHUFFLED: Final = _("{name} re-encrypts and shuffles the deck ({count} of {players}); the proof holds.")
DEALER_BY_LOT: Final = _("{name} is the dealer, by the lot that all seeds make together.")

STEPS: Final[Mapping[Kind, str]] = {
    Kind.COMMIT: _("All {players} have committed to their secrets by a hash; nobody can change theirs now."),
    Kind.REVEAL: _("All {players} have revealed lot seed and key share, as committed, and proved to know the key."),
    Kind.CONFIRM: _("All {players} have signed the same deck; only now is anything decrypted."),
    Kind.DEAL: _(
        "All {players} have given decryption shares with proofs; only the player who holds a card can see it."
    ),
    Kind.REARRANGE: _("All {players} have rearranged their hands, so that no card shows when it was drawn."),
    Kind.RESULT: _("All {players} have signed the final head of the transcript."),
    Kind.BOOKS: _("All {players} have opened their books: every secret of this game can be checked now."),
}
"""What a step makes certain, told when all have taken it for the first time."""


class Narrator:
    """Tells one game in the language of ``say``; ``lines`` takes the session's events one after the other."""

    def __init__(self, genesis: Genesis, say: NullTranslations) -> None:
        self._genesis = genesis
        self._say = say
        self._heard: Counter[Kind] = Counter()
        self._bouts = 0
        self._resigned: set[int] = set()

    def beginning(self) -> Iterator[Line]:
        """Say which game begins, and who plays."""
        genesis, say = self._genesis, self._say
        names = [genesis.name(seat) for seat in range(genesis.players)]
        what = say.gettext("Game {number}: {names} play {rules} with {pack} cards.").format(
            number=genesis.number, names=", ".join(names), rules=genesis.rules.title, pack=genesis.pack_size
        )
        making = say.gettext("Making the deck, which nobody may see or arrange:")
        yield {
            "event": "game",
            "game_id": genesis.game_id.hex(),
            "number": genesis.number,
            "rules": genesis.rules.name,
            "options": str(genesis.rules),
            "pack": genesis.pack_size,
            "players": names,
            "text": f"\n{what}\n\n{making}",
        }

    def lines(self, event: Event) -> Iterator[Line]:
        """Return what is to be told of ``event``."""
        match event:
            case Heard() | DealerChosen() | Dealt() | Called() | LeadDecided():
                yield self._of_deck(event)
            case Turn():
                yield self._of_turn(event)
            case Played(seat, action):
                text = f"  {done(self._say, self._name(seat), action)}."
                yield self._line("played", seat, text, action=str(action))
            case BoutOver():
                yield from self._of_bout_over(event)
            case GameOver() | Finished() | OtherHead() | Convicted():
                yield self._of_end(event)
            case Resigned() | Voted() | Removed():
                yield self._of_leaving(event)
            case Send():
                pass

    def _name(self, seat: int) -> str:
        return self._genesis.name(seat)

    def _line(self, event: str, seat: int, text: str | None = None, **data: object) -> Line:
        line: Line = {"event": event, "seat": seat, "player": self._name(seat), **data}
        return line if text is None else {**line, "text": text}

    def _told(self, sentence: str, seat: int, **values: object) -> str:
        return self._say.gettext(sentence).format(name=self._name(seat), **values)

    def _of_deck(self, event: Heard | DealerChosen | Dealt | Called | LeadDecided) -> Line:
        match event:
            case Heard():
                return self._of_heard(event)
            case DealerChosen(dealer, by_lot):
                if by_lot:
                    text = self._told(DEALER_BY_LOT, dealer)
                else:
                    text = f"{why_deals(self._say, self._genesis, dealer)}."
                return self._line("dealer", dealer, f"  {text}", by_lot=by_lot)
            case Dealt(face_up, talon):
                return {"event": "dealt", "face_up": str(face_up), "talon": talon, "text": self._dealt(face_up, talon)}
            case Called(cards, opened):
                by_name = {self._name(seat): str(card) for seat, card in opened.items()}
                text = self._called(cards, opened)
                return {"event": "called", "cards": [str(card) for card in cards], "opened": by_name, "text": text}
            case LeadDecided(leader, reason, card):
                if reason is LeadReason.GAME_BEFORE:
                    text = f"{why_leads(self._say, self._genesis, leader)}."
                else:
                    text = self._told(LEAD_REASONS[reason], leader, card=card)
                shown = None if card is None else str(card)
                return self._line("lead", leader, f"  {text}", reason=str(reason), card=shown)

    def _dealt(self, face_up: Card, talon: int) -> str:
        say = self._say
        if talon:
            rest = say.ngettext("{number} card in the talon", "{number} cards in the talon", talon).format(number=talon)
        else:
            rest = say.gettext("it is the dealer's; there is no talon")
        dealt = say.gettext("Six cards each are dealt; {card} lies open and gives the trump; {rest}.")
        return f"  {dealt.format(card=face_up, rest=rest)}"

    def _called(self, cards: Iterable[Card], opened: Mapping[int, Card]) -> str:
        say = self._say
        shows = say.gettext("{name} shows {card}")
        shown = ", ".join(shows.format(name=self._name(seat), card=card) for seat, card in opened.items())
        answer = shown or say.gettext("Nobody, and all have proved it")
        called = say.gettext(" or ").join(map(str, cards))
        return "  " + say.gettext("Who holds {cards}? {answer}.").format(cards=called, answer=answer)

    def _of_heard(self, event: Heard) -> Line:
        """Tell of a message; in words where it completes a step that makes the game fair."""
        self._heard[event.kind] += 1
        count, players = self._heard[event.kind], self._genesis.players
        text = None
        indent = "" if event.kind in (Kind.RESULT, Kind.BOOKS) else "  "
        if event.kind is Kind.SHUFFLE:
            text = indent + self._told(SHUFFLED, event.seat, count=count, players=players)
        elif count == players and event.kind in STEPS:
            text = indent + self._say.gettext(STEPS[event.kind]).format(players=players)
        return self._line("heard", event.seat, text, kind=str(event.kind), round=event.round)

    def _of_turn(self, event: Turn) -> Line:
        text = None
        if event.decision is Decision.LEAD:
            self._bouts += 1
            text = self._bout_begins(event)
        hands_list, decision = list(event.hands), event.decision.name.lower()
        return self._line("turn", event.seat, text, decision=decision, hands=hands_list, talon=event.talon)

    def _bout_begins(self, event: Turn) -> str:
        say = self._say
        play, out = say.gettext("Play:"), say.gettext("no cards")
        hands = ", ".join(f"{self._name(seat)} {size or out}" for seat, size in enumerate(event.hands))
        bout = say.gettext("Bout {number}: {leader} leads, {defender} defends. Talon {talon}; hands: {hands}.").format(
            number=self._bouts,
            leader=self._name(event.seat),
            defender=self._name(event.defender),
            talon=event.talon,
            hands=hands,
        )
        return f"\n{play}\n{bout}" if self._bouts == 1 else bout

    def _of_bout_over(self, event: BoutOver) -> Iterator[Line]:
        ended, say = event.ended, self._say
        cards, number = [str(card) for card in ended.cards], len(ended.cards)
        taken = say.ngettext("{name} takes {number} card: {cards}.", "{name} takes {number} cards: {cards}.", number)
        beaten = say.ngettext(
            "All is beaten: {number} card goes to the discard.",
            "All is beaten: {number} cards go to the discard.",
            number,
        )
        text = (taken if ended.taken else beaten).format(
            name=self._name(ended.defender), number=number, cards=" ".join(cards)
        )
        yield self._line("bout", ended.defender, f"  {text}", taken=ended.taken, cards=cards, talon=event.talon)
        if event.draws:
            draws = say.gettext("{name} draws {number}")
            drawn = ", ".join(draws.format(name=self._name(seat), number=count) for seat, count in event.draws)
            face_up = say.gettext(", the face-up trump last") if event.face_up_drawn else ""
            by_name = [[self._name(seat), count] for seat, count in event.draws]
            yield {"event": "draw", "draws": by_name, "face_up": event.face_up_drawn, "text": f"  {drawn}{face_up}."}

    def _of_end(self, event: GameOver | Finished | OtherHead | Convicted) -> Line:
        match event:
            case GameOver(outcome):
                fool = None if outcome.fool is None else self._name(outcome.fool)
                places = [self._name(seat) for seat in outcome.places]
                return {"event": "over", "fool": fool, "places": places, "text": f"\n{self._over(outcome)}"}
            case Finished(final_head):
                return {"event": "finished", "final_head": final_head.hex()}
            case OtherHead(seat, round_):
                text = self._told(
                    _("{name} has signed another course of the game; waiting for the proof of why."), seat
                )
                return self._line("other-head", seat, f"  {text}", round=round_)
            case Convicted(seats, round_, fault):
                names = [self._name(seat) for seat in seats]
                text = f"\n{conviction(self._say, names, round_, fault)}"
                return {"event": "convicted", "players": names, "round": round_, "code": fault.code, "text": text}

    def _of_leaving(self, event: Resigned | Voted | Removed) -> Line:
        names = [self._name(seat) for seat in range(self._genesis.players)]
        match event:
            case Resigned(seat):
                self._resigned.add(seat)
                text = self._told(_("{name} gives up."), seat)
                return self._line("resigned", seat, f"  {text}")
            case Voted(seat, out, missing):
                # For who has given up everybody's program votes by itself.
                vote = None if self._resigned.issuperset(out) else f"  {vote_text(self._say, names, event)}."
                lists = {"out": [names[one] for one in out], "missing": [names[one] for one in missing]}
                return self._line("voted", seat, vote, **lists)
            case Removed(out, resigned, fools):
                seats = {"out": out, "resigned": resigned, "fools": fools}
                by_name = {key: [names[seat] for seat in some] for key, some in seats.items()}
                return {"event": "removed", **by_name, "text": f"\n{ended_without(self._say, names, event)}"}

    def _over(self, outcome: Outcome) -> str:
        if outcome.fool is not None:
            return self._told(_("{name} is the fool."), outcome.fool)
        return self._say.gettext(_("A draw.") if outcome.draw_reason is None else DRAWS[outcome.draw_reason])
