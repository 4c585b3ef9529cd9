"""The holes of a place: what a tile is worth on each of them, and sharper bounds of what can be made of them.

The squares of a place are known, so everything but the letters is known: what multiplies the tile of each hole, its
*weight*, and all points that come besides. A play scores those points, and for each hole worth times weight.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.coords import SIZE
from engine.edition import LETTER_MASK
from engine.lexicon.compiling import inlined, int64, lowest_bit, natural
from engine.search.layout import BLANKS, EMPTY, PLACE_SHIFT, Place, Search
from engine.search.places import best_tile


@inlined
def read_place(search: Search, place: Place) -> int:
    """Fill `search.holes` and what lies between them; gives the points that any play at the place has."""
    search.lane = place.lane
    squares = search.lanes[place.lane]
    factor, points, cross_points = int64(1), int64(0), int64(0)
    search.lying = 0
    number = 0
    for at in range(place.first, place.last + 1):
        square = squares[natural(at)]
        factor *= square.word_factor
        if square.tile == EMPTY:
            search.holes[natural(number)].square = at
            number += 1
            cross_points += square.cross_score * square.cross_factor
        else:
            lying = natural(search.lying)
            search.lying_at[lying], search.lying_letter[lying] = at - place.first, square.tile & LETTER_MASK
            search.lying += 1
            points += square.worth
    for number in range(place.holes):
        hole = search.holes[natural(number)]
        square = squares[natural(hole.square)]
        hole.weight = square.letter_factor * (factor + square.cross_factor)
        hole.cross_check = square.cross_check
    return points * factor + cross_points + search.bonuses[place.holes]


@inlined
def rank_holes(search: Search, place: Place) -> None:
    """Fill `search.by_weight` and see which tiles fit; the place has been read."""
    squares = search.lanes[place.lane]
    for number in range(place.holes):
        hole = search.holes[number]
        hole.step = number
        hole.fitting = int64(-1)
        if squares[hole.square].cross_factor:
            hole.fitting <<= best_tile(search, squares[hole.square])
        rank = number
        while rank and search.holes[search.by_weight[rank - 1]].weight < hole.weight:
            search.by_weight[rank] = search.by_weight[rank - 1]
            rank -= 1
        search.by_weight[rank] = number


@inlined
def most_points(search: Search, left: int, step: int, holes: int) -> int:
    """What the tiles that are `left` can make at most of the holes that are filled from this step on.

    The highest weight takes the best tile that fits it, and so on. Nothing can be better: the tiles that fit a hole are
    all that are not worth more than a certain one, so changing two tiles round never gains.
    """
    points = int64(0)
    for rank in range(holes):
        hole = search.holes[search.by_weight[rank]]
        fitting = left & hole.fitting
        if hole.step >= step and fitting:
            points += search.worths[lowest_bit(fitting)] * hole.weight
            left ^= fitting & -fitting
    return points


@inlined
def useful_blanks(search: Search, place: Place, always: int) -> int:
    """How many blanks a play may lay at this place and still reach the floor, -1 when no play can reach it.

    Blanks are worth nothing; a play with so many has its other tiles, at most the best ones, on the highest weights.
    `always`: what `read_place` gave; the holes have been ranked.
    """
    holes = int64(place.holes)
    if always + most_points(search, (int64(1) << search.tiles) - 1, 0, holes) < search.floor:
        return int64(-1)
    worthy = max(int64(0), holes - search.counts[BLANKS])
    points = always
    for rank in range(worthy):
        points += search.worths[rank] * search.holes[search.by_weight[rank]].weight
    while points < search.floor and worthy < min(holes, search.tiles):
        points += search.worths[worthy] * search.holes[search.by_weight[worthy]].weight
        worthy += 1
    return holes - worthy if points >= search.floor else int64(-1)


@inlined
def note(search: Search, score: int, first: int, tiles: int, plays: NDArray[np.int64]) -> None:
    """Write down a play of `search.lane` whose word begins on square `first`, unless it is below the floor.

    A play above the floor raises it and drops all plays before.
    """
    if score < search.floor:
        return
    if score > search.floor:
        search.floor = score
        search.found = 0
    if search.found < len(plays):
        plays[search.found, 0] = ((search.lane * SIZE + first - 1) << PLACE_SHIFT) | tiles
        plays[search.found, 1] = score
    search.found += 1
