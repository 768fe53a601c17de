"""Write ``protocol/vectors/code.json``: ``python -m tests.vectors.make_code_vectors``.

Everything follows from fixed bytes, so running it again changes nothing unless the protocol changed.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from p2pdurak.net.code import CodeAsker, CodeKeeper, clean_code, make_code

if TYPE_CHECKING:
    from collections.abc import Callable

PATH = Path(__file__).parents[2] / "protocol" / "vectors" / "code.json"
BINDING = hashlib.sha256(b"binding").digest()
TEXTS = ("lion-pepper-7", " Lion  PEPPER - 7 ", "Лев Перец 7", "\uff21\uff22\uff23\uff24", "Straße")


def randomness(who: str) -> Callable[[int], bytes]:
    """Return what gives the fixed bytes, 64 of them, of which the scalar is made."""
    return lambda size: hashlib.sha512(f"randomness of the {who}".encode()).digest()[:size]


def code() -> dict[str, Any]:
    """Return the vectors: forms of codes, a generated one, and one exchange."""
    text = clean_code(TEXTS[0])
    asker = CodeAsker(text, BINDING, randomness("asker"))
    keeper = CodeKeeper(text, BINDING, randomness("keeper"))
    messages = [asker.first()]
    messages.append(keeper.answer(messages[-1]))
    messages.append(asker.answer(messages[-1]) or b"")
    messages.append(keeper.answer(messages[-1]))
    return {
        "about": "Values of protocol/code.md. Byte strings in hexadecimal; x and y are integers modulo the order.",
        "forms": [{"written": written, "code": clean_code(written)} for written in TEXTS],
        "generated": {"bytes": "00ff3f", "code": make_code(bytes.fromhex("00ff3f"))},
        "code": text,
        "binding": BINDING.hex(),
        "x": str(_scalar("asker")),
        "y": str(_scalar("keeper")),
        "messages": [message.hex() for message in messages],
    }


def _scalar(who: str) -> int:
    return int.from_bytes(randomness(who)(64), "big") % (2**252 + 27742317777372353535851937790883648493)


def text() -> str:
    """Return the file's text."""
    return json.dumps(code(), ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    PATH.write_text(text(), encoding="utf-8")
