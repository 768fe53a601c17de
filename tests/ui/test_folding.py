"""Long lines on a narrow terminal: whole words and cards, the rest under the first, and commands that can be copied."""

from __future__ import annotations

import pytest

from p2pdurak.ui.folding import folded

LONG = "p2pdurak join p2pdurak:" + "abcdefghij" * 8


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("short, with  two blanks ", ["short, with  two blanks "]),
        ("", [""]),
        ("Before a game: 'ready' when you want to play.", ["Before a game: 'ready'", "when you want to play."]),
        ("  Trump ♠, talon 2. Your hand: 10♣ 9♦ J♠", ["  Trump ♠, talon 2. Your", "  hand: 10♣ 9♦ J♠"]),
        ("    12  beat 10♣ with 9♠, or lay", ["    12  beat 10♣ with 9♠,", "        or lay"]),
        ("> Anna: Пойдём дальше, друзья мои", ["> Anna: Пойдём дальше,", "  друзья мои"]),
        ("  • one card attacks, all throw in", ["  • one card attacks, all", "    throw in"]),
        ("albanian   one card attacks, all", ["albanian   one card", "           attacks, all"]),
        ("你好世界 你好世界 你好世界", ["你好世界 你好世界", "你好世界"]),
        ("Check it:  p2pdurak verify /home/anna/1.durak", ["Check it:", "p2pdurak verify /home/anna/1.durak"]),
        ("It waits: .venv/bin/p2pdurak resume 0a1b", ["It waits:", ".venv/bin/p2pdurak resume 0a1b"]),
        ("Say: p2pdurak host opens one, and so on.", ["Say: p2pdurak host opens", "one, and so on."]),
        ("объяснит p2pdurak rules prostoy", ["объяснит", "p2pdurak rules prostoy"]),
        (f"  {LONG}", [f"  {LONG}"]),
        ("words " + "x" * 30 + " and more", ["words", "x" * 30 + " and more"]),
    ],
)
def test_a_line_is_folded(line: str, lines: list[str]) -> None:
    assert folded(line, 25) == "\n".join(lines)
