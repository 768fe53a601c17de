"""The picture of the table for the documents: ``python -m tests.ui.console.make_picture`` draws docs/table.svg.

It is a canvas of the console itself, of a game from one seed, so it shows what players see, and nothing has to be
photographed.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape

from prompt_toolkit.styles import Attrs

from p2pdurak.game.state import Decision
from p2pdurak.ui.console.canvas import width_of
from p2pdurak.ui.console.settings import Colours
from p2pdurak.ui.console.style import style_of
from tests.ui.console.scenes import NOW, SeenTable

if TYPE_CHECKING:
    from p2pdurak.ui.console.canvas import Canvas

PATH = Path(__file__).parents[3] / "docs" / "table.svg"
COLUMNS, ROWS = 80, 24
CELL: Final = (8.4, 18.0)
INK, PAPER = "#d8dee9", "#1d2129"
PLAIN = Attrs("", "", False, False, False, False, False, False, False, False)


def svg(canvas: Canvas) -> str:
    """The canvas as a picture: one text for each run of cells, placed by its column."""
    width, height = CELL
    size = f'width="{canvas.columns * width + 2 * width:.0f}" height="{(canvas.rows + 1) * height:.0f}"'
    font = 'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} {font} xml:space="preserve">',
        f'<rect width="100%" height="100%" rx="6" fill="{PAPER}"/>',
    ]
    for row in range(canvas.rows):
        column = 0
        for run in canvas.runs(row):
            cells = width_of(run.text)
            if run.text.strip():
                lines += _run(run.text, run.style, ((column + 1) * width, (row + 1) * height), cells * width)
            column += cells
    return "\n".join([*lines, "</svg>", ""])


def _run(text: str, style: str, place: tuple[float, float], width: float) -> list[str]:
    attributes = style_of(Colours.FOUR).get_attrs_for_style_str(style, default=PLAIN)
    (x, y), ink = place, f"#{attributes.color}" if attributes.color else INK
    lines = []
    if attributes.reverse:
        lines.append(f'<rect x="{x:.1f}" y="{y - 13:.1f}" width="{width:.1f}" height="17" fill="{ink}"/>')
        ink = PAPER
    more = ' font-weight="bold"' if attributes.bold else ""
    more += ' opacity="0.55"' if attributes.dim else ""
    fitted = f'textLength="{width:.1f}" lengthAdjust="spacingAndGlyphs"'
    lines.append(f'<text x="{x:.1f}" y="{y:.1f}" {fitted} fill="{ink}"{more}>{escape(text)}</text>')
    return lines


def table() -> Canvas:
    """A table of four, in the middle of a bout in which Anna defends."""
    seen = SeenTable(4, seed=5)

    def attacked(_: object) -> bool:
        session = seen.sessions[0]
        play = session.state.game
        if not (session.my_decision and play and play.decision is Decision.DEFEND and len(play.table) > 2):
            return False
        seen.screen.ask(session.view())
        return seen.screen.chooser.playable().bit_count() > 1

    seen.run(until=attacked)
    return seen.screen.canvas(COLUMNS, ROWS, NOW)


def main() -> None:
    PATH.write_text(svg(table()), encoding="utf-8")


if __name__ == "__main__":
    main()
