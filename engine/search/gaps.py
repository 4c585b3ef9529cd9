"""Gaps of a placement: the factor of a tile on each of them, and closer bounds of the score.

The squares of a placement determine everything but the letters: the factor of the tile on each gap, its *weight*, and
the points that do not depend on the letters. A play scores these fixed points plus, for each gap, value times weight.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.board.coordinates import SIZE
from engine.lexicon.jit import inlined, int64, lowest_bit, uint64
from engine.search.layout import BLANKS, EMPTY, PLACE_SHIFT, Placement, Search
from engine.search.placements import best_tile
from engine.tiles.edition import LETTER_MASK


@inlined
def read_placement(search: Search, placement: Placement) -> int:
    """Fill `search.gaps` and the board tiles of the placement; return the fixed points of any play there."""
    search.line = placement.line
    squares = search.lines[placement.line]
    factor, points, cross_points = int64(1), int64(0), int64(0)
    search.board_tiles = 0
    number = 0
    for at in range(placement.first, placement.last + 1):
        square = squares[uint64(at)]
        factor *= square.word_factor
        if square.tile == EMPTY:
            search.gaps[uint64(number)].square = at
            number += 1
            cross_points += square.cross_score * square.cross_factor
        else:
            board_tiles = uint64(search.board_tiles)
            search.board_tile_at[board_tiles], search.board_tile_letter[board_tiles] = (
                at - placement.first,
                square.tile & LETTER_MASK,
            )
            search.board_tiles += 1
            points += square.value
    for number in range(placement.gaps):
        gap = search.gaps[uint64(number)]
        square = squares[uint64(gap.square)]
        gap.weight = square.letter_factor * (factor + square.cross_factor)
        gap.cross_check = square.cross_check
    return points * factor + cross_points + search.bonuses[placement.gaps]


@inlined
def rank_gaps(search: Search, placement: Placement) -> None:
    """Fill `search.by_weight` and the fitting tiles of each gap, after `read_placement`."""
    squares = search.lines[placement.line]
    for number in range(placement.gaps):
        gap = search.gaps[number]
        gap.step = number
        gap.fitting = int64(-1)
        if squares[gap.square].cross_factor:
            gap.fitting <<= best_tile(search, squares[gap.square])
        rank = number
        while rank and search.gaps[search.by_weight[rank - 1]].weight < gap.weight:
            search.by_weight[rank] = search.by_weight[rank - 1]
            rank -= 1
        search.by_weight[rank] = number


@inlined
def most_points(search: Search, left: int, step: int, gaps: int) -> int:
    """Give the upper bound of the points that the tiles `left` score on the gaps filled from this step on.

    The gap with the highest weight takes the best tile that fits, and so on. This is optimal: the tiles that fit a gap
    are all tiles up to a certain value, so exchanging two tiles never increases the sum.
    """
    points = int64(0)
    for rank in range(gaps):
        gap = search.gaps[search.by_weight[rank]]
        fitting = left & gap.fitting
        if gap.step >= step and fitting:
            points += search.tile_values[lowest_bit(fitting)] * gap.weight
            left ^= fitting & -fitting
    return points


@inlined
def useful_blanks(search: Search, placement: Placement, fixed_points: int) -> int:
    """Give the highest number of blanks with which a play here can reach the floor; -1 if no play can.

    Blanks score nothing. The bound of a play with so many blanks puts the best of the other tiles on the highest
    weights. Needs `rank_gaps`; `fixed_points` is the result of `read_placement`.
    """
    gaps = int64(placement.gaps)
    if fixed_points + most_points(search, (int64(1) << search.tiles) - 1, 0, gaps) < search.floor:
        return int64(-1)
    worthy = max(int64(0), gaps - search.counts[BLANKS])
    points = fixed_points
    for rank in range(worthy):
        points += search.tile_values[rank] * search.gaps[search.by_weight[rank]].weight
    while points < search.floor and worthy < min(gaps, search.tiles):
        points += search.tile_values[worthy] * search.gaps[search.by_weight[worthy]].weight
        worthy += 1
    return gaps - worthy if points >= search.floor else int64(-1)


@inlined
def add_play(search: Search, score: int, first: int, tiles: int, plays: NDArray[np.int64]) -> None:
    """Add a play of `search.line` whose word begins on square `first`, unless it is below the floor.

    A play above the floor raises the floor and removes all earlier plays.
    """
    if score < search.floor:
        return
    if score > search.floor:
        search.floor = score
        search.found = 0
    if search.found < len(plays):
        plays[search.found, 0] = ((search.line * SIZE + first - 1) << PLACE_SHIFT) | tiles
        plays[search.found, 1] = score
    search.found += 1
