"""Transcript files: there and back, and every place to cut them."""

from __future__ import annotations

import pytest

from p2pdurak.errors import NotationError
from p2pdurak.wire.codec import MAX_MESSAGE_BYTES
from p2pdurak.wire.gamefile import FIRST_LINE, pack_file, unpack_file

MESSAGES = [b"one", b"", b"three" * 100, bytes(MAX_MESSAGE_BYTES)]


def test_a_file_goes_out_and_comes_back() -> None:
    assert unpack_file(pack_file(b"genesis", MESSAGES)) == (b"genesis", MESSAGES, True)
    assert unpack_file(pack_file(b"genesis", [])) == (b"genesis", [], True)


def test_a_cut_file_keeps_its_whole_messages() -> None:
    data = pack_file(b"genesis", MESSAGES[:3])
    boundaries = [len(pack_file(b"genesis", MESSAGES[:number])) for number in range(4)]
    for length in range(len(data)):
        if length < boundaries[0]:
            with pytest.raises(NotationError):
                unpack_file(data[:length])
            continue
        whole = sum(boundary <= length for boundary in boundaries) - 1
        assert unpack_file(data[:length]) == (b"genesis", MESSAGES[:whole], length == boundaries[whole])


def test_a_record_longer_than_a_message_ends_the_file() -> None:
    data = pack_file(b"genesis", [b"one", bytes(MAX_MESSAGE_BYTES + 1), b"three"])
    assert unpack_file(data) == (b"genesis", [b"one"], False)
    with pytest.raises(NotationError):
        unpack_file(pack_file(bytes(MAX_MESSAGE_BYTES + 1), []))


@pytest.mark.parametrize("data", [b"", FIRST_LINE, FIRST_LINE[:-1], b"x" + pack_file(b"genesis", []), b"\0" * 100])
def test_what_is_no_transcript_is_refused(data: bytes) -> None:
    with pytest.raises(NotationError):
        unpack_file(data)
