"""Preparing a position: tiles, cross-checks, cross-scores and anchors of all lanes."""

from __future__ import annotations

from collections.abc import Sequence

from engine.coords import SIZE
from engine.edition import LETTER_MASK
from engine.lexicon.compiling import inlined, int64, lowest_bit
from engine.lexicon.nodes import AT_DAWG, AT_GADDAG, LETTERS, Graph, child, ends
from engine.search.layout import EMPTY, LANES, SQUARES, Search, Square

Lane = Sequence[Square]
_CENTRE = SIZE // 2


@inlined
def prepare(graph: Graph, search: Search) -> None:
    """Put the position that is asked on the lanes."""
    lanes = search.lanes
    lanes[:, :] = search.empty_lanes
    if not _lay_out(search):
        lanes[_CENTRE, _CENTRE + 1].anchor = 1
        if not search.first_word_across:
            lanes[SIZE + _CENTRE, _CENTRE + 1].anchor = 1
        return
    for lane in range(LANES):
        for at in range(1, SQUARES - 1):
            if lanes[lane, at].tile == EMPTY and (
                lanes[lane, at - 1].tile != EMPTY or lanes[lane, at + 1].tile != EMPTY
            ):
                _cross_check(graph, search, lane, at)
    for lane in range(LANES):
        _mark_anchors(lanes[lane])


@inlined
def _lay_out(search: Search) -> bool:
    """Put the tiles on both lanes of each square; whether there is any."""
    lanes = search.lanes
    any_tile = False
    for row in range(SIZE):
        for col in range(SIZE):
            code = search.squares[row * SIZE + col]
            if code != EMPTY:
                _lay_tile(search, lanes[row, col + 1], code)
                _lay_tile(search, lanes[SIZE + col, row + 1], code)
                any_tile = True
    return any_tile


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
    while squares[start - 1].tile != EMPTY:
        start -= 1
        score += squares[start].worth
        factor *= squares[start].word_factor
    while squares[end + 1].tile != EMPTY:
        end += 1
        score += squares[end].worth
        factor *= squares[end].word_factor
    if end == at:
        allowed = int64(graph[_forwards(graph, squares, start, at) + 1])
    else:
        node = _backwards(graph, squares, end, at, int64(graph[AT_GADDAG]))
        allowed = int64(graph[node + 1])
        if start != at:
            allowed = _between(graph, squares, start, at, node)
    crossing = search.lanes[SIZE + at - 1 if lane < SIZE else at - 1, lane % SIZE + 1]
    crossing.cross_check = allowed
    crossing.cross_factor = crossing.word_factor * factor
    crossing.cross_score = score


@inlined
def _forwards(graph: Graph, squares: Lane, start: int, stop: int) -> int:
    """The DAWG node behind the tiles from `start` to just before `stop`."""
    node = int64(graph[AT_DAWG])
    for at in range(start, stop):
        node = child(graph, node, squares[at].tile & LETTER_MASK)
    return node


@inlined
def _backwards(graph: Graph, squares: Lane, start: int, stop: int, node: int) -> int:
    """The GADDAG node behind the tiles from `start` leftwards to just behind `stop`, beginning at `node`."""
    for at in range(start, stop, -1):
        node = child(graph, node, squares[at].tile & LETTER_MASK)
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
def _mark_anchors(squares: Lane) -> None:
    """Every word that touches a tile is grown from exactly one anchor of its lane.

    Anchors are the last tile of each run of tiles, and each empty square that is crossed and stands alone in its
    lane (next to a run, the run is the anchor).
    """
    for at in range(1, SQUARES - 1):
        square = squares[at]
        followed = squares[at + 1].tile != EMPTY
        if square.tile != EMPTY:
            square.anchor = not followed
        elif square.cross_factor:
            square.anchor = not followed and squares[at - 1].tile == EMPTY
