"""Coming to a table, and coming anew before it was done."""

from __future__ import annotations

from typing import TYPE_CHECKING

import trio

from p2pdurak.game.ruleset import PRESETS
from p2pdurak.net.addresses import LOOPBACK_ADDRESS, Address
from p2pdurak.net.approach import Approach
from p2pdurak.net.background import background
from p2pdurak.net.guest import Guest
from p2pdurak.net.history import Beginning
from p2pdurak.net.mesh import Frame, open_mesh
from p2pdurak.net.opener import Opener
from p2pdurak.wire.talk import Knock, Stand, decode_talk
from p2pdurak.wire.terms import Terms
from tests.helpers import NAMES, signing_key

if TYPE_CHECKING:
    from p2pdurak.net.lobby import Lobby
    from p2pdurak.wire.genesis import Genesis

CODE = "lion-pepper-7"


async def test_who_looks_again_amid_the_proof_of_the_code_proves_anew() -> None:
    """A game that ends just then makes a guest begin anew over the same link."""
    terms = Terms("kitchen", PRESETS["albanian"], seats=2, code=True)
    async with (
        open_mesh(signing_key(0), NAMES[0]) as anna,
        open_mesh(signing_key(1), NAMES[1]) as boris,
        background() as tasks,
    ):
        tasks.start_soon(Opener(anna, terms, lambda _: None, ready=True, code=CODE).gather, Beginning())
        opener = await boris.reach([Address(LOOPBACK_ADDRESS, anna.port)])
        entered = trio.Event()
        way = Approach(boris, opener, CODE, entered.set)
        looks = 1
        way.look()
        while not entered.is_set():
            match news := await boris.news.receive():
                case Frame():
                    talk = decode_talk(news.data)
                    assert isinstance(talk, Stand | Knock), "the right code is right"
                    if isinstance(talk, Knock):
                        way.knocked(talk.message)
                    elif not way.arrived:
                        way.come(talk)
                        if looks == 1:
                            looks = 2
                            way.look()
                case _:
                    pass


async def test_who_is_ready_before_there_is_a_seat_is_ready_on_it() -> None:
    terms = Terms("kitchen", PRESETS["albanian"], seats=2)
    begun: list[Genesis] = []

    async def gather(lobby: Lobby, beginning: Beginning | None) -> None:
        begun.append(await lobby.gather(beginning))

    async with (
        open_mesh(signing_key(0), NAMES[0]) as anna,
        open_mesh(signing_key(1), NAMES[1]) as boris,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(gather, Opener(anna, terms, lambda _: None, ready=True), Beginning())
        address = Address(LOOPBACK_ADDRESS, anna.port)
        guest = Guest(boris, await boris.reach([address]), [address], lambda _: None)
        nursery.start_soon(gather, guest, None)
        while not guest._nonce:  # it has only begun
            await trio.lowlevel.checkpoint()
        assert guest.places == ()
        guest.say_ready(True)
    assert begun[0] == begun[1]
