"""Summary of all moves of a rack for a judge: the best move of each length, and those that lay the whole rack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from engine.board.board import EMPTY, Board, squares_of
from engine.board.move import Move

FULL_PLAY = 7


@dataclass(frozen=True, slots=True)
class MoveSurvey:
    """Summary of the moves of a rack.

    `tops`: moves with the best score; `by_length`: best move for each word length, longest first; `bingos`: moves that
    lay enough tiles for a bonus, best first; `bingo_count`: number of all bingos; `count`: number of all moves.
    """

    tops: tuple[Move, ...]
    by_length: tuple[Move, ...]
    bingos: tuple[Move, ...]
    bingo_count: int
    count: int


def survey_moves(moves: Iterable[Move], board: Board, *, bonus_from: int = FULL_PLAY, most: int = 40) -> MoveSurvey:
    """Summarise the moves, which must be sorted best first. The result has at most `most` tops and bingos."""
    listed = list(moves)
    longest: dict[int, Move] = {}
    bingos: list[Move] = []
    found = 0
    for move in listed:
        longest.setdefault(len(move.word), move)
        if len(move.word) >= bonus_from and _laid(move, board) >= bonus_from:
            found += 1
            if found <= most:
                bingos.append(move)
    tops = tuple(takewhile(lambda move: move.score == listed[0].score, listed))[:most]
    by_length = tuple(move for _length, move in sorted(longest.items(), reverse=True))
    return MoveSurvey(tops, by_length, tuple(bingos), found, len(listed))


def _laid(move: Move, board: Board) -> int:
    return sum(board.at(*square) == EMPTY for square in squares_of(move.reference, len(move.word)))
