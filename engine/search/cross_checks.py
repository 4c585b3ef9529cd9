"""Preparing a position: tiles, cross-checks, cross-scores and anchors of all lanes."""

from __future__ import annotations

from collections.abc import Sequence

from engine.coords import SIZE
from engine.edition import LETTER_MASK
from engine.lexicon.compiling import inlined, int64, lowest_bit, natural
from engine.lexicon.nodes import AT_DAWG, AT_GADDAG, LETTERS, Graph, child, ends
from engine.search.layout import EMPTY, LANES, Search, Square

Lane = Sequence[Square]
_CENTRE = SIZE // 2
_INNER = (1 << (SIZE + 1)) - 2
"""The set of all squares but the borders."""


@inlined
def prepare(graph: Graph, search: Search) -> None:
    """Put the position that is asked on the lanes, if it is not there from the last question."""
    if search.prepared:
        return
    search.prepared = 1
    search.lanes[:, :] = search.empty_lanes
    _lay_out(search)
    for lane in range(LANES):
        taken = search.taken[lane]
        beside = ((taken << 1) | (taken >> 1)) & ~taken & _INNER
        while beside:
            _cross_check(graph, search, lane, lowest_bit(beside))
            beside &= beside - 1
    _mark_anchors(search)


@inlined
def _lay_out(search: Search) -> None:
    """Put the tiles on both lanes of each square."""
    lanes = search.lanes
    for lane in range(LANES):
        search.taken[lane], search.crossed[lane] = 0, 0
    for row in range(SIZE):
        for col in range(SIZE):
            code = search.squares[row * SIZE + col]
            if code != EMPTY:
                _lay_tile(search, lanes[row, col + 1], code)
                _lay_tile(search, lanes[SIZE + col, row + 1], code)
                search.taken[row] |= int64(1) << (col + 1)
                search.taken[SIZE + col] |= int64(1) << (row + 1)


@inlined
def _lay_tile(search: Search, square: Square, code: int) -> None:
    square.tile, square.worth = code, search.values[code]
    if search.premiums_again:
        square.worth *= square.letter_factor
    else:
        square.word_factor = 1


@inlined
def _cross_check(graph: Graph, search: Search, lane: int, at: int) -> None:
    """What the tiles before and behind an empty square allow there, written down in the lane that crosses it."""
    squares = search.lanes[lane]
    start, end, score, factor = at, at, int64(0), int64(1)
    while squares[natural(start - 1)].tile != EMPTY:
        start -= 1
        score += squares[natural(start)].worth
        factor *= squares[natural(start)].word_factor
    while squares[natural(end + 1)].tile != EMPTY:
        end += 1
        score += squares[natural(end)].worth
        factor *= squares[natural(end)].word_factor
    if end == at:
        allowed = int64(graph[_forwards(graph, squares, start, at) + 1])
    else:
        node = _backwards(graph, squares, end, at, int64(graph[AT_GADDAG]))
        allowed = int64(graph[node + 1])
        if start != at:
            allowed = _between(graph, squares, start, at, node)
    crossing_lane, crossing_at = SIZE + at - 1 if lane < SIZE else at - 1, lane % SIZE + 1
    search.crossed[natural(crossing_lane)] |= int64(1) << crossing_at
    crossing = search.lanes[natural(crossing_lane), natural(crossing_at)]
    crossing.cross_check = allowed
    crossing.cross_factor = crossing.word_factor * factor
    crossing.cross_score = score


@inlined
def _forwards(graph: Graph, squares: Lane, start: int, stop: int) -> int:
    """The DAWG node behind the tiles from `start` to just before `stop`."""
    node = int64(graph[AT_DAWG])
    for at in range(start, stop):
        node = child(graph, node, squares[natural(at)].tile & LETTER_MASK)
    return node


@inlined
def _backwards(graph: Graph, squares: Lane, start: int, stop: int, node: int) -> int:
    """The GADDAG node behind the tiles from `start` leftwards to just behind `stop`, beginning at `node`."""
    for at in range(start, stop, -1):
        node = child(graph, node, squares[natural(at)].tile & LETTER_MASK)
    return node


@inlined
def _between(graph: Graph, squares: Lane, start: int, at: int, right: int) -> int:
    """Letters that join the tiles before `at` with those behind it, whose GADDAG node is `right`."""
    left = _forwards(graph, squares, start, at)
    candidates = int64(graph[left]) & int64(graph[right]) & LETTERS
    allowed = int64(0)
    while candidates:
        letter = lowest_bit(candidates)
        candidates &= candidates - 1
        node = _backwards(graph, squares, at - 1, start, child(graph, right, letter))
        if ends(graph, node, squares[start].tile & LETTER_MASK):
            allowed |= int64(1) << letter
    return allowed


@inlined
def _mark_anchors(search: Search) -> None:
    """Every word that touches a tile is grown from exactly one anchor of its lane.

    Anchors are the last tile of each run of tiles, and each empty square that is crossed and stands alone in its
    lane (next to a run, the run is the anchor). On the empty board the centre is one.
    """
    any_tile = int64(0)
    for lane in range(LANES):
        taken = search.taken[lane]
        any_tile |= taken
        search.anchors[lane] = (taken & ~(taken >> 1)) | (search.crossed[lane] & ~((taken << 1) | taken | (taken >> 1)))
    if any_tile == 0:
        search.anchors[_CENTRE] = int64(1) << (_CENTRE + 1)
        search.anchors[SIZE + _CENTRE] = int64(not search.first_word_across) << (_CENTRE + 1)
