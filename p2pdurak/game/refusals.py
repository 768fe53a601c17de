"""What a refused player is told: the rule in one sentence, and what they may do instead.

One table holds the sentences; ``protocol/rules.md`` has each of them, word for word, in the row of that number. Thus
what people read in the rules is what they are told at the table. Sentences composed at each check were rejected: they
drifted from the rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pdurak.errors import IllegalAction

if TYPE_CHECKING:
    from collections.abc import Mapping

SENTENCES: Final[Mapping[str, str]] = {
    "R11": "Only the seat that is asked acts, and only on what it is asked",
    "R12": "A player plays only cards that they hold, each once",
    "R13 lead=one": "A bout is opened with a single card",
    "R13 lead=same-rank": "A bout is opened with one card or several of one rank",
    "R14": "Never more attack cards lie unbeaten than the defender holds cards",
    "R15": "The attack cards of a bout are at most {bout_cap} in all",
    "R16": "Until a bout of the game has been beaten, the attack cards of a bout are at most {first_bout_cap}",
    "R17": "A card is beaten by a higher card of the same suit, and a card that is not trump also by any trump",
    "R18": "The defender beats one unbeaten card at a time, in any order, and a beaten card stays beaten",
    "R21": "Cards thrown in or added have a rank that lay on the table before",
    "R24 transfer=none": "An attack is never transferred",
    "R24 transfer=before-beat": "An attack is transferred only while nothing on the table is beaten",
    "R25": "A transfer needs a card of the one rank that all unbeaten cards share",
    "R26": "An attack is transferred only to another player, and only if it fits that player's hand and the bout",
    "R27": "Nothing is transferred in the first bout of a game",
    "R28 transfer_by_showing=false": "A card that transfers is laid, not shown",
    "R28": "Only a trump is shown, only before anything is beaten, and each only once a bout",
}
"""By the rule's number, with the option where the sentence depends on it; braces hold the name of a limit."""


def refusal(rule: str, instead: str, **limits: int) -> IllegalAction:
    """Return the error that says what the rule says and then, after a colon, what to do ``instead``.

    ``rule`` is a key of ``SENTENCES``; ``limits`` are the values for the names in its braces.
    """
    return IllegalAction(rule.partition(" ")[0], f"{SENTENCES[rule].format_map(limits)}: {instead}.")
