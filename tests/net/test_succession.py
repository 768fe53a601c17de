"""Who has the table when a game was ended without its opener, and what the others are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from p2pdurak.game.ruleset import PRESETS
from p2pdurak.net.guest import Guest
from p2pdurak.net.lobby import LobbyEvent, Warned
from p2pdurak.net.mesh import open_mesh
from p2pdurak.net.opener import Opener
from p2pdurak.net.succession import succeed
from p2pdurak.wire.terms import Terms
from tests.helpers import NAMES, signing_key
from tests.session.kitchen import kitchen

if TYPE_CHECKING:
    from p2pdurak.session.session import Session

RESIGNED = "Anna has given the game up: Boris has the table from now on."
GONE = "The game was ended without Anna: Boris has the table from now on."


def left(seat: int, *, resigned: bool) -> list[Session]:
    """The sessions of a game of four that was ended without a seat."""
    table = kitchen()
    if resigned:
        return table.resign(seat).go_on().sessions
    table.leave(seat)
    for other in range(4):
        if other != seat:
            table.vote(other, seat)
    return table.go_on().sessions


@pytest.mark.parametrize(("resigned", "told"), [(True, RESIGNED), (False, GONE)])
@pytest.mark.parametrize(("seat", "kind"), [(1, Opener), (3, Guest)])
async def test_all_are_told_who_has_the_table_and_why(resigned: bool, told: str, seat: int, kind: type) -> None:
    heard: list[LobbyEvent] = []
    session = left(0, resigned=resigned)[seat]
    async with open_mesh(signing_key(seat), NAMES[seat], port=0) as mesh:
        guest = Guest(mesh, signing_key(0).public, [], heard.append)
        guest.terms = Terms("kitchen", PRESETS["albanian"], seats=4)
        lobby = succeed(guest, session)
    assert isinstance(lobby, kind)
    assert lobby.opener == signing_key(1).public
    assert heard == [Warned(event.said) for event in heard if isinstance(event, Warned)]
    assert [str(event.said) for event in heard if isinstance(event, Warned)] == [told]


async def test_nobody_else_has_the_table_when_a_guest_has_left() -> None:
    session = left(2, resigned=True)[1]
    async with open_mesh(signing_key(1), NAMES[1], port=0) as mesh:
        guest = Guest(mesh, signing_key(0).public, [], lambda _: None)
        guest.terms = Terms("kitchen", PRESETS["albanian"], seats=4)
        assert succeed(guest, session) is guest
