"""The audit: a file that differs in anything from what was played never holds."""

from __future__ import annotations

import pytest

from p2pdurak.errors import MalformedMessage, NotationError
from p2pdurak.session.audit import Report, audit
from p2pdurak.session.session import Session
from p2pdurak.wire.codec import decode, encode
from p2pdurak.wire.gamefile import FIRST_LINE, LENGTH_BYTES, pack_file, unpack_file
from tests.helpers import Table

SAMPLES = 5
"""How many places deep in the file the everyday suite tries; replaying a whole game takes its time."""


def file_of(table: Table) -> tuple[bytes, bytes, list[bytes]]:
    data = table.sessions[0].transcript()
    genesis, messages, whole = unpack_file(data)
    assert whole
    assert pack_file(genesis, messages) == data
    return data, genesis, messages


def refused(data: bytes) -> Report | None:
    """Return the report of a file that must not hold and convicts nobody; None if it is no transcript at all."""
    try:
        report = audit(data)
    except NotationError:
        return None
    assert not report.holds
    assert not any(problem.convicts for problem in report.problems)
    return report


def sample(places: range, number: int = SAMPLES) -> range:
    return places[len(places) // (2 * number) :: max(1, len(places) // number)]


def flip(data: bytes, at: int, bit: int = 0) -> bytes:
    return data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :]


def test_the_file_as_it_was_played_holds(duel: Table) -> None:
    data, _, messages = file_of(duel)
    report = audit(data)
    assert report.holds
    assert report.counts.signatures == len(messages)
    assert report.genesis == duel.genesis
    assert report.dealer == duel.sessions[0].state.dealer


class TestFlippedBytes:
    def test_in_the_first_line_the_genesis_and_the_first_messages(self, duel: Table) -> None:
        data, genesis, messages = file_of(duel)
        beginning = len(pack_file(genesis, messages[:3]))
        for at in range(beginning):
            report = refused(flip(data, at, at % 8))
            assert report is None or at >= len(FIRST_LINE) + LENGTH_BYTES

    def test_anywhere_sampled(self, duel: Table) -> None:
        data, _, _ = file_of(duel)
        for at in sample(range(len(data))):
            assert refused(flip(data, at, at % 8)) is not None

    def test_in_every_message_on_its_way(self, duel: Table) -> None:
        """Every byte of the file but the lengths, met by a session that has heard all messages before."""
        _, _, messages = file_of(duel)
        self.flip_all(duel, messages, stride=211)

    @pytest.mark.soak
    def test_every_byte_of_every_message(self, duel: Table) -> None:
        _, _, messages = file_of(duel)
        self.flip_all(duel, messages, stride=1)

    def flip_all(self, duel: Table, messages: list[bytes], stride: int) -> None:
        session = Session(duel.genesis)
        for number, message in enumerate(messages):
            for at in range(number % stride % len(message), len(message), stride):
                with pytest.raises(MalformedMessage):
                    session.receive(flip(message, at, at % 8))
            session.receive(message)
        assert session.transcript() == duel.sessions[0].transcript()

    @pytest.mark.soak
    def test_in_every_length(self, duel: Table) -> None:
        _, genesis, messages = file_of(duel)
        for number in range(len(messages)):
            at = len(pack_file(genesis, messages[:number]))
            for byte in range(LENGTH_BYTES):
                refused(flip(duel.sessions[0].transcript(), at + byte, (number + byte) % 8))


class TestCutFiles:
    def test_between_messages(self, duel: Table) -> None:
        _, genesis, messages = file_of(duel)
        for kept in [0, 1, 2, len(messages) - 1, *sample(range(len(messages)))]:
            self.cut(pack_file(genesis, messages[:kept]))

    @pytest.mark.soak
    def test_between_any_messages(self, duel: Table) -> None:
        _, genesis, messages = file_of(duel)
        for kept in range(len(messages)):
            self.cut(pack_file(genesis, messages[:kept]))

    def cut(self, data: bytes) -> None:
        report = refused(data)
        assert report is not None
        assert "breaks off" in str(report.problems[0].reason)
        assert report.final_head == b"" or report.counts.books == 0

    def test_in_the_middle_of_a_message(self, duel: Table) -> None:
        data, genesis, _ = file_of(duel)
        begun = len(pack_file(genesis, []))
        for length in range(begun):
            assert refused(data[:length]) is None
        for length in [begun + 1, begun + 4, begun + 60, len(data) - 1, *sample(range(begun, len(data)), 5)]:
            assert refused(data[:length]) is not None


class TestReorderedFiles:
    def check(self, genesis: bytes, messages: list[bytes]) -> None:
        assert refused(pack_file(genesis, messages)) is not None

    def swap(self, duel: Table, places: list[int]) -> None:
        _, genesis, messages = file_of(duel)
        for at in places:
            self.check(genesis, [*messages[:at], messages[at + 1], messages[at], *messages[at + 2 :]])

    def test_neighbours_swapped(self, duel: Table) -> None:
        _, _, messages = file_of(duel)
        last = len(messages) - 2
        self.swap(duel, [0, 1, last, *sample(range(last), 2)])

    @pytest.mark.soak
    def test_any_neighbours_swapped(self, duel: Table) -> None:
        _, _, messages = file_of(duel)
        self.swap(duel, list(range(len(messages) - 1)))

    def test_a_message_repeated(self, duel: Table) -> None:
        _, genesis, messages = file_of(duel)
        for at in [0, len(messages) - 1]:
            self.check(genesis, [*messages[: at + 1], *messages[at:]])
        self.check(genesis, [*messages, messages[7]])

    def test_a_message_left_out(self, duel: Table) -> None:
        _, genesis, messages = file_of(duel)
        for at in [0, 1, len(messages) - 1, *sample(range(len(messages)), 3)]:
            self.check(genesis, [*messages[:at], *messages[at + 1 :]])

    def test_something_appended(self, duel: Table, trio: Table) -> None:
        data, genesis, messages = file_of(duel)
        strange = trio.sessions[0].rounds[0].spoken[0].envelope.data
        for tail in (b"\0", b"\xff" * 4, strange):
            assert refused(data + tail) is not None
        for message in (b"", strange):
            self.check(genesis, [*messages, message])

    def test_all_turned_round(self, duel: Table) -> None:
        _, genesis, messages = file_of(duel)
        self.check(genesis, messages[::-1])


def test_a_signature_alone_altered(duel: Table) -> None:
    _, genesis, messages = file_of(duel)
    for at in (0, 3, len(messages) // 3):
        value = decode(messages[at])
        assert isinstance(value, tuple)
        payload, signature = value
        assert isinstance(signature, bytes)
        for altered in (flip(signature, 0), flip(signature, 63), bytes(64), signature[:-1], b""):
            changed = [*messages[:at], encode((payload, altered)), *messages[at + 1 :]]
            report = refused(pack_file(genesis, changed))
            assert report is not None
            assert "damaged or altered" in str(report.problems[0].reason)


def test_the_beginning_of_one_game_with_the_messages_of_another(duel: Table, trio: Table) -> None:
    for one, other in ((duel, trio), (trio, duel)):
        _, genesis, _ = file_of(one)
        _, _, messages = file_of(other)
        report = refused(pack_file(genesis, messages))
        assert report is not None
        assert report.counts.rounds == 0


def test_messages_of_another_game_in_the_middle(duel: Table) -> None:
    again = Table(duel.genesis, seed=3).run(until=lambda table: table.sessions[0].state.round > 20)
    _, genesis, messages = file_of(duel)
    other = [said.envelope.data for round_ in again.sessions[0].rounds for said in round_.spoken]
    report = audit(pack_file(genesis, [*messages[:20], other[20], *messages[20:]]))
    assert not report.holds


def test_one_seat_playing_two_courses_of_a_game_is_convicted_by_both(duel: Table) -> None:
    """Two files of the same genesis cannot both hold, unless every seat signed both: then all are convicted."""
    again = Table(duel.genesis, seed=3).run(until=lambda table: table.sessions[0].state.round > 3)
    _, genesis, messages = file_of(duel)
    second = again.sessions[0].rounds[0].spoken[1].envelope.data
    report = audit(pack_file(genesis, [*messages, second]))
    assert [(problem.seats, problem.convicts) for problem in report.problems] == [((1,), True)]


def test_what_is_no_file_raises_one_error_only() -> None:
    for data in (b"", b"\0" * 50, FIRST_LINE, FIRST_LINE + bytes(4), pack_file(b"", []), pack_file(b"\xc0", [b"x"])):
        with pytest.raises(NotationError):
            audit(data)


def test_an_unfinished_game_tells_who_was_waited_for(trio: Table) -> None:
    asked = next(round_ for round_ in trio.sessions[-1].rounds if round_.kind == "play")
    fresh = Session(trio.genesis)
    for round_ in trio.sessions[-1].rounds[: asked.state.round]:
        for said in round_.spoken:
            fresh.receive(said.envelope.data)
    (problem,) = audit(fresh.transcript()).problems
    assert problem.seats == (asked.spoken[0].envelope.seat,)
    assert (problem.round, problem.convicts) == (asked.state.round, False)
