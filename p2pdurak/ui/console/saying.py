"""Sentences of the table in the person's language: what was done, who is waited for, why something is refused.

Whoever reads them is "you" where they are meant. Nicknames are never inflected: in Russian all verbs are in the
present, which has no gender.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pdurak.game.actions import Action, Cover, Lead, Pass, Show, Take, ThrowIn, Transfer, opened
from p2pdurak.game.bouts import DrawReason
from p2pdurak.game.state import Decision
from p2pdurak.session.events import (
    BoutOver,
    Called,
    DealerChosen,
    Event,
    LeadDecided,
    LeadReason,
    Played,
    Removed,
    Resigned,
    Voted,
)
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.language import told
from p2pdurak.wire.messages import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from gettext import NullTranslations

    from p2pdurak.cards import Card
    from p2pdurak.errors import RemoteProtocolError
    from p2pdurak.ui.console.model import TableModel

# By what is done: how it is told of others, and of you.
DEEDS: Final[Mapping[type[Action], tuple[str, str]]] = {
    Lead: (_("{name} leads {cards}"), _("you lead {cards}")),
    Cover: (_("{name} beats {attack} with {cards}"), _("you beat {attack} with {cards}")),
    ThrowIn: (_("{name} throws in {cards}"), _("you throw in {cards}")),
    Transfer: (_("{name} transfers with {cards}"), _("you transfer with {cards}")),
    Show: (_("{name} transfers by showing {cards}"), _("you transfer by showing {cards}")),
    Take: (_("{name} takes"), _("you take")),
    Pass: (_("{name} passes"), _("you pass")),
}

WAITING: Final[Mapping[Decision, str]] = {
    Decision.LEAD: _("{name} is to lead"),
    Decision.DEFEND: _("{name} is to beat or take"),
    Decision.THROW_IN: _("{name} may throw in"),
    Decision.ADD: _("{name} may add cards"),
}

STEPS: Final[Mapping[Kind, str]] = {
    Kind.COMMIT: _("committing to secrets"),
    Kind.REVEAL: _("revealing keys"),
    Kind.SHUFFLE: _("shuffling the deck"),
    Kind.CONFIRM: _("agreeing on the deck"),
    Kind.DEAL: _("dealing the cards"),
    Kind.REARRANGE: _("rearranging hands"),
    Kind.CALL: _("looking for the lowest trump"),
    Kind.DRAW: _("drawing cards"),
    Kind.RESULT: _("signing the result"),
    Kind.BOOKS: _("opening the books"),
}

LEAD_REASONS: Final[Mapping[LeadReason, str]] = {
    LeadReason.LOWEST_TRUMP: _("{name} has the lowest trump, {card}, and leads"),
    LeadReason.LOWEST_CARD: _("nobody holds a trump; {name} has the lowest card, {card}, and leads"),
    LeadReason.LOT: _("nobody holds a trump; {name} leads by lot"),
    LeadReason.GAME_BEFORE: _("{name} leads, as the last game decided"),
}

DRAWS: Final[Mapping[DrawReason, str]] = {
    DrawReason.EMPTY_HANDS: _("A draw: nobody holds a card."),
    DrawReason.REPETITION: _("A draw: the same position has come for the third time."),
    DrawReason.NO_PROGRESS: _("A draw: a hundred bouts without a card drawn or discarded."),
}


def cards_text(cards: Iterable[Card]) -> str:
    """Return cards as text, separated by blanks."""
    return " ".join(map(str, cards))


def deed(say: NullTranslations, table: TableModel, played: Played) -> str:
    """Return what a seat has done, without a stop."""
    return done(say, table.names[played.seat], played.action, by_you=played.seat == table.me)


def done(say: NullTranslations, name: str, action: Action, *, by_you: bool = False) -> str:
    """Return what somebody has done, without a stop."""
    of_others, of_you = DEEDS[type(action)]
    attack = str(action.attack) if isinstance(action, Cover) else ""
    sentence = say.gettext(of_you if by_you else of_others)
    return sentence.format(name=name, cards=cards_text(opened(action)), attack=attack)


def story(say: NullTranslations, table: TableModel) -> list[str]:
    """Return the bout on the table, or the last one, deed by deed; before it, how the lead came about."""
    return [text for event in table.log if (text := _told(say, table, event))]


def _told(say: NullTranslations, table: TableModel, event: Event) -> str:
    names = table.names
    match event:
        case Played(_, Pass()):
            return ""  # who passes is seen at their place
        case Played():
            return deed(say, table, event)
        case DealerChosen(dealer, _):
            return say.gettext("{name} deals").format(name=names[dealer])
        case Called(cards, opened) if opened:
            shown = ", ".join(f"{names[seat]} {card}" for seat, card in opened.items())
            return say.gettext("who holds {cards}? {shown}").format(cards=cards_text(cards), shown=shown)
        case Called(cards, _):
            return say.gettext("who holds {cards}? nobody").format(cards=cards_text(cards))
        case LeadDecided(leader, reason, card):
            return say.gettext(LEAD_REASONS[reason]).format(name=names[leader], card=card)
        case BoutOver():
            return bout_over(say, table, event)
        case Resigned(seat):
            return say.gettext("{name} gives up").format(name=names[seat])
        case Voted():
            return vote_text(say, names, event)
        case _:
            return ""


def bout_over(say: NullTranslations, table: TableModel, event: BoutOver) -> str:
    """Return how a bout ended, without a stop."""
    ended, number = event.ended, len(event.ended.cards)
    if not ended.taken:
        return say.ngettext(
            "all is beaten: {number} card is out", "all is beaten: {number} cards are out", number
        ).format(number=number)
    if ended.defender == table.me:
        return say.ngettext("you pick up {number} card", "you pick up {number} cards", number).format(number=number)
    sentence = say.ngettext("{name} picks up {number} card", "{name} picks up {number} cards", number)
    return sentence.format(name=table.names[ended.defender], number=number)


def waited_for(say: NullTranslations, table: TableModel) -> str:
    """Return for what and for whom the game waits, without a stop; empty if it waits for nobody else."""
    if table.vote is not None:
        out, missing = (", ".join(table.names[seat] for seat in seats) for seats in (table.vote.out, table.missing))
        return say.gettext("the vote to end the game without {out}: waiting for {names}").format(out=out, names=missing)
    waiting = [seat for seat in table.waiting if seat != table.me]
    if not waiting or table.kind is None:
        return ""
    names = ", ".join(table.names[seat] for seat in waiting)
    if table.kind is not Kind.PLAY:
        return say.gettext("{step}: waiting for {names}").format(step=say.gettext(STEPS[table.kind]), names=names)
    decision = table.view.decision if table.view is not None else None
    return say.gettext(WAITING[decision]).format(name=names) if decision is not None else ""


def conviction(say: NullTranslations, names: Iterable[str], number: int, fault: RemoteProtocolError) -> str:
    """Return who cheated in which round, and how."""
    sentence = say.gettext("{names} cheated in round {number}: {reason}. The deal is dead.")
    return sentence.format(names=", ".join(names), number=number, reason=told(say, fault).rstrip("."))


def ended_without(say: NullTranslations, names: Sequence[str], removed: Removed) -> str:
    """Return how a game ended that somebody left; ``names`` are those of all seats."""
    who, number = ", ".join(names[seat] for seat in removed.out), len(removed.out)
    if number == len(names):
        return say.gettext("A draw: all have given up.")
    if not removed.fools:
        sentence = say.ngettext(
            "The game is void: {names} is gone, and no card was dealt yet.",
            "The game is void: {names} are gone, and no card was dealt yet.",
            number,
        )
    elif removed.out == removed.resigned:
        sentence = say.ngettext("{names} gives up, and is the fool.", "{names} give up, and are the fools.", number)
    else:
        sentence = say.ngettext(
            "The game is over without {names}, who is the fool.",
            "The game is over without {names}, who are the fools.",
            number,
        )
    return sentence.format(names=who)


def vote_text(say: NullTranslations, names: Sequence[str], voted: Voted) -> str:
    """Return who wants to end the game without whom, and whose vote lacks for that, without a stop."""
    out, missing = (", ".join(names[seat] for seat in seats) for seats in (voted.out, voted.missing))
    text = say.gettext("{name} votes to end the game without {out}").format(name=names[voted.seat], out=out)
    lacking = say.gettext("not yet: {names}").format(names=missing)
    return f"{text}; {lacking}" if voted.missing else text


def ordinal_place(say: NullTranslations, place: int) -> str:
    """Return that somebody is out, and as which."""
    return say.gettext("out, no. {place}").format(place=place)
