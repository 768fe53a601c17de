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
from p2pdurak.ui.console.canvas import width_of
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.language import told
from p2pdurak.ui.openings import why_deals, why_leads
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
    Kind.CONFIRM: _("agreeing on the cards"),
    Kind.DEAL: _("dealing the cards"),
    Kind.REARRANGE: _("rearranging hands"),
    Kind.CALL: _("looking for the lowest trump"),
    Kind.DRAW: _("drawing cards"),
    Kind.RESULT: _("signing the result"),
    Kind.BOOKS: _("opening the books"),
}

# By why somebody leads: how it is told of others, and of you.
LEAD_REASONS: Final[Mapping[LeadReason, tuple[str, str]]] = {
    LeadReason.LOWEST_TRUMP: (
        _("{name} has the lowest trump, {card}, and leads"),
        _("you have the lowest trump, {card}, and lead"),
    ),
    LeadReason.LOWEST_CARD: (
        _("nobody holds a trump; {name} has the lowest card, {card}, and leads"),
        _("nobody holds a trump; you have the lowest card, {card}, and lead"),
    ),
    LeadReason.LOT: (_("nobody holds a trump; {name} leads by lot"), _("nobody holds a trump; you lead by lot")),
    LeadReason.LOT_AMONG_LOWEST: (
        _("nobody holds a trump; {name}, with {card}, leads by lot among those who have the lowest card"),
        _("nobody holds a trump; you, with {card}, lead by lot among those who have the lowest card"),
    ),
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
    names, me = table.names, table.me
    match event:
        case Played(_, Pass()):
            return ""  # who passes is seen at their place
        case Played():
            return deed(say, table, event)
        case DealerChosen(dealer, by_lot):
            if not by_lot:
                return why_deals(say, table.genesis, dealer, me)
            return say.gettext("you deal") if dealer == me else say.gettext("{name} deals").format(name=names[dealer])
        case Called(cards, opened) if opened:
            you = say.gettext("you")
            shown = ", ".join(f"{you if seat == me else names[seat]} {card}" for seat, card in opened.items())
            return say.gettext("who holds {cards}? {shown}").format(cards=cards_text(cards), shown=shown)
        case Called(cards, _):
            return say.gettext("who holds {cards}? nobody").format(cards=cards_text(cards))
        case LeadDecided(leader, LeadReason.GAME_BEFORE, _):
            return why_leads(say, table.genesis, leader, me)
        case LeadDecided(leader, reason, card):
            return say.gettext(LEAD_REASONS[reason][leader == me]).format(name=names[leader], card=card)
        case BoutOver():
            return bout_over(say, table, event)
        case Resigned(seat):
            return say.gettext("you give up") if seat == me else say.gettext("{name} gives up").format(name=names[seat])
        case Voted():
            return vote_text(say, names, event, me)
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


def waited_for(say: NullTranslations, table: TableModel, *, begins: bool = False) -> str:
    """Return for what and for whom the game waits, without a stop; empty if it waits for nobody else.

    If it begins a line, its own words do so with a capital; a nickname stays as it is.
    """

    def opening(words: str) -> str:
        return words[:1].upper() + words[1:] if begins else words

    if table.vote is not None:
        out, missing = (", ".join(table.names[seat] for seat in seats) for seats in (table.vote.out, table.missing))
        sentence = opening(say.gettext("the vote to end the game without {out}: waiting for {names}"))
        return sentence.format(out=out, names=missing)
    waiting = [seat for seat in table.waiting if seat != table.me]
    if not waiting or table.kind is None:
        return ""
    names = ", ".join(table.names[seat] for seat in waiting)
    if table.kind is not Kind.PLAY:
        step = opening(say.gettext(STEPS[table.kind]))
        return say.gettext("{step}: waiting for {names}").format(step=step, names=names)
    decision = table.view.decision if table.view is not None else None
    return opening(say.gettext(WAITING[decision])).format(name=names) if decision is not None else ""


def not_asked(say: NullTranslations, table: TableModel) -> str:
    """Return why nothing can be decided now."""
    waiting = waited_for(say, table)
    if not waiting:
        return say.gettext("Just a moment: nothing is to be decided now.")
    if table.me is None:
        return say.gettext("You are watching: {waiting}.").format(waiting=waiting)
    if table.me in table.resigned:
        return say.gettext("You have given this game up: {waiting}.").format(waiting=waiting)
    if table.view is not None and table.me in table.view.places:
        return say.gettext("You are out of this game: {waiting}.").format(waiting=waiting)
    return say.gettext("It is not your turn: {waiting}.").format(waiting=waiting)


def conviction(say: NullTranslations, names: Iterable[str], number: int, fault: RemoteProtocolError) -> str:
    """Return who cheated in which round, and how."""
    sentence = say.gettext("{names} cheated in round {number}: {reason}. The deal is dead.")
    return sentence.format(names=", ".join(names), number=number, reason=told(say, fault).rstrip("."))


def ended_without(say: NullTranslations, names: Sequence[str], removed: Removed, me: int | None = None) -> str:
    """Return how a game ended that somebody left; ``names`` are those of all seats, ``me`` is the reader's, if any."""
    who, number = ", ".join(names[seat] for seat in removed.out if seat != me), len(removed.out)
    if number == len(names):
        return say.gettext("A draw: all have given up.")
    if me in removed.out:
        return _ended_without_you(say, who, removed)
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


def _ended_without_you(say: NullTranslations, others: str, removed: Removed) -> str:
    """Return how a game ended that the reader left, perhaps with others."""
    if not removed.fools:
        alone, together = (
            _("The game is void: you are gone, and no card was dealt yet."),
            _("The game is void: you and {names} are gone, and no card was dealt yet."),
        )
    elif removed.out == removed.resigned:
        alone, together = _("You give up, and are the fool."), _("You and {names} give up, and are the fools.")
    else:
        alone, together = (
            _("The game is over without you: you are the fool."),
            _("The game is over without you and {names}: you are the fools."),
        )
    return say.gettext(together if others else alone).format(names=others)


def vote_text(say: NullTranslations, names: Sequence[str], voted: Voted, me: int | None = None) -> str:
    """Return who wants to end the game without whom, and whose vote lacks for that, without a stop.

    ``me`` is the reader's seat, if any.
    """
    you = say.gettext("you")
    out = ", ".join(names[seat] for seat in voted.out)
    if voted.seat == me:
        text = say.gettext("you vote to end the game without {out}").format(out=out)
    elif voted.out == (me,):
        text = say.gettext("{name} votes to end the game without you").format(name=names[voted.seat])
    else:
        text = say.gettext("{name} votes to end the game without {out}").format(name=names[voted.seat], out=out)
    missing = ", ".join(you if seat == me else names[seat] for seat in voted.missing)
    lacking = say.gettext("not yet: {names}").format(names=missing)
    return f"{text}; {lacking}" if voted.missing else text


def ordinal_place(say: NullTranslations, place: int, columns: int) -> str:
    """Return that somebody is out, and as which, in so many columns if it can be; ``place`` is 0 if there is none."""
    if not place:
        return say.gettext("out")
    text = say.gettext("out, no. {place}").format(place=place)
    return text if width_of(text) <= columns else say.gettext("no. {place}").format(place=place)
