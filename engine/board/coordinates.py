"""Squares, directions and references: "8H" or "H8", in both conventions.

If `8H` is across, rows are numbered 1-15 and columns lettered A-O; if `H8` is across, rows are A-O and columns 1-15.
In both conventions, the first character names the row or column in which the word runs.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

SIZE = 15
LETTERS = "ABCDEFGHIJKLMNO"


class UnreadableReference(ValueError):
    """Text that is not a reference, such as Z99."""


class Direction(StrEnum):
    ACROSS = "across"
    DOWN = "down"

    @property
    def other(self) -> Direction:
        return Direction.DOWN if self is Direction.ACROSS else Direction.ACROSS

    @property
    def step(self) -> tuple[int, int]:
        """(rows, columns) to the next square of a word."""
        return (0, 1) if self is Direction.ACROSS else (1, 0)


class Notation(StrEnum):
    """Form of the reference of a word across. Archives and editions store the values."""

    NUMBER_FIRST = "8H"
    LETTER_FIRST = "H8"


class Reference(NamedTuple):
    """First square and direction of a word. `row` and `col` count from 0, from the upper left corner."""

    row: int
    col: int
    direction: Direction


_NUMBER_FIRST = re.compile(r"(1[0-5]|[1-9])\s*([A-O])")
_LETTER_FIRST = re.compile(r"([A-O])\s*(1[0-5]|[1-9])")


def parse_reference(text: str, notation: Notation) -> Reference:
    """Read "8H", "h8", " 8 h "; `UnreadableReference` for anything else."""
    cleaned = text.strip().upper()
    if found := _NUMBER_FIRST.fullmatch(cleaned):
        number_first, number, letter = True, int(found[1]) - 1, LETTERS.index(found[2])
    elif found := _LETTER_FIRST.fullmatch(cleaned):
        number_first, number, letter = False, int(found[2]) - 1, LETTERS.index(found[1])
    else:
        raise UnreadableReference(f"{text!r} is not a reference such as 8H or H8")
    across = number_first == (notation is Notation.NUMBER_FIRST)
    row, col = (number, letter) if notation is Notation.NUMBER_FIRST else (letter, number)
    return Reference(row, col, Direction.ACROSS if across else Direction.DOWN)


def format_reference(reference: Reference, notation: Notation) -> str:
    """Write a reference; the inverse of `parse_reference`."""
    rows, cols = edge_labels(notation)
    row, col = rows[reference.row], cols[reference.col]
    return row + col if reference.direction is Direction.ACROSS else col + row


def edge_labels(notation: Notation) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (labels of the rows from the top, labels of the columns from the left) at the edge of a board."""
    numbers, letters = tuple(str(n) for n in range(1, SIZE + 1)), tuple(LETTERS)
    return (numbers, letters) if notation is Notation.NUMBER_FIRST else (letters, numbers)
