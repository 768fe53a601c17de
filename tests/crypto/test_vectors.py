"""The stored vectors hold for the package, and for a second implementation written from ``protocol/deck.md``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from p2pdurak.crypto.elgamal import decode_deck
from p2pdurak.crypto.group import Element
from p2pdurak.crypto.identity import SigningKey, check_public_key, fingerprint_words, verify_signature
from p2pdurak.crypto.proofs import verify_differs, verify_key, verify_none_of, verify_shares
from p2pdurak.crypto.shuffle import verify_shuffle
from p2pdurak.crypto.transcript import Transcript, proof_transcript
from p2pdurak.errors import InvalidEncoding, VerificationError
from tests.crypto import curve, reference
from tests.vectors import make_crypto_vectors

if TYPE_CHECKING:
    from pathlib import Path


def load(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((make_crypto_vectors.FOLDER / name).read_text(encoding="ascii"))
    return content


CRYPTO, IDENTITY = load("crypto.json"), load("identity.json")
DERIVATION, PROOFS, SHUFFLE = CRYPTO["derivation"], CRYPTO["proofs"], CRYPTO["shuffle"]
GAME_ID, HEAD = bytes.fromhex(DERIVATION["game_id"]), bytes.fromhex(PROOFS["head"])
SECRET = reference.Secret(bytes.fromhex(DERIVATION["secret"]), GAME_ID, DERIVATION["seat"])
X = int.from_bytes(bytes.fromhex(DERIVATION["key"]), "little")


def log(kind: str) -> reference.Log:
    return reference.Log(GAME_ID, HEAD, PROOFS["round"], DERIVATION["seat"], kind)


def transcript(kind: str) -> Transcript:
    return proof_transcript(
        version=1, game_id=GAME_ID, head=HEAD, round_number=PROOFS["round"], seat=DERIVATION["seat"], kind=kind
    )


def element(text: str) -> Element:
    return Element.decode(bytes.fromhex(text))


def point(text: str) -> curve.Point:
    return curve.ristretto_decode(bytes.fromhex(text))


def pairs(text: str) -> list[reference.Pair]:
    return [reference.read_pair(bytes.fromhex(text[start : start + 128])) for start in range(0, len(text), 128)]


@pytest.mark.parametrize("name", ["crypto.json", "identity.json"])
def test_the_package_still_gives_the_stored_vectors(name: str, tmp_path: Path) -> None:
    make_crypto_vectors.write(tmp_path)
    assert (tmp_path / name).read_text(encoding="ascii") == (make_crypto_vectors.FOLDER / name).read_text("ascii")


class TestSecondImplementation:
    def test_fixed_elements(self) -> None:
        group = CRYPTO["group"]
        assert reference.el(reference.second_generator()).hex() == group["H"]
        assert [reference.el(reference.generator(i)).hex() for i in range(1, 53)] == group["shuffle_generators"]
        cards = [curve.hash_to_element(f"p2pdurak/1/card/{i}") for i in range(52)]
        assert [reference.el(card).hex() for card in cards] == group["card_points"]

    def test_derivations(self) -> None:
        context = bytes.fromhex(DERIVATION["context"])
        assert reference.sc(SECRET.scalar("key", 0, b"")).hex() == DERIVATION["key"]
        assert SECRET.derive("bytes", "lot", 0, b"")[:32].hex() == DERIVATION["lot_seed"]
        scalars = DERIVATION["scalars"]
        results = [reference.sc(SECRET.scalar(scalars["label"], j, context)).hex() for j in range(3)]
        assert results == scalars["results"]
        for case in DERIVATION["permutations"]:
            assert SECRET.permutation("permutation", context, case["n"]) == case["result"]
        for case in DERIVATION["lots"]:
            assert reference.lot(bytes.fromhex(case["seed"]), case["label"], case["n"]) == case["result"]
        case = DERIVATION["commitment"]
        values = [bytes.fromhex(value) for value in case["values"]]
        assert reference.commitment(case["label"], GAME_ID, SECRET.seat, *values).hex() == case["result"]

    def test_proofs_of_knowledge(self) -> None:
        hand = pairs(PROOFS["hand"])
        shares = [curve.multiply(X, card[0]) for card in hand]
        assert reference.prove_key(log("reveal"), X, SECRET).hex() == PROOFS["key_proof"]["proof"]
        assert [reference.el(share).hex() for share in shares] == PROOFS["shares_proof"]["shares"]
        assert reference.prove_shares(log("deal"), X, hand, shares, SECRET).hex() == PROOFS["shares_proof"]["proof"]
        differs, none_of = PROOFS["differs_proof"], PROOFS["none_of_proof"]
        proof = reference.prove_differs(log("answer"), X, hand[0], point(differs["point"]), SECRET)
        assert proof.hex() == differs["proof"]
        proof = reference.prove_none_of(log("answer"), X, hand, [point(p) for p in none_of["points"]], SECRET)
        assert proof.hex() == none_of["proof"]

    def test_the_shuffle(self) -> None:
        key, inputs, outputs = point(SHUFFLE["key"]), pairs(SHUFFLE["inputs"]), pairs(SHUFFLE["outputs"])
        permutation, masks = reference.draw_shuffle(log("shuffle"), key, inputs, SECRET)
        assert permutation == SHUFFLE["permutation"]
        assert [reference.sc(mask).hex() for mask in masks] == SHUFFLE["masks"]
        shuffled = [reference.reencrypt(inputs[i], key, mask) for i, mask in zip(permutation, masks, strict=True)]
        assert b"".join(map(reference.ct, shuffled)).hex() == SHUFFLE["outputs"]
        proof = reference.prove_shuffle(log("shuffle"), key, inputs, outputs, permutation, masks, SECRET)
        assert proof.hex() == SHUFFLE["proof"]
        assert reference.shuffle_holds(log("shuffle"), key, inputs, outputs, proof)
        assert not reference.shuffle_holds(log("deal"), key, inputs, outputs, proof)


class TestPackage:
    def test_proofs_of_knowledge(self) -> None:
        key, hand = element(PROOFS["key"]), decode_deck(bytes.fromhex(PROOFS["hand"]), 2)
        verify_key(transcript("reveal"), key, bytes.fromhex(PROOFS["key_proof"]["proof"]))
        case = PROOFS["shares_proof"]
        shares = [element(share) for share in case["shares"]]
        verify_shares(transcript("deal"), key, hand, shares, bytes.fromhex(case["proof"]))
        case = PROOFS["differs_proof"]
        verify_differs(transcript("answer"), key, hand[0], element(case["point"]), bytes.fromhex(case["proof"]))
        case = PROOFS["none_of_proof"]
        points = [element(text) for text in case["points"]]
        verify_none_of(transcript("answer"), key, hand, points, bytes.fromhex(case["proof"]))

    def test_the_shuffle(self) -> None:
        inputs, outputs = (decode_deck(bytes.fromhex(SHUFFLE[name]), 3) for name in ("inputs", "outputs"))
        proof = bytes.fromhex(SHUFFLE["proof"])
        verify_shuffle(transcript("shuffle"), element(SHUFFLE["key"]), inputs, outputs, proof)

    def test_identities(self) -> None:
        for case in IDENTITY["keys"]:
            key = SigningKey(bytes.fromhex(case["seed"]))
            assert key.public.hex() == case["public"]
            assert fingerprint_words(key.public) == case["words"]
        for case in IDENTITY["refused_keys"]:
            with pytest.raises(InvalidEncoding):
                check_public_key(bytes.fromhex(case["public"]))
        fields = ("public", "domain", "data", "signature")
        for case in IDENTITY["accepted_signatures"]:
            verify_signature(*(bytes.fromhex(case[field]) for field in fields))
        for case in IDENTITY["refused_signatures"]:
            with pytest.raises(VerificationError):
                verify_signature(*(bytes.fromhex(case[field]) for field in fields))
