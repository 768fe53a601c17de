"""Coming to a table, and coming anew before it was done."""

from __future__ import annotations

import trio

from p2pdurak.game.ruleset import PRESETS
from p2pdurak.net.addresses import LOOPBACK_ADDRESS, Address
from p2pdurak.net.approach import Approach
from p2pdurak.net.background import background
from p2pdurak.net.history import Beginning
from p2pdurak.net.mesh import Frame, open_mesh
from p2pdurak.net.opener import Opener
from p2pdurak.wire.talk import Knock, Stand, decode_talk
from p2pdurak.wire.terms import Terms
from tests.helpers import NAMES, signing_key

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
