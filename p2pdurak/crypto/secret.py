"""Everything that a player chooses at random in one game, derived from one 32-byte secret.

HMAC-SHA512 keyed with the secret, over a frame that names the game, the seat, what is derived, its index and the
context it belongs to. So a restarted program says the same bytes again, a published secret lets anybody recompute all
that its owner did, and two different things never share a random value: neither two proofs, which would give away the
key, nor two games played from one copied disk. HKDF was rejected as two layers where one suffices (the secret is
already uniform), keyed BLAKE2b because the rest of the protocol is SHA-512 and an implementer should need one hash.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from p2pdurak.crypto.framing import frame, u32
from p2pdurak.crypto.scalars import ORDER, Scalar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SECRET_BYTES = 32
_LOT_KEY = b"p2pdurak/1/lot"


@dataclass(frozen=True, slots=True)
class PlayerSecret:
    """One player's 32-byte ``secret`` in the game ``game_id`` (32 bytes) at ``seat``; ValueError for other lengths.

    The same label, index and context always give the same value. Callers keep the labels of different uses apart and
    put everything that a value may depend on into ``context``.
    """

    secret: bytes = field(repr=False)
    game_id: bytes
    seat: int

    def __post_init__(self) -> None:
        if len(self.secret) != SECRET_BYTES or len(self.game_id) != SECRET_BYTES:
            raise ValueError(f"A player's secret and a game id have {SECRET_BYTES} bytes each.")

    def _derive(self, output: bytes, label: str, index: int, context: bytes) -> bytes:
        statement = frame(
            b"p2pdurak/1/derive", output, self.game_id, u32(self.seat), label.encode(), u32(index), context
        )
        return hmac.digest(self.secret, statement, "sha512")

    def scalar(self, label: str, index: int, context: bytes) -> Scalar:
        """Return a scalar in [1, ORDER), uniform up to 2^-250."""
        # Reducing modulo ORDER - 1 and adding 1 leaves out zero without a loop that no test would ever enter.
        return 1 + int.from_bytes(self._derive(b"scalar", label, index, context), "little") % (ORDER - 1)

    def scalars(self, label: str, context: bytes, n: int) -> list[Scalar]:
        """Return ``scalar(label, j, context)`` for ``j`` from 0 to n - 1."""
        return [self.scalar(label, j, context) for j in range(n)]

    def permutation(self, label: str, context: bytes, n: int) -> tuple[int, ...]:
        """Return a uniformly distributed arrangement of 0 to n - 1 (Fisher and Yates, unbiased)."""
        words = _words(lambda block: self._derive(b"permutation", label, block, context))
        order = list(range(n))
        for last in range(n - 1, 0, -1):
            chosen = _uniform(words, last + 1)
            order[last], order[chosen] = order[chosen], order[last]
        return tuple(order)

    def key(self) -> Scalar:
        """Return the player's private key ``x`` of the game's deck; ``x * G`` is the share of the joint key."""
        return self.scalar("key", 0, b"")

    def lot_seed(self) -> bytes:
        """Return the player's 32 bytes for the lot of the table."""
        return self.bytes("lot")

    def bytes(self, label: str) -> bytes:  # the last method: below it ``bytes`` is no longer the type
        """Return 32 bytes."""
        return self._derive(b"bytes", label, 0, b"")[:32]


def draw_lot(seed: bytes, label: str, n: int) -> int:
    """Return a number in [0, n), uniform, that everybody who knows the public ``seed`` computes alike.

    ``label`` tells what the lot is drawn for. ValueError for n outside [1, 2^32].
    """
    if not 1 <= n <= 2**32:
        raise ValueError("A lot is drawn among at least one and at most 2^32 possibilities.")
    words = _words(lambda block: hmac.digest(_LOT_KEY, frame(seed, label.encode(), u32(block)), "sha512"))
    return _uniform(words, n)


def commitment(label: str, game_id: bytes, seat: int, *values: bytes) -> bytes:
    """Return 32 bytes that bind ``seat`` in the game to ``values`` and hide them.

    Hiding needs at least one value that nobody can guess, such as a player's secret or lot seed. To open it, publish
    the values; to check it, compute it again and compare.
    """
    return hashlib.sha512(frame(b"p2pdurak/1/commitment", label.encode(), game_id, u32(seat), *values)).digest()[:32]


def _words(block: Callable[[int], bytes]) -> Iterator[int]:
    """Cut the 64-byte blocks 0, 1, 2 … into big-endian numbers in [0, 2^32)."""
    counter = 0
    while True:
        data = block(counter)
        for start in range(0, len(data), 4):
            yield int.from_bytes(data[start : start + 4], "big")
        counter += 1


def _uniform(words: Iterator[int], n: int) -> int:
    """Return a uniform number in [0, n) from the first word below the largest multiple of ``n`` up to 2^32."""
    limit = 2**32 - 2**32 % n
    return next(word for word in words if word < limit) % n
