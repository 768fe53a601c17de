"""The rules for players as a book: sections from the deal to the next game, their sentences, and when each is said.

A table and not code, so that it reads like the book that it is. What depends on a single option stands in
``rule_options``; here are the sentences that all rulesets share, or all with a certain kind of play.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from p2pdurak.game.ruleset import NextLead, Ruleset, Throwers, Transfers
from p2pdurak.ui.language import marked as _
from p2pdurak.ui.rule_effects import matters, most_attack_cards

if TYPE_CHECKING:
    from collections.abc import Callable

Condition: TypeAlias = "Callable[[Ruleset], bool]"


def _always(_rules: Ruleset) -> bool:
    return True


def _single(rules: Ruleset) -> bool:
    return most_attack_cards(rules) == 1


def _several(rules: Ruleset) -> bool:
    return most_attack_cards(rules) > 1


def _thrown_in(rules: Ruleset) -> bool:
    return rules.throwers is not Throwers.NONE


def _thrown_in_again(rules: Ruleset) -> bool:
    # One attack card is led, and at least two more follow, at once or one after the other.
    return _thrown_in(rules) and most_attack_cards(rules) > 2


def _by_leader(rules: Ruleset) -> bool:
    return rules.throwers is Throwers.LEADER


def _by_many(rules: Ruleset) -> bool:
    return _thrown_in(rules) and not _by_leader(rules)


def _transferred(rules: Ruleset) -> bool:
    return rules.transfer is not Transfers.NONE


def _limited(rules: Ruleset) -> bool:
    return rules.bout_cap is not None or rules.first_bout_cap is not None


def _perhaps_without_leader(rules: Ruleset) -> bool:
    # After a transfer, whoever led may be no neighbour of the defender.
    return rules.throwers is Throwers.NEIGHBOURS and _transferred(rules)


def _from_leader(rules: Ruleset) -> bool:
    return _by_many(rules) and not _perhaps_without_leader(rules)


def _laid_to_transfer(rules: Ruleset) -> bool:
    return _transferred(rules) and _several(rules)


def _transferred_and_more(rules: Ruleset) -> bool:
    # After a transfer another one, or throwing in. A trump that is shown adds no attack card.
    return _transferred(rules) and most_attack_cards(rules) > (1 if rules.transfer_by_showing else 2)


class Told(NamedTuple):
    """A sentence, the numbers of the rules that it tells, and the rulesets, in plain form, that it is said of."""

    rules: str
    sentence: str
    when: Condition = _always


class Choice(NamedTuple):
    """Here the sentence of an option's value is said, where the option matters."""

    rules: str
    option: str

    def when(self, rules: Ruleset) -> bool:
        """Tell whether the option matters under these rules."""
        return matters(self.option, rules)


BOOK: Final[tuple[tuple[str, tuple[Told | Choice, ...]], ...]] = (
    (
        _("Players and cards"),
        (
            Told("R2", _("Two to six people play, each for themselves.")),
            Told("R1", _("They use one pack of 36 cards (6 to ace) or of 52 (2 to ace).")),
            Told("R1", _("From low to high, the ranks are 2 3 4 5 6 7 8 9 10 J Q K A.")),
            Told("R37", _("The aim is to get rid of all cards: the last one with cards in hand is the fool.")),
        ),
    ),
    (
        _("The deal"),
        (
            Told("R3", _("Everybody is dealt six cards, one at a time, beginning at the dealer's left.")),
            Told("R4", _("The next card is turned up, and its suit is trump.")),
            Told("R4", _("It goes under the rest of the pack, the talon, and is the talon's last card.")),
            Told(
                "R5",
                _(
                    "With six players and 36 cards there is no talon: the dealer's last card is shown to all, gives "
                    "the trump, and stays in the dealer's hand."
                ),
            ),
            Told("R6", _("In the first game, whoever holds the lowest trump leads; it need not be with that card.")),
            Choice("R7", "no_trump_lead"),
        ),
    ),
    (
        _("The attack"),
        (
            Told("R13", _("A bout is one attack and its defence.")),
            Told("R13", _("The leader attacks the next player clockwise, who is the defender.")),
            Choice("R13", "lead"),
            Told("R14", _("There are never more unbeaten cards on the table than the defender holds."), _several),
            Choice("R15", "bout_cap"),
            Choice("R16", "first_bout_cap"),
            Told("R11 R12", _("Only the player who is asked acts, and only with cards in their hand.")),
        ),
    ),
    (
        _("The defence"),
        (
            Told("R17", _("A card is beaten by a higher card of its suit, and one that is no trump by any trump too.")),
            Told("R18", _("Cards are beaten in any order, one by one; what is beaten stays beaten."), _several),
            Told("R19", _("A defender who cannot beat, or does not want to, takes. “Take” is final.")),
        ),
    ),
    (
        _("Throwing in"),
        (
            Choice("R20", "throwers"),
            Told(
                "R21",
                _("A card thrown in is of a rank that lies on the table already."),
                _thrown_in,
            ),
            Told("R21", _("Several may be thrown in at once."), _thrown_in_again),
            Told("R22", _("Whoever led the bout throws in or passes."), _by_leader),
            Told(
                "R22",
                _("They are asked again whenever all is beaten again."),
                lambda rules: _by_leader(rules) and _thrown_in_again(rules),
            ),
            Told(
                "R22",
                _("Those who may are asked clockwise, beginning with whoever led the bout, and throw in or pass."),
                _from_leader,
            ),
            Told(
                "R22",
                _("Those who may are asked clockwise from whoever led the bout, and throw in or pass."),
                _perhaps_without_leader,
            ),
            Told(
                "R22",
                _("As soon as a card is laid, all passes are void, and when it is beaten, the asking begins anew."),
                lambda rules: _by_many(rules) and _thrown_in_again(rules),
            ),
            Told("R22", _("Who has no fitting card is asked all the same: not to be asked would tell."), _by_many),
            Told("R22", _("They are asked even without a fitting card: not to be asked would tell."), _by_leader),
            Told("R22", _("Who holds no card is not asked."), _thrown_in),
            Told("R22", _("Nobody is asked when no more cards are allowed."), _thrown_in),
            Choice("R23", "throw_after_take"),
            Told(
                "R23",
                _("The asking goes round once, clockwise, beginning with whoever led the bout."),
                lambda rules: rules.throw_after_take and _from_leader(rules),
            ),
            Told(
                "R23",
                _("The asking goes round once, clockwise from whoever led the bout."),
                lambda rules: rules.throw_after_take and _perhaps_without_leader(rules),
            ),
        ),
    ),
    (
        _("Transferring"),
        (
            Choice("R24", "transfer"),
            Told(
                "R25 R26",
                _(
                    "To transfer, lay a card of the rank that all unbeaten cards share. It joins them, and all of them "
                    "now attack the next player clockwise."
                ),
                _laid_to_transfer,
            ),
            Told("R26", _("That player may transfer in turn, if need be full circle."), _transferred_and_more),
            Told("R26", _("With two players, the attack goes back to whoever led it."), _transferred),
            Told(
                "R26",
                _(
                    "An attack is not transferred if it would have more unbeaten cards than the next player holds, or "
                    "more cards than a bout may have, or if nobody else is left."
                ),
                lambda rules: _transferred(rules) and _limited(rules),
            ),
            Told(
                "R26",
                _(
                    "An attack is not transferred if it would have more unbeaten cards than the next player holds, or "
                    "if nobody else is left."
                ),
                lambda rules: _transferred(rules) and not _limited(rules),
            ),
            Choice("R28", "transfer_by_showing"),
            Choice("R27", "transfer_first_bout"),
            Told(
                "R29",
                _("A transfer changes only who defends: whoever led the bout still counts as its leader."),
                _transferred,
            ),
            Told(
                "R29",
                _("If the leader has become the defender, asking who throws in begins with the player to their left."),
                lambda rules: _transferred_and_more(rules) and _by_many(rules),
            ),
            Told(
                "R29",
                _("If the leader has become the defender, nobody throws in."),
                lambda rules: _transferred_and_more(rules) and _by_leader(rules),
            ),
        ),
    ),
    (
        _("The end of a bout"),
        (
            Told("R30", _("When everything is beaten, the bout is over."), lambda rules: not _thrown_in(rules)),
            Told("R30", _("When everything is beaten and nobody throws in any more, the bout is over."), _thrown_in),
            Told("R30", _("All cards of a beaten bout go face down to the discard, out of play.")),
            Told("R31", _("A defender who takes picks up the card that attacked."), _single),
            Told("R31", _("A defender who takes picks up everything that lies on the table, beaten or not."), _several),
            Told(
                "R32",
                _(
                    "Then all who hold fewer than six cards draw from the talon up to six, one player after the other, "
                    "as long as it lasts."
                ),
            ),
            Choice("R33", "draw_order"),
            Told("R34", _("The face-up trump is drawn last, like any other card.")),
            Told("R36", _("After a beaten bout, its defender leads the next one.")),
            Told("R36", _("After a taken bout, the player to the taker's left leads the next one.")),
        ),
    ),
    (
        _("The end of the game"),
        (
            Told("R35", _("Who holds no card when the talon is empty is out, and skipped from then on.")),
            Told("R35", _("As long as the talon lasts, nobody is out.")),
            Told(
                "R37",
                _("If only one player holds cards after the drawing that follows a bout, that player is the fool."),
            ),
            Told("R38", _("The places of the others go by when each got rid of their last card.")),
            Choice("R39", "draws"),
            Told(
                "R40",
                _(
                    "The game is a draw if a bout begins with the same position for the third time, as far as "
                    "everybody can see it, or if a hundred bouts in a row bring no card from the talon and none to the "
                    "discard."
                ),
            ),
        ),
    ),
    (
        _("The next game"),
        (
            Told("R9", _("The first dealer is drawn by lot. Later the last fool deals; after a draw the same dealer.")),
            Choice("R8", "next_lead"),
            Told(
                "R8",
                _("After a draw, whoever holds the lowest trump leads, as in a first game."),
                lambda rules: rules.next_lead is not NextLead.LOWEST_TRUMP,
            ),
            Told(
                "R10",
                _(
                    "If players have changed seats, the fool still deals, and neighbours are those of the new seats. "
                    "If that player is gone, the next game begins like a first one."
                ),
            ),
        ),
    ),
)
"""Headings, and what is said under each."""
