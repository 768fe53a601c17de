"""Write ``protocol/vectors/crypto.json`` and ``identity.json``: ``python -m tests.vectors.make_crypto_vectors``.

Everything follows from fixed seeds, so running it again changes nothing unless the protocol changed. Each proof comes
with the log of its transcript: every step with its parts or result, so that a second implementation can find the
first place where it differs. Byte strings are hexadecimal.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from p2pdurak.crypto.elgamal import Ciphertext, encode_deck, joint_key, mask, reencrypt, share, trivial
from p2pdurak.crypto.group import CARD_POINTS, SHUFFLE_GENERATORS, Element, G, H
from p2pdurak.crypto.identity import SigningKey, fingerprint_words
from p2pdurak.crypto.proofs import prove_differs, prove_key, prove_none_of, prove_shares
from p2pdurak.crypto.scalars import Scalar, encode_scalar
from p2pdurak.crypto.secret import PlayerSecret, commitment, draw_lot
from p2pdurak.crypto.shuffle import draw_shuffle, prove_shuffle, shuffle
from p2pdurak.crypto.transcript import Transcript
from p2pdurak.crypto.words import WORDS
from tests.crypto import forgeries

FOLDER = Path(__file__).parents[2] / "protocol" / "vectors"
GAME_ID = hashlib.sha256(b"game").digest()
HEAD = hashlib.sha256(b"head").digest()
SECRET = PlayerSecret(hashlib.sha256(b"secret of seat 2").digest(), GAME_ID, 2)

Json = dict[str, Any]


class Recorder(Transcript):
    """A transcript that notes its steps."""

    __slots__ = ("steps",)

    def __init__(self, domain: bytes) -> None:
        super().__init__(domain)
        self.steps: list[Json] = []

    def append(self, label: str, *parts: bytes) -> None:
        super().append(label, *parts)
        self.steps.append({"append": label, "parts": [part.hex() for part in parts]})

    def challenge(self, label: str) -> Scalar:
        result = super().challenge(label)
        self.steps.append({"challenge": label, "result": scalar(result)})
        return result

    def weights(self, label: str, n: int) -> list[Scalar]:
        result = super().weights(label, n)
        self.steps.append({"weights": label, "results": [scalar(weight) for weight in result]})
        return result

    def digest(self) -> bytes:
        result = super().digest()
        self.steps.append({"digest": result.hex()})
        return result


def recorder(kind: str) -> Recorder:
    transcript = Recorder(b"p2pdurak/1/proof")
    number = (1).to_bytes(4, "big")
    transcript.append(
        "message", number, GAME_ID, HEAD, (7).to_bytes(4, "big"), (SECRET.seat).to_bytes(4, "big"), kind.encode()
    )
    return transcript


def scalar(value: Scalar) -> str:
    return encode_scalar(value).hex()


def element(value: Element) -> str:
    return value.encode().hex()


def elements(values: list[Element] | tuple[Element, ...]) -> list[str]:
    return [element(value) for value in values]


def deck(values: tuple[Ciphertext, ...] | list[Ciphertext]) -> str:
    return encode_deck(values).hex()


def derivations() -> Json:
    context = b"some context"
    return {
        "secret": SECRET.secret.hex(),
        "game_id": GAME_ID.hex(),
        "seat": SECRET.seat,
        "context": context.hex(),
        "key": scalar(SECRET.key()),
        "lot_seed": SECRET.lot_seed().hex(),
        "scalars": {"label": "masks", "results": [scalar(s) for s in SECRET.scalars("masks", context, 3)]},
        "permutations": [{"n": n, "result": SECRET.permutation("permutation", context, n)} for n in (1, 2, 6, 52)],
        "lots": [
            {"seed": HEAD.hex(), "label": "dealer", "n": n, "result": draw_lot(HEAD, "dealer", n)} for n in (1, 2, 6)
        ],
        "commitment": {
            "label": "secret",
            "values": [SECRET.secret.hex()],
            "result": commitment("secret", GAME_ID, SECRET.seat, SECRET.secret).hex(),
        },
    }


def proofs() -> Json:
    x = SECRET.key()
    key = G * x
    hand = [mask(CARD_POINTS[number], key, 1000 + number) for number in (3, 17)]
    shares = [share(x, card) for card in hand]
    points = [CARD_POINTS[5], CARD_POINTS[14]]
    result: Json = {"round": 7, "head": HEAD.hex(), "key": element(key), "hand": deck(hand)}
    transcript = recorder("reveal")
    proof = prove_key(transcript, x, key, SECRET)
    result["key_proof"] = {"kind": "reveal", "proof": proof.hex(), "transcript": transcript.steps}
    transcript = recorder("deal")
    proof = prove_shares(transcript, x, key, hand, shares, SECRET)
    result["shares_proof"] = {
        "kind": "deal",
        "shares": elements(shares),
        "proof": proof.hex(),
        "transcript": transcript.steps,
    }
    transcript = recorder("answer")
    proof = prove_differs(transcript, x, key, hand[0], points[0], SECRET)
    result["differs_proof"] = {
        "kind": "answer",
        "point": element(points[0]),
        "proof": proof.hex(),
        "transcript": transcript.steps,
    }
    transcript = recorder("answer")
    proof = prove_none_of(transcript, x, key, hand, points, SECRET)
    result["none_of_proof"] = {"kind": "answer", "points": elements(points), "proof": proof.hex()}
    return result


def three_card_shuffle() -> Json:
    key = joint_key([G * SECRET.key(), G * 12345])
    inputs = tuple(reencrypt(trivial(CARD_POINTS[i], key), key, 50 + i) for i in range(3))
    transcript = recorder("shuffle")
    permutation, masks = draw_shuffle(transcript, key, inputs, SECRET)
    outputs = shuffle(inputs, key, permutation, masks)
    proof = prove_shuffle(transcript, key, inputs, outputs, permutation, masks, SECRET)
    return {
        "kind": "shuffle",
        "key": element(key),
        "inputs": deck(inputs),
        "permutation": permutation,
        "masks": [scalar(r) for r in masks],
        "outputs": deck(outputs),
        "proof": proof.hex(),
        "transcript": transcript.steps,
    }


def crypto_vectors() -> Json:
    return {
        "about": "Values of protocol/deck.md, sections 2 to 7. Byte strings in hexadecimal.",
        "group": {
            "H": element(H),
            "shuffle_generators": elements(SHUFFLE_GENERATORS),
            "card_points": elements(CARD_POINTS),
        },
        "derivation": derivations(),
        "proofs": proofs(),
        "shuffle": three_card_shuffle(),
    }


def identity_vectors() -> Json:
    seeds = [hashlib.sha256(name).digest() for name in (b"Anna", b"Boris")]
    keys = [(seed, SigningKey(seed).public) for seed in seeds]
    return {
        "about": "Values of protocol/deck.md, section 8. Byte strings in hexadecimal.",
        "words": WORDS,
        "keys": [
            {"seed": seed.hex(), "public": public.hex(), "words": fingerprint_words(public)} for seed, public in keys
        ],
        "refused_keys": [{"public": key.hex(), "why": why} for key, why in forgeries.bad_keys()],
        "accepted_signatures": [case.as_json() for case in forgeries.good_signatures()],
        "refused_signatures": [case.as_json() for case in forgeries.bad_signatures()],
    }


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in (("crypto", crypto_vectors()), ("identity", identity_vectors())):
        (folder / f"{name}.json").write_text(json.dumps(content, indent=1) + "\n", encoding="ascii")


if __name__ == "__main__":
    write(FOLDER)
