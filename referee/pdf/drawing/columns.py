"""Columns of a printed table: their widths and the fitting of their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.pdf.drawing import fonts
from referee.pdf.drawing.canvas import MARGIN

LINE_HEIGHT = 1.22


@dataclass(frozen=True, slots=True)
class Column:
    """Column of a table: title, share of the width, alignment.

    A text that is too long shrinks, then wraps; a number only shrinks. If `wraps`, a text keeps its size and wraps at
    once. `scale` is its font size relative to that of the table.
    """

    title: str
    share: float
    align: str = "right"
    bold: bool = False
    wraps: bool = False
    scale: float = 1


@dataclass(frozen=True, slots=True)
class Cell:
    """Text of a cell as it is drawn."""

    size: float
    lines: list[str]


def height_of(cells: Sequence[Cell]) -> float:
    """Return the height of the highest cell below its first line, in points."""
    first = max(cell.size for cell in cells)
    return first * LINE_HEIGHT + max((len(cell.lines) - 1) * cell.size * LINE_HEIGHT for cell in cells)


def edges_of(columns: Sequence[Column], room: float) -> list[tuple[float, float]]:
    """Return (left, right) of the text of each column, with space between neighbours."""
    total = sum(column.share for column in columns)
    edges, left = [], float(MARGIN)
    for column in columns:
        right = left + room * column.share / total
        edges.append((left + 3, right - 3))
        left = right
    return edges


def cells_of(
    row: Sequence[str], columns: Sequence[Column], edges: Sequence[tuple[float, float]], size: float
) -> list[Cell]:
    """Fit the texts of a row into their columns."""
    return [
        _cell(text, column, right - left, size * column.scale)
        for text, column, (left, right) in zip(row, columns, edges, strict=True)
    ]


def _cell(text: str, column: Column, room: float, size: float) -> Cell:
    font = fonts.BOLD if column.bold else fonts.REGULAR
    if column.wraps:
        return Cell(size, fonts.wrap_text(text, font, size, room))
    if column.align == "right" and " " not in text:  # a number is never broken
        return Cell(fonts.fit_size(text, font, size, room), [text])
    return Cell(*fonts.fit_lines(text, font, size, room))
