"""Positions in a few words: hands as text, the rest of the pack where it does no harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from p2pdurak.cards import Card, CardSet, card_set, cards_in, pack, parse_card
from p2pdurak.errors import IllegalAction
from p2pdurak.game.actions import Action, parse_action
from p2pdurak.game.rules import apply, check, legal_actions, refill
from p2pdurak.game.ruleset import PRESETS, Ruleset
from p2pdurak.game.state import Hand, Pair, Phase, Position, Setup, State

if TYPE_CHECKING:
    from collections.abc import Sequence

ALBANIAN = PRESETS["albanian"]
PEREVODNOY = PRESETS["perevodnoy"]
PEREVODNOY_2 = PRESETS["perevodnoy-2"]
PODKIDNOY = PRESETS["podkidnoy"]
APPS = PRESETS["perevodnoy-apps"]


def cards(text: str) -> tuple[Card, ...]:
    return tuple(parse_card(word) for word in text.split())


def bits(text: str) -> CardSet:
    return card_set(cards(text))


def position(
    *hands: str,
    rules: Ruleset = PEREVODNOY_2,
    turned: str = "7♠",
    talon: int = 0,
    leader: int = 0,
    discard: str | None = None,
    bouts: int = 1,
    pack_size: int = 36,
) -> State:
    """The first lead of a bout with these hands, all known; seats without cards are out when the talon is empty.

    Cards that are named nowhere are in the talon as far as it goes, else in the discard, unless that is given.
    """
    known = [bits(hand) for hand in hands]
    face_up = parse_card(turned)
    held = card_set(card for hand in known for card in cards_in(hand))
    rest = [card for card in pack(pack_size) if not held >> card & 1 and (card != face_up or not talon)]
    gone = card_set(rest[max(0, talon - 1) :]) if discard is None else bits(discard)
    emptied = tuple(seat for seat, hand in enumerate(known) if not hand)
    state = State(
        Setup(rules, pack_size, 0, face_up, face_up.suit),
        Phase.BOUT,
        tuple(Hand(hand) for hand in known),
        talon,
        leader,
        -1,
        leader,
        discard=gone,
        emptied=emptied,
        bouts=bouts,
    )
    defender = state.next_in(leader)
    assert defender is not None
    held_in_public = tuple((hand.size, hand.public) for hand in state.hands)
    return state._replace(defender=defender, past=(Position(leader, talon, state.discard.bit_count(), held_in_public),))


def after(state: State, *actions: str) -> State:
    """The state after these actions of whoever is asked."""
    for action in actions:
        state = apply(state, parse_action(action))
    return state


def refilled(state: State) -> State:
    """The next bout, with what is drawn from the talon unknown."""
    return refill(state, {})


def refusal(state: State, action: str) -> IllegalAction:
    """The error of an action that is refused by ``check`` and ``apply``, and missing in ``legal_actions``."""
    parsed = parse_action(action)
    with pytest.raises(IllegalAction) as caught:
        check(state, parsed)
    with pytest.raises(IllegalAction):
        apply(state, parsed)
    if state.asked is None or not state.hands[state.asked].hidden:
        assert parsed not in legal_actions(state)
    assert str(caught.value).endswith(".")
    assert "{" not in str(caught.value)
    return caught.value


def refused(state: State, action: str) -> str:
    """The number of the rule that forbids the action."""
    return refusal(state, action).rule


def legal(state: State) -> list[str]:
    """The legal actions as text; ``check`` allows each of them too."""
    actions = legal_actions(state)
    for action in actions:
        check(state, action)
    return [str(action) for action in actions]


def of_kind(state: State, kind: type[Action]) -> list[str]:
    """The legal actions of one kind as text."""
    return [text for text in legal(state) if isinstance(parse_action(text), kind)]


def hand(state: State, seat: int) -> str:
    """The known cards of a seat as text."""
    return " ".join(map(str, cards_in(state.hands[seat].known)))


def table(*pairs: str) -> tuple[Pair, ...]:
    """Pairs as on the table: ``"6♣ 8♣"`` beaten, ``"6♣"`` not."""
    return tuple((attack, cover[0] if cover else None) for attack, *cover in map(cards, pairs))


def everybody_asked(state: State) -> Sequence[int]:
    """The seats asked one after the other when everybody passes."""
    asked = []
    while state.asked is not None:
        asked.append(state.asked)
        state = after(state, "pass")
    return asked
