"""The curve behind both groups in pure Python: ristretto255 (RFC 9496) and the points of Ed25519 (RFC 8032).

Slow, independent of libsodium and OpenSSL, and able to make what those libraries refuse to make: points of small and of
mixed order. Extended coordinates (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z.
"""

from __future__ import annotations

import hashlib
from functools import cache

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
SQRT_AD_MINUS_ONE = 25063068953384623474111414158702152701244531502492656460079210482610430750235
INVSQRT_A_MINUS_D = 54469307008909316920995813868745141605393597292927456921205312896311721017578

Point = tuple[int, int, int, int]
NEUTRAL: Point = (0, 1, 1, 0)


def is_negative(x: int) -> bool:
    return x % P % 2 == 1


def absolute(x: int) -> int:
    return -x % P if is_negative(x) else x % P


def sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """RFC 9496, section 4.2: whether u/v is a square, and the non-negative root of it or of i*u/v."""
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    if check in (-u % P, -u * SQRT_M1 % P):
        r = r * SQRT_M1 % P
    return check in (u % P, -u % P), absolute(r)


def add(p: Point, q: Point) -> Point:
    a, b = (p[1] - p[0]) * (q[1] - q[0]), (p[1] + p[0]) * (q[1] + q[0])
    c, d = 2 * D * p[3] * q[3], 2 * p[2] * q[2]
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def negate(p: Point) -> Point:
    return -p[0] % P, p[1], p[2], -p[3] % P


def multiply(k: int, p: Point) -> Point:
    total = NEUTRAL
    for bit in bin(k)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, p)
    return total


def sum_of(k: list[int], points: list[Point]) -> Point:
    total = NEUTRAL
    for scalar, point in zip(k, points, strict=True):
        total = add(total, multiply(scalar % L, point))
    return total


def ristretto_decode(data: bytes) -> Point:
    """RFC 9496, section 4.3.1; ValueError for what it refuses."""
    s = int.from_bytes(data, "little")
    if len(data) != 32 or s >= P or is_negative(s):
        raise ValueError("not canonical")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    was_square, root = sqrt_ratio(1, v * u2 * u2 % P)
    x = absolute(2 * s * root * u2)
    y = u1 * root * root * u2 * v % P
    if not was_square or is_negative(x * y) or y == 0:
        raise ValueError("not an element")
    return x, y, 1, x * y % P


def ristretto_encode(p: Point) -> bytes:
    """RFC 9496, section 4.3.2."""
    x, y, z, t = p
    u1, u2 = (z + y) * (z - y), x * y
    _, root = sqrt_ratio(1, u1 * u2 * u2 % P)
    den1, den2 = root * u1 % P, root * u2 % P
    z_inverse = den1 * den2 * t
    if is_negative(t * z_inverse):
        x, y, den = y * SQRT_M1, x * SQRT_M1, den1 * INVSQRT_A_MINUS_D
    else:
        den = den2
    if is_negative(x * z_inverse):
        y = -y
    return absolute(den * (z - y)).to_bytes(32, "little")


def _map(data: bytes) -> Point:
    """RFC 9496, section 4.3.4, MAP."""
    t = (int.from_bytes(data, "little") & (2**255 - 1)) % P
    r = SQRT_M1 * t * t % P
    u = (r + 1) * (1 - D * D) % P
    v = (-1 - r * D) * (r + D) % P
    was_square, s = sqrt_ratio(u, v)
    c = P - 1
    if not was_square:
        s, c = -absolute(s * t) % P, r
    n = (c * (r - 1) * (D - 1) ** 2 - v) % P
    w0, w1, w2, w3 = 2 * s * v, n * SQRT_AD_MINUS_ONE, 1 - s * s, 1 + s * s
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


@cache
def hash_to_element(label: str) -> Point:
    digest = hashlib.sha512(label.encode()).digest()
    return add(_map(digest[:32]), _map(digest[32:]))


def edwards_decode(data: bytes) -> Point:
    """RFC 8032, section 5.1.3, lenient: a y-coordinate that is not reduced is reduced."""
    number = int.from_bytes(data, "little")
    y = (number & (2**255 - 1)) % P
    was_square, x = sqrt_ratio((y * y - 1) % P, (D * y * y + 1) % P)
    if not was_square:
        raise ValueError("not on the curve")
    if number >> 255:
        x = -x % P
    return x, y, 1, x * y % P


def edwards_encode(p: Point) -> bytes:
    inverse = pow(p[2], -1, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = edwards_decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
"""The generator of both groups (RFC 8032, section 5.1; RFC 9496, section 4)."""


@cache
def torsion() -> tuple[Point, ...]:
    """Return the eight points of small order, from a generator of them on."""
    for y in range(2, 100):
        try:
            candidate = multiply(L, edwards_decode(y.to_bytes(32, "little")))
        except ValueError:
            continue
        if edwards_encode(multiply(4, candidate)) != edwards_encode(NEUTRAL):
            return tuple(multiply(k, candidate) for k in range(1, 9))
    raise AssertionError("no point of order 8 found")
