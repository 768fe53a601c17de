"""Ed25519 keys and signatures at the edges: what lenient verifiers take and ``p2pdurak.crypto.identity`` must not.

Made with ``curve``, since no library makes them. A forged signature is not just random bytes: wherever possible the
equation does hold, so that only the check under test can refuse it.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from tests.crypto.curve import (
    BASE,
    NEUTRAL,
    L,
    P,
    Point,
    add,
    edwards_decode,
    edwards_encode,
    multiply,
    negate,
    torsion,
)
from tests.crypto.reference import frame

if TYPE_CHECKING:
    from collections.abc import Iterator

DOMAIN = b"p2pdurak/1/test"
DATA = b"seat 2 takes the cards"


class Case(NamedTuple):
    why: str
    public: bytes
    signature: bytes
    domain: bytes = DOMAIN
    data: bytes = DATA

    def as_json(self) -> dict[str, str]:
        fields = {name: getattr(self, name).hex() for name in ("public", "domain", "data", "signature")}
        return {"why": self.why, **fields}


def scalar_of(name: str) -> int:
    return int.from_bytes(hashlib.sha512(name.encode()).digest(), "little") % L


def signature(a: int, public: bytes, r_point: Point, r: int, *, r_bytes: bytes | None = None) -> bytes:
    """Return R and S = r + k*a for ``a`` behind ``public`` and any R, however it is written."""
    encoded = edwards_encode(r_point) if r_bytes is None else r_bytes
    k = hash_of(encoded, public)
    return encoded + ((r + k * a) % L).to_bytes(32, "little")


def hash_of(r: bytes, public: bytes) -> int:
    return int.from_bytes(hashlib.sha512(r + public + frame(DOMAIN, DATA)).digest(), "little") % L


def non_canonical_encodings() -> Iterator[tuple[bytes, int]]:
    """Yield each 32-byte string whose y is not below the field's order and on the curve, with y reduced."""
    for low in range(19):
        for sign in (0, 1):
            try:
                edwards_decode((low | sign << 255).to_bytes(32, "little"))
            except ValueError:
                continue
            yield (P + low | sign << 255).to_bytes(32, "little"), low


def bad_keys() -> list[tuple[bytes, str]]:
    cases = [(edwards_encode(point), "small order") for point in torsion()]
    signed_zeros = [(y | 1 << 255).to_bytes(32, "little") for y in (1, P - 1)]
    cases += [(data, "small order, and the sign of x = 0 is set") for data in signed_zeros]
    cases += [(data, f"not canonical, y = {low} otherwise") for data, low in non_canonical_encodings()]
    off_curve = next(y for y in range(2, 100) if not on_curve(y))
    cases.append((off_curve.to_bytes(32, "little"), "not on the curve"))
    honest = edwards_encode(multiply(scalar_of("a"), BASE))
    cases += [(honest[:31], "31 bytes"), (honest + b"\x00", "33 bytes"), (b"", "no bytes")]
    return cases


def on_curve(y: int) -> bool:
    try:
        edwards_decode(y.to_bytes(32, "little"))
    except ValueError:
        return False
    return True


def good_signatures() -> list[Case]:
    a, r = scalar_of("a"), scalar_of("r")
    public = edwards_encode(multiply(a, BASE))
    honest = signature(a, public, multiply(r, BASE), r)
    mixed_key = edwards_encode(add(multiply(a, BASE), torsion()[0]))
    return [
        Case("honest", public, honest),
        Case(
            "key of mixed order, but the equation without the cofactor holds", mixed_key, sign_for_mixed(a, mixed_key)
        ),
    ]


def sign_for_mixed(a: int, public: bytes) -> bytes:
    """Sign under ``a * B + T``: search for an R whose hash is a multiple of 8, so that T drops out."""
    for attempt in range(1000):
        r = scalar_of(f"mixed {attempt}")
        r_point = multiply(r, BASE)
        if hash_of(edwards_encode(r_point), public) % 8 == 0:
            return signature(a, public, r_point, r)
    raise AssertionError("unlucky")


def sign_for_torsion(key: Point) -> bytes:
    """Return a signature that holds under a key of small order, which needs no private key at all."""
    public = edwards_encode(key)
    for attempt in range(1000):
        r = scalar_of(f"torsion {attempt}")
        for j in range(8):
            encoded = edwards_encode(add(multiply(r, BASE), multiply(j, negate(key))))
            if hash_of(encoded, public) % 8 == j:
                return encoded + r.to_bytes(32, "little")
    raise AssertionError("unlucky")


def bad_signatures() -> list[Case]:
    a, r = scalar_of("a"), scalar_of("r")
    public = edwards_encode(multiply(a, BASE))
    honest = signature(a, public, multiply(r, BASE), r)
    s = int.from_bytes(honest[32:], "little")
    mixed_r = add(multiply(r, BASE), torsion()[0])
    cases = [Case("key of small order", edwards_encode(t), sign_for_torsion(t)) for t in torsion()]
    cases += [
        Case("R is the identity, and the equation holds", public, signature(a, public, NEUTRAL, 0)),
        Case(
            "R is the identity, not canonical",
            public,
            signature(a, public, NEUTRAL, 0, r_bytes=(P + 1).to_bytes(32, "little")),
        ),
        *(Case("R is of small order", public, signature(a, public, t, 0)) for t in torsion()[:-1]),
        Case("holds only with the cofactor", public, signature(a, public, mixed_r, r)),
        Case("S not reduced", public, honest[:32] + (s + L).to_bytes(32, "little")),
        Case("S with its top bit set", public, honest[:63] + bytes([honest[63] | 128])),
        Case("other data", public, honest, data=DATA + b"."),
        Case("other domain", public, honest, domain=DOMAIN + b"."),
        Case("the border between domain and data moved", public, honest, domain=DOMAIN + DATA[:1], data=DATA[1:]),
        Case("other key", edwards_encode(multiply(a + 1, BASE)), honest),
        Case("negated key", edwards_encode(negate(multiply(a, BASE))), honest),
        Case("63 bytes", public, honest[:63]),
        Case("65 bytes", public, honest + b"\x00"),
        Case("no bytes", public, b""),
    ]
    cases += [Case(f"key refused: {why}", key, honest) for key, why in bad_keys()]
    return cases
