"""The hash of the chain: labels and the borders of parts count."""

from __future__ import annotations

from p2pdurak.wire.digest import DIGEST_BYTES, digest


def test_labels_and_borders_of_parts_count() -> None:
    several = [
        digest("head"),
        digest("lot"),
        digest("head", b""),
        digest("head", b"", b""),
        digest("head", b"ab"),
        digest("head", b"a", b"b"),
        digest("head", b"b", b"a"),
        digest("heada", b"b"),
    ]
    assert len(set(several)) == len(several)
    assert {len(value) for value in several} == {DIGEST_BYTES}
