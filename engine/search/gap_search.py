"""Search of one placement, letter by letter: all plays that cover exactly its squares and reach the floor.

The gaps are filled in the order in which the GADDAG spells: from a *pivot* to the left, then from the pivot to the
right. The board tiles and the separator that are spelled between two gaps are the *path* after the first of them::

    . A . S .      A and S are on the board; three gaps; pivot: A, the end of the first of the longest runs
      path A, gap, path |, gap, path S, gap          spelled for BACSI: A, B, |, C, S, I

Before a gap is filled, the bound of the later gaps is computed again from the tiles that are left. The points that are
still missing to the floor must come from this gap, so only letters of sufficient value are tried. This soon excludes
blanks.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.jit import inlined, int64, lowest_bit, popcount
from engine.lexicon.nodes import AT_GADDAG, LETTERS, NO_NODE, SEPARATOR, Graph, child, is_word_end
from engine.search.cross_checks import Line
from engine.search.gaps import add_play, most_points
from engine.search.layout import BLANKS, EMPTY, MAX_VALUE, TILE_BITS, Fill, Placement, Search
from engine.tiles.edition import LETTER_MASK


@inlined
def fill_placement(
    graph: Graph, search: Search, placement: Placement, fixed_points: int, plays: NDArray[np.int64]
) -> None:
    """Add the plays at a placement after `read_placement` (whose result is `fixed_points`) and `rank_gaps`."""
    _plan_fill_order(search, search.lines[placement.line], placement)
    fill = search.fills[0]
    fill.node = _follow(graph, search, int64(graph[AT_GADDAG]), 0, search.path_starts[0])
    fill.points, fill.left, fill.tiles = fixed_points, (int64(1) << search.tiles) - 1, 0
    fill.pending = _candidate_tiles(graph, search, fill, 0, placement.gaps)
    step = 0
    while step >= 0:
        fill = search.fills[step]
        if fill.pending == 0:
            # All letters were tried here; return to the previous gap.
            step -= 1
            continue
        code = lowest_bit(fill.pending)
        fill.pending &= fill.pending - 1
        number = search.gap_order[step]
        points = fill.points + search.values[code] * search.gaps[number].weight
        tiles = fill.tiles | ((code + 1) << (TILE_BITS * number))
        start, end = search.path_starts[step], search.path_starts[step + 1]
        if step + 1 == placement.gaps:
            if _completes_word(graph, search, fill.node, code & LETTER_MASK, start, end):
                add_play(search, points, placement.first, tiles, plays)
            continue
        node = _follow(graph, search, child(graph, fill.node, code & LETTER_MASK), start, end)
        if node != NO_NODE:
            following = search.fills[step + 1]
            same_letter = fill.left & search.letter_tiles[min(code, BLANKS)]
            following.node, following.left = node, fill.left ^ (same_letter & -same_letter)
            following.points, following.tiles = points, tiles
            following.pending = _candidate_tiles(graph, search, following, step + 1, placement.gaps)
            if following.pending:
                step += 1


@inlined
def _plan_fill_order(search: Search, squares: Line, placement: Placement) -> None:
    """Compute the order in which the gaps are filled, and the paths between them."""
    pivot = _pivot(squares, placement)
    steps, length = 0, 0
    for at in range(pivot, placement.first - 1, -1):
        steps, length = _plan_square(search, squares, at, steps, length)
    # The gaps up to the pivot were met from right to left.
    for step in range(steps):
        search.gap_order[step] = steps - 1 - step
    if pivot < placement.last:
        search.path[length] = SEPARATOR
        length += 1
    for at in range(pivot + 1, placement.last + 1):
        steps, length = _plan_square(search, squares, at, steps, length)
    search.path_starts[steps] = length
    for step in range(steps):
        search.gaps[search.gap_order[step]].step = step


@inlined
def _pivot(squares: Line, placement: Placement) -> int:
    """Give the square to begin from: the end of the longest run of tiles, else the gap with the fewest letters."""
    longest, run, pivot, fewest = 0, 0, 0, 100
    for at in range(placement.first, placement.last + 1):
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
def _plan_square(search: Search, squares: Line, at: int, steps: int, length: int) -> tuple[int, int]:
    """Add the square as a gap, or its tile to the path; return (gaps, length of the path) so far."""
    if squares[at].tile == EMPTY:
        search.gap_order[steps], search.path_starts[steps] = steps, length
        return steps + 1, length
    search.path[length] = squares[at].tile & LETTER_MASK
    return steps, length + 1


@inlined
def _follow(graph: Graph, search: Search, node: int, start: int, end: int) -> int:
    """Give the node to which the path from `start` to `end`, exclusive, leads from `node`."""
    for at in range(start, end):
        node = child(graph, node, search.path[at])
    return node


@inlined
def _completes_word(graph: Graph, search: Search, node: int, letter: int, start: int, end: int) -> bool:
    """Return True if the last letter and the path after it complete a word."""
    if start == end:
        return is_word_end(graph, node, letter)
    node = _follow(graph, search, child(graph, node, letter), start, end - 1)
    return is_word_end(graph, node, search.path[end - 1])


@inlined
def _candidate_tiles(graph: Graph, search: Search, fill: Fill, step: int, gaps: int) -> int:
    """Give the tiles to try: those that the graph and the cross-check allow and whose value is sufficient."""
    gap = search.gaps[search.gap_order[step]]
    is_end = step + 1 == gaps and search.path_starts[step] == search.path_starts[gaps]
    letters = int64(graph[fill.node + is_end]) & gap.cross_check & LETTERS
    own = search.subset_letters[fill.left]
    if letters == 0 or (letters & own == 0 and own >> BLANKS == 0):
        return int64(0)
    lacking = search.floor - fill.points - most_points(search, fill.left, step + 1, gaps)
    value = int64(0)
    if lacking > 0:
        value = min((lacking + gap.weight - 1) // gap.weight, int64(MAX_VALUE))
    own &= search.valuable_letters[value]
    return (letters & own) | ((letters << BLANKS) * (own >> BLANKS))
