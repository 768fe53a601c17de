"""Playing by typing: the question a person is asked, and what the answer means. Pure text, no terminal.

Every legal action is offered with a number, so nobody has to learn a notation; whoever knows it may type that too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.cards import cards_in
from p2pdurak.errors import NotationError
from p2pdurak.game.actions import Action, Cover, Lead, Pass, Show, Take, ThrowIn, Transfer, parse_action
from p2pdurak.game.rules import check, legal_actions
from p2pdurak.game.state import Decision

if TYPE_CHECKING:
    from collections.abc import Iterable

    from p2pdurak.cards import Card, Suit
    from p2pdurak.game.state import Pair, State

WANTED = {
    Decision.LEAD: "You lead: choose what to lay.",
    Decision.DEFEND: "You defend: beat, transfer if you may, or take.",
    Decision.THROW_IN: "You may throw in.",
    Decision.ADD: "The defender takes; you may add cards.",
}


def sorted_hand(cards: Iterable[Card], trump: Suit) -> list[Card]:
    """Return cards as a person holds them: by suit, low to high, trumps last."""
    return sorted(cards, key=lambda card: (card.suit == trump, card.suit, card.rank))


def question(view: State) -> list[str]:
    """Return the lines that ask for the decision of the asked seat, whose hand ``view`` knows."""
    if view.asked is None or view.decision is None:
        return []
    hand = sorted_hand(cards_in(view.hands[view.asked].known), view.trump)
    lines = ["", WANTED[view.decision]]
    if view.table:
        lines.append(f"  On the table: {table_text(view.table)}")
    lines.append(f"  Trump {view.trump.symbol}, talon {view.talon}. Your hand: {' '.join(map(str, hand))}")
    lines += [f"    {number}  {say(action)}" for number, action in enumerate(legal_actions(view), start=1)]
    return lines


def table_text(table: Iterable[Pair]) -> str:
    """Return the pairs on the table; an unbeaten card stands alone."""
    return ", ".join(f"{attack} beaten by {cover}" if cover is not None else str(attack) for attack, cover in table)


def say(action: Action) -> str:
    """Return an action in words, as a choice."""
    match action:
        case Lead(cards):
            return f"lay {' '.join(map(str, cards))}"
        case Cover(attack, card):
            return f"beat {attack} with {card}"
        case ThrowIn(cards):
            return f"throw in {' '.join(map(str, cards))}"
        case Transfer(card):
            return f"transfer with {card}"
        case Show(card):
            return f"transfer by showing {card}"
        case Take():
            return "take"
        case Pass():
            return "pass"


def answer(view: State, text: str) -> Action:
    """Return the action that a person typed: a number from the question, or the action in notation.

    Raises NotationError if it is neither, IllegalAction with the reason if the rules do not allow it.
    """
    typed = text.strip()
    actions = legal_actions(view)
    if not typed and len(actions) == 1:
        return actions[0]
    if typed.isascii() and typed.isdigit():
        if 1 <= int(typed[:6]) <= len(actions):
            return actions[int(typed) - 1]
        raise NotationError(f"Type a number from 1 to {len(actions)}.")
    try:
        action = parse_action(typed.lower())
    except NotationError as error:
        raise NotationError(f"Type one of the numbers, or an action such as '{actions[-1]}'.") from error
    check(view, action)
    return action
