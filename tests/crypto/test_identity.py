"""Signing keys: RFC 8032's vectors, and the strict reading of what a valid signature is."""

from __future__ import annotations

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from p2pdurak.crypto import identity
from p2pdurak.crypto.framing import frame
from p2pdurak.crypto.identity import SigningKey, check_public_key, fingerprint_words, verify_signature
from p2pdurak.crypto.words import WORDS
from p2pdurak.errors import InvalidEncoding, VerificationError
from tests.crypto import curve, forgeries
from tests.crypto.forgeries import DATA, DOMAIN

ANNA = SigningKey(bytes(range(32)))


def openssl_accepts(case: forgeries.Case) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(case.public).verify(case.signature, frame(case.domain, case.data))
    except (InvalidSignature, ValueError):
        return False
    return True


def test_the_key_of_rfc_8032() -> None:
    # Section 7.1, test 1.
    key = SigningKey(bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
    assert key.public.hex() == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"


def test_signatures_are_verified_and_reproducible() -> None:
    signature = ANNA.sign(DOMAIN, DATA)
    assert len(signature) == 64
    assert signature == SigningKey(bytes(range(32))).sign(DOMAIN, DATA)
    verify_signature(ANNA.public, DOMAIN, DATA, signature)
    verify_signature(ANNA.public, b"", b"", ANNA.sign(b"", b""))


def test_the_signed_bytes_are_a_frame() -> None:
    plain = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    assert plain.sign(frame(DOMAIN, DATA)) == ANNA.sign(DOMAIN, DATA)


@pytest.mark.parametrize("bit", [0, 100, 255, 256, 400, 503, 511])
def test_a_flipped_bit_is_refused(bit: int) -> None:
    signature = (int.from_bytes(ANNA.sign(DOMAIN, DATA), "little") ^ 1 << bit).to_bytes(64, "little")
    with pytest.raises(VerificationError):
        verify_signature(ANNA.public, DOMAIN, DATA, signature)


@pytest.mark.parametrize("case", forgeries.good_signatures(), ids=lambda case: case.why)
def test_good_signatures_pass(case: forgeries.Case) -> None:
    verify_signature(case.public, case.domain, case.data, case.signature)


@pytest.mark.parametrize("case", forgeries.bad_signatures(), ids=lambda case: case.why)
def test_bad_signatures_are_refused(case: forgeries.Case) -> None:
    with pytest.raises(VerificationError):
        verify_signature(case.public, case.domain, case.data, case.signature)


def test_the_checks_here_are_needed() -> None:
    # What OpenSSL alone would have accepted: if this shrinks, so may the checks.
    accepted = {case.why for case in forgeries.bad_signatures() if openssl_accepts(case)}
    assert "key of small order" in accepted
    assert "R is the identity, and the equation holds" in accepted
    assert "holds only with the cofactor" not in accepted


@pytest.mark.parametrize(
    ("key", "why"), forgeries.bad_keys(), ids=lambda value: value if isinstance(value, str) else ""
)
def test_bad_keys_are_refused(key: bytes, why: str) -> None:
    with pytest.raises(InvalidEncoding):
        check_public_key(key)
    with pytest.raises(InvalidEncoding):
        fingerprint_words(key)


def test_good_keys_pass() -> None:
    for number in range(20):
        check_public_key(SigningKey(bytes([number]) * 32).public)


def test_the_identity_key_would_sign_everything() -> None:
    # Why small order is refused: one signature under it fits two messages, for OpenSSL.
    public = signature = curve.edwards_encode(curve.NEUTRAL)
    key = Ed25519PublicKey.from_public_bytes(public)
    for text in (b"I take", b"I pass"):
        key.verify(signature + bytes(32), text)
        with pytest.raises(VerificationError):
            verify_signature(public, DOMAIN, text, signature + bytes(32))


def test_the_table_of_small_orders_is_complete() -> None:
    points = {curve.edwards_encode(point) for point in curve.torsion()}
    assert len(points) == 8
    assert {int.from_bytes(point, "little") & (2**255 - 1) for point in points} == identity._Y_OF_SMALL_ORDER


@pytest.mark.parametrize("length", [0, 31, 33, 64])
def test_seeds_of_other_lengths_are_an_error(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        SigningKey(bytes(length))


def test_the_text_form_shows_the_public_key_only() -> None:
    assert repr(ANNA) == f"<SigningKey {ANNA.public.hex()}>"


def test_fingerprints_are_eight_words_of_the_list() -> None:
    words = fingerprint_words(ANNA.public).split(" ")
    assert len(words) == 8
    assert set(words) <= set(WORDS)
    assert fingerprint_words(ANNA.public) == fingerprint_words(SigningKey(bytes(range(32))).public)
    assert len({fingerprint_words(SigningKey(bytes([n]) * 32).public) for n in range(50)}) == 50


def test_the_list_has_a_distinct_easy_word_for_each_byte() -> None:
    assert len(WORDS) == len(set(WORDS)) == 256
    assert list(WORDS) == sorted(WORDS)
    assert all(3 <= len(word) <= 7 and word.isascii() and word.isalpha() and word.islower() for word in WORDS)
    assert not [(a, b) for a in WORDS for b in WORDS if a != b and b.startswith(a)]
