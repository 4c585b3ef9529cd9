"""Filling a place letter by letter: all plays that cover exactly these squares and score no less than the floor.

The holes are filled in the order in which the GADDAG spells: from a *pivot* to the left, then on behind it. What is
spelled between one hole and the next (tiles that lie, the separator) is the *path* behind the hole::

    . A . S .      A and S lie, three holes; pivot: A, the end of the first of the longest runs
      path A, hole, path |, hole, path S, hole          spelled for BACSI: A, B, |, C, S, I

Before a hole is filled, what the tiles left can make at most of the holes behind it is counted anew. The points that
then still lack to the floor must come from this hole, so only letters that are worth enough are tried there; above
all, blanks soon are not.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.edition import LETTER_MASK
from engine.lexicon.compiling import inlined, int64, lowest_bit, popcount
from engine.lexicon.nodes import AT_GADDAG, LETTERS, NOWHERE, SEPARATOR, Graph, child, ends
from engine.search.cross_checks import Lane
from engine.search.holes import most_points, note
from engine.search.layout import BLANKS, EMPTY, MOST_WORTH, TILE_BITS, Fill, Place, Search


@inlined
def fill_place(graph: Graph, search: Search, place: Place, always: int, plays: NDArray[np.int64]) -> None:
    """Note the plays of a place that has been read and ranked; `always`: what `read_place` gave."""
    _spell(search, search.lanes[place.lane], place)
    fill = search.fills[0]
    fill.node = _follow(graph, search, int64(graph[AT_GADDAG]), 0, search.paths[0])
    fill.points, fill.left, fill.tiles = always, (int64(1) << search.tiles) - 1, 0
    fill.pending = _to_try(graph, search, fill, 0, place.holes)
    step = 0
    while step >= 0:
        fill = search.fills[step]
        if fill.pending == 0:
            # All letters were tried here: back to the hole before.
            step -= 1
            continue
        code = lowest_bit(fill.pending)
        fill.pending &= fill.pending - 1
        number = search.steps[step]
        points = fill.points + search.values[code] * search.holes[number].weight
        tiles = fill.tiles | ((code + 1) << (TILE_BITS * number))
        start, end = search.paths[step], search.paths[step + 1]
        if step + 1 == place.holes:
            if _is_whole(graph, search, fill.node, code & LETTER_MASK, start, end):
                note(search, points, place.first, tiles, plays)
            continue
        node = _follow(graph, search, child(graph, fill.node, code & LETTER_MASK), start, end)
        if node != NOWHERE:
            following = search.fills[step + 1]
            alike = fill.left & search.copies[min(code, BLANKS)]
            following.node, following.left = node, fill.left ^ (alike & -alike)
            following.points, following.tiles = points, tiles
            following.pending = _to_try(graph, search, following, step + 1, place.holes)
            if following.pending:
                step += 1


@inlined
def _spell(search: Search, squares: Lane, place: Place) -> None:
    """Find the order in which the holes are filled, and the paths between them."""
    pivot = _pivot(squares, place)
    steps, length = 0, 0
    for at in range(pivot, place.first - 1, -1):
        steps, length = _spell_square(search, squares, at, steps, length)
    # The holes up to the pivot were met from right to left.
    for step in range(steps):
        search.steps[step] = steps - 1 - step
    if pivot < place.last:
        search.path[length] = SEPARATOR
        length += 1
    for at in range(pivot + 1, place.last + 1):
        steps, length = _spell_square(search, squares, at, steps, length)
    search.paths[steps] = length
    for step in range(steps):
        search.holes[search.steps[step]].step = step


@inlined
def _pivot(squares: Lane, place: Place) -> int:
    """The square to begin from: the end of the longest run of tiles, else the hole with the fewest letters."""
    longest, run, pivot, fewest = 0, 0, 0, 100
    for at in range(place.first, place.last + 1):
        if squares[at].tile != EMPTY:
            run += 1
            if run > longest:
                longest, pivot = run, at
        else:
            run = 0
            letters = popcount(int64(squares[at].cross_check))
            if longest == 0 and letters < fewest:
                fewest, pivot = letters, at
    return pivot


@inlined
def _spell_square(search: Search, squares: Lane, at: int, steps: int, length: int) -> tuple[int, int]:
    """Add a hole, or a tile to the path; (holes, length of the path) so far."""
    if squares[at].tile == EMPTY:
        search.steps[steps], search.paths[steps] = steps, length
        return steps + 1, length
    search.path[length] = squares[at].tile & LETTER_MASK
    return steps, length + 1


@inlined
def _follow(graph: Graph, search: Search, node: int, start: int, end: int) -> int:
    """Where the path from `start` to just before `end` leads from a node."""
    for at in range(start, end):
        node = child(graph, node, search.path[at])
    return node


@inlined
def _is_whole(graph: Graph, search: Search, node: int, letter: int, start: int, end: int) -> bool:
    """Whether the last letter and the path behind it complete a word."""
    if start == end:
        return ends(graph, node, letter)
    node = _follow(graph, search, child(graph, node, letter), start, end - 1)
    return ends(graph, node, search.path[end - 1])


@inlined
def _to_try(graph: Graph, search: Search, fill: Fill, step: int, holes: int) -> int:
    """The tiles to be tried: those that the words and the crossing lane allow and that are worth enough."""
    hole = search.holes[search.steps[step]]
    is_end = step + 1 == holes and search.paths[step] == search.paths[holes]
    letters = int64(graph[fill.node + is_end]) & hole.cross_check & LETTERS
    own = search.letters[fill.left]
    if letters == 0 or (letters & own == 0 and own >> BLANKS == 0):
        return int64(0)
    lacking = search.floor - fill.points - most_points(search, fill.left, step + 1, holes)
    worth = int64(0)
    if lacking > 0:
        worth = min((lacking + hole.weight - 1) // hole.weight, int64(MOST_WORTH))
    own &= search.worthy[worth]
    return (letters & own) | ((letters << BLANKS) * (own >> BLANKS))
