"""Talking at a table: who may speak there, what was heard before, how much is too much, and passing it on.

Words never come near a session or a journal. They are taken once, and passed on by seats, because not every pair of
peers has a link. Limits are counted here, by whoever hears, since a speaker's own count binds nobody; words beyond
them are lost and not queued, or a flood would be shown long after it. Normative text: ``protocol/chat.md``.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

import trio

from p2pdurak.errors import LocalProtocolError
from p2pdurak.wire.chat import MAX_NUMBER, Remark, Words, clean_text, read_words, seal_words, verify_words
from p2pdurak.wire.talk import encode_talk

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from p2pdurak.net.mesh import Mesh
    from p2pdurak.wire.talk import Chat

Value = TypeVar("Value")

SPEAKER_WORDS, SPEAKER_SECONDS = 5, 10.0
"""How much one player may say in how much time, and all watchers together."""
LINK_WORDS, LINK_SECONDS = 60, 10.0
"""How much one link may bring: more than all who may speak at a table say, with what was passed on."""
KEPT_NUMBERS: Final = 16
KEPT_LOTS: Final = 4
KEPT_EARLY: Final = 16
MAX_SPEAKERS: Final = 64
WATCHERS: Final = b""
"""Stands for all watchers in the count of words."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """For the person: words that somebody at the table has said, or we ourselves."""

    speaker: bytes
    nickname: str
    watching: bool
    remark: Remark


@dataclass(frozen=True, slots=True)
class TooMuch:
    """For the person: somebody says so much that some of it is left out."""

    speaker: bytes
    nickname: str
    watching: bool


ChatEvent: TypeAlias = Spoken | TooMuch


@dataclass(frozen=True, slots=True)
class Circle:
    """Who may speak now: the players' nicknames by key, and the keys of the watchers."""

    players: Mapping[bytes, str]
    watchers: Collection[bytes]

    def __contains__(self, key: bytes) -> bool:
        return key in self.players or key in self.watchers


class Allowance:
    """So many in so many seconds; ``warned`` tells that somebody was told of what is beyond, until it is less again."""

    def __init__(self, number: int, seconds: float) -> None:
        self.warned = False
        self._seconds = seconds
        self._times: deque[float] = deque(maxlen=number)

    def spend(self, now: float) -> bool:
        """Take one at the time ``now`` in seconds; return False if there is none."""
        if len(self._times) == self._times.maxlen and now - self._times[0] < self._seconds:
            return False
        self._times.append(now)
        return True


class ChatRoom:
    """What is said at one table: ``circle`` gives who may speak there now, ``tell`` hears of what is said.

    Nothing can be said before ``at`` has told at which game.
    """

    def __init__(self, mesh: Mesh, circle: Callable[[], Circle], tell: Callable[[ChatEvent], object]) -> None:
        self._mesh = mesh
        self._circle = circle
        self._tell = tell
        self._lot = b""
        self._lots: deque[bytes] = deque(maxlen=KEPT_LOTS)
        self._last = 0
        self._own = Allowance(SPEAKER_WORDS, SPEAKER_SECONDS)
        self._speakers: dict[bytes, Allowance] = {}
        self._links: dict[bytes, Allowance] = {}
        self._heard: dict[bytes, deque[int]] = {}
        self._early: deque[tuple[bytes, Chat, Words]] = deque(maxlen=KEPT_EARLY)

    def at(self, lot: bytes) -> None:
        """Speak at the game that ``lot`` stands for from now on, and take what was said there already."""
        self._lot = lot
        if lot in self._lots:
            return
        self._lots.append(lot)
        early, self._early = self._early, deque(maxlen=KEPT_EARLY)
        for peer, chat, words in early:
            self._take(peer, chat, words)

    def move(self, circle: Callable[[], Circle]) -> None:
        """Go by another ``circle`` from now on: somebody else has the table."""
        self._circle = circle

    def say(self, remark: Remark) -> None:
        """Say a line of text, or the phrase of that number, to all at the table.

        Raises NotationError for a text that cannot be said, LocalProtocolError where nothing can be said now.
        """
        if isinstance(remark, str):
            remark = clean_text(remark)
        me, circle = self._mesh.identity.public, self._circle()
        if not self._lot or me not in circle:
            raise LocalProtocolError("You are not at the table yet; nobody would hear you.")
        if not self._own.spend(trio.current_time()):
            raise LocalProtocolError("That is too much at once; say it again in a few seconds.")
        self._last = min(max(self._last + 1, time.time_ns() // 1_000_000), MAX_NUMBER)
        words = Words(self._lot, me, self._mesh.nickname, self._last, remark)
        self._pass_on(seal_words(self._mesh.identity, words), me, me, circle)
        self._tell(Spoken(me, self._mesh.nickname, me not in circle.players, remark))

    def hear(self, peer: bytes, chat: Chat) -> None:
        """Take what ``peer`` brings; raises MalformedMessage for what it must not bring."""
        if peer not in self._circle():
            return
        if not _of(self._links, peer, Allowance(LINK_WORDS, LINK_SECONDS)).spend(trio.current_time()):
            return
        words = read_words(chat)
        if words.speaker == self._mesh.identity.public or words.speaker not in self._circle():
            return
        # Before the signature, which takes longer; but only what is signed is remembered, or a forger could use up
        # the numbers of others.
        if _is_old(self._heard.get(words.speaker, ()), words.number):
            return
        verify_words(words, chat)
        _of(self._heard, words.speaker, deque(maxlen=KEPT_NUMBERS)).append(words.number)
        self._take(peer, chat, words)

    def _take(self, peer: bytes, chat: Chat, words: Words) -> None:
        """Show words and pass them on, if it is known at which game they are said, and if they are not too many."""
        circle, speaker = self._circle(), words.speaker
        if words.lot not in self._lots:
            self._early.append((peer, chat, words))
        elif speaker in circle:
            watching = speaker not in circle.players
            nickname = words.nickname if watching else circle.players[speaker]
            one = WATCHERS if watching else speaker
            allowance = _of(self._speakers, one, Allowance(SPEAKER_WORDS, SPEAKER_SECONDS))
            if allowance.spend(trio.current_time()):
                allowance.warned = False
                if self._mesh.identity.public in circle.players:
                    self._pass_on(chat, peer, speaker, circle)
                self._tell(Spoken(speaker, nickname, watching, words.remark))
            elif not allowance.warned:
                allowance.warned = True
                self._tell(TooMuch(speaker, nickname, watching))

    def _pass_on(self, chat: Chat, peer: bytes, speaker: bytes, circle: Circle) -> None:
        others = {*circle.players, *circle.watchers} - {self._mesh.identity.public, peer, speaker}
        self._mesh.broadcast(encode_talk(chat), others)


def _is_old(heard: Collection[int], number: int) -> bool:
    """Tell whether a number was heard, or is below all that are remembered when there are as many as can be."""
    return number in heard or (len(heard) == KEPT_NUMBERS and number < min(heard))


def _of(store: dict[bytes, Value], key: bytes, new: Value) -> Value:
    """Return what is kept for ``key``, ``new`` if there was nothing; the oldest goes when there is too much."""
    if key not in store and len(store) >= MAX_SPEAKERS:
        del store[next(iter(store))]
    return store.setdefault(key, new)
