"""Results of a search: sequences of moves that are decoded on access."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import overload

import numpy as np
from numpy.typing import NDArray

from engine.board.board import EMPTY, Board
from engine.board.coordinates import SIZE, Direction, Reference
from engine.board.move import Move
from engine.search.layout import PLACE_SHIFT, TILE_BITS, TILE_FIELD


class RankedMoves(Sequence[Move]):
    """All legal moves of a position, best first; those with the top score across first, from the top left."""

    def __init__(self, board: Board, plays: NDArray[np.int64], scores: NDArray[np.int32]) -> None:
        """`plays` as in `layout.py` and their `scores`, both best first."""
        self._board = board
        self._plays = plays
        self._scores = scores

    @property
    def count(self) -> int:  # type: ignore[override]  # how many moves there are, as in the outside formats
        return len(self._plays)

    @property
    def sum_of_scores(self) -> int:
        return int(self._scores.sum(dtype=np.int64))

    @property
    def top(self) -> int:
        """The highest score, 0 when there is no move."""
        return int(self._scores[0]) if len(self._scores) else 0

    @property
    def tops(self) -> tuple[Move, ...]:
        """All moves with the highest score."""
        return tuple(self[: int(np.count_nonzero(self._scores == self.top))])

    def __len__(self) -> int:
        return len(self._plays)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> RankedMoves: ...
    def __getitem__(self, index: int | slice) -> Move | RankedMoves:
        if isinstance(index, slice):
            return RankedMoves(self._board, self._plays[index], self._scores[index])
        return decode(self._board, int(self._plays[index]), int(self._scores[index]))

    def __iter__(self) -> Iterator[Move]:
        for play, score in zip(self._plays.tolist(), self._scores.tolist(), strict=True):
            yield decode(self._board, play, score)


class TopMoves(Sequence[Move]):
    """The moves with the top score, across first, from the top left; equal to a tuple of the same moves."""

    __slots__ = ("_board", "_plays")

    def __init__(self, board: Board, plays: Sequence[Sequence[int]]) -> None:
        """`plays`: each its packed number as in `layout.py`, and its score."""
        self._board = board
        self._plays = plays

    def __len__(self) -> int:
        return len(self._plays)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> TopMoves: ...
    def __getitem__(self, index: int | slice) -> Move | TopMoves:
        if isinstance(index, slice):
            return TopMoves(self._board, self._plays[index])
        play, score = self._plays[index]
        return decode(self._board, play, score)

    def __iter__(self) -> Iterator[Move]:
        return iter([decode(self._board, play, score) for play, score in self._plays])

    def __eq__(self, other: object) -> bool:
        return tuple(self) == tuple(other) if isinstance(other, TopMoves | tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


def decode(board: Board, play: int, score: int) -> Move:
    """Return the move that a packed play (see `layout.py`) represents on this board."""
    reference, line = _PLACES[play >> PLACE_SHIFT]
    tiles = play & _ALL_TILES
    word: list[int] = []
    for code in board.squares[line]:
        if code != EMPTY:
            word.append(code)
        elif tiles:
            word.append((tiles & TILE_FIELD) - 1)
            tiles >>= TILE_BITS
        else:
            break
    return Move(reference, tuple(word), score)


def _places() -> Iterator[tuple[Reference, slice]]:
    """Yield for each start (line x 15 + first square) the reference and the slice of squares from there to the edge."""
    for row, col in product(range(SIZE), repeat=2):
        yield Reference(row, col, Direction.ACROSS), slice(row * SIZE + col, (row + 1) * SIZE)
    for col, row in product(range(SIZE), repeat=2):
        yield Reference(row, col, Direction.DOWN), slice(row * SIZE + col, SIZE * SIZE, SIZE)


_PLACES = tuple(_places())
_ALL_TILES = (1 << PLACE_SHIFT) - 1
