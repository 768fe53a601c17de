"""Playing by typing: the question a person is asked, and what the answer means. Pure text, no terminal.

Every legal action is offered with a number, so nobody has to learn a notation; the action may be typed too, in the
words of the choice or in notation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pdurak.cards import cards_in
from p2pdurak.errors import NotationError, Sentence
from p2pdurak.game.actions import Action, Cover, Lead, Pass, Show, Take, ThrowIn, Transfer, opened, parse_action
from p2pdurak.game.rules import check, legal_actions
from p2pdurak.game.state import Decision
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.language import told
from p2pdurak.ui.typed import notation

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from gettext import NullTranslations

    from p2pdurak.cards import Card, Suit
    from p2pdurak.game.state import Pair, State

WANTED: Final[Mapping[Decision, str]] = {
    Decision.LEAD: _("You lead: choose what to lay."),
    Decision.DEFEND: _("You defend: beat, transfer if you may, or take."),
    Decision.THROW_IN: _("You may throw in."),
    Decision.ADD: _("The defender takes; you may add cards."),
}


def sorted_hand(cards: Iterable[Card], trump: Suit) -> list[Card]:
    """Return cards as a person holds them: by suit, low to high, trumps last."""
    return sorted(cards, key=lambda card: (card.suit == trump, card.suit, card.rank))


def question(view: State, say: NullTranslations) -> list[str]:
    """Return the lines that ask for the decision of the asked seat, whose hand ``view`` knows."""
    if view.asked is None or view.decision is None:
        return []
    hand = sorted_hand(cards_in(view.hands[view.asked].known), view.trump)
    lines = ["", say.gettext(WANTED[view.decision])]
    if view.table:
        pairs = table_text(view.table, say)
        lines.append("  " + say.gettext("On the table: {pairs}").format(pairs=pairs))
    holding = say.gettext("Trump {suit}, talon {number}. Your hand: {cards}")
    cards = " ".join(map(str, hand))
    lines.append("  " + holding.format(suit=view.trump.symbol, number=view.talon, cards=cards))
    offered = [told(say, choice(action)) for action in choices(view)]
    return lines + [f"    {number}  {text}" for number, text in enumerate(offered, start=1)]


def choices(view: State) -> list[Action]:
    """Return the legal actions in the order in which they are offered: by kind, and in each as the hand is shown."""
    actions = legal_actions(view)
    kinds = list(dict.fromkeys(map(type, actions)))
    seen = {card: at for at, card in enumerate(sorted_hand(set().union(*map(opened, actions)), view.trump))}

    def order(action: Action) -> tuple[int, int, int, list[int]]:
        attack = view.unbeaten.index(action.attack) if isinstance(action, Cover) else 0
        laid = sorted(seen[card] for card in opened(action))
        return kinds.index(type(action)), attack, len(laid), laid

    return sorted(actions, key=order)


def table_text(table: Iterable[Pair], say: NullTranslations) -> str:
    """Return the pairs on the table; an unbeaten card stands alone."""
    beaten = say.gettext("{attack} beaten by {cover}")
    return ", ".join(
        str(attack) if cover is None else beaten.format(attack=attack, cover=cover) for attack, cover in table
    )


def choice(action: Action) -> Sentence:
    """Return an action in words, as a choice."""
    match action:
        case Lead(cards):
            return Sentence("lay {cards}", cards=" ".join(map(str, cards)))
        case Cover(attack, card):
            return Sentence("beat {attack} with {card}", attack=attack, card=card)
        case ThrowIn(cards):
            return Sentence("throw in {cards}", cards=" ".join(map(str, cards)))
        case Transfer(card):
            return Sentence("transfer with {card}", card=card)
        case Show(card):
            return Sentence("transfer by showing {card}", card=card)
        case Take():
            return Sentence("take")
        case Pass():
            return Sentence("pass")


def answer(view: State, text: str) -> Action:
    """Return the action that a person typed: a number from the question, or the action in words or notation.

    Raises NotationError if it is neither, IllegalAction with the reason if the rules do not allow it.
    """
    typed = text.strip()
    actions = choices(view)
    if not typed and len(actions) == 1:
        return actions[0]
    if typed.isascii() and typed.isdigit():
        if 1 <= int(typed[:6]) <= len(actions):
            return actions[int(typed) - 1]
        raise NotationError("Type a number from 1 to {most}.", most=len(actions))
    try:
        action = parse_action(notation(typed))
    except NotationError as error:
        raise NotationError(
            "Type one of the numbers, or an action such as '{example}'.", example=choice(actions[-1])
        ) from error
    check(view, action)
    return action
