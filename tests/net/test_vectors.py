from __future__ import annotations

import hashlib
import json
from typing import Any

import msgpack
import pytest

from p2pdurak.net.announcement import decode_announcement
from p2pdurak.net.frames import FrameDecoder, Kind
from p2pdurak.net.hello import Hello, Role, binding, decode_hello, verify_hello
from tests.vectors import make_link_vectors

VECTORS: dict[str, Any] = json.loads(make_link_vectors.PATH.read_text(encoding="utf-8"))


def test_the_program_makes_these_vectors() -> None:
    assert make_link_vectors.text() == make_link_vectors.PATH.read_text(encoding="utf-8")


@pytest.mark.parametrize("role", Role)
def test_hellos_and_signatures(role: Role) -> None:
    peer = VECTORS[role.name.lower()]
    data = bytes.fromhex(peer["hello"])
    public, nonce = (
        bytes.fromhex(peer["public_key"]),
        hashlib.sha256(f"nonce of the {role.name.lower()}".encode()).digest(),
    )
    assert msgpack.unpackb(data) == ["p2pdurak", 1, public, peer["nickname"], nonce]
    hello = decode_hello(data)
    assert hello == Hello(public, peer["nickname"], nonce)
    hellos = [bytes.fromhex(VECTORS[who]["hello"]) for who in ("dialler", "listener")]
    bound = binding(bytes.fromhex(VECTORS["certificate_hash"]), *hellos)
    assert bound.hex() == VECTORS["binding"]
    verify_hello(hello, role, bound, bytes.fromhex(peer["signature"]))


@pytest.mark.parametrize("kind", Kind)
def test_frames(kind: Kind) -> None:
    decoder = FrameDecoder()
    data = bytes.fromhex(VECTORS["frames"][kind.name.lower()])
    decoder.feed(data)
    frame = decoder.next_frame()
    assert frame is not None
    assert frame.kind is kind
    assert data == len(data[4:]).to_bytes(4, "big") + bytes([kind]) + frame.body


def test_announcement() -> None:
    record = VECTORS["announcement"]
    properties: dict[bytes, bytes | None] = {key.encode(): value.encode() for key, value in record["txt"].items()}
    table = decode_announcement(record["instance"], properties, ["192.168.1.5"], 47800)
    assert table.public.hex() == VECTORS["listener"]["public_key"]
    assert table.name == "Стол Ани"
