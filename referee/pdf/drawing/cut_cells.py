"""Pages to be cut or folded: cells side by side, cut marks and fold lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reportlab.lib.units import mm

from referee.pdf.drawing import fonts
from referee.pdf.drawing.sheet import QUIET, Sheet

EDGE, FOOT = 8 * mm, 15 * mm  # margins at the sides and the top, and at the bottom for the foot
MARK = 3 * mm


@dataclass(frozen=True, slots=True)
class Cell:
    """Part of a page that is cut out: lower left corner and size, in points."""

    x: float
    y: float
    width: float
    height: float


def cells(sheet: Sheet, columns: int, rows: int) -> list[Cell]:
    """List the parts of a page row by row from the upper left corner."""
    width, height = (sheet.page_width - 2 * EDGE) / columns, (sheet.page_height - EDGE - FOOT) / rows
    return [
        Cell(EDGE + column * width, FOOT + (rows - 1 - row) * height, width, height)
        for row in range(rows)
        for column in range(columns)
    ]


def draw_cut_marks(sheet: Sheet, columns: int, rows: int) -> None:
    """Draw short lines outside the cells and a dotted line along each cut."""
    parts = cells(sheet, columns, rows)
    downs = sorted({part.x for part in parts} | {parts[-1].x + parts[-1].width})
    levels = sorted({part.y for part in parts} | {parts[0].y + parts[0].height})
    left, right, low, high = downs[0], downs[-1], levels[0], levels[-1]
    ends = [(x, start, x, end) for x in downs for start, end in ((low, low - MARK), (high, high + MARK))]
    ends += [(start, y, end, y) for y in levels for start, end in ((left, left - MARK), (right, right + MARK))]
    cuts = [(x, low, x, high) for x in downs[1:-1]] + [(left, y, right, y) for y in levels[1:-1]]
    lines, dotted = ([f"{a:.2f} {b:.2f} m {c:.2f} {d:.2f} l" for a, b, c, d in each] for each in (ends, cuts))
    with sheet.canvas.untagged():
        sheet.canvas.draw(f"q 0.5 w {' '.join(lines)} S [1 3] 0 d 0.55 G {' '.join(dotted)} S Q")


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
