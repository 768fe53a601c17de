"""What a refused player is told: the rule in one sentence, and what they may do instead.

One table holds the sentences; ``protocol/rules.md`` has each of them, word for word, in the row of that number. Thus
what people read in the rules is what they are told at the table. Sentences composed at each check were rejected: they
drifted from the rules. Each half is a ``Sentence`` with its own template and values, so that a console translates them
one by one, or says the first and puts its own advice in place of the second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from p2pdurak.errors import IllegalAction, Sentence
from p2pdurak.game.phrases import marked

if TYPE_CHECKING:
    from collections.abc import Mapping

SENTENCES: Final[Mapping[str, str]] = {
    "R11": marked("Only the seat that is asked acts, and only on what it is asked"),
    "R12": marked("A player plays only cards that they hold, each once"),
    "R13 lead=one": marked("A bout is opened with a single card"),
    "R13 lead=same-rank": marked("A bout is opened with one card or several of one rank"),
    "R14": marked("Never more attack cards lie unbeaten than the defender holds cards"),
    "R15": marked("The attack cards of a bout are at most {bout_cap} in all"),
    "R16": marked("Until a bout of the game has been beaten, the attack cards of a bout are at most {first_bout_cap}"),
    "R17": marked("A card is beaten by a higher card of the same suit, and a card that is not trump also by any trump"),
    "R18": marked("The defender beats one unbeaten card at a time, in any order, and a beaten card stays beaten"),
    "R21": marked("Cards thrown in or added have a rank that lay on the table before"),
    "R24 transfer=none": marked("An attack is never transferred"),
    "R24 transfer=before-beat": marked("An attack is transferred only while nothing on the table is beaten"),
    "R25": marked("A transfer needs a card of the one rank that all unbeaten cards share"),
    "R26": marked(
        "An attack is transferred only to another player, and only if it fits that player's hand and the bout"
    ),
    "R27": marked("Nothing is transferred in the first bout of a game"),
    "R28 transfer_by_showing=false": marked("A card that transfers is laid, not shown"),
    "R28": marked("Only a trump is shown, only before anything is beaten, and each only once a bout"),
}
"""By the rule's number, with the option where the sentence depends on it; braces hold the name of a limit."""


def refusal(rule: str, instead: str, **values: object) -> IllegalAction:
    """Return the error that says what the rule says and then, after a colon, what to do ``instead``.

    ``rule`` is a key of ``SENTENCES``; ``values`` are those for the names in braces of both halves, which are the
    error's values ``why`` and ``instead``.
    """
    why, other = Sentence(SENTENCES[rule], **values), Sentence(instead, **values)
    return IllegalAction(rule.partition(" ")[0], "{why}: {instead}.", why=why, instead=other)
