"""Board: 225 squares, each empty or with a tile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine.board.coordinates import SIZE, Direction, Reference
from engine.tiles.edition import Edition
from engine.tiles.tiles import Tiles, tiles_of

EMPTY = 0xFF
CENTRE = SIZE // 2


class BoardError(ValueError):
    """Invalid rows of a board; the message names the row and the reason."""


@dataclass(frozen=True, slots=True)
class Board:
    """Immutable position on the board. `squares` holds 225 tile codes row by row, `EMPTY` for an empty square."""

    edition: Edition
    squares: bytes

    @classmethod
    def empty(cls, edition: Edition) -> Board:
        return cls(edition, bytes([EMPTY]) * (SIZE * SIZE))

    @classmethod
    def parse(cls, edition: Edition, rows: Sequence[str]) -> Board:
        """Parse 15 rows of tile text: `.` empty, upper case a tile, lower case a blank, `[L·L]` one tile."""
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
        """Tiles on the board; a blank counts as a blank."""
        return tiles_of(self.edition, (code for code in self.squares if code != EMPTY))

    def at(self, row: int, col: int) -> int:
        """Return the tile code of a square, `EMPTY` if it is empty or off the board."""
        if 0 <= row < SIZE and 0 <= col < SIZE:
            return self.squares[row * SIZE + col]
        return EMPTY

    def with_word(self, reference: Reference, word: Sequence[int]) -> Board:
        """Return a new board with the tiles of `word` laid from `reference` on; occupied squares do not change."""
        squares = bytearray(self.squares)
        for code, (row, col) in zip(word, squares_of(reference, len(word)), strict=True):
            if squares[row * SIZE + col] == EMPTY:
                squares[row * SIZE + col] = code
        return Board(self.edition, bytes(squares))

    def run_through(self, row: int, col: int, direction: Direction) -> tuple[int, int]:
        """Return (number before, number after) of the adjacent tiles on both sides of this square in that direction."""
        down, right = direction.step
        before = after = 0
        while self.at(row - (before + 1) * down, col - (before + 1) * right) != EMPTY:
            before += 1
        while self.at(row + (after + 1) * down, col + (after + 1) * right) != EMPTY:
            after += 1
        return before, after


def squares_of(reference: Reference, length: int) -> Iterator[tuple[int, int]]:
    """Yield (row, col) of each square of a word of this length; squares may be off the board."""
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
