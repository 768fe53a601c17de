"""Write ``protocol/vectors/links.json``: ``python -m tests.vectors.make_link_vectors``.

Everything follows from fixed seeds, so running it again changes nothing unless the protocol changed.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from p2pdurak.crypto.identity import SigningKey
from p2pdurak.net.announcement import Announcement, encode_properties
from p2pdurak.net.frames import Kind, encode_frame
from p2pdurak.net.hello import HELLO_DOMAIN, Hello, Role, binding, encode_hello, signed_part

PATH = Path(__file__).parents[2] / "protocol" / "vectors" / "links.json"
CERTIFICATE_HASH = hashlib.sha256(b"certificate").digest()
NAMES = {"dialler": "Боря", "listener": "Ann"}


def links() -> dict[str, Any]:
    """Return the vectors: two hellos, the connection's binding, both signatures, a frame of each kind, a TXT record."""
    keys = {who: SigningKey(hashlib.sha256(f"seed of the {who}".encode()).digest()) for who in NAMES}
    hellos = {
        who: encode_hello(Hello(keys[who].public, NAMES[who], hashlib.sha256(f"nonce of the {who}".encode()).digest()))
        for who in NAMES
    }
    bound = binding(CERTIFICATE_HASH, hellos["dialler"], hellos["listener"])
    peers = {
        who: {
            "public_key": keys[who].public.hex(),
            "nickname": NAMES[who],
            "hello": hellos[who].hex(),
            "signature": keys[who].sign(HELLO_DOMAIN, signed_part(Role[who.upper()], bound)).hex(),
        }
        for who in NAMES
    }
    table = Announcement("Стол Ани", keys["listener"].public, "perevodnoy-2", 36, 4, 47800)
    bodies = {Kind.HELLO: hellos["listener"], Kind.PING: bytes(range(8)), Kind.PONG: bytes(range(8)), Kind.BYE: b""}
    return {
        "about": "Values of protocol/links.md. Byte strings in hexadecimal.",
        "certificate_hash": CERTIFICATE_HASH.hex(),
        **peers,
        "binding": bound.hex(),
        "frames": {kind.name.lower(): encode_frame(kind, bodies.get(kind, b"a message")).hex() for kind in Kind},
        "announcement": {"instance": table.instance, "txt": encode_properties(table)},
    }


def text() -> str:
    """Return the file's text."""
    return json.dumps(links(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
