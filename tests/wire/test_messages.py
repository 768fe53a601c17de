"""Bodies: each kind in and out, and what does not have its fields is refused."""

from __future__ import annotations

from dataclasses import fields

import pytest

from p2pdurak.errors import MalformedMessage
from p2pdurak.wire.codec import MAX_MESSAGE_BYTES, Value, decode, encode
from p2pdurak.wire.messages import (
    BODIES,
    Answer,
    Body,
    Books,
    Commit,
    Confirm,
    Gone,
    Here,
    Kind,
    Move,
    Play,
    Rearrange,
    Resign,
    Result,
    Reveal,
    Shares,
    Shuffle,
    decode_body,
    encode_body,
)

EXAMPLES: list[tuple[Kind, Body]] = [
    (Kind.COMMIT, Commit(bytes(32), b"\xff" * 32)),
    (Kind.REVEAL, Reveal(bytes(32), bytes(32), bytes(64))),
    (Kind.SHUFFLE, Shuffle(bytes(64 * 52), bytes(109 * 64))),
    (Kind.CONFIRM, Confirm()),
    (Kind.DEAL, Shares(bytes(32 * 31), bytes(64))),
    (Kind.REARRANGE, Rearrange(bytes(64 * 2), b"proof")),
    (Kind.CALL, Answer(None, b"", bytes(128 * 6))),
    (Kind.CALL, Answer(0, bytes(32), bytes(64))),
    (Kind.CALL, Answer(51, bytes(32), bytes(64))),
    *[(Kind.PLAY, Play(move, (), b"", b"", None)) for move in Move],
    (Kind.PLAY, Play(Move.COVER, (3,), bytes(32), bytes(64), 51)),
    (Kind.PLAY, Play(Move.THROW, tuple(range(52)), bytes(32 * 52), bytes(64), None)),
    (Kind.DRAW, Shares(b"", bytes(64))),
    (Kind.RESULT, Result()),
    (Kind.BOOKS, Books(bytes(range(32)))),
    (Kind.RESIGN, Resign()),
    (Kind.GONE, Gone((0, 5), (5,))),
    (Kind.GONE, Gone((), ())),
    (Kind.HERE, Here(b"")),
    (Kind.HERE, Here(bytes(300))),
]


def test_every_kind_has_a_body_with_a_check_for_each_field() -> None:
    assert set(BODIES) == set(Kind) == {kind for kind, _ in EXAMPLES}
    for form in BODIES.values():
        assert len(form.fields) == len(fields(form))


@pytest.mark.parametrize(("kind", "body"), EXAMPLES)
def test_a_body_goes_out_and_comes_back(kind: Kind, body: Body) -> None:
    assert decode_body(kind, decode(encode(encode_body(body)))) == body


@pytest.mark.parametrize(("kind", "body"), EXAMPLES)
def test_a_field_less_or_more_is_refused(kind: Kind, body: Body) -> None:
    given = encode_body(body)
    for wrong in (
        (*given, None),
        (*given, b""),
        given[:-1] if given else None,
        list(given),
        b"",
        "",
        0,
        None,
        (given,),
    ):
        with pytest.raises(MalformedMessage):
            decode_body(kind, wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("kind", "body"), EXAMPLES)
def test_a_field_of_another_type_is_refused(kind: Kind, body: Body) -> None:
    given = encode_body(body)
    strangers: tuple[Value, ...] = (True, -1, 52, 2**64 - 1, "", "leads", b"short", bytes(31), (-1,), (52,), (True,))
    for at, honest in enumerate(given):
        for stranger in (*strangers, (b"",), ((),), bytes(MAX_MESSAGE_BYTES + 1)):
            if type(stranger) is type(honest) and not isinstance(stranger, bool) and _free(body, at, stranger):
                continue
            with pytest.raises(MalformedMessage):
                decode_body(kind, (*given[:at], stranger, *given[at + 1 :]))


def _free(body: Body, at: int, stranger: Value) -> bool:
    """Tell whether the length of this field depends on the state of the game, so that the form cannot refuse it."""
    name = fields(body)[at].name
    of_any_length = {"deck", "hand", "shares", "share", "overruled_by"} | (
        {"proof"} if not isinstance(body, Reveal | Shares) else set()
    )
    return isinstance(stranger, bytes) and name in of_any_length and len(stranger) <= MAX_MESSAGE_BYTES


def test_no_kind_takes_the_fields_of_another_form() -> None:
    for kind, form in BODIES.items():
        for _, body in EXAMPLES:
            if type(body) is not form and len(encode_body(body)) != len(form.fields):
                with pytest.raises(MalformedMessage):
                    decode_body(kind, encode_body(body))
