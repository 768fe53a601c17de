"""What a terminal sends and means no key is left out, whatever it is, and does not end the program."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from prompt_toolkit.input.ansi_escape_sequences import ANSI_SEQUENCES
from prompt_toolkit.input.vt100_parser import Vt100Parser

from p2pdurak.ui.console.screen import Screen
from p2pdurak.ui.console.sieve import Sieve, clicked
from tests.ui.console.virtual import Virtual, run_shell

if TYPE_CHECKING:
    from collections.abc import Callable

    from p2pdurak.ui.console.canvas import Canvas
    from p2pdurak.ui.console.settings import Settings
    from p2pdurak.ui.console.shell import Shell

MEANINGLESS = [
    "\x1b[M0!!",  # a click of the oldest kind, with Control
    "\x1b[M$!!",
    "\x1b[M(!!",
    "\x1b[Mb!!",
    "\x1b[M\U0010ffff\U0010ffff\U0010ffff",
    "\x1b[0m",
    "\x1b[31m",
    "\x1b[m",
    "\x1b[;;M",
    "\x1b[<0;5M",
    "\x1b[<0;5m",
    "\x1b[<;;m",
    "\x1b[<0;5;5;5m",
    "\x1b[<2;1;1m",  # another button
    "\x1b[<16;1;1m",  # with Control
    "\x1b[<35;1;1M",  # a move
    f"\x1b[<0;{'9' * 5000};1m",
    f"\x1b[{'9' * 5000};1R",
    "\x1b[٣;٣R",
    "\x1b[5;3R",
    "\x1b[1;9Z",
    "\x1b[97;5u",
    "\x1b[?1;2c",
    "\x1b[201~",
    "\x1b[I\x1b[O",
    "\x1b[15~\x1b[1;2A\x1b[24;5~",  # keys that there are, and mean nothing here
    "\x1bOz\x1bO5M",
    "\x1b3\x1bt\x1bq",  # with Alt
    "\x1b[1;\x1b[2",
    "\x1b[1 q",
    "\x1b[1\x00",
    "\x1b]11;rgb:1111/2222/3333\x07",
    "\x1bP1+r544e=787465726d\x1b\\",
    "\x1b_Gi=31;OK\x1b\\",
    "\x01\x02\x1d",
    "\u009b15~\u009b97;5u\u008fz\u009b?1;2c",  # with introducers of eight bits
    "\u009d11;rgb:1/2/3\u009c\u0090q\x1b\\\u009e1\u009c\u009f2\x07\u00983\u009c",
    "\x1b]11;rgb:1111/2222/3333\u009c",
]


class Pressed(Screen):
    """Remembers the keys."""

    def __init__(self, settings: Settings, *, mouse: bool) -> None:
        super().__init__(settings)
        self.pressed: list[str] = []
        self._mouse = mouse

    @property
    def mouse(self) -> bool:
        return self._mouse

    def press(self, key: str) -> None:
        self.pressed.append(key)

    def paint(self, canvas: Canvas, now: float) -> None:
        for row in range(canvas.rows):
            canvas.put(0, row, "here", key="click")
        canvas.put(0, 1, f"keys {' '.join(self.pressed)}.")


def pressed(*sent: str, mouse: bool = True) -> list[str]:
    """The keys that arrive of all that the terminal has sent, after which it sends ``z``."""
    seen: list[Pressed] = []

    async def program(shell: Shell, terminal: Virtual) -> None:
        screen = Pressed(shell.settings, mouse=mouse)
        seen.append(screen)
        shell.show(screen)
        await terminal.until("here")
        for text in sent:
            terminal.type(text)
        terminal.type("z")
        await terminal.until("z.")

    run_shell(program)
    return seen[0].pressed[:-1]


@pytest.mark.parametrize("mouse", [True, False])
def test_what_means_no_key_is_left_out(mouse: bool) -> None:
    assert pressed(*MEANINGLESS, mouse=mouse) == []


def test_no_control_sequence_of_any_form_plays_a_card_or_ends_the_program() -> None:
    chance = random.Random(5)
    forms = []
    for _ in range(3000):
        parameters = "".join(chance.choices("0123456789;:<=>?", k=chance.randrange(8)))
        between = "".join(chance.choices(" !\"#$%&'()*+,-./", k=chance.choice((0, 0, 0, 1, 2))))
        end = chance.choice("@BEGIJKLNOQSTUVWXY\\]^_`abcdefghijklmnopqrstuvwxyz{|}")
        forms.append(f"\x1b[{parameters}{between}{end}")
    known = [form for form in forms if form in ANSI_SEQUENCES or clicked(form)]
    assert pressed(*(form for form in forms if form not in known)) == []


def test_keys_clicks_and_pastes_arrive_between_what_means_nothing() -> None:
    sent = (
        "\x1b[31m\x1b[D1\x1b[97;5u",
        "\x1b[<0;2;4M\x1b[<0;2;4m",
        "\x1b[35;2;4M",
        '\x1b[M "$\x1b[M#"$',
        "\x1b[5;3R\x1b\x1b[A",
        "\x1b[1",
        ";3Z2\x1b[[",
        "E\x1b[200~q1\x1b[Z\x1b[201~3",
    )
    assert pressed(*sent) == ["left", "1", *["click"] * 3, "escape", "up", "2", "3"]


def test_an_escape_is_a_key_when_nothing_follows() -> None:
    sieve, keys = sieved()
    sieve.feed("\x1b")
    assert keys == []
    sieve.flush()
    assert keys == ["escape"]
    sieve.feed("\x1b[1;")
    sieve.flush()
    sieve.feed("\x1b[200~2")
    sieve.flush()
    sieve.feed("3\x1b[201~4")
    assert keys == ["escape", "<bracketed-paste>", "4"]


def sieved(clock: Callable[[], float] = lambda: 0.0) -> tuple[Sieve, list[str]]:
    """A sieve, and the keys that get through."""
    keys: list[str] = []
    parser = Vt100Parser(lambda press: keys.append(str(getattr(press.key, "value", press.key))))
    return Sieve(parser, clock), keys


def test_what_follows_its_escape_late_is_no_key_either() -> None:
    """Over a slow line, of F5 the Escape comes alone; the rest is not the keys 1 and 5, which play cards."""
    sieve, keys = sieved()
    for text in ("\x1b", "[15~", "3"):
        sieve.feed(text)
        sieve.flush()
    assert keys == ["escape", "f5", "3"]


@pytest.mark.parametrize("sequence", ["\x1b[1;5C", "\x1bOP", "\x1b[15~", "\x1b[97;5u", "\u009b15~", "\x1b[[E"])
def test_a_sequence_plays_no_card_in_however_many_parts_it_comes(sequence: str) -> None:
    keys_of = {}
    for parts in ([sequence], sequence):
        sieve, keys = sieved()
        for text in (*parts, "3"):
            sieve.feed(text)
            sieve.flush()
        keys_of[len(parts)] = [key for key in keys if key != "escape"]
    whole, single = keys_of.values()
    assert single == whole
    assert whole[-1] == "3"


def test_a_key_ends_what_has_begun_and_does_not_go_on() -> None:
    sieve, keys = sieved()
    for text in ("\x1b[", "1", "\r", "\x1b]", "2", "\r", "2", "\x1bP3\r", "\x1b]", "4", "\u009b", "\x1b[A"):
        sieve.feed(text)
        sieve.flush()
    assert keys == ["c-m", "c-m", "2", "c-m", "up"]


@pytest.mark.parametrize("end", ["\x1b\\", "\x07", "\u009c"])
@pytest.mark.parametrize("begin", ["\x1bP", "\x1b]", "\x1b_", "\u0090"])
def test_an_answer_plays_no_card_in_however_many_parts_it_comes(begin: str, end: str) -> None:
    for parts in ((f"{begin}2", "4", f"2{end}"), (f"{begin}2;4", end), (*(begin, "2", "4"), *end)):
        sieve, keys = sieved()
        for text in (*parts, "3"):
            sieve.feed(text)
            sieve.flush()
        assert [key for key in keys if key != "escape"] == ["3"]


@pytest.mark.parametrize(("key", "name"), [("\r", "c-m"), ("\x1b", "escape"), ("\x03", "c-c"), ("\x1b[D", "left")])
def test_an_answer_that_never_ends_is_ended_by_a_key(key: str, name: str) -> None:
    sieve, keys = sieved()
    for text in ("\x1bP2", "4", key, "5"):
        sieve.feed(text)
        sieve.flush()
    assert keys == [name, "5"]


def test_a_paste_that_never_ends_swallows_no_interrupt_and_nothing_that_comes_long_after() -> None:
    now = [0.0]
    sieve, keys = sieved(lambda: now[0])
    for text, seconds in (
        ("\x1b[200~abc", 0.5),
        ("d\x03", 0.0),  # an interrupt is one at once
        ("\x1b[200~abc", 0.9),
        ("def\x1b", 0.9),
        ("[201~", 0.0),  # it has come slowly, and has an end
        ("\x1b[200~abc", 5.0),
        ("def\x1b[201~", 0.0),
        ("\x1b[200~abc", 1.0),
        ("1", 0.0),  # this is none of it
    ):
        sieve.feed(text)
        sieve.flush()
        now[0] += seconds
    assert keys == ["c-c", "<bracketed-paste>", "<bracketed-paste>", "1"]


def test_introducers_of_eight_bits_make_the_same_keys() -> None:
    assert pressed("\u009bD1", "\u008fA", "\u009b200~q1\u009b201~3", "\u009b<0;2;4m") == [
        "left",
        "1",
        "up",
        "3",
        "click",
    ]
