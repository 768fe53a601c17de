"""The verifiable shuffle: a deck is re-encrypted and permuted, with a proof that no card was added, lost or changed.

The proof is Terelius and Wikström's (Africacrypt 2010) in the form of Haenni, Locher, Koenig and Dubuis,
"Pseudo-code algorithms for verifiable re-encryption mix-nets" (Voting 2017, algorithms GenShuffleProof and
CheckShuffleProof), whose security Haines proves in arXiv 1901.08371. The permutation is committed column by column;
the verifier's random weights are permuted along with it; a chain of commitments shows that the permuted weights have
the same product as the original ones, which only a permutation achieves; and the weighted sums of both decks must hold
the same points.

The proof is compact: challenge and responses, from which the verifier computes the commitments of the sigma protocol.
It says nothing about what the points mean, so the same code shuffles the deck under the joint key and rearranges a hand
under its holder's key.

Rejected: Bayer and Groth's argument (shorter, but slower at this size), switch networks (a thousand times slower), cut
and choose (megabytes for the same security), and computing the chain from its openings to G and H (it pays only with
precomputed tables for H, which libsodium does not have).
"""

from __future__ import annotations

from functools import cache, reduce
from typing import TYPE_CHECKING, NamedTuple

from p2pdurak.crypto.elgamal import Ciphertext, reencrypt
from p2pdurak.crypto.group import ELEMENT_BYTES, MAX_DECK_SIZE, SHUFFLE_GENERATORS, Element, G, H, add_up, multiply_sum
from p2pdurak.crypto.scalars import ORDER, SCALAR_BYTES, Scalar, decode_scalar, encode_scalar
from p2pdurak.errors import InvalidEncoding, VerificationError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from p2pdurak.crypto.secret import PlayerSecret
    from p2pdurak.crypto.transcript import Transcript


def proof_bytes(n: int) -> int:
    """Return the length of the proof for ``n`` ciphertexts: 2n elements, the challenge, 4 and 2n responses."""
    return 2 * n * ELEMENT_BYTES + (5 + 2 * n) * SCALAR_BYTES


def draw_shuffle(
    transcript: Transcript, key: Element, deck: Sequence[Ciphertext], secret: PlayerSecret
) -> tuple[tuple[int, ...], list[Scalar]]:
    """Return the permutation and the masks that ``secret`` prescribes for shuffling ``deck``; no side effects.

    ``transcript`` is the one that the proof will start from. Output decks play no part: they are not known yet.
    """
    fork = transcript.copy()
    fork.append("shuffled under", key.encode())
    fork.append("inputs", *(ciphertext.encode() for ciphertext in deck))
    context = fork.digest()
    return secret.permutation("permutation", context, len(deck)), secret.scalars("masks", context, len(deck))


def shuffle(
    deck: Sequence[Ciphertext], key: Element, permutation: Sequence[int], masks: Sequence[Scalar]
) -> tuple[Ciphertext, ...]:
    """Return the shuffled deck: output ``j`` is input ``permutation[j]`` re-encrypted under ``key`` with ``masks[j]``.

    ValueError if ``permutation`` is no arrangement of the places of ``deck`` or there is not one mask for each.
    """
    if sorted(permutation) != list(range(len(deck))):
        raise ValueError("This is not an arrangement of the places of the deck.")
    return tuple(reencrypt(deck[i], key, mask) for i, mask in zip(permutation, masks, strict=True))


def prove_shuffle(
    transcript: Transcript,
    key: Element,
    inputs: Sequence[Ciphertext],
    outputs: Sequence[Ciphertext],
    permutation: Sequence[int],
    masks: Sequence[Scalar],
    secret: PlayerSecret,
) -> bytes:
    """Return the proof that ``outputs`` are ``inputs`` shuffled under ``key``; see ``shuffle`` for the other arguments.

    The witness is not checked: a false one gives a proof that nobody accepts.
    """
    n = _absorb_statement(transcript, key, inputs, outputs)
    context = transcript.digest()
    blinds = secret.scalars("shuffle/permutation blind", context, n)
    permutation_commitments = _commit_to_permutation(permutation, blinds)
    weights = _draw_weights(transcript, permutation_commitments)
    permuted_weights = [weights[i] for i in permutation]

    chain_blinds = secret.scalars("shuffle/chain blind", context, n)
    chain = _commit_to_chain(permuted_weights, chain_blinds)
    _absorb(transcript, "chain commitments", chain)
    witness = _Opening(
        blind_sum=sum(blinds),
        chain_end=_open_chain_end(permuted_weights, chain_blinds),
        weighed_blinds=_dot(weights, blinds),
        weighed_masks=_dot(permuted_weights, masks),
        chain_blinds=chain_blinds,
        permuted_weights=permuted_weights,
    )
    nonces = _Opening.from_flat(secret.scalars("nonce/shuffle", transcript.digest(), 4 + 2 * n))
    _absorb(transcript, "commitments", _commit_to_nonces(nonces, chain, key, outputs))
    challenge = transcript.challenge("challenge")
    responses = [nonce - challenge * value for nonce, value in zip(nonces.flat(), witness.flat(), strict=True)]
    elements = [*permutation_commitments, *chain]
    return b"".join((*(e.encode() for e in elements), *(encode_scalar(s) for s in (challenge, *responses))))


def verify_shuffle(
    transcript: Transcript, key: Element, inputs: Sequence[Ciphertext], outputs: Sequence[Ciphertext], proof: bytes
) -> None:
    """Raise unless ``proof`` shows that ``outputs`` hold the points of ``inputs``, each once, all under ``key``.

    InvalidEncoding if the proof has not exactly ``proof_bytes(len(inputs))`` bytes or holds an element or scalar that
    is not canonical; VerificationError for decks of different sizes or outside 1 to 52, and for a proof that does not
    hold.
    """
    n = _absorb_statement(transcript, key, inputs, outputs)
    parts = _decode_proof(proof, n)
    weights = _draw_weights(transcript, parts.permutation_commitments)
    _absorb(transcript, "chain commitments", parts.chain)
    _absorb(transcript, "commitments", _recompute_commitments(parts, weights, key, inputs, outputs))
    if transcript.challenge("challenge") != parts.challenge:
        raise VerificationError("The proof of the shuffle does not hold.")


class _Opening(NamedTuple):
    """One scalar for each commitment of the sigma protocol: the prover's witness, its nonces, or its responses."""

    blind_sum: Scalar
    chain_end: Scalar
    weighed_blinds: Scalar
    weighed_masks: Scalar
    chain_blinds: Sequence[Scalar]
    permuted_weights: Sequence[Scalar]

    def flat(self) -> list[Scalar]:
        return [*self[:4], *self.chain_blinds, *self.permuted_weights]

    @classmethod
    def from_flat(cls, scalars: Sequence[Scalar]) -> _Opening:
        blind_sum, chain_end, weighed_blinds, weighed_masks, *rest = scalars
        n = len(rest) // 2
        return cls(blind_sum, chain_end, weighed_blinds, weighed_masks, rest[:n], rest[n:])


class _Proof(NamedTuple):
    """A decoded proof; ``permutation_commitments`` follow the order of the inputs, ``chain`` that of the outputs."""

    permutation_commitments: list[Element]
    chain: list[Element]
    challenge: Scalar
    responses: _Opening


def _commit_to_permutation(permutation: Sequence[int], blinds: Sequence[Scalar]) -> list[Element]:
    """Commit to where each input goes: the generator of output ``j`` is in the commitment of ``permutation[j]``."""
    commitments = [G * blind for blind in blinds]
    for generator, i in zip(SHUFFLE_GENERATORS, permutation, strict=False):
        commitments[i] += generator
    return commitments


def _commit_to_chain(weights: Sequence[Scalar], blinds: Sequence[Scalar]) -> list[Element]:
    """Return ``C_i = blind_i * G + weight_i * C_(i-1)`` with ``C_0 = H``, which is left out."""
    chain = [H]
    for weight, blind in zip(weights, blinds, strict=True):
        chain.append(G * blind + chain[-1] * weight)
    return chain[1:]


def _open_chain_end(weights: Sequence[Scalar], blinds: Sequence[Scalar]) -> Scalar:
    """Return how often G is in the last commitment of the chain; H is in it as often as the weights' product says."""
    end = 0
    for weight, blind in zip(weights, blinds, strict=True):
        end = (blind + weight * end) % ORDER
    return end


def _commit_to_nonces(
    nonces: _Opening, chain: Sequence[Element], key: Element, outputs: Sequence[Ciphertext]
) -> list[Element]:
    """Return the prover's commitments of the sigma protocol."""
    permuted = nonces.permuted_weights
    generators = SHUFFLE_GENERATORS[: len(outputs)]
    links = zip([H, *chain[:-1]], nonces.chain_blinds, permuted, strict=True)
    return [
        G * nonces.blind_sum,
        G * nonces.chain_end,
        multiply_sum((*permuted, nonces.weighed_blinds), (*generators, G)),
        multiply_sum((*permuted, -nonces.weighed_masks), (*(c.a for c in outputs), G)),
        multiply_sum((*permuted, -nonces.weighed_masks), (*(c.b for c in outputs), key)),
        *(G * blind + previous * weight for previous, blind, weight in links),
    ]


def _recompute_commitments(
    proof: _Proof, weights: Sequence[Scalar], key: Element, inputs: Sequence[Ciphertext], outputs: Sequence[Ciphertext]
) -> list[Element]:
    """Return what ``_commit_to_nonces`` must have given the prover, in the same order, if the proof holds."""
    commitments, chain, c, z = proof
    n = len(weights)
    scaled_weights = [c * weight % ORDER for weight in weights]
    product = reduce(lambda total, weight: total * weight % ORDER, weights)
    # The factors of the three equations about weighed sums, up to the last.
    factors = (*scaled_weights, *z.permuted_weights)
    links = zip(chain, [H, *chain[:-1]], z.chain_blinds, z.permuted_weights, strict=True)
    return [
        (add_up(commitments) - _sum_of_generators(n)) * c + G * z.blind_sum,
        multiply_sum((c, -c * product, z.chain_end), (chain[-1], H, G)),
        multiply_sum((*factors, z.weighed_blinds), (*commitments, *SHUFFLE_GENERATORS[:n], G)),
        multiply_sum((*factors, -z.weighed_masks), (*(e.a for e in inputs), *(e.a for e in outputs), G)),
        multiply_sum((*factors, -z.weighed_masks), (*(e.b for e in inputs), *(e.b for e in outputs), key)),
        *(multiply_sum((c, blind, weight), (link, G, previous)) for link, previous, blind, weight in links),
    ]


def _absorb_statement(
    transcript: Transcript, key: Element, inputs: Sequence[Ciphertext], outputs: Sequence[Ciphertext]
) -> int:
    """Absorb all that is proved something about, and return the size of the decks."""
    n = len(inputs)
    if not 1 <= n <= MAX_DECK_SIZE or len(outputs) != n:
        raise VerificationError("A deck of {n} cannot be shuffled into one of {other}.", n=n, other=len(outputs))
    if key.is_identity:
        raise VerificationError("A shuffle under the identity of the group is worth nothing.")
    transcript.append("proof", b"shuffle")
    _absorb(transcript, "generators", (G, H, *SHUFFLE_GENERATORS[:n]))
    transcript.append("key", key.encode())
    transcript.append("inputs", *(ciphertext.encode() for ciphertext in inputs))
    transcript.append("outputs", *(ciphertext.encode() for ciphertext in outputs))
    return n


def _draw_weights(transcript: Transcript, permutation_commitments: Sequence[Element]) -> list[Scalar]:
    _absorb(transcript, "permutation commitments", permutation_commitments)
    return transcript.weights("weights", len(permutation_commitments))


def _decode_proof(proof: bytes, n: int) -> _Proof:
    if len(proof) != proof_bytes(n):
        raise InvalidEncoding(
            "The proof of a shuffle of {n} has {right} bytes, not {wrong}.", n=n, right=proof_bytes(n), wrong=len(proof)
        )
    pieces = [proof[start : start + ELEMENT_BYTES] for start in range(0, len(proof), ELEMENT_BYTES)]
    elements = [Element.decode(piece) for piece in pieces[: 2 * n]]
    challenge, *responses = (decode_scalar(piece) for piece in pieces[2 * n :])
    return _Proof(elements[:n], elements[n:], challenge, _Opening.from_flat(responses))


def _absorb(transcript: Transcript, label: str, elements: Sequence[Element]) -> None:
    transcript.append(label, *(element.encode() for element in elements))


def _dot(left: Sequence[Scalar], right: Sequence[Scalar]) -> Scalar:
    return sum(a * b for a, b in zip(left, right, strict=True)) % ORDER


@cache
def _sum_of_generators(n: int) -> Element:
    return add_up(SHUFFLE_GENERATORS[:n])
