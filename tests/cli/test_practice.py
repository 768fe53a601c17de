"""Practising with bots: nobody else hears of the table or can come to it, and whoever leaves is told how to go on."""

from __future__ import annotations

import signal
import socket
from contextlib import closing
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
import trio
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from p2pdurak.cli import resume, sitting
from p2pdurak.cli.chosen import BOTS_TERMS
from p2pdurak.cli.kept import PRACTICE, SavedGame
from p2pdurak.cli.side import ConsoleSide, Wish
from p2pdurak.errors import LinkError
from p2pdurak.net.addresses import LOOPBACK_ADDRESS
from p2pdurak.net.known import KnownPlayers
from p2pdurak.net.lobby import Seated
from p2pdurak.net.profile import Profile
from p2pdurak.net.saved import peek
from p2pdurak.ui.console.settings import Settings
from p2pdurak.ui.console.shell import Shell
from p2pdurak.wire.talk import Place
from tests.cli.person import Person
from tests.cli.running import events, run, start
from tests.cli.typing import terminal
from tests.helpers import make_genesis, signing_key

if TYPE_CHECKING:
    from pathlib import Path

PRACTISE = ("play", "--bots", "1", "--pace", "0", "--profile", "zoe")


@pytest.mark.parametrize(("way", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), ("\x03", 130), ("\x04", 2)])
def test_in_lines_the_end_tells_how_to_go_on(tmp_path: Path, way: str | signal.Signals, status: int) -> None:
    person = Person(tmp_path, *PRACTISE, "--lines", columns=120)
    with closing(person.child):
        person.read("Play:")
        person.read("Trump")
        if isinstance(way, str):
            person.press(way)
        else:
            person.child.kill(way)
        person.read("The game waits for you. Take it up again:")
        person.child.expect(r"p2pdurak resume ([0-9a-f]+) --profile zoe\r\n")
        (journal,) = (tmp_path / "profiles" / "zoe" / PRACTICE).glob(f"*{person.child.match[1]}*.journal")
        assert journal.exists()
        rest = person.child.read()
        assert "Traceback" not in rest
        assert "Fatal" not in rest
    assert person.child.exitstatus == status


def test_the_bots_come_back_to_another_port(tmp_path: Path) -> None:
    person = Person(tmp_path, *PRACTISE, "--games", "1", "--lines", columns=120)
    person.read("Trump")
    person.press("\x04")
    person.read("The game waits for you. Take it up again:")
    person.child.expect(r"p2pdurak resume")
    person.child.read()
    folder = tmp_path / "profiles" / "zoe" / PRACTICE
    (journal,) = folder.glob("*.journal")
    with socket.create_server((LOOPBACK_ADDRESS, peek(journal)[0].port)):
        done = start("resume", "--bot", "--pace", "0", "--profile", "zoe", home=tmp_path)
        told, complaints = done.communicate()
    assert (done.returncode, complaints) == (0, "")
    assert f"{journal.stem}.durak" in told
    assert (folder / f"{journal.stem}.durak").exists()


def test_in_lines_a_hang_up_ends_the_program_and_keeps_the_game(tmp_path: Path) -> None:
    person = Person(tmp_path, *PRACTISE, "--lines", columns=120)
    person.read("Play:")
    person.read("Trump")
    person.child.close()  # its terminal is gone
    assert person.child.signalstatus == signal.SIGHUP
    assert "resume" in run("games", "--profile", "zoe", home=tmp_path).stdout


def test_in_lines_nothing_waits_for_whoever_leaves_between_games(tmp_path: Path) -> None:
    person = Person(tmp_path, "host", "--lines", columns=120)
    with closing(person.child):
        person.read("sits down")
        person.press("\x03")
        assert "waits for you" not in person.child.read()
    assert person.child.exitstatus == 130


def test_the_table_stays_private_when_a_bot_has_it(tmp_path: Path) -> None:
    person = Person(tmp_path, *PRACTISE)
    person.until("trump", "talon")
    person.press("qr")
    person.until("has the table from now on")
    assert [line["event"] for line in events(run("tables", "--once", "--json", home=tmp_path / "other").stdout)] == [
        "none"
    ]
    person.press("qq")
    assert person.ended() == 0


async def test_nobody_on_another_machine_can_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither to a table of practice that the start screen opens, nor to one that is taken up again there."""
    hosts: list[str] = []

    async def listen(port: int, *, host: str) -> NoReturn:
        del port
        hosts.append(host)
        raise OSError("enough is known")

    monkeypatch.delenv("P2PDURAK_LOOPBACK")
    monkeypatch.setenv("P2PDURAK_HOME", str(tmp_path))
    monkeypatch.setattr(trio, "open_tcp_listeners", listen)
    monkeypatch.setattr(resume, "returning", lambda *_: [None])
    with Profile.open("zoe") as profile:
        shell = Shell(Settings(), lambda _: None, input_=DummyInput(), output=DummyOutput())
        known = KnownPlayers.open(profile.folder)
        console: Any = SimpleNamespace(shell=shell, profile=profile, known=known, nickname=profile.player, port=None)
        with pytest.raises(LinkError):
            await sitting.play_bots(console, BOTS_TERMS, 0.0)
        game = SavedGame(profile.folder, profile.folder / PRACTICE / "game.journal", 0.0)
        interrupted: Any = SimpleNamespace(
            header=SimpleNamespace(genesis=make_genesis(2), opener=signing_key(0).public, port=0)
        )
        with pytest.raises(LinkError):
            await sitting.sit_again(console, game, interrupted)
    assert set(hosts) == {"127.0.0.1"}


def test_who_practises_is_not_asked_whether_they_are_ready(tmp_path: Path) -> None:
    shell = Shell(Settings(), lambda _: None, input_=DummyInput(), output=DummyOutput())
    me = signing_key(0).public
    side = ConsoleSide(shell, me, KnownPlayers.open(tmp_path), opens=True, at_once=True)
    side.lobby_screen.bots = BOTS_TERMS.seats - 1
    assert "The bots are coming" in side.lobby_screen.canvas(80, 24, 0.0).text()
    side.at_table(Seated(BOTS_TERMS, (Place(me, "Zoe", "", 0),), 0))
    seen = side.lobby_screen.canvas(80, 24, 0.0).text()
    assert "3 bots are coming …" in seen
    assert "Are you ready" not in seen
    assert "Enter ready" not in seen
    assert side._wishes.receive_nowait() is Wish.READY


async def test_no_code_is_asked_for_at_a_table_that_is_in_a_game_of_others(tmp_path: Path) -> None:
    async with (
        terminal(tmp_path, "bot", "--open", "--players", "2", "--code", "red-fox-12", "--pace", "60") as anna,
        terminal(tmp_path, "bot", f"127.0.0.1:{(await anna.until('open'))['port']}", "--code", "red-fox-12") as boris,
    ):
        port = (await anna.until("open"))["port"]
        await boris.until("dealt")
        async with terminal(tmp_path, "join", f"127.0.0.1:{port}", "--name", "Zoe") as zoe:
            assert await zoe.process.wait() == 2
        assert b"A game is going on" in zoe.complaints
