"""Write ``protocol/vectors/chat.json``: ``python -m tests.vectors.make_chat_vectors``.

Everything follows from fixed bytes, so running it again changes nothing unless the protocol changed.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from p2pdurak.crypto.identity import SigningKey
from p2pdurak.net.lobby import lot_of
from p2pdurak.wire.chat import Remark, Words, clean_text, seal_words
from p2pdurak.wire.talk import encode_talk

PATH = Path(__file__).parents[2] / "protocol" / "vectors" / "chat.json"
SEED = hashlib.sha256(b"seed of the speaker").digest()
NONCE = hashlib.sha256(b"nonce of the opener").digest()
REMARKS: tuple[Remark, ...] = ("Привет! ♥", 3)
TYPED = ("  Well,\n well ", "И\u0306", "a\u200bb\tc")


def chat() -> dict[str, Any]:
    """Return the vectors: a text and a phrase by one speaker, and forms of text."""
    key = SigningKey(SEED)
    lot = lot_of(NONCE)
    talks = []
    for number, remark in enumerate(REMARKS, 1_000):
        sealed = seal_words(key, Words(lot, key.public, "Аня", number, remark))
        talks.append(
            {
                "number": number,
                "words": remark,
                "payload": sealed.payload.hex(),
                "signature": sealed.signature.hex(),
                "talk": encode_talk(sealed).hex(),
            }
        )
    return {
        "about": "Values of protocol/chat.md. Byte strings in hexadecimal; the seed is that of the Ed25519 key.",
        "seed": SEED.hex(),
        "speaker": key.public.hex(),
        "nickname": "Аня",
        "opener_nonce": NONCE.hex(),
        "lot": lot.hex(),
        "talks": talks,
        "forms": [{"typed": typed, "text": clean_text(typed)} for typed in TYPED],
    }


def text() -> str:
    """Return the file's text."""
    return json.dumps(chat(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
