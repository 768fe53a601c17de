"""What people type at a table: words and actions, in English or in Russian, on either keyboard layout.

A word is looked up as it stands and, since nobody looks at the keyboard's layout before typing it, by its keys:
``куфвн`` is ``ready``, and ``ujnjd`` is ``готов``. Cards are read the same way: ``Дп`` is the queen of spades, and so
is ``йы``; after a Russian word that was typed with Latin letters, so is ``lg``.
The readings never meet, so nothing has to be guessed: the Russian initials of ranks and suits are on keys that
belong to no rank or suit in the same place. Fuzzy matching was rejected: a move cannot be taken back.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Final

from p2pdurak.ui.console.keys import POSITIONS, RUSSIAN_POSITIONS

if TYPE_CHECKING:
    from collections.abc import Mapping


class Word(Enum):
    """What can be typed that is no action."""

    READY = "ready"
    START = "start"
    HELP = "help"
    QUIT = "quit"
    RESIGN = "resign"
    VOTE = "vote"


_WORDS: Final[Mapping[Word, tuple[str, ...]]] = {
    Word.READY: ("ready", "готов", "готова", "готовы"),
    Word.START: ("start", "старт", "начать", "начинай", "начинаем"),
    Word.HELP: ("help", "?", "помощь", "справка"),
    Word.RESIGN: ("resign", "сдаюсь", "сдаться"),
    Word.VOTE: ("vote", "голос", "голосую", "голосовать"),
    Word.QUIT: ("quit", "q", "exit", "выход", "выйти", "выхожу", "уйти", "ухожу"),
}

_VERBS: Final[Mapping[str, tuple[str, ...]]] = {
    "lead": ("lay", "положить", "ход", "ходить", "хожу", "пойти"),
    "cover": ("beat", "бить", "бью", "побить", "крыть", "крою", "покрыть"),
    "throw": ("подкинуть", "подкидывать", "подкидываю", "добавить", "добавляю"),
    "transfer": ("перевод", "перевести", "перевожу"),
    "show": ("показать", "показываю"),
    "take": ("взять", "беру"),
    "pass": ("пас", "пасую", "бито"),
}
"""By the word of the notation: others for it. A transfer by showing is also said in two words, like a choice is."""

_FILLERS: Final = ("with", "in", "by", "картой", "картами")
"""They stand in the choices as these are offered, and say nothing."""
_SHOWING: Final = ("showing", "показав")

_RANKS: Final = str.maketrans("вдктойлфе", "jqkajqkat")
"""Initials of валет, дама, король, туз; then the keys of J, Q, K, A, T."""
_SUITS: Final = str.maketrans("ткбчпсвры", "ccdhscdhs")
"""Initials of трефы or крести, бубны, черви, пики; then the keys of C, D, H, S."""

_WORD_OF: Final = {form: word for word, forms in _WORDS.items() for form in forms}
_VERB_OF: Final = {form: verb for verb, forms in _VERBS.items() for form in (verb, *forms)}


def word(text: str) -> Word | None:
    """Return the word that was typed, None if it is none of them."""
    typed = text.strip().lower()
    if typed == ",":  # the key of the question mark, on the Russian layout; positions are those of letters
        return Word.HELP
    readings = (typed, typed.translate(POSITIONS), typed.translate(RUSSIAN_POSITIONS))
    return next((_WORD_OF[reading] for reading in readings if reading in _WORD_OF), None)


def notation(text: str) -> str:
    """Return the action that was typed in the notation of the game, as far as it can be understood."""
    first = text.lower().split()[:1]
    # The comma and the full stop are Russian letters, too, so that is found out before they part anything.
    if first and _VERB_OF.get(first[0]) is None and first[0].translate(RUSSIAN_POSITIONS) in _VERB_OF:
        text = text.lower().translate(RUSSIAN_POSITIONS)
    verb, *rest = text.replace(",", " ").lower().split() or [""]
    verb = _VERB_OF.get(verb) or _VERB_OF.get(verb.translate(POSITIONS)) or verb
    rest = [part for part in rest if part not in _FILLERS]
    if verb == "transfer" and rest and rest[0] in _SHOWING:
        verb, rest = "show", rest[1:]
    return " ".join([verb, *map(_card, rest)])


def _card(text: str) -> str:
    bare = text.removesuffix("\ufe0f")
    return bare[:-1].translate(_RANKS) + bare[-1:].translate(_SUITS)
