"""Placements: every stretch of squares that a play can cover, with an upper bound of the score of a play there.

The *placement* of a play is exactly the squares of its word, board tiles included. It begins after an empty square (or
the edge), ends before one, and touches the tiles on the board; its empty squares are its *gaps*. Each play has one
placement, so a search of all placements finds each play once.

The bound does not depend on the word list. It counts:

* on a *crossed* gap, the most valuable tile of the rack that the cross-check allows;
* on the other, *open* gaps, the most valuable tiles of the rack, the best on the highest letter premiums.

One tile may be counted on several crossed gaps, so the bound may be too high, but never too low. Placements with equal
bounds are in one *bucket*, a linked list, so no sorting is needed.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.board.coordinates import SIZE
from engine.lexicon.anagrams import LETTER_SUMS
from engine.lexicon.jit import inlined, int64, lowest_bit, uint64
from engine.search.layout import BLANKS, BUCKETS, EMPTY, LINES, MAX_TILES, Search, Square, SquareBound
from engine.tiles.edition import LETTER_MASK

NO_BUCKET = -1
_TOO_MANY = MAX_TILES + 1


@inlined
def list_placements(search: Search) -> int:
    """Put every placement into its bucket; return the highest bucket that is not empty, `NO_BUCKET` if all are.

    Bounds beyond the number of buckets go into the highest one.
    """
    count = int64(0)
    search.square_bounds[SIZE + 1].gaps = _TOO_MANY
    for line in range(LINES):
        anchors, before = search.anchors[line], int64(0)
        if anchors:
            _survey_line(search, line)
        while anchors:
            anchor = lowest_bit(anchors)
            anchors &= anchors - 1
            count = _list_around(search, line, before, anchor, count)
            before = anchor
    return _sort_into_buckets(search, count)


@inlined
def _survey_line(search: Search, line: int) -> None:
    """Fill `search.square_bounds` and `search.sums_before` for one line."""
    squares, sums_before = search.lines[line], search.sums_before[line]
    for at in range(1, SIZE + 1):
        square, square_bound = squares[at], search.square_bounds[at]
        square_bound.may_begin = squares[at - 1].tile == EMPTY
        square_bound.may_end = squares[at + 1].tile == EMPTY
        square_bound.open, square_bound.cross_points = 0, 0
        if square.tile != EMPTY:
            square_bound.gaps, square_bound.points, square_bound.word_factor = 0, square.value, square.word_factor
            sums_before[at + 1] = sums_before[at] + LETTER_SUMS[square.tile & LETTER_MASK]
            continue
        sums_before[at + 1] = sums_before[at]
        square_bound.gaps, square_bound.points, square_bound.word_factor = 1, 0, square.word_factor
        if square.cross_factor:
            best = best_tile(search, square)
            if best == search.tiles:
                square_bound.gaps = _TOO_MANY
            else:
                square_bound.points = search.tile_values[best] * square.letter_factor
                square_bound.cross_points = (square_bound.points + square.cross_score) * square.cross_factor
        elif square.letter_factor == 1:
            square_bound.open = 1
        else:
            square_bound.open = 10 if square.letter_factor == 2 else 100


@inlined
def best_tile(search: Search, square: Square) -> int:
    """Return the number of the best tile that the cross-check allows, `search.tiles` if it allows none."""
    allowed = int64(square.cross_check)
    if allowed:
        allowed |= int64(1) << BLANKS
    if allowed & search.rack_letters == 0:
        return search.tiles
    tile = int64(0)
    while (allowed >> search.tile_letters[tile]) & 1 == 0:
        tile += 1
    return tile


class _Stretch(NamedTuple):
    """Sums, and product of the word factors, over a stretch of a line; fields as in `layout.SquareBound`."""

    gaps: int
    open: int
    points: int
    cross_points: int
    word_factor: int


@inlined
def _empty_stretch() -> _Stretch:
    return _Stretch(int64(0), int64(0), int64(0), int64(0), int64(1))


@inlined
def _extend_stretch(stretch: _Stretch, square_bound: SquareBound) -> _Stretch:
    """Return the stretch extended by one square."""
    return _Stretch(
        stretch.gaps + square_bound.gaps,
        stretch.open + square_bound.open,
        stretch.points + square_bound.points,
        stretch.cross_points + square_bound.cross_points,
        stretch.word_factor * square_bound.word_factor,
    )


@inlined
def _list_around(search: Search, line: int, before: int, anchor: int, count: int) -> int:
    """List the placements whose first anchor is `anchor`; the previous anchor of the line is on square `before`.

    Return the number of placements so far. A word touches the tiles on the board if and only if it covers an anchor.
    """
    stretch = _empty_stretch()
    for first in range(anchor, before, -1):
        square_bound = search.square_bounds[uint64(first)]
        stretch = _extend_stretch(stretch, square_bound)
        if stretch.gaps > search.most:
            break
        if square_bound.may_begin:
            count = _list_from(search, line, first, anchor, stretch, count)
    return count


@inlined
def _list_from(search: Search, line: int, first: int, anchor: int, stretch: _Stretch, count: int) -> int:
    """List the placements that begin on square `first`; `stretch` reaches from there to the anchor.

    Every square is written as the last one of a placement and counted only if it can be one, which avoids a branch.
    """
    # A single tile that forms words in both directions, that is on a crossed gap, is listed as across only.
    fewest_crossed = int64(1) if line < SIZE else int64(2)
    at = anchor
    while stretch.gaps <= search.most:
        placement, square_bound = search.placements[uint64(count)], search.square_bounds[uint64(at)]
        placement.line, placement.first, placement.last, placement.gaps = line, first, at, stretch.gaps
        placement.bound = _bound(search, stretch)
        count += square_bound.may_end & (at > first) & ((stretch.open > 0) | (stretch.gaps >= fewest_crossed))
        at += 1
        stretch = _extend_stretch(stretch, search.square_bounds[uint64(at)])
    return count


@inlined
def _bound(search: Search, stretch: _Stretch) -> int:
    """Return the upper bound of the score of a play whose word covers exactly this stretch."""
    points = stretch.points + search.open_values[uint64(stretch.open)]
    return points * stretch.word_factor + stretch.cross_points + search.bonuses[uint64(stretch.gaps)]


@inlined
def _sort_into_buckets(search: Search, count: int) -> int:
    for bucket in range(BUCKETS):
        search.buckets[bucket] = NO_BUCKET
    highest = int64(NO_BUCKET)
    for number in range(count):
        placement = search.placements[number]
        bucket = min(int64(placement.bound), BUCKETS - 1)
        placement.following = search.buckets[bucket]
        search.buckets[bucket] = number
        highest = max(highest, bucket)
    return highest
