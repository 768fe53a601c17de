"""A game told in plain lines, in the order in which it happens, for terminals without a screen and for programs.

Each line is a mapping with the event's name, its data for programs, and ``text`` for people where the event deserves a
sentence. Only public facts are told: the same lines come out at every peer.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, TypeAlias

from p2pdurak.game.actions import Action, Cover, Lead, Pass, Show, Take, ThrowIn, Transfer
from p2pdurak.game.bouts import DrawReason
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
    Send,
    Turn,
)
from p2pdurak.wire.messages import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from p2pdurak.cards import Card
    from p2pdurak.wire.genesis import Genesis

Line: TypeAlias = dict[str, Any]

LEAD_REASONS: Mapping[LeadReason, str] = {
    LeadReason.LOWEST_TRUMP: "has the lowest trump, {card}, and leads",
    LeadReason.LOWEST_CARD: "has the lowest card, {card}, since nobody holds a trump, and leads",
    LeadReason.LOT: "leads by lot, since nobody holds a trump",
    LeadReason.GAME_BEFORE: "leads, as the game before decided",
}

DRAW_REASONS: Mapping[DrawReason, str] = {
    DrawReason.EMPTY_HANDS: "nobody holds a card",
    DrawReason.REPETITION: "the same position has come for the third time",
    DrawReason.NO_PROGRESS: "a hundred bouts have gone by without a card drawn or discarded",
}

TURNS: Mapping[Decision, str] = {
    Decision.LEAD: "to lead",
    Decision.DEFEND: "to defend",
    Decision.THROW_IN: "to throw in or pass",
    Decision.ADD: "to add for the taker or pass",
}

NOBODY = "Nobody, and all have proved it"

STEPS: Mapping[Kind, str] = {
    Kind.COMMIT: "  All {players} have committed to their secrets by a hash; nobody can change theirs now.",
    Kind.REVEAL: "  All {players} have revealed lot seed and key share, as committed, and proved to know the key.",
    Kind.CONFIRM: "  All {players} have signed the same deck; only now is anything decrypted.",
    Kind.DEAL: "  All {players} have given decryption shares with proofs; only the player who holds a card can see it.",
    Kind.REARRANGE: "  All {players} have rearranged their hands, so that no card shows when it was drawn.",
    Kind.RESULT: "All {players} have signed the final head of the transcript.",
    Kind.BOOKS: "All {players} have opened their books: every secret of this game can be checked now.",
}
"""What a step makes certain, told when all have taken it for the first time."""


def cards_text(cards: tuple[Card, ...]) -> str:
    """Return cards as text, separated by blanks."""
    return " ".join(str(card) for card in cards)


def number(count: int, noun: str) -> str:
    """Return a count with its noun, in the plural where it is due."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


class Narrator:
    """Tells one game; ``lines`` takes the session's events one after the other."""

    def __init__(self, genesis: Genesis) -> None:
        self._genesis = genesis
        self._heard: Counter[Kind] = Counter()
        self._bouts = 0
        self._turn = Decision.LEAD

    def beginning(self) -> Iterator[Line]:
        """Say which game begins, and who plays."""
        genesis = self._genesis
        names = [genesis.name(seat) for seat in range(genesis.players)]
        text = f"\nGame {genesis.number}: {', '.join(names)} play {genesis.rules.name} with {genesis.pack_size} cards."
        yield {
            "event": "game",
            "game_id": genesis.game_id.hex(),
            "number": genesis.number,
            "rules": genesis.rules.name,
            "pack": genesis.pack_size,
            "players": names,
            "text": f"{text}\n\nMaking the deck, which nobody may see or arrange:",
        }

    def lines(self, event: Event) -> Iterator[Line]:
        """Return what is to be told of ``event``."""
        match event:
            case Heard() | DealerChosen() | Dealt() | Called() | LeadDecided():
                yield self._of_deck(event)
            case Turn():
                yield self._of_turn(event)
            case Played(seat, action):
                text = f"  {self._name(seat)} {TURNS[self._turn]}: {_deed(action)}."
                yield self._line("played", seat, text, action=str(action))
            case BoutOver():
                yield from self._of_bout_over(event)
            case GameOver() | Finished() | OtherHead() | Convicted():
                yield self._of_end(event)
            case Send():
                pass

    def _name(self, seat: int) -> str:
        return self._genesis.name(seat)

    def _line(self, event: str, seat: int, text: str | None = None, **data: object) -> Line:
        line: Line = {"event": event, "seat": seat, "player": self._name(seat), **data}
        return line if text is None else {**line, "text": text}

    def _of_deck(self, event: Heard | DealerChosen | Dealt | Called | LeadDecided) -> Line:
        match event:
            case Heard():
                return self._of_heard(event)
            case DealerChosen(dealer, by_lot):
                why = "by the lot that all seeds make together" if by_lot else "as the game before decided"
                return self._line("dealer", dealer, f"  {self._name(dealer)} is the dealer, {why}.", by_lot=by_lot)
            case Dealt(face_up, talon):
                rest = f"{number(talon, 'card')} in the talon" if talon else "it is the dealer's; there is no talon"
                text = f"  Six cards each are dealt; {face_up} lies open and gives the trump; {rest}."
                return {"event": "dealt", "face_up": str(face_up), "talon": talon, "text": text}
            case Called(cards, opened):
                shown = ", ".join(f"{self._name(seat)} shows {card}" for seat, card in opened.items())
                text = f"  Who holds {' or '.join(map(str, cards))}? {shown or NOBODY}."
                by_name = {self._name(seat): str(card) for seat, card in opened.items()}
                return {"event": "called", "cards": [str(card) for card in cards], "opened": by_name, "text": text}
            case LeadDecided(leader, reason, card):
                text = f"  {self._name(leader)} {LEAD_REASONS[reason].format(card=card)}."
                return self._line("lead", leader, text, reason=str(reason), card=None if card is None else str(card))

    def _of_heard(self, event: Heard) -> Line:
        """Tell of a message; in words where it completes a step that makes the game fair."""
        self._heard[event.kind] += 1
        count, players = self._heard[event.kind], self._genesis.players
        text = None
        if event.kind is Kind.SHUFFLE:
            text = (
                f"  {self._name(event.seat)} re-encrypts and shuffles the deck ({count} of {players}); the proof holds."
            )
        elif count == players and event.kind in STEPS:
            text = STEPS[event.kind].format(players=players)
        return self._line("heard", event.seat, text, kind=str(event.kind), round=event.round)

    def _of_turn(self, event: Turn) -> Line:
        self._turn = event.decision
        text = None
        if event.decision is Decision.LEAD:
            self._bouts += 1
            hands = ", ".join(f"{self._name(seat)} {size or 'out'}" for seat, size in enumerate(event.hands))
            begin = "\nPlay:\n" if self._bouts == 1 else ""
            text = (
                f"{begin}Bout {self._bouts}: {self._name(event.seat)} leads, {self._name(event.defender)} defends. "
                f"Talon {event.talon}; hands: {hands}."
            )
        hands_list, decision = list(event.hands), event.decision.name.lower()
        return self._line("turn", event.seat, text, decision=decision, hands=hands_list, talon=event.talon)

    def _of_bout_over(self, event: BoutOver) -> Iterator[Line]:
        ended = event.ended
        count, cards = number(len(ended.cards), "card"), [str(card) for card in ended.cards]
        taken = f"  {self._name(ended.defender)} takes {count}: {' '.join(cards)}."
        text = taken if ended.taken else f"  All is beaten: {count} go to the discard."
        yield self._line("bout", ended.defender, text, taken=ended.taken, cards=cards, talon=event.talon)
        if event.draws:
            drawn = ", ".join(f"{self._name(seat)} draws {count}" for seat, count in event.draws)
            face_up = ", the face-up trump last" if event.face_up_drawn else ""
            draws = [[self._name(seat), count] for seat, count in event.draws]
            yield {"event": "draw", "draws": draws, "face_up": event.face_up_drawn, "text": f"  {drawn}{face_up}."}

    def _of_end(self, event: GameOver | Finished | OtherHead | Convicted) -> Line:
        match event:
            case GameOver(outcome):
                fool = None if outcome.fool is None else self._name(outcome.fool)
                why = "" if outcome.draw_reason is None else DRAW_REASONS[outcome.draw_reason]
                places = [self._name(seat) for seat in outcome.places]
                text = f"\n{fool} is the fool." if fool else f"\nA draw: {why}."
                return {"event": "over", "fool": fool, "places": places, "text": text}
            case Finished(final_head):
                return {"event": "finished", "final_head": final_head.hex()}
            case OtherHead(seat, round_):
                text = f"  {self._name(seat)} has signed another course of the game; waiting for the proof of why."
                return self._line("other-head", seat, text, round=round_)
            case Convicted(seats, round_, fault):
                names, reason = [self._name(seat) for seat in seats], str(fault).rstrip(".")
                text = f"\n{' and '.join(names)} cheated in round {round_}: {reason}. The deal is dead."
                return {"event": "convicted", "players": names, "round": round_, "code": fault.code, "text": text}


def _deed(action: Action) -> str:
    match action:
        case Lead(cards):
            return f"lays {cards_text(cards)}"
        case Cover(attack, card):
            return f"covers {attack} with {card}"
        case ThrowIn(cards):
            return f"throws in {cards_text(cards)}"
        case Transfer(card):
            return f"transfers with {card}"
        case Show(card):
            return f"transfers by showing {card}"
        case Take():
            return "takes"
        case Pass():
            return "passes"
