"""What a person says at a table: a line of text or a phrase, signed by the speaker so that peers can pass it on.

It is no message of a game, and so neither in its chain nor in its transcript. Words are bound to one game of one table
by the hash that its opener shows for it, and numbered, so that nobody can say them again elsewhere or later.
Rejected: a counter for the number, since it would have to be kept on the disk. Normative text: ``protocol/chat.md``.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from p2pdurak.crypto.identity import PUBLIC_KEY_BYTES, verify_signature
from p2pdurak.errors import CryptoError, MalformedMessage, NotationError
from p2pdurak.wire.codec import decode, encode
from p2pdurak.wire.digest import DIGEST_BYTES
from p2pdurak.wire.names import clean_nickname
from p2pdurak.wire.talk import Chat

if TYPE_CHECKING:
    from p2pdurak.crypto.identity import SigningKey

VERSION: Final = 1
DOMAIN: Final = b"p2pdurak/1/chat"
MAX_CHARACTERS: Final = 200
PHRASES: Final = 8
"""Phrases are numbered from 1; what they mean is said in the reader's language."""
MAX_NUMBER: Final = 2**53 - 1

Remark: TypeAlias = str | int
"""A text as it came, to be shown with care, or the number of a phrase."""


@dataclass(frozen=True, slots=True)
class Words:
    """What ``speaker``, a public key that calls itself ``nickname``, says at the game that ``lot`` stands for."""

    lot: bytes
    speaker: bytes
    nickname: str
    number: int
    remark: Remark


def clean_text(text: str) -> str:
    """Return what was typed as one line of printable characters; raises NotationError if none or too much is left."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    line = " ".join("".join(sign for sign in line if sign.isprintable()).split())
    if not line:
        raise NotationError("There is nothing to say in an empty line.")
    if len(line) > MAX_CHARACTERS:
        raise NotationError("Say it in at most {limit} characters.", limit=MAX_CHARACTERS)
    return line


def seal_words(key: SigningKey, words: Words) -> Chat:
    """Return the talk that says ``words``, signed by ``key``, which is the speaker's."""
    payload = encode((VERSION, words.lot, words.speaker, words.nickname, words.number, words.remark))
    return Chat(payload, key.sign(DOMAIN, payload))


def read_words(chat: Chat) -> Words:
    """Return the words in a talk, whose signature is still to be verified; raises MalformedMessage."""
    match decode(chat.payload):
        case (int() as version, bytes() as lot, bytes() as speaker, str() as nickname, int() as number, remark) if (
            type(version) is int
            and version == VERSION
            and len(lot) == DIGEST_BYTES
            and len(speaker) == PUBLIC_KEY_BYTES
            and _is_nickname(nickname)
            and type(number) is int
            and 0 < number <= MAX_NUMBER
        ):
            if isinstance(remark, str) and 0 < len(remark) <= MAX_CHARACTERS:
                return Words(lot, speaker, nickname, number, remark)
            if type(remark) is int and 0 < remark <= PHRASES:
                return Words(lot, speaker, nickname, number, remark)
    raise MalformedMessage("chat", "Words arrived that do not have the form of a chat.")


def verify_words(words: Words, chat: Chat) -> None:
    """Raise MalformedMessage unless the speaker has signed the words that were read from ``chat``."""
    try:
        verify_signature(words.speaker, DOMAIN, chat.payload, chat.signature)
    except CryptoError as error:
        raise MalformedMessage("signature", "Words arrived that their speaker has not signed.") from error


def _is_nickname(text: str) -> bool:
    try:
        return clean_nickname(text) == text
    except NotationError:
        return False
