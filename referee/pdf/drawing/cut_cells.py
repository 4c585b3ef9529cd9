"""Pages to be cut or folded: cells that fill the paper, cut lines and fold lines.

The cells are equal parts of the paper, so a stack is cut between them only. Printers leave the outermost millimetres
white: texts keep `EDGE` from the edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.lib.units import mm

from referee.pdf.drawing import fonts
from referee.pdf.drawing.sheet import QUIET, Sheet

EDGE = 6 * mm


@dataclass(frozen=True, slots=True)
class Cell:
    """Part of a page that is cut out: lower left corner and size, in points."""

    x: float
    y: float
    width: float
    height: float


def cells(sheet: Sheet, columns: int, rows: int) -> list[Cell]:
    """List the parts of a page row by row from the upper left corner."""
    width, height = sheet.page_width / columns, sheet.page_height / rows
    return [
        Cell(column * width, (rows - 1 - row) * height, width, height)
        for row in range(rows)
        for column in range(columns)
    ]


def draw_cut_lines(sheet: Sheet, columns: int, rows: int) -> None:
    """Draw a dashed line along each cut."""
    wide, high = sheet.page_width, sheet.page_height
    cuts = [(wide * at / columns, EDGE, wide * at / columns, high - EDGE) for at in range(1, columns)]
    cuts += [(EDGE, high * at / rows, wide - EDGE, high * at / rows) for at in range(1, rows)]
    lines = " ".join(f"{a:.2f} {b:.2f} m {c:.2f} {d:.2f} l" for a, b, c, d in cuts)
    if lines:
        with sheet.canvas.untagged():
            sheet.canvas.draw(f"q 0.5 w [3 3] 0 d 0.45 G {lines} S Q")


def draw_fold(sheet: Sheet, y: float, words: str) -> None:
    """Draw a dashed line across the page, labelled at its left end."""
    size = 6.4
    taken = fonts.text_width(words, fonts.REGULAR, size)
    with sheet.canvas.untagged():
        sheet.text(EDGE, y - 2, words, fonts.REGULAR, size, QUIET)
        sheet.canvas.draw(
            f"q 0.5 w [4 4] 0 d 0.35 G {EDGE + taken + 6:.2f} {y:.2f} m {sheet.page_width - EDGE:.2f} {y:.2f} l S Q"
        )


def fit_text(text: str, font: str, size: float, room: float, most: int) -> Iterator[tuple[float, str]]:
    """Return (size, lines) of a text in at most `most` lines; it shrinks until it fits and is never cut off."""
    while len(lines := fonts.wrap_text(text, font, size, room)) > most:
        size *= 0.92
    yield from ((size, line) for line in lines)
