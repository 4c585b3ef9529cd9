"""Board and rack for pages without scripts, styled by common/board.css."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine.board.board import EMPTY, Board
from engine.board.coordinates import SIZE, Notation, edge_labels
from engine.board.premiums import Premium
from engine.tiles.edition import BLANK_BIT, LETTER_MASK, Edition
from engine.tiles.tiles import BLANK_KIND, Tiles
from referee.pdf.drawing.premium_signs import premium_sign

_CLASSES = {Premium(2, 1): "dl", Premium(3, 1): "tl", Premium(1, 2): "dw", Premium(1, 3): "tw"}


@dataclass(frozen=True, slots=True)
class Square:
    """One square: CSS classes, face of the tile or sign of the premium, and value (None: not shown)."""

    classes: str
    face: str
    value: int | None
    is_tile: bool


@dataclass(frozen=True, slots=True)
class Line:
    """Row of the board with its label."""

    label: str
    squares: list[Square]


def lines_of(board: Board, notation: Notation, new: Collection[tuple[int, int]]) -> tuple[list[str], list[Line]]:
    """Return (labels of the columns, rows from the top)."""
    rows, cols = edge_labels(notation)
    squares = [[_square(board, row, col, (row, col) in new) for col in range(SIZE)] for row in range(SIZE)]
    return list(cols), [Line(label, line) for label, line in zip(rows, squares, strict=True)]


def rack_of(text: str, board: Board) -> list[Square]:
    """Return the squares of a rack in tile text; a blank has no face."""
    edition = board.edition
    tiles = Tiles.parse(edition, text)
    return [
        Square("tile empty", "", None, True)
        if kind == BLANK_KIND
        else Square("tile", edition.kinds[kind].face, edition.kinds[kind].value, True)
        for kind in tiles.kinds()
    ]


def word_of(text: str, edition: Edition) -> list[Square]:
    """Return the squares of a word in tile text."""
    return [_tile(edition, code) for code in edition.parse_tiles(text)]


def _square(board: Board, row: int, col: int, fresh: bool) -> Square:
    code = board.at(row, col)
    if code == EMPTY:
        premium = board.edition.premiums[row * SIZE + col]
        centre = row == col == SIZE // 2
        return Square(_CLASSES.get(premium, "") + " centre" * centre, premium_sign(premium, row, col), None, False)
    return _tile(board.edition, code, fresh=fresh)


def _tile(edition: Edition, code: int, *, fresh: bool = False) -> Square:
    blank = bool(code & BLANK_BIT)
    classes = "tile" + " blank" * blank + " new" * fresh
    return Square(classes, edition.letters[code & LETTER_MASK], None if blank else edition.values[code], True)
