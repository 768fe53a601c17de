"""What all peers of a table compute alike is computed once, since in tests they live in one process.

Every peer checks the same proofs and signatures, so most of both come as often as there are peers, and once more in
the audit. Libsodium's functions of the group are pure, and so is the check of a signature; their arguments are bytes:
remembering their results changes nothing but the time, to less than half of it at a table of four. A signature that
does not hold is not remembered. Benchmarks and the processes that tests start do not share.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import rbcl

from p2pdurak.crypto import identity

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

SHARED: Final = (
    "crypto_scalarmult_ristretto255",
    "crypto_scalarmult_ristretto255_base",
    "crypto_core_ristretto255_add",
    "crypto_core_ristretto255_sub",
    "crypto_core_ristretto255_is_valid_point",
)
KEPT: Final = 1 << 16
"""Results that are remembered of each function, the latest: more than a game of six has, in some 40 MB at most."""
KEPT_SIGNATURES: Final = 1 << 10
"""Signatures that are remembered of each key, the latest: more than anybody makes in a long game."""
KEPT_KEYS: Final = 64


def share_group_operations() -> None:
    """Remember what libsodium answers and which signatures hold, from now on and in this process."""
    for name in SHARED:
        function = getattr(rbcl, name)
        if not hasattr(function, "cache_info"):
            setattr(rbcl, name, lru_cache(maxsize=KEPT)(function))
    load = identity._load_public_key
    if load.__module__ == identity.__name__:
        setattr(identity, load.__name__, lru_cache(maxsize=KEPT_KEYS)(lambda public: SharedKey(load(public))))


class SharedKey:
    """A public key for signatures that remembers which of them hold."""

    def __init__(self, key: Ed25519PublicKey) -> None:
        self.verify = lru_cache(maxsize=KEPT_SIGNATURES)(key.verify)
