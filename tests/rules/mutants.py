"""For each question of ``docs/decisions.md``, the engine with another answer: a line, and what stands there instead.

A mutant is what shows that a test holds a decision: the tests that the question names must notice it. Tools that make
mutants of everything were rejected, since they know neither the questions nor which test should answer them.
"""

from __future__ import annotations

from typing import Final

MUTANTS: Final[tuple[tuple[int, str, str, str], ...]] = (
    (1, "cards.py", "PACK_SIZES: Final = (36, 52)", "PACK_SIZES: Final = (32, 36, 52)"),
    (2, "game/ruleset.py", "MIN_PLAYERS: Final = 2", "MIN_PLAYERS: Final = 1"),
    (3, "game/opening.py", "(dealer + 1 + turn) % players for turn", "(dealer + turn) % players for turn"),
    (
        4,
        "game/simulate.py",
        "    if leader is None:\n",
        '    if face_up.rank == 14:\n        raise ValueError("an ace was turned up")\n    if leader is None:\n',
    ),
    (5, "game/bouts.py", "hidden - (not known & bit), bit)", "hidden - (not known & bit), 0)"),
    (
        6,
        "game/opening.py",
        "for card in reversed(cards_in(trumps & ~in_talon))",
        "for card in cards_in(trumps & ~in_talon)",
    ),
    (6, "game/opening.py", "answering[0] if len(answering) == 1 else lot(answering)", "answering[0]"),
    (
        7,
        "game/opening.py",
        "-1 if rules.next_lead is NextLead.UNDER else 1",
        "1 if rules.next_lead is NextLead.UNDER else -1",
    ),
    (
        8,
        "game/opening.py",
        "old = dealer if outcome.fool is None",
        "old = (dealer + 1) % players if outcome.fool is None",
    ),
    (8, "game/opening.py", "    if outcome.fool is None or rules.next_lead", "    if rules.next_lead"),
    (9, "game/opening.py", "deals = old if seats is None else seats[old]", "deals: int | None = old"),
    (10, "game/legality.py", "    if decision not in _ANSWERS[type(action)]:", "    if False:"),
    (11, "game/legality.py", "    if impossible or unknown.bit_count() > hand.hidden:", "    if False:"),
    (12, "game/legality.py", "    if len(cards) > 1 and state.rules.lead is LeadCards.ONE:", "    if False:"),
    (13, "game/legality.py", "    if len(state.unbeaten) + more > state.hands[state.defender].size:", "    if False:"),
    (
        13,
        "game/legality.py",
        "    if cap is not None and len(state.table) + more > cap:\n        if",
        "    if False:\n        if",
    ),
    (
        14,
        "game/state.py",
        "rules.first_bout_cap is not None and not self.discard",
        "rules.first_bout_cap is not None and not self.bouts",
    ),
    (15, "game/state.py", "throwers is Throwers.ALL or seat == self.leader", "seat == self.leader"),
    (
        15,
        "game/state.py",
        "(self.next_in(self.defender), self.previous_in(self.defender))",
        "(self.leader, self.next_in(self.defender))",
    ),
    (
        16,
        "game/legality.py",
        "other = card_set(cards) & ~ranks_on_table(state)",
        "other = card_set(cards) & ~ranks_on_table(state) & ~SAME_RANK[cards[0]]",
    ),
    (
        17,
        "game/rules.py",
        "if state.may_throw(seat):",
        "if state.may_throw(seat) and state.hands[seat].known & ranks_on_table(state):",
    ),
    (
        17,
        "game/rules.py",
        "return laid if laid.unbeaten else _ask_to_throw(laid, None)",
        "return laid if laid.unbeaten else _ask_to_throw(laid, state.leader)",
    ),
    (
        18,
        "game/rules.py",
        "return _ask_to_throw(laid, asked) if state.taking else laid",
        "return _ask_to_throw(laid, None) if state.taking else laid",
    ),
    (18, "game/rules.py", "            if state.rules.throw_after_take:", "            if True:"),
    (
        19,
        "game/legality.py",
        "return higher if attack.suit == trump else higher | SAME_SUIT[PACK[trump]]",
        "return higher",
    ),
    (20, "game/legality.py", "if attack not in state.unbeaten:", "if attack != state.unbeaten[0]:"),
    (
        21,
        "game/rules.py",
        "_transfers(state, hand, unbeaten), _TAKE)",
        "_transfers(state, hand, unbeaten), *([] if actions else [_TAKE]))",
    ),
    (21, "game/bouts.py", "with_public(card_set(cards))", "with_public(card_set(state.unbeaten))"),
    (22, "game/legality.py", "state.rules.transfer is Transfers.BEFORE_BEAT and any(", "any("),
    (22, "game/legality.py", "    if card_set(state.unbeaten) & ~SAME_RANK[card]:", "    if False:"),
    (23, "game/legality.py", "    if len(state.unbeaten) + more > size:", "    if False:"),
    (24, "game/legality.py", "    if target is None:\n", "    if target in (None, state.leader):\n"),
    (25, "game/legality.py", "if not state.rules.transfer_first_bout and state.bouts == 0:", "if state.bouts == 0:"),
    (26, "game/legality.py", "    if state.shown >> card & 1:", "    if False:"),
    (26, "game/legality.py", "    _check_target(state, 0)", "    _check_target(state, 1)"),
    (
        27,
        "game/rules.py",
        "state.changed(defender=target, asked=target)",
        "state.changed(leader=state.defender, defender=target, asked=target)",
    ),
    (28, "game/bouts.py", "        discard |= card_set(cards)", "        discard |= 0"),
    (29, "game/rules.py", "    if state.room():\n", "    if state.room() or not state.hands[state.defender].size:\n"),
    (30, "game/bouts.py", "min(HAND_CARDS - hands[seat].size, talon)", "min(HAND_CARDS - hands[seat].size, talon, 3)"),
    (30, "game/bouts.py", "    if state.rules.draw_order is DrawOrder.DEFENDER_LAST:", "    if True:"),
    (
        31,
        "game/bouts.py",
        "takes_face_up = talon == 0 and seat == state.draws[-1][0]",
        "takes_face_up = talon == 0 and seat == state.draws[0][0]",
    ),
    (32, "game/state.py", "return self.talon > 0 or self.hands[seat].size > 0", "return self.hands[seat].size > 0"),
    (
        32,
        "game/rules.py",
        "emptied = state.emptied if hand.size else (*state.emptied, seat)",
        "emptied = state.emptied if hand.size else (seat, *state.emptied)",
    ),
    (33, "game/bouts.py", "if ended.taken or not state.is_in(leader):", "if not state.is_in(leader):"),
    (34, "game/bouts.py", "    if state.rules.draws is Draws.DEFENDER_LOSES:", "    if True:"),
    (35, "game/bouts.py", "return Position(leader, state.talon", "return Position(0, state.talon"),
    (35, "game/bouts.py", "REPETITIONS: Final = 3", "REPETITIONS: Final = 2"),
    (35, "game/bouts.py", "IDLE_BOUTS: Final = 100", "IDLE_BOUTS: Final = 1000"),
)
"""The number of the question, the file in the package, what stands in it once, and what the mutant has there."""
