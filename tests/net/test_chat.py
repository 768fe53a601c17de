"""Talking at a table: who is heard, what is passed on, replays, forgeries and floods; and whole tables that talk."""

from __future__ import annotations

from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest
import trio

from p2pdurak.errors import LocalProtocolError, MalformedMessage, NotationError
from p2pdurak.net.background import background
from p2pdurak.net.chat import (
    KEPT_EARLY,
    KEPT_NUMBERS,
    LINK_WORDS,
    MAX_SPEAKERS,
    SPEAKER_SECONDS,
    SPEAKER_WORDS,
    ChatEvent,
    ChatRoom,
    Circle,
    Spoken,
    TooMuch,
)
from p2pdurak.net.mesh import Mesh
from p2pdurak.session.audit import audit
from p2pdurak.session.events import Event, Played
from p2pdurak.wire.chat import PHRASES, Words, read_words, seal_words
from p2pdurak.wire.talk import Chat, decode_talk
from tests.helpers import NAMES, entropy, signing_key
from tests.net.test_node import TERMS, Person, a_table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    from p2pdurak.session.session import Session

KEYS = [signing_key(at).public for at in range(6)]
ANNA, BORIS, CLARA, WANDA, STRANGER = range(5)
LOT, NEXT_LOT = entropy("lot"), entropy("next lot")


class Outbox(Mesh):
    """A mesh without links that remembers what was to be sent."""

    sent: list[tuple[Chat, set[bytes]]]

    def broadcast(self, frame: bytes, peers: Iterable[bytes] | None = None) -> None:
        chat = decode_talk(frame)
        assert isinstance(chat, Chat)
        self.sent.append((chat, set(peers or ())))


@dataclass
class Room:
    """The chat as one of Anna, Boris and Clara, who play, or Wanda, who watches, has it."""

    mesh: Outbox
    told: list[ChatEvent] = field(default_factory=list)
    watchers: Collection[bytes] = (KEYS[WANDA],)

    def __post_init__(self) -> None:
        self.players = {KEYS[at]: NAMES[at] for at in (ANNA, BORIS, CLARA)}
        self.chat = ChatRoom(self.mesh, lambda: Circle(self.players, self.watchers), self.told.append)
        self.chat.at(LOT)

    def hear(self, speaker: int, *numbers: int, lot: bytes = LOT, by: int | None = None) -> None:
        for number in numbers:
            self.chat.hear(KEYS[speaker if by is None else by], chat(speaker, number, lot=lot))

    @property
    def heard(self) -> list[str]:
        return [str(event.remark) for event in self.told if isinstance(event, Spoken)]


def chat(speaker: int, number: int, *, lot: bytes = LOT, nickname: str = "") -> Chat:
    name = nickname or ("Wanda" if speaker == WANDA else NAMES[speaker])
    return seal_words(signing_key(speaker), Words(lot, KEYS[speaker], name, number, f"words {number}"))


@pytest.fixture
def room(nursery: trio.Nursery) -> Room:
    return room_of(ANNA, nursery)


def room_of(at: int, nursery: trio.Nursery) -> Room:
    mesh = Outbox(signing_key(at), NAMES[at], 1, nursery)
    mesh.sent = []
    return Room(mesh)


async def test_words_are_shown_once_and_passed_on_to_all_others(room: Room) -> None:
    said = chat(BORIS, 1)
    room.chat.hear(KEYS[BORIS], said)
    room.chat.hear(KEYS[BORIS], said)
    room.chat.hear(KEYS[CLARA], said)
    assert room.told == [Spoken(KEYS[BORIS], "Boris", False, "words 1")]
    assert room.mesh.sent == [(said, {KEYS[CLARA], KEYS[WANDA]})]


async def test_words_that_are_passed_on_are_the_speakers(room: Room) -> None:
    room.hear(BORIS, 1, by=CLARA)
    assert room.told == [Spoken(KEYS[BORIS], "Boris", False, "words 1")]
    assert room.mesh.sent[0][1] == {KEYS[WANDA]}


async def test_a_player_goes_by_the_name_of_the_seat_and_a_watcher_by_its_own(room: Room) -> None:
    room.chat.hear(KEYS[BORIS], chat(BORIS, 1, nickname="Anna"))
    room.chat.hear(KEYS[WANDA], chat(WANDA, 1, nickname="Anna"))
    assert room.told == [
        Spoken(KEYS[BORIS], "Boris", False, "words 1"),
        Spoken(KEYS[WANDA], "Anna", True, "words 1"),
    ]


async def test_a_watcher_hears_and_speaks_and_passes_nothing_on(nursery: trio.Nursery) -> None:
    room = room_of(WANDA, nursery)
    room.hear(BORIS, 1)
    assert room.heard == ["words 1"]
    assert room.mesh.sent == []
    room.chat.say(3)
    assert room.told[1:] == [Spoken(KEYS[WANDA], NAMES[WANDA], True, 3)]
    assert room.mesh.sent[0][1] == set(KEYS[:3])


async def test_strangers_neither_speak_nor_deliver(room: Room) -> None:
    room.hear(STRANGER, 1)
    room.hear(STRANGER, 2, by=BORIS)
    room.hear(BORIS, 1, by=STRANGER)
    room.hear(ANNA, 1, by=BORIS)
    assert room.told == []
    assert room.mesh.sent == []


async def test_who_delivers_a_forgery_is_to_blame_and_the_number_is_not_used_up(room: Room) -> None:
    good = chat(BORIS, 1)
    for bad in (Chat(good.payload, bytes(64)), Chat(good.payload, chat(CLARA, 1).signature), Chat(b"x", bytes(64))):
        with pytest.raises(MalformedMessage):
            room.chat.hear(KEYS[CLARA], bad)
    room.chat.hear(KEYS[CLARA], good)
    assert room.heard == ["words 1"]


async def test_words_of_another_table_wait_in_vain_and_those_of_the_next_game_for_their_time(room: Room) -> None:
    room.hear(BORIS, 1, lot=entropy("other table"))
    room.hear(BORIS, 2, lot=NEXT_LOT)
    room.hear(CLARA, 1, lot=NEXT_LOT, by=BORIS)
    assert room.told == []
    room.chat.at(NEXT_LOT)
    assert room.heard == ["words 2", "words 1"]
    assert [peers for _, peers in room.mesh.sent] == [{KEYS[CLARA], KEYS[WANDA]}, {KEYS[WANDA]}]
    room.hear(BORIS, 3, lot=LOT)
    assert room.heard[-1] == "words 3", "what was said before the game ended may come after it"
    room.hear(BORIS, 2, lot=NEXT_LOT)
    assert len(room.heard) == 3
    assert len(room.chat._early) == 1


async def test_numbers_may_come_in_another_order_but_not_again(room: Room, autojump_clock: object) -> None:
    for number in (3, 2, 5, 4, 2, 3, 5):
        room.hear(BORIS, number)
    assert room.heard == ["words 3", "words 2", "words 5", "words 4"]
    for number in range(100, 100 + KEPT_NUMBERS):
        await trio.sleep(SPEAKER_SECONDS)
        room.hear(BORIS, number)
    count = len(room.told)
    room.hear(BORIS, 1, 2, 6, 99)
    assert len(room.told) == count, "old words are no news, though their numbers are not remembered"


async def test_who_says_too_much_is_left_out_and_that_is_told_once(room: Room, autojump_clock: object) -> None:
    room.hear(BORIS, *range(1, 21))
    assert len(room.heard) == SPEAKER_WORDS
    assert room.told[SPEAKER_WORDS:] == [TooMuch(KEYS[BORIS], "Boris", False)]
    assert len(room.mesh.sent) == SPEAKER_WORDS
    room.hear(CLARA, 1)
    assert room.heard[-1] == "words 1", "others are heard meanwhile"
    await trio.sleep(SPEAKER_SECONDS)
    room.hear(BORIS, 20, 21)
    assert room.heard[-1] == "words 21"
    room.hear(BORIS, *range(22, 40))
    assert room.told.count(TooMuch(KEYS[BORIS], "Boris", False)) == 2


async def test_all_watchers_together_say_no_more_than_one_player(room: Room) -> None:
    room.watchers = KEYS[3:]
    for number in range(1, 4):
        for watcher in (3, 4, 5):
            room.hear(watcher, number)
    assert len(room.heard) == SPEAKER_WORDS
    room.hear(BORIS, 1)
    assert room.heard[-1] == "words 1"


async def test_one_link_brings_no_more_than_a_whole_table_can_say(room: Room) -> None:
    said = chat(BORIS, 1)
    for _ in range(LINK_WORDS):
        room.chat.hear(KEYS[CLARA], said)
    room.chat.hear(KEYS[CLARA], Chat(b"not even looked at", bytes(64)))
    room.hear(BORIS, 2)
    assert room.heard == ["words 1", "words 2"]


async def test_whatever_comes_memory_is_bounded(room: Room, autojump_clock: object) -> None:
    many = [signing_key(at) for at in range(10, 20 + MAX_SPEAKERS)]
    for at, key in enumerate(many):
        room.watchers = [key.public]
        for number in range(1, 2 * KEPT_EARLY):
            words = Words(entropy("elsewhere", at % 2), key.public, "W", number, 1)
            room.chat.hear(key.public, seal_words(key, words))
        await trio.sleep(1)
    kept = room.chat
    assert len(kept._early) == KEPT_EARLY
    assert len(kept._heard) == len(kept._links) == MAX_SPEAKERS
    assert {len(numbers) for numbers in kept._heard.values()} == {KEPT_NUMBERS}


async def test_saying_something(room: Room, autojump_clock: object) -> None:
    room.chat.say("  Well,\n well ")
    for phrase in range(1, SPEAKER_WORDS):
        room.chat.say(phrase)
    assert [event.remark for event in room.told if isinstance(event, Spoken)] == ["Well, well", 1, 2, 3, 4]
    numbers = [read_words(said).number for said, _ in room.mesh.sent]
    assert numbers == sorted(set(numbers))
    assert {frozenset(peers) for _, peers in room.mesh.sent} == {frozenset(KEYS[1:4])}
    with pytest.raises(LocalProtocolError, match="too much at once"):
        room.chat.say(PHRASES)
    await trio.sleep(SPEAKER_SECONDS)
    with pytest.raises(NotationError, match="200"):
        room.chat.say("x" * 201)
    room.chat.say(PHRASES)
    room.players, room.watchers = {}, ()
    with pytest.raises(LocalProtocolError, match="not at the table"):
        room.chat.say("Is anybody there?")


# Whole tables, over real links


def heard(person: Person) -> list[tuple[str, object]]:
    return [(event.nickname, event.remark) for event in person.seated if isinstance(event, Spoken)]


async def until_heard(people: Iterable[Person], number: int) -> None:
    for person in people:
        while len(heard(person)) < number:
            await person.changed.wait()


def silent(session: Session, event: Event) -> None:
    pass


async def test_people_talk_before_in_and_after_a_game_and_the_transcript_does_not_know(tmp_path: Path) -> None:
    async with AsyncExitStack() as stack:
        people = await a_table(stack, tmp_path, 3, replace(TERMS, games=1))
        anna, boris, clara = people
        tasks = await stack.enter_async_context(background())

        def talk_once(session: Session, event: Event) -> None:
            if isinstance(event, Played) and len(heard(boris)) < 3:
                boris.lobby.chat.say("And now?")

        over = {name: trio.Event() for name in NAMES}

        async def play_and_stay(person: Person) -> None:
            await person.play(talk_once if person is boris else silent)
            over[person.mesh.nickname].set()
            await person.lobby.linger()

        tasks.start_soon(play_and_stay, anna)
        tasks.start_soon(play_and_stay, boris)
        await anna.until("Anna", "Boris")
        await boris.until("Anna", "Boris")
        boris.lobby.chat.say("Привет!")
        anna.lobby.chat.say(2)
        await until_heard((anna, boris), 2)
        tasks.start_soon(play_and_stay, clara)
        await until_heard((anna, boris), 3)
        await until_heard((clara,), 1)
        for person in people:
            await over[person.mesh.nickname].wait()
        clara.lobby.chat.say("Good night!")
        await until_heard((anna, boris), 4)
    assert set(heard(anna)) == {("Boris", "Привет!"), ("Anna", 2), ("Boris", "And now?"), ("Clara", "Good night!")}
    assert set(heard(clara)) == {("Boris", "And now?"), ("Clara", "Good night!")}
    assert anna.transcripts == boris.transcripts == clara.transcripts
    assert audit(anna.transcripts[0]).holds
    assert b"And now?" not in anna.transcripts[0]


async def test_words_reach_who_has_no_link_to_the_speaker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with AsyncExitStack() as stack:
        people = await a_table(stack, tmp_path, 3, replace(TERMS, seats=4))
        tasks = await stack.enter_async_context(background())
        for guest in people[1:]:  # both are linked to Anna, and cannot reach each other
            monkeypatch.setattr(guest.mesh, "want", lambda peer, addresses: None)
        for person in people:
            tasks.start_soon(person.play)
        for person in people:
            while len(person.lobby.places) < len(people):  # who comes first sits first
                await person.changed.wait()
        boris, clara = people[1:]
        assert clara.mesh.identity.public not in boris.mesh.peers()
        boris.lobby.chat.say("Can you hear me?")
        await until_heard((clara,), 1)
        assert heard(clara) == [("Boris", "Can you hear me?")]
