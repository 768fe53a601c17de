from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pdurak.errors import LinkBroken
from p2pdurak.net.frames import MAX_BODY_BYTES, Frame, FrameDecoder, Kind, encode_frame

frames = st.lists(st.builds(Frame, st.sampled_from(Kind), st.binary(max_size=40)), max_size=6)


def decode_all(decoder: FrameDecoder) -> list[Frame]:
    return list(iter(decoder.next_frame, None))


@given(frames, st.integers(1, 50))
def test_frames_survive_any_cutting(sent: list[Frame], step: int) -> None:
    data = b"".join(encode_frame(*frame) for frame in sent)
    decoder = FrameDecoder()
    received: list[Frame] = []
    for at in range(0, len(data), step):
        decoder.feed(data[at : at + step])
        received += decode_all(decoder)
    assert received == sent


def test_the_form_on_the_wire() -> None:
    assert encode_frame(Kind.MESSAGE, b"ab") == b"\0\0\0\x03\x01ab"


def test_the_longest_body_passes_and_a_longer_one_does_not() -> None:
    decoder = FrameDecoder()
    decoder.feed(encode_frame(Kind.MESSAGE, b"x" * MAX_BODY_BYTES))
    assert decode_all(decoder) == [Frame(Kind.MESSAGE, b"x" * MAX_BODY_BYTES)]
    with pytest.raises(ValueError, match="65537"):
        encode_frame(Kind.MESSAGE, b"x" * (MAX_BODY_BYTES + 1))


@pytest.mark.parametrize(
    "data", [b"\0\0\0\0", b"\0\x01\0\x02", b"\xff\xff\xff\xff", b"GET / HTTP/1.1", b"\0\0\0\x01\x05"]
)
def test_a_bad_length_or_kind_is_refused_before_its_body_comes(data: bytes) -> None:
    decoder = FrameDecoder()
    decoder.feed(data)
    with pytest.raises(LinkBroken):
        decoder.next_frame()


def test_the_limit_may_be_smaller() -> None:
    decoder = FrameDecoder(2)
    decoder.feed(encode_frame(Kind.HELLO, b"ab") + encode_frame(Kind.HELLO, b"abc"))
    assert decoder.next_frame() == Frame(Kind.HELLO, b"ab")
    with pytest.raises(LinkBroken, match="out of bounds"):
        decoder.next_frame()
