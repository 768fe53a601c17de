"""A second implementation of ``protocol/deck.md``, sections 1 to 7, written from that text alone.

Pure Python on ``curve``, no line shared with the package. It proves and verifies; a proof that both make alike from
the same secret shows that the text says everything.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.crypto.curve import (
    BASE,
    NEUTRAL,
    L,
    Point,
    add,
    hash_to_element,
    multiply,
    negate,
    ristretto_decode,
    ristretto_encode,
    sum_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

Pair = tuple[Point, Point]
G = BASE


def generator(i: int) -> Point:
    return hash_to_element(f"p2pdurak/1/generator/{i}")


def second_generator() -> Point:
    return hash_to_element("p2pdurak/1/generator/H")


def u32(k: int) -> bytes:
    return bytes([k >> 24, k >> 16 & 255, k >> 8 & 255, k & 255])


def frame(*parts: bytes) -> bytes:
    result = u32(len(parts))
    for part in parts:
        result += u32(len(part)) + part
    return result


def sha(data: bytes) -> bytes:
    return hashlib.sha512(data).digest()


def wide(data: bytes) -> int:
    return int.from_bytes(data, "little") % L


def el(point: Point) -> bytes:
    return ristretto_encode(point)


def ct(pair: Pair) -> bytes:
    return el(pair[0]) + el(pair[1])


def read_pair(data: bytes) -> Pair:
    return ristretto_decode(data[:32]), ristretto_decode(data[32:])


def sc(scalar: int) -> bytes:
    return (scalar % L).to_bytes(32, "little")


class Log:
    """A transcript that keeps the whole string."""

    def __init__(self, game_id: bytes, head: bytes, number: int, seat: int, kind: str) -> None:
        self.s = frame(b"transcript", b"p2pdurak/1/proof")
        self.append("message", u32(1), game_id, head, u32(number), u32(seat), kind.encode())

    def append(self, label: str, *parts: bytes) -> None:
        self.s += frame(b"append", label.encode(), *parts)

    def challenge_of(self, *commitments: Point) -> int:
        self.append("commitments", *map(el, commitments))
        self.s += frame(b"challenge", b"challenge")
        return wide(sha(self.s))

    def weights(self, n: int) -> list[int]:
        self.s += frame(b"weights", b"weights", u32(n))
        seed = sha(self.s)
        return [wide(sha(frame(b"weight", seed, u32(j)))) for j in range(n)]

    def digest(self) -> bytes:
        return sha(self.s + frame(b"digest"))


@dataclass(frozen=True)
class Secret:
    s: bytes
    game_id: bytes
    seat: int

    def derive(self, output: str, label: str, index: int, context: bytes) -> bytes:
        parts = (output.encode(), self.game_id, u32(self.seat), label.encode(), u32(index), context)
        return hmac.new(self.s, frame(b"p2pdurak/1/derive", *parts), "sha512").digest()

    def scalar(self, label: str, index: int, context: bytes) -> int:
        return 1 + int.from_bytes(self.derive("scalar", label, index, context), "little") % (L - 1)

    def words(self, label: str, context: bytes) -> Iterator[int]:
        for i in range(1000):
            block = self.derive("permutation", label, i, context)
            yield from (int.from_bytes(block[k : k + 4], "big") for k in range(0, 64, 4))

    def permutation(self, label: str, context: bytes, n: int) -> list[int]:
        words, result = self.words(label, context), list(range(n))
        for last in range(n - 1, 0, -1):
            j = uniform(words, last + 1)
            result[last], result[j] = result[j], result[last]
        return result


def uniform(words: Iterator[int], n: int) -> int:
    for word in words:
        if word < 2**32 - 2**32 % n:
            return word % n
    raise AssertionError("out of words")


def lot(seed: bytes, label: str, n: int) -> int:
    def words() -> Iterator[int]:
        for i in range(1000):
            block = hmac.new(b"p2pdurak/1/lot", frame(seed, label.encode(), u32(i)), "sha512").digest()
            yield from (int.from_bytes(block[k : k + 4], "big") for k in range(0, 64, 4))

    return uniform(words(), n)


def commitment(label: str, game_id: bytes, seat: int, *values: bytes) -> bytes:
    return sha(frame(b"p2pdurak/1/commitment", label.encode(), game_id, u32(seat), *values))[:32]


def prove_key(t: Log, x: int, secret: Secret) -> bytes:
    t.append("proof", b"key")
    t.append("key", el(multiply(x, G)))
    k = secret.scalar("nonce/key", 0, t.digest())
    c = t.challenge_of(multiply(k, G))
    return sc(c) + sc(k - c * x)


def prove_shares(t: Log, x: int, cards: list[Pair], shares: list[Point], secret: Secret) -> bytes:
    t.append("proof", b"shares")
    t.append("key", el(multiply(x, G)))
    t.append("ciphertexts", *map(ct, cards))
    t.append("shares", *map(el, shares))
    a = sum_of(t.weights(len(cards)), [card[0] for card in cards])
    k = secret.scalar("nonce/shares", 0, t.digest())
    c = t.challenge_of(multiply(k, G), multiply(k, a))
    return sc(c) + sc(k - c * x)


def prove_differs(t: Log, x: int, card: Pair, point: Point, secret: Secret) -> bytes:
    key, rest = multiply(x, G), add(card[1], negate(point))
    t.append("proof", b"differs")
    t.append("key", el(key))
    t.append("ciphertext", ct(card))
    t.append("point", el(point))
    d = t.digest()
    alpha = secret.scalar("differs/alpha", 0, d)
    beta = alpha * x % L
    k0, k1 = (secret.scalar("nonce/differs", j, d) for j in (0, 1))
    blinded = sum_of([alpha, -beta], [rest, card[0]])
    t.append("blinded difference", el(blinded))
    c = t.challenge_of(sum_of([k0, -k1], [rest, card[0]]), sum_of([k0, -k1], [key, G]))
    return el(blinded) + sc(c) + sc(k0 - c * alpha) + sc(k1 - c * beta)


def prove_none_of(t: Log, x: int, hand: list[Pair], points: list[Point], secret: Secret) -> bytes:
    t.append("proof", b"none of")
    t.append("key", el(multiply(x, G)))
    t.append("ciphertexts", *map(ct, hand))
    t.append("points", *map(el, points))
    result = b""
    for i, card in enumerate(hand):
        for j, point in enumerate(points):
            t.append("pair", u32(i), u32(j))
            result += prove_differs(t, x, card, point, secret)
    return result


def draw_shuffle(t: Log, key: Point, deck: list[Pair], secret: Secret) -> tuple[list[int], list[int]]:
    before = t.s
    t.append("shuffled under", el(key))
    t.append("inputs", *map(ct, deck))
    q = t.digest()
    t.s = before
    return secret.permutation("permutation", q, len(deck)), [secret.scalar("masks", j, q) for j in range(len(deck))]


def reencrypt(pair: Pair, key: Point, r: int) -> Pair:
    return add(pair[0], multiply(r, G)), add(pair[1], multiply(r, key))


def _shuffle_statement(t: Log, key: Point, inputs: list[Pair], outputs: list[Pair]) -> list[Point]:
    generators = [generator(i) for i in range(1, len(inputs) + 1)]
    t.append("proof", b"shuffle")
    t.append("generators", el(G), el(second_generator()), *map(el, generators))
    t.append("key", el(key))
    t.append("inputs", *map(ct, inputs))
    t.append("outputs", *map(ct, outputs))
    return generators


def prove_shuffle(
    t: Log, key: Point, inputs: list[Pair], outputs: list[Pair], pi: list[int], masks: list[int], secret: Secret
) -> bytes:
    n = len(inputs)
    generators = _shuffle_statement(t, key, inputs, outputs)
    d = t.digest()
    rho = [secret.scalar("shuffle/permutation blind", i, d) for i in range(n)]
    c = [NEUTRAL] * n
    for j in range(n):
        c[pi[j]] = add(multiply(rho[pi[j]], G), generators[j])
    t.append("permutation commitments", *map(el, c))
    u = t.weights(n)
    u_ = [u[pi[j]] for j in range(n)]
    rho_hat = [secret.scalar("shuffle/chain blind", j, d) for j in range(n)]
    chain = [second_generator()]
    end = 0
    for j in range(n):
        chain.append(sum_of([rho_hat[j], u_[j]], [G, chain[j]]))
        end = (rho_hat[j] + u_[j] * end) % L
    t.append("chain commitments", *map(el, chain[1:]))
    w = [sum(rho), end, sum(u[i] * rho[i] for i in range(n)), sum(u_[j] * masks[j] for j in range(n)), *rho_hat, *u_]
    e = t.digest()
    k = [secret.scalar("nonce/shuffle", i, e) for i in range(4 + 2 * n)]
    k_hat, k_ = k[4 : 4 + n], k[4 + n :]
    challenge = t.challenge_of(
        multiply(k[0], G),
        multiply(k[1], G),
        sum_of([k[2], *k_], [G, *generators]),
        sum_of([-k[3], *k_], [G, *(o[0] for o in outputs)]),
        sum_of([-k[3], *k_], [key, *(o[1] for o in outputs)]),
        *(sum_of([k_hat[j], k_[j]], [G, chain[j]]) for j in range(n)),
    )
    scalars = [challenge, *(nonce - challenge * witness for nonce, witness in zip(k, w, strict=True))]
    return b"".join([*map(el, c), *map(el, chain[1:]), *map(sc, scalars)])


def shuffle_holds(t: Log, key: Point, inputs: list[Pair], outputs: list[Pair], proof: bytes) -> bool:
    n = len(inputs)
    generators = _shuffle_statement(t, key, inputs, outputs)
    pieces = [proof[i : i + 32] for i in range(0, len(proof), 32)]
    c, chain = [ristretto_decode(p) for p in pieces[:n]], [ristretto_decode(p) for p in pieces[n : 2 * n]]
    challenge, *z = (int.from_bytes(p, "little") for p in pieces[2 * n :])
    z_hat, z_ = z[4 : 4 + n], z[4 + n :]
    t.append("permutation commitments", *map(el, c))
    u = t.weights(n)
    t.append("chain commitments", *map(el, chain))
    product = 1
    for weight in u:
        product = product * weight % L
    cu = [challenge * weight for weight in u]
    h, before = second_generator(), [second_generator(), *chain]
    t1 = sum_of([challenge] * n + [-challenge] * n + [z[0]], [*c, *generators, G])
    t2 = sum_of([challenge, -challenge * product, z[1]], [chain[-1], h, G])
    t3 = sum_of([*cu, z[2], *z_], [*c, G, *generators])
    t4 = sum_of([*cu, -z[3], *z_], [*(i[0] for i in inputs), G, *(o[0] for o in outputs)])
    t5 = sum_of([*cu, -z[3], *z_], [*(i[1] for i in inputs), key, *(o[1] for o in outputs)])
    links = [sum_of([challenge, z_hat[j], z_[j]], [chain[j], G, before[j]]) for j in range(n)]
    return len(proof) == 128 * n + 160 and t.challenge_of(t1, t2, t3, t4, t5, *links) == challenge
