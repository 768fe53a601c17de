"""The code of a table: only who knows it gets in, and nobody learns it by trying, listening or sitting in between.

SPAKE2 (Abdalla and Pointcheval, 2005; RFC 9382 has the same protocol with other constants), by the library ``spake2``,
and on top of it both sides confirm the key.  Both identities contain the link's binding, so what is said on one link
is worthless on any other: a relay that passes everything on between two links makes both ends refuse.  The asker
confirms first: one who has only guessed learns nothing at all before the keeper has counted the attempt, and then
only whether this one guess was right.

The library is pure Python and its time depends on the code, by some microseconds in eight milliseconds.  A stranger
can measure that no oftener than guess, and ``Guesses`` counts an attempt when it begins, not when it has failed.

Rejected: sending the code, or a hash of it, under TLS (whoever opens a table of the same name collects codes, and a
short code is found from its hash in a second); CPace on our own group (shorter, but then no library, and nobody's eyes,
would stand behind the exchange).  Normative text: ``protocol/code.md``.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import math
import secrets
import unicodedata
from typing import TYPE_CHECKING, Final

from p2pdurak.crypto.framing import frame
from p2pdurak.crypto.identity import check_public_key
from p2pdurak.crypto.words import WORDS
from p2pdurak.errors import InvalidEncoding, LinkError, LocalProtocolError, MalformedMessage, NotationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from spake2 import SPAKE2_A, SPAKE2_B

MIN_CODE_CHARACTERS: Final = 4
MAX_CODE_CHARACTERS: Final = 40
CODE_ENTROPY_BYTES: Final = 3
MESSAGE_BYTES: Final = 32
"""Each of the four messages has exactly this length."""

FREE_GUESSES: Final = 5
"""Wrong guesses in a row, from one place, that cost no waiting."""
FIRST_WAIT_SECONDS: Final = 5.0
LAST_WAIT_SECONDS: Final = 600.0
MANY_GUESSES: Final = 100
"""Wrong guesses from everywhere together after which all have to wait for each other."""
COMMON_WAIT_SECONDS: Final = 30.0
# Who has an IPv6 network to choose addresses from has all the rest of the bits.
_IPV6_NETWORK_BITS = 64

_ASKER_ID = b"p2pdurak/1/code asker"
_KEEPER_ID = b"p2pdurak/1/code keeper"
_ASKER_CONFIRMS = b"p2pdurak/1/code asker confirms"
_KEEPER_CONFIRMS = b"p2pdurak/1/code keeper confirms"
_NUMBERS = 64


class WrongCode(LinkError):
    """The other side does not know the same code, or somebody sits in between."""


class TooManyGuesses(LinkError):
    """A code is not even tried now; ``wait`` is for how many seconds."""

    def __init__(self, wait: float) -> None:
        super().__init__("Too many wrong codes were tried: try again in {seconds} s.", seconds=math.ceil(wait))
        self.wait = wait


def clean_code(text: str) -> str:
    """Return the code in its one canonical form, 4 to 40 lower-case letters and digits, parts joined by ``-``.

    How somebody writes capitals, blanks and hyphens makes no difference.  Raises NotationError if it is no code.
    """
    if len(text) > 4 * MAX_CODE_CHARACTERS:
        raise NotationError("A table's code has at most {most} characters.", most=MAX_CODE_CHARACTERS)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    parts = folded.replace("-", " ").split()
    code = "-".join(parts)
    # Some letters fold to something that folds further; nobody will miss them, and one code must have one form.
    if not all(part.isalnum() for part in parts) or unicodedata.normalize("NFKC", code.casefold()) != code:
        raise NotationError("A table's code may hold only letters, digits, and blanks or hyphens between them.")
    if not MIN_CODE_CHARACTERS <= len(code) <= MAX_CODE_CHARACTERS:
        raise NotationError(
            "A table's code has {least} to {most} characters.", least=MIN_CODE_CHARACTERS, most=MAX_CODE_CHARACTERS
        )
    return code


def make_code(entropy: bytes) -> str:
    """Return two words and a number from 1 to 64, such as ``lion-pepper-7``: 22 bits of the 3 bytes of ``entropy``."""
    first, second, number = entropy
    return f"{WORDS[first]}-{WORDS[second]}-{number % _NUMBERS + 1}"


class CodeAsker:
    """The side that wants in: send ``first()``, then give every message that comes to ``answer``, until ``done``.

    ``code`` is cleaned, ``binding`` the link's 32 bytes; ``entropy`` gives as many random bytes as it is asked for.
    One attempt takes one asker.
    """

    def __init__(self, code: str, binding: bytes, entropy: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self.done = False
        from spake2 import SPAKE2_A  # it computes tables when imported, which few tables need

        self._exchange = SPAKE2_A(code.encode(), *_identities(binding), entropy_f=entropy)
        self._first = _start(self._exchange)
        self._key: bytes | None = None
        self._over = False

    def first(self) -> bytes:
        """Return the first message of the exchange."""
        return self._first

    def answer(self, message: bytes) -> bytes | None:
        """Take the keeper's next message; return what to send, None after the last.

        Raises MalformedMessage for what is no such message, and WrongCode when the keeper knows another code; this
        attempt is over then.
        """
        _check(message, self._over)
        if self._key is None:
            self._key = _agree(self._exchange, message)
            return _confirmation(self._key, _ASKER_CONFIRMS)
        self._over = True
        if not hmac.compare_digest(message, _confirmation(self._key, _KEEPER_CONFIRMS)):
            raise WrongCode("The table's code is another one, or somebody sits in between.")
        self.done = True
        return None


class CodeKeeper:
    """The side that guards: give every message that comes to ``answer`` and send what it returns, until ``done``.

    Arguments as for ``CodeAsker``.  One attempt takes one keeper, and one ``Guesses.begin``.
    """

    def __init__(self, code: str, binding: bytes, entropy: Callable[[int], bytes] = secrets.token_bytes) -> None:
        self.done = False
        from spake2 import SPAKE2_B

        self._exchange = SPAKE2_B(code.encode(), *_identities(binding), entropy_f=entropy)
        self._first = _start(self._exchange)
        self._key: bytes | None = None
        self._over = False

    def answer(self, message: bytes) -> bytes:
        """Take the asker's next message; return what to send.  ``done`` afterwards means that the asker may come in.

        Raises MalformedMessage for what is no such message, and WrongCode when the asker knows another code; this
        attempt is over then, and the asker is still to be told.
        """
        _check(message, self._over)
        if self._key is None:
            self._key = _agree(self._exchange, message)
            return self._first
        self._over = True
        if not hmac.compare_digest(message, _confirmation(self._key, _ASKER_CONFIRMS)):
            raise WrongCode("That is not the code of this table.")
        self.done = True
        return _confirmation(self._key, _KEEPER_CONFIRMS)


class Guesses:
    """How often the code of one opened table has been tried in vain, from each place and altogether.

    An attempt counts as wrong from its beginning until ``right`` is called for it: who hangs up halfway or asks over
    sixty links at once gets no guess for free.  Nobody is ever shut out for good, since that would hand the door to
    whoever wants to keep others out.  Times are seconds of any clock that never goes back.
    """

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        self._wrong = 0
        self._closed_until: dict[str, float] = {}
        self._all_closed_until = -math.inf

    def begin(self, now: float, place: str) -> None:
        """Count a new attempt from ``place``, or raise TooManyGuesses if none may begin at ``now``."""
        until = max(self._closed_until.get(place, -math.inf), self._all_closed_until)
        if now < until:
            raise TooManyGuesses(until - now)
        row = self._rows[place] = self._rows.get(place, 0) + 1
        self._wrong += 1
        if row >= FREE_GUESSES:
            wait = FIRST_WAIT_SECONDS * 2.0 ** min(row - FREE_GUESSES, 32)
            self._closed_until[place] = now + min(wait, LAST_WAIT_SECONDS)
        if self._wrong >= MANY_GUESSES:
            self._all_closed_until = now + COMMON_WAIT_SECONDS

    def right(self, place: str) -> None:
        """Take back one attempt, which had the right code; the next wrong ones cost no waiting again."""
        if not self._wrong:
            raise LocalProtocolError("No attempt has begun that could have been right.")
        self._wrong -= 1
        self._rows.pop(place, None)  # of several who knock from one place at once, the first may have ended the row
        self._closed_until.pop(place, None)
        self._all_closed_until = -math.inf


def place_of(host: str) -> str:
    """Return what the guesses of somebody at this literal IP address are counted by; another text stands for itself.

    All of an IPv6 network of 64 bits may be one machine; link-local addresses are all in one such network, and count
    each for itself.
    """
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if address.version == 4 or address.is_link_local:
        return str(address)
    return str(ipaddress.ip_network((address, _IPV6_NETWORK_BITS), strict=False))


def _identities(binding: bytes) -> tuple[bytes, bytes]:
    return frame(_ASKER_ID, binding), frame(_KEEPER_ID, binding)


def _start(exchange: SPAKE2_A | SPAKE2_B) -> bytes:
    # The library puts a byte for the side in front; here the sides are fixed, so it would say nothing.
    message: bytes = exchange.start()[1:]
    return message


def _agree(exchange: SPAKE2_A | SPAKE2_B, message: bytes) -> bytes:
    from spake2 import SPAKE2_A

    other_side = b"B" if isinstance(exchange, SPAKE2_A) else b"A"
    try:
        # Our points are those of signing keys.  The library refuses those outside the subgroup, but would take the
        # identity, and others, in an encoding that is not reduced.
        check_public_key(message)
        key: bytes = exchange.finish(other_side + message)
    except (InvalidEncoding, ValueError):
        raise MalformedMessage("code", "The other side's message about the code is not a point of the group.") from None
    return key


def _check(message: bytes, over: bool) -> None:
    if over:
        raise MalformedMessage("code", "The other side goes on about a code that has been decided on.")
    if len(message) != MESSAGE_BYTES:
        raise MalformedMessage("code", "A message about a code has {length} bytes.", length=MESSAGE_BYTES)


def _confirmation(key: bytes, label: bytes) -> bytes:
    return hmac.digest(key, label, hashlib.sha256)
