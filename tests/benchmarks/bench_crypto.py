"""Print what the cryptography costs: ``python -m tests.benchmarks.bench_crypto``.

Each line is the best of several runs, in milliseconds and in variable-base multiplications timed in the same process,
so that machines can be compared. The last column is the budget in multiplications; a line over budget says so.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING

from p2pdurak.crypto.elgamal import decode_deck, encode_deck, share, trivial
from p2pdurak.crypto.group import CARD_POINTS, Element, G, H, hash_to_element
from p2pdurak.crypto.identity import SigningKey, verify_signature
from p2pdurak.crypto.proofs import (
    prove_differs,
    prove_key,
    prove_none_of,
    prove_shares,
    verify_differs,
    verify_key,
    verify_none_of,
    verify_shares,
)
from p2pdurak.crypto.secret import PlayerSecret
from p2pdurak.crypto.shuffle import draw_shuffle, proof_bytes, prove_shuffle, shuffle, verify_shuffle
from p2pdurak.crypto.transcript import Transcript, proof_transcript

if TYPE_CHECKING:
    from collections.abc import Callable

SECRET = PlayerSecret(bytes(range(32)), bytes(32), 0)
X = SECRET.key()
KEY = G * X
SHUFFLE_BUDGETS = {52: (560, 650), 6: (75, 90)}


def transcript() -> Transcript:
    return proof_transcript(version=1, game_id=bytes(32), head=bytes(32), round_number=0, seat=0, kind="bench")


def best_seconds(run: Callable[[], object], *, runs: int = 25, calls: int = 1) -> float:
    def once() -> float:
        start = perf_counter()
        for _ in range(calls):
            run()
        return (perf_counter() - start) / calls

    return min(once() for _ in range(runs))


class Table:
    def __init__(self) -> None:
        k = SECRET.scalar("bench", 0, b"")
        self.unit = best_seconds(lambda: H * k, calls=300)
        print(f"{'':34}{'ms':>9}{'mults':>9}{'budget':>9}")
        self.line("variable-base multiplication", lambda: H * k, calls=300)
        self.line("fixed-base multiplication", lambda: G * k, calls=300)
        self.line("addition", lambda: G + H, calls=300)
        self.line("decode an element", lambda: Element.decode(H.encode()), calls=300)
        self.line("hash to an element", lambda: hash_to_element("bench"), calls=300)
        self.line("derive a scalar", lambda: SECRET.scalar("bench", 0, b""), calls=300)

    def line(self, name: str, run: Callable[[], object], budget: int | None = None, *, calls: int = 1) -> None:
        seconds = best_seconds(run, calls=calls)
        mults = seconds / self.unit
        verdict = "" if budget is None or mults <= budget else "  OVER BUDGET"
        print(f"{name:34}{1000 * seconds:9.3f}{mults:9.1f}{budget or '':>9}{verdict}")


def bench_shuffle(table: Table, n: int) -> None:
    prove_budget, verify_budget = SHUFFLE_BUDGETS.get(n, (None, None))
    inputs = tuple(trivial(point, KEY) for point in CARD_POINTS[:n])
    permutation, masks = draw_shuffle(transcript(), KEY, inputs, SECRET)
    outputs = shuffle(inputs, KEY, permutation, masks)
    proof = prove_shuffle(transcript(), KEY, inputs, outputs, permutation, masks, SECRET)
    data = encode_deck(outputs)

    def shuffle_and_prove() -> None:
        chosen, randomness = draw_shuffle(transcript(), KEY, inputs, SECRET)
        mixed = shuffle(inputs, KEY, chosen, randomness)
        prove_shuffle(transcript(), KEY, inputs, mixed, chosen, randomness, SECRET)

    table.line(f"shuffle and prove, n = {n}", shuffle_and_prove, prove_budget)
    table.line(
        f"decode and verify, n = {n}",
        lambda: verify_shuffle(transcript(), KEY, inputs, decode_deck(data, n), proof),
        verify_budget,
    )
    print(f"{'  bytes: deck and proof':34}{len(data):9}{proof_bytes(n):9}")


def bench_proofs(table: Table) -> None:
    proof = prove_key(transcript(), X, KEY, SECRET)
    table.line("prove a key", lambda: prove_key(transcript(), X, KEY, SECRET))
    table.line("verify a key", lambda: verify_key(transcript(), KEY, proof))
    for n in (1, 6, 36):
        bench_shares(table, n)
    hand = [trivial(point, KEY) for point in CARD_POINTS[:6]]
    called = CARD_POINTS[10:11]
    one = prove_differs(transcript(), X, KEY, hand[0], called[0], SECRET)
    table.line("prove a difference", lambda: prove_differs(transcript(), X, KEY, hand[0], called[0], SECRET))
    table.line("verify a difference", lambda: verify_differs(transcript(), KEY, hand[0], called[0], one))
    none = prove_none_of(transcript(), X, KEY, hand, called, SECRET)
    table.line("prove none of 6 cards is called", lambda: prove_none_of(transcript(), X, KEY, hand, called, SECRET))
    table.line("verify none of 6 cards is called", lambda: verify_none_of(transcript(), KEY, hand, called, none))


def bench_shares(table: Table, n: int) -> None:
    cards = [trivial(point, KEY) for point in CARD_POINTS[:n]]
    shares = [share(X, card) for card in cards]
    proof = prove_shares(transcript(), X, KEY, cards, shares, SECRET)
    table.line(f"prove {n} shares", lambda: prove_shares(transcript(), X, KEY, cards, shares, SECRET))
    table.line(f"verify {n} shares", lambda: verify_shares(transcript(), KEY, cards, shares, proof))


def bench_signatures(table: Table) -> None:
    key = SigningKey(bytes(32))
    data = bytes(200)
    signature = key.sign(b"bench", data)
    table.line("sign", lambda: key.sign(b"bench", data), calls=100)
    table.line("verify a signature", lambda: verify_signature(key.public, b"bench", data, signature), calls=100)


def main() -> None:
    table = Table()
    for n in (52, 36, 6, 2):
        bench_shuffle(table, n)
    bench_proofs(table)
    bench_signatures(table)


if __name__ == "__main__":
    main()
