"""Why an opener refuses something: words that both sides know, and what a person is told of them.

The opener says a short word and the same in English, and whoever knows the word tells it in the person's language.
Sentences alone were rejected, since nobody could translate them; words alone, since a later version may have more.
Normative text: ``protocol/lobby.md``, "Refusals".
"""

from __future__ import annotations

import math
from enum import StrEnum

from p2pdurak.errors import LinkError, Sentence
from p2pdurak.net.code import TooManyGuesses
from p2pdurak.wire.talk import MAX_WAIT_SECONDS, Refuse


class Reason(StrEnum):
    """The reasons of this version."""

    FULL = "full"
    PLAYING = "playing"
    NO_WATCHERS = "no-watchers"
    WATCHED = "watched"
    CODE_WANTED = "code-wanted"
    CODE_WRONG = "code-wrong"
    CODE_LATER = "code-later"


class Refused(LinkError):
    """The opener has refused something; ``code`` is its word for why."""

    def __init__(self, code: str, said: Sentence) -> None:
        super().__init__(said.sentence, **said.values)
        self.code = code


def refusal(reason: Reason) -> Refuse:
    """Return what to say for a reason without a time to wait."""
    return Refuse(reason, 0, str(_sentence(reason, 0)))


def refusal_of_code(error: LinkError) -> Refuse:
    """Return what to say to whom the gate has not let in."""
    if not isinstance(error, TooManyGuesses):
        return refusal(Reason.CODE_WRONG)
    seconds = min(math.ceil(error.wait), MAX_WAIT_SECONDS)
    return Refuse(Reason.CODE_LATER, seconds, str(_sentence(Reason.CODE_LATER, seconds)))


def refused(said: Refuse) -> Refused:
    """Return the error for whom this was said to; a reason that is not known here is told in the opener's words."""
    if said.reason in list(Reason):
        return Refused(said.reason, _sentence(Reason(said.reason), said.seconds))
    return Refused(said.reason, Sentence("The table refuses you: {words}", words=said.words))


def _sentence(reason: Reason, seconds: int) -> Sentence:
    match reason:
        case Reason.FULL:
            return Sentence("All seats of this table are taken.")
        case Reason.PLAYING:
            return Sentence("A game is going on; a seat may be free after it.")
        case Reason.NO_WATCHERS:
            return Sentence("This table is not to be watched.")
        case Reason.WATCHED:
            return Sentence("As many as may are watching already.")
        case Reason.CODE_WANTED:
            return Sentence("This table asks for a code, which those who sit there know; commands take --code CODE.")
        case Reason.CODE_WRONG:
            return Sentence("That is not the code of this table.")
        case Reason.CODE_LATER:
            return Sentence("Too many wrong codes were tried: try again in {seconds} s.", seconds=seconds)
