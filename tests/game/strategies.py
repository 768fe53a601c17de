"""Hypothesis strategies for rulesets and games."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from hypothesis import strategies as st

from p2pdurak.cards import PACK, pack
from p2pdurak.game.actions import Cover, Lead, Pass, Show, Take, ThrowIn, Transfer
from p2pdurak.game.ruleset import (
    PRESETS,
    DrawOrder,
    Draws,
    LeadCards,
    NextLead,
    NoTrumpLead,
    Ruleset,
    Throwers,
    Transfers,
)
from p2pdurak.game.simulate import deal

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.cards import Card
    from p2pdurak.game.actions import Action
    from p2pdurak.game.state import State


@st.composite
def rulesets(draw: Callable[[st.SearchStrategy[object]], object]) -> Ruleset:
    """Any ruleset without a contradiction, presets and mixtures."""
    return random_ruleset(random.Random(str(draw(st.integers(0, 1 << 32)))))


def random_ruleset(chance: random.Random) -> Ruleset:
    """A ruleset without a contradiction."""
    if chance.random() < 0.3:
        return chance.choice(list(PRESETS.values()))
    throwers, transfer = chance.choice(list(Throwers)), chance.choice(list(Transfers))
    cap = chance.choice([None, 1, 2, 3, 4, 6, 8, 26])
    return Ruleset(
        lead=chance.choice(list(LeadCards)),
        throwers=throwers,
        throw_after_take=throwers is not Throwers.NONE and chance.random() < 0.5,
        bout_cap=cap,
        first_bout_cap=chance.choice([None, *range(1, (cap or 6) + 1)]),
        transfer=transfer,
        transfer_first_bout=transfer is Transfers.NONE or chance.random() < 0.7,
        transfer_by_showing=transfer is not Transfers.NONE and chance.random() < 0.5,
        draw_order=chance.choice(list(DrawOrder)),
        draws=chance.choice(list(Draws)),
        no_trump_lead=chance.choice(list(NoTrumpLead)),
        next_lead=chance.choice(list(NextLead)),
    )


def any_action() -> st.SearchStrategy[Action]:
    """Any action at all, mostly not a legal one."""
    card = st.sampled_from(PACK)
    several = st.lists(card, min_size=1, max_size=3, unique=True).map(tuple)
    return st.one_of(
        several.map(Lead),
        several.map(ThrowIn),
        st.builds(Cover, card, card),
        card.map(Transfer),
        card.map(Show),
        st.sampled_from([Take(), Pass()]),
    )


def random_game(chance: random.Random, rules: Ruleset, pack_size: int, players: int) -> tuple[State, list[Card]]:
    """A shuffled pack, and the state after its deal."""
    order = chance.sample(pack(pack_size), pack_size)
    return deal(rules, order, players, chance.randrange(players), lot=chance.choice), order
