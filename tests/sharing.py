"""What all peers of a table compute alike is computed once, since in tests they live in one process.

Every peer checks the same proofs, so most multiplications of a table come as often as there are peers. Libsodium's
functions of the group are pure, and their arguments are bytes: remembering their results changes nothing but the time,
to half of it at a table of four. Benchmarks and the processes that tests start do not share.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import rbcl

SHARED: Final = (
    "crypto_scalarmult_ristretto255",
    "crypto_scalarmult_ristretto255_base",
    "crypto_core_ristretto255_add",
    "crypto_core_ristretto255_sub",
    "crypto_core_ristretto255_is_valid_point",
)
KEPT: Final = 1 << 16
"""Results that are remembered of each function, the latest: more than a game of six has, in some 40 MB at most."""


def share_group_operations() -> None:
    """Remember what libsodium answers, from now on and in this process."""
    for name in SHARED:
        function = getattr(rbcl, name)
        if not hasattr(function, "cache_info"):
            setattr(rbcl, name, lru_cache(maxsize=KEPT)(function))
