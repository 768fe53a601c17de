"""The strongest dishonest shuffler: it commits to any matrix instead of a permutation, and proves what can be proved.

The honest prover is the special case of a permutation matrix. Whatever the matrix, all linear statements can be made to
hold; what is left to catch it is that the rows add up to one and that the product of the weights is preserved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from p2pdurak.crypto import shuffle
from p2pdurak.crypto.elgamal import Ciphertext
from p2pdurak.crypto.group import SHUFFLE_GENERATORS, G, multiply_sum
from p2pdurak.crypto.scalars import ORDER, encode_scalar
from p2pdurak.crypto.shuffle import verify_shuffle
from tests.crypto.table import ANNA, JOINT, deck, message, refuses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pdurak.crypto.scalars import Scalar

Matrix = list[list[int]]
"""Row i tells how much of input i goes into the weight of each output."""

HALF = pow(2, -1, ORDER)


def times(vector: Sequence[Scalar], matrix: Matrix) -> list[Scalar]:
    n = len(matrix)
    return [sum(vector[i] * matrix[i][j] for i in range(n)) % ORDER for j in range(n)]


def inverse(matrix: Matrix) -> Matrix:
    """Invert modulo the order, by elimination; the matrices here need no exchange of rows."""
    n = len(matrix)
    rows = [[*row, *(int(i == j) for j in range(n))] for i, row in enumerate(matrix)]
    for i in range(n):
        factor = pow(rows[i][i], -1, ORDER)
        rows[i] = [value * factor % ORDER for value in rows[i]]
        for k in range(n):
            if k != i:
                rows[k] = [(a - rows[k][i] * b) % ORDER for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[n:] for row in rows]


def fitting_outputs(inputs: Sequence[Ciphertext], matrix: Matrix, masks: Sequence[Scalar]) -> tuple[Ciphertext, ...]:
    """Return outputs with ``sum of u'_j e'_j = sum of u_i e_i``, re-encrypted, for every choice of weights ``u``."""
    back = inverse(matrix)
    return tuple(
        Ciphertext(
            multiply_sum((*row, mask), (*(c.a for c in inputs), G)),
            multiply_sum((*row, mask), (*(c.b for c in inputs), JOINT)),
        )
        for row, mask in zip(back, masks, strict=True)
    )


def prove(
    inputs: Sequence[Ciphertext], outputs: Sequence[Ciphertext], matrix: Matrix, masks: Sequence[Scalar]
) -> bytes:
    """Do what ``prove_shuffle`` does, with the matrix in place of the permutation."""
    transcript = message()
    n = shuffle._absorb_statement(transcript, JOINT, inputs, outputs)
    blinds = ANNA.scalars("test/blinds", b"", n)
    commitments = [
        multiply_sum((blind, *row), (G, *SHUFFLE_GENERATORS[:n])) for blind, row in zip(blinds, matrix, strict=True)
    ]
    weights = shuffle._draw_weights(transcript, commitments)
    permuted = times(weights, matrix)
    chain_blinds = ANNA.scalars("test/chain", b"", n)
    chain = shuffle._commit_to_chain(permuted, chain_blinds)
    shuffle._absorb(transcript, "chain commitments", chain)
    witness = shuffle._Opening(
        sum(blinds),
        shuffle._open_chain_end(permuted, chain_blinds),
        shuffle._dot(weights, blinds),
        shuffle._dot(permuted, masks),
        chain_blinds,
        permuted,
    )
    nonces = shuffle._Opening.from_flat(ANNA.scalars("test/nonces", b"", 4 + 2 * n))
    shuffle._absorb(transcript, "commitments", shuffle._commit_to_nonces(nonces, chain, JOINT, outputs))
    challenge = transcript.challenge("challenge")
    responses = [nonce - challenge * value for nonce, value in zip(nonces.flat(), witness.flat(), strict=True)]
    pieces = [element.encode() for element in (*commitments, *chain)]
    return b"".join([*pieces, *map(encode_scalar, (challenge, *responses))])


@pytest.mark.parametrize("matrix", [[[1]], [[1, 0], [0, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]])
def test_a_permutation_matrix_passes(matrix: Matrix) -> None:
    masks = [11, 12, 13][: len(matrix)]
    outputs = fitting_outputs(deck(len(matrix)), matrix, masks)
    verify_shuffle(message(), JOINT, deck(len(matrix)), outputs, prove(deck(len(matrix)), outputs, matrix, masks))


@pytest.mark.parametrize(
    "matrix",
    [
        pytest.param([[2, 0, 0], [0, HALF, 0], [0, 0, 1]], id="product preserved, rows not"),
        pytest.param([[2, -1, 0], [-1, 2, 0], [0, 0, 1]], id="rows preserved, product not"),
        pytest.param([[HALF, HALF, 0], [0, 1, 0], [0, 0, 1]], id="an average of two cards"),
        pytest.param([[1, 0, 0], [1, 1, 0], [0, 0, 1]], id="one card added to another"),
        pytest.param([[-1, 0, 0], [0, -1, 0], [0, 0, 1]], id="two cards negated"),
        pytest.param([[2, 0, 0], [0, 1, 0], [0, 0, 1]], id="neither preserved"),
        pytest.param([[2, 0], [0, HALF]], id="two cards scaled"),
        pytest.param([[2]], id="one card scaled"),
    ],
)
def test_no_other_matrix_passes(matrix: Matrix) -> None:
    masks = [11, 12, 13][: len(matrix)]
    inputs = deck(len(matrix))
    outputs = fitting_outputs(inputs, matrix, masks)
    refuses(verify_shuffle, message(), JOINT, inputs, outputs, prove(inputs, outputs, matrix, masks))
