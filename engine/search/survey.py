"""What a judge asks of all the moves of a rack: the best of each length, and those that lay the whole rack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import takewhile

from engine.board import EMPTY, Board, squares_of
from engine.move import Move

FULL_PLAY = 7


@dataclass(frozen=True, slots=True)
class Survey:
    """`tops` are all moves with the best score; `by_length` the best one of each length of its word, the longest
    first; `bingos` all moves that lay so many tiles that they earn a bonus, best first, and `bingo_count` how many
    there are; `count` all moves."""

    tops: tuple[Move, ...]
    by_length: tuple[Move, ...]
    bingos: tuple[Move, ...]
    bingo_count: int
    count: int


def survey(moves: Iterable[Move], board: Board, *, bonus_from: int = FULL_PLAY, most: int = 40) -> Survey:
    """Go through all moves once; they come best first. At most `most` tops and bingos are kept."""
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
    return Survey(tops, by_length, tuple(bingos), found, len(listed))


def _laid(move: Move, board: Board) -> int:
    return sum(board.at(*square) == EMPTY for square in squares_of(move.reference, len(move.word)))
