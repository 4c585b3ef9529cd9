"""Preparation of a position: tiles, cross-checks, cross-scores and anchors of all lines."""

from __future__ import annotations

from collections.abc import Sequence

from engine.board.coordinates import SIZE
from engine.lexicon.jit import inlined, int64, lowest_bit, uint64
from engine.lexicon.nodes import AT_DAWG, AT_GADDAG, LETTERS, Graph, child, is_word_end
from engine.search.layout import EMPTY, LINES, Search, Square
from engine.tiles.edition import LETTER_MASK

Line = Sequence[Square]
_CENTRE = SIZE // 2
_INNER = (1 << (SIZE + 1)) - 2
"""The set of all squares but the borders."""


@inlined
def prepare_position(graph: Graph, search: Search) -> None:
    """Fill the lines from the squares of the position, unless they are still filled from the last search."""
    if search.prepared:
        return
    search.prepared = 1
    search.lines[:, :] = search.empty_lines
    _place_tiles(search)
    for line in range(LINES):
        taken = search.taken[line]
        beside = ((taken << 1) | (taken >> 1)) & ~taken & _INNER
        while beside:
            _cross_check(graph, search, line, lowest_bit(beside))
            beside &= beside - 1
    _mark_anchors(search)


@inlined
def _place_tiles(search: Search) -> None:
    """Put the tiles on both lines of each square."""
    lines = search.lines
    for line in range(LINES):
        search.taken[line], search.crossed[line] = 0, 0
    for row in range(SIZE):
        for col in range(SIZE):
            code = search.squares[row * SIZE + col]
            if code != EMPTY:
                _lay_tile(search, lines[row, col + 1], code)
                _lay_tile(search, lines[SIZE + col, row + 1], code)
                search.taken[row] |= int64(1) << (col + 1)
                search.taken[SIZE + col] |= int64(1) << (row + 1)


@inlined
def _lay_tile(search: Search, square: Square, code: int) -> None:
    square.tile, square.value = code, search.values[code]
    if search.premiums_again:
        square.value *= square.letter_factor
    else:
        square.word_factor = 1


@inlined
def _cross_check(graph: Graph, search: Search, line: int, at: int) -> None:
    """Compute the cross-check of an empty square from its neighbours in this line; write it to the crossing line."""
    squares = search.lines[line]
    start, end, score, factor = at, at, int64(0), int64(1)
    while squares[uint64(start - 1)].tile != EMPTY:
        start -= 1
        score += squares[uint64(start)].value
        factor *= squares[uint64(start)].word_factor
    while squares[uint64(end + 1)].tile != EMPTY:
        end += 1
        score += squares[uint64(end)].value
        factor *= squares[uint64(end)].word_factor
    if end == at:
        allowed = int64(graph[_forwards(graph, squares, start, at) + 1])
    else:
        node = _backwards(graph, squares, end, at, int64(graph[AT_GADDAG]))
        allowed = int64(graph[node + 1])
        if start != at:
            allowed = _joining_letters(graph, squares, start, at, node)
    crossing_line, crossing_at = SIZE + at - 1 if line < SIZE else at - 1, line % SIZE + 1
    search.crossed[uint64(crossing_line)] |= int64(1) << crossing_at
    crossing = search.lines[uint64(crossing_line), uint64(crossing_at)]
    crossing.cross_check = allowed
    crossing.cross_factor = crossing.word_factor * factor
    crossing.cross_score = score


@inlined
def _forwards(graph: Graph, squares: Line, start: int, stop: int) -> int:
    """Give the DAWG node after the tiles from `start` up to, but not including, `stop`."""
    node = int64(graph[AT_DAWG])
    for at in range(start, stop):
        node = child(graph, node, squares[uint64(at)].tile & LETTER_MASK)
    return node


@inlined
def _backwards(graph: Graph, squares: Line, start: int, stop: int, node: int) -> int:
    """Give the GADDAG node reached from `node` by the tiles from `start` leftwards down to `stop`, exclusive."""
    for at in range(start, stop, -1):
        node = child(graph, node, squares[uint64(at)].tile & LETTER_MASK)
    return node


@inlined
def _joining_letters(graph: Graph, squares: Line, start: int, at: int, right: int) -> int:
    """Give the letters that join the tiles before `at` with those after it, whose GADDAG node is `right`."""
    left = _forwards(graph, squares, start, at)
    candidates = int64(graph[left]) & int64(graph[right]) & LETTERS
    allowed = int64(0)
    while candidates:
        letter = lowest_bit(candidates)
        candidates &= candidates - 1
        node = _backwards(graph, squares, at - 1, start, child(graph, right, letter))
        if is_word_end(graph, node, squares[start].tile & LETTER_MASK):
            allowed |= int64(1) << letter
    return allowed


@inlined
def _mark_anchors(search: Search) -> None:
    """Find the anchors of all lines; each word that touches a tile is generated from exactly one of them.

    Anchors are the last tile of each run of tiles, and each empty crossed square with no tile beside it in its line
    (beside a run, the last tile of the run is the anchor). On the empty board the centre is the anchor.
    """
    any_tile = int64(0)
    for line in range(LINES):
        taken = search.taken[line]
        any_tile |= taken
        search.anchors[line] = (taken & ~(taken >> 1)) | (search.crossed[line] & ~((taken << 1) | taken | (taken >> 1)))
    if any_tile == 0:
        search.anchors[_CENTRE] = int64(1) << (_CENTRE + 1)
        search.anchors[SIZE + _CENTRE] = int64(not search.first_word_across) << (_CENTRE + 1)
