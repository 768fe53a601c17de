"""Why somebody deals and leads in a later game of a match: what the game before has to do with it, in words.

A genesis says who deals and leads, and not why; but by the rules only a fool deals a game whose leader is decided, and
the leader is a neighbour (R8, R9). So nothing of the game before has to be known, and who has only just come is told
the same. All texts are without a stop, and no nickname is inflected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from p2pdurak.game.ruleset import NextLead
from p2pdurak.ui.language import marked as _

if TYPE_CHECKING:
    from gettext import NullTranslations

    from p2pdurak.wire.genesis import Genesis

FOOL_DEALS = _("{name} deals, as the fool of the game before")
AGAIN_DEALS = _("{name} deals again, after a draw")
# Where the lowest trump leads in every game, the genesis is the same after a draw.
FOOL_OR_AGAIN_DEALS = _("{name} deals: the fool of the game before, or after a draw the dealer of it")
YOU_DEAL = {
    FOOL_DEALS: _("you deal, as the fool of the game before"),
    AGAIN_DEALS: _("you deal again, after a draw"),
    FOOL_OR_AGAIN_DEALS: _("you deal: as the fool of the game before, or after a draw as the dealer of it"),
}
"""The same, told to whoever deals."""

UNDER_LEADS = _("{name} leads: to the right of {fool}, the fool, who defends (under the fool)")
FROM_UNDER_LEADS = _("{name} leads: to the left of {fool}, the fool (from under the fool)")

YOU_LEAD = {
    UNDER_LEADS: _("you lead: to the right of {fool}, the fool, who defends (under the fool)"),
    FROM_UNDER_LEADS: _("you lead: to the left of {fool}, the fool (from under the fool)"),
}
FOOL_IS_LED = {
    UNDER_LEADS: _("{name} leads: to the right of you, the fool, who defend (under the fool)"),
    FROM_UNDER_LEADS: _("{name} leads: to the left of you, the fool (from under the fool)"),
}
"""The same, told to whoever leads, and to the fool."""


def why_deals(say: NullTranslations, genesis: Genesis, dealer: int, me: int | None = None) -> str:
    """Return why ``dealer`` deals this game, where the game before decided it; ``me`` is the reader's seat, if any."""
    if genesis.opening.leader is not None:
        sentence = FOOL_DEALS
    elif genesis.rules.next_lead is NextLead.LOWEST_TRUMP:
        sentence = FOOL_OR_AGAIN_DEALS
    else:
        sentence = AGAIN_DEALS
    return say.gettext(YOU_DEAL[sentence] if dealer == me else sentence).format(name=genesis.name(dealer))


def why_leads(say: NullTranslations, genesis: Genesis, leader: int, me: int | None = None) -> str:
    """Return why ``leader`` leads this game, where the game before decided it; then the fool deals.

    ``me`` is the reader's seat, if any.
    """
    sentence = UNDER_LEADS if genesis.rules.next_lead is NextLead.UNDER else FROM_UNDER_LEADS
    dealer = genesis.opening.dealer
    fool = "" if dealer is None else genesis.name(dealer)
    if me is not None and me in (leader, dealer):
        sentence = (YOU_LEAD if leader == me else FOOL_IS_LED)[sentence]
    return say.gettext(sentence).format(name=genesis.name(leader), fool=fool)
