"""The columns of a table on paper: how wide each is, and how its texts are made to fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from referee.pdf import fonts
from referee.pdf.canvas import MARGIN

LINE_HEIGHT = 1.22


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: its title, its share of the width, and the side to which its text keeps.

    A text too long for it shrinks, then wraps; a number only shrinks. Where it `wraps`, a text keeps its size and wraps
    at once. `scale` is its size in that of the table.
    """

    title: str
    share: float
    align: str = "right"
    bold: bool = False
    wraps: bool = False
    scale: float = 1


@dataclass(frozen=True, slots=True)
class Cell:
    """A text as it is drawn."""

    size: float
    lines: list[str]


def height_of(cells: Sequence[Cell]) -> float:
    """Of the highest cell, below the first line of the largest."""
    first = max(cell.size for cell in cells)
    return first * LINE_HEIGHT + max((len(cell.lines) - 1) * cell.size * LINE_HEIGHT for cell in cells)


def edges_of(columns: Sequence[Column], room: float) -> list[tuple[float, float]]:
    """(left, right) of the text of each column, with air between neighbours."""
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
    """The texts of a row, each made to fit its column."""
    return [
        _cell(text, column, right - left, size * column.scale)
        for text, column, (left, right) in zip(row, columns, edges, strict=True)
    ]


def _cell(text: str, column: Column, room: float, size: float) -> Cell:
    font = fonts.BOLD if column.bold else fonts.REGULAR
    if column.wraps:
        return Cell(size, fonts.wrapped(text, font, size, room))
    if column.align == "right" and " " not in text:  # a number, which is never broken
        return Cell(fonts.fitting_size(text, font, size, room), [text])
    return Cell(*fonts.fitting_lines(text, font, size, room))
