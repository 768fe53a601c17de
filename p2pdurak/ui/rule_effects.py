"""What the options of a ruleset come to together, since beside some values others can do nothing.

Where a bout has one attack card, for example, nobody ever throws in, whatever ``throwers`` says. Such values are not
refused: each means what it says, and people mix options freely. But a game is explained by its ``plain`` form, which
is played in exactly the same way, so that nothing is told that cannot happen; and the value is said to be idle.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from p2pdurak.game.ruleset import LeadCards, Ruleset, Throwers, Transfers
from p2pdurak.ui.language import marked as _

if TYPE_CHECKING:
    from collections.abc import Mapping

_ANY_NUMBER: Final = 26
"""R14: for each attack card there is one more, on it or in the defender's hand; so half of the bigger pack attacks."""

_SUITS: Final = 4

# Why an option is idle, as clauses.
_ENOUGH: Final[Mapping[int, str]] = {
    1: _("nothing is added to the one card that is led"),
    _SUITS: _("all attack cards of a bout are of one rank, which has only four cards"),
    _ANY_NUMBER: _("a bout cannot have more than 26 attack cards, even if the pack has 52"),
}
_ONE_CARD: Final = _("a bout has only one attack card")
_NOT_LOWER: Final = _("it is not below bout_cap")
_THIRD_CARD: Final = _("once something is beaten, a transfer would be the third attack card")
_SECOND_CARD: Final = _("a transfer would be the second attack card, and first_bout_cap allows only one")


def plain(rules: Ruleset) -> Ruleset:
    """Return the ruleset that is played in the same way, without what is idle."""
    return replace(rules, **{option: value for option, (value, _why) in _changes(rules).items()})


def idle(rules: Ruleset) -> Mapping[str, str]:
    """Return the options whose values have no effect beside the others, each with the reason: a clause in English."""
    return {option: why for option, (value, why) in _changes(rules).items() if value != getattr(rules, option)}


def most_attack_cards(rules: Ruleset) -> int:
    """Return how many attack cards a bout can have, whoever plays with whatever cards."""
    most = _without_cap(rules)
    return most if rules.bout_cap is None else min(most, rules.bout_cap)


def _without_cap(rules: Ruleset) -> int:
    if rules.throwers is not Throwers.NONE:
        return _ANY_NUMBER
    # What is led and what transfers is of one rank.
    return 1 if rules.lead is LeadCards.ONE and rules.transfer is Transfers.NONE else _SUITS


def _changes(rules: Ruleset) -> Mapping[str, tuple[Any, str]]:
    """Return for each option that may be idle the value that says so, and why."""
    changes: dict[str, tuple[Any, str]] = {}
    most, without_cap = most_attack_cards(rules), _without_cap(rules)
    enough, first = _ENOUGH[without_cap], rules.first_bout_cap
    if rules.bout_cap is not None and rules.bout_cap >= without_cap:
        changes["bout_cap"] = None, enough
    if first is not None and first >= most:
        changes["first_bout_cap"] = None, enough if first >= without_cap else _NOT_LOWER
    if most == 1:
        # A trump can still be shown, since that adds no card.
        showing = rules.transfer_by_showing
        changes["lead"] = LeadCards.ONE, _ONE_CARD
        changes["throwers"] = Throwers.NONE, _ONE_CARD
        changes["throw_after_take"] = False, _ONE_CARD
        changes["transfer"] = (Transfers.BEFORE_BEAT if showing else Transfers.NONE), _ONE_CARD
        changes["transfer_first_bout"] = (rules.transfer_first_bout or not showing), _ONE_CARD
        return changes
    if rules.transfer is Transfers.ANY and most == 2:
        changes["transfer"] = Transfers.BEFORE_BEAT, _THIRD_CARD
    if first == 1 and not rules.transfer_by_showing:
        changes["transfer_first_bout"] = True, _SECOND_CARD
    return changes


def matters(option: str, rules: Ruleset) -> bool:
    """Tell whether the option is worth a sentence under these rules, which are ``plain``."""
    match option:
        case "throw_after_take":
            return rules.throwers is not Throwers.NONE
        case "transfer_by_showing":
            return rules.transfer is not Transfers.NONE
        case "transfer_first_bout":
            # Where the first bouts have one attack card, their limit says it all.
            return rules.transfer is not Transfers.NONE and (rules.transfer_by_showing or rules.first_bout_cap != 1)
        case "bout_cap":
            return rules.bout_cap is not None or _without_cap(rules) == _ANY_NUMBER
        case "first_bout_cap":
            return rules.first_bout_cap is not None or (matters("bout_cap", rules) and most_attack_cards(rules) > 1)
        case _:
            return True
