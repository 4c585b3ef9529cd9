"""The board: 225 squares, each empty or with a tile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.coords import SIZE, Direction, Reference
from engine.edition import Edition
from engine.tiles import Tiles, tiles_of

EMPTY = 0xFF
CENTRE = SIZE // 2


class BoardError(ValueError):
    """Rows that are no board; the text says which row and why."""


@dataclass(frozen=True, slots=True)
class Board:
    """A position on the board. `squares` holds 225 tile codes row by row, `EMPTY` where nothing lies.

    A board never changes: `with_word` gives a new one.
    """

    edition: Edition
    squares: bytes

    @classmethod
    def empty(cls, edition: Edition) -> Board:
        return cls(edition, bytes([EMPTY]) * (SIZE * SIZE))

    @classmethod
    def parse(cls, edition: Edition, rows: Sequence[str]) -> Board:
        """A board from 15 rows of tile text: `.` empty, upper case a tile, lower case a blank, `[L·L]` one tile."""
        if len(rows) != SIZE:
            raise BoardError(f"a board has {SIZE} rows, not {len(rows)}")
        squares = bytearray()
        for number, row in enumerate(rows, 1):
            codes = _parse_row(edition, row, number)
            if len(codes) != SIZE:
                raise BoardError(f"row {number} has {len(codes)} squares instead of {SIZE}")
            squares.extend(codes)
        return cls(edition, bytes(squares))

    @property
    def rows(self) -> list[str]:
        """15 rows of tile text: the inverse of `parse`."""
        rows = (self.squares[start : start + SIZE] for start in range(0, SIZE * SIZE, SIZE))
        return [".".join(map(self.edition.word_text, row.split(bytes([EMPTY])))) for row in rows]

    @property
    def is_empty(self) -> bool:
        return self.squares.count(EMPTY) == SIZE * SIZE

    @property
    def tiles(self) -> Tiles:
        """The tiles that lie on the board, a blank as a blank."""
        return tiles_of(self.edition, (code for code in self.squares if code != EMPTY))

    def at(self, row: int, col: int) -> int:
        """The tile code of a square, `EMPTY` when nothing lies there or it is off the board."""
        if 0 <= row < SIZE and 0 <= col < SIZE:
            return self.squares[row * SIZE + col]
        return EMPTY

    def with_word(self, reference: Reference, word: Sequence[int]) -> Board:
        """The board after the tiles of `word` are laid from `reference` on; squares that are taken stay as they are."""
        squares = bytearray(self.squares)
        for code, (row, col) in zip(word, squares_of(reference, len(word)), strict=True):
            if squares[row * SIZE + col] == EMPTY:
                squares[row * SIZE + col] = code
        return Board(self.edition, bytes(squares))

    def run_through(self, row: int, col: int, direction: Direction) -> tuple[int, int]:
        """(squares before, squares after) that are taken without a gap next to this square in that direction."""
        down, right = direction.step
        before = after = 0
        while self.at(row - (before + 1) * down, col - (before + 1) * right) != EMPTY:
            before += 1
        while self.at(row + (after + 1) * down, col + (after + 1) * right) != EMPTY:
            after += 1
        return before, after


def squares_of(reference: Reference, length: int) -> Iterator[tuple[int, int]]:
    """(row, col) of each square of a word of this length; they may lie off the board."""
    down, right = reference.direction.step
    for i in range(length):
        yield reference.row + i * down, reference.col + i * right


def _parse_row(edition: Edition, row: str, number: int) -> list[int]:
    codes: list[int] = []
    for piece in row.replace(".", "\0.\0").split("\0"):
        try:
            codes.extend([EMPTY] if piece == "." else edition.parse_tiles(piece))
        except ValueError as error:
            raise BoardError(f"row {number}: {error}") from None
    return codes
