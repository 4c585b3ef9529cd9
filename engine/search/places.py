"""Places: every stretch of squares that a play can cover, with an upper bound of what a play there scores.

The *place* of a play is exactly the squares of its word, tiles that lie already included. So a place begins behind an
empty square and ends before one, and is joined to the tiles on the board; what is empty of it are its *holes*. Each
play has one place, so whoever looks at places one by one finds each play once.

At most a play can score, whatever the words of the language are:

* on a *crossed* hole, the most valuable tile of the rack that the cross-check allows;
* on the other, *open* holes, the most valuable tiles of the rack, the best on the highest letter premiums.

One tile may be counted on several crossed holes: the bound may be too high, never too low. Places with equal bounds
lie on one *shelf*, a list linked from place to place, so nothing has to be sorted.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.coords import SIZE
from engine.edition import LETTER_MASK
from engine.lexicon.anagrams import LETTER_SUMS
from engine.lexicon.compiling import inlined, int64, lowest_bit, natural
from engine.search.layout import BLANKS, EMPTY, LANES, MOST_TILES, SHELVES, Search, Spot, Square

NOTHING = -1
_TOO_MANY = MOST_TILES + 1


@inlined
def list_places(search: Search) -> int:
    """Put every place on its shelf; gives the highest shelf that is not empty, `NOTHING` when all are.

    Higher bounds than there are shelves lie on the highest one.
    """
    count = int64(0)
    search.spots[SIZE + 1].holes = _TOO_MANY
    for lane in range(LANES):
        anchors, before = search.anchors[lane], int64(0)
        if anchors:
            _survey(search, lane)
        while anchors:
            anchor = lowest_bit(anchors)
            anchors &= anchors - 1
            count = _list_around(search, lane, before, anchor, count)
            before = anchor
    return _put_on_shelves(search, count)


@inlined
def _survey(search: Search, lane: int) -> None:
    """Fill `search.spots` and `search.sums_before` for one lane."""
    squares, sums_before = search.lanes[lane], search.sums_before[lane]
    for at in range(1, SIZE + 1):
        square, spot = squares[at], search.spots[at]
        spot.may_begin = squares[at - 1].tile == EMPTY
        spot.may_end = squares[at + 1].tile == EMPTY
        spot.open, spot.cross_points = 0, 0
        if square.tile != EMPTY:
            spot.holes, spot.points, spot.word_factor = 0, square.worth, square.word_factor
            sums_before[at + 1] = sums_before[at] + LETTER_SUMS[square.tile & LETTER_MASK]
            continue
        sums_before[at + 1] = sums_before[at]
        spot.holes, spot.points, spot.word_factor = 1, 0, square.word_factor
        if square.cross_factor:
            best = best_tile(search, square)
            if best == search.tiles:
                spot.holes = _TOO_MANY
            else:
                spot.points = search.worths[best] * square.letter_factor
                spot.cross_points = (spot.points + square.cross_score) * square.cross_factor
        elif square.letter_factor == 1:
            spot.open = 1
        else:
            spot.open = 10 if square.letter_factor == 2 else 100


@inlined
def best_tile(search: Search, square: Square) -> int:
    """The number of the best tile that the cross-check allows, `search.tiles` when it allows none."""
    allowed = int64(square.cross_check)
    if allowed:
        allowed |= int64(1) << BLANKS
    if allowed & search.hand == 0:
        return search.tiles
    tile = int64(0)
    while (allowed >> search.kinds[tile]) & 1 == 0:
        tile += 1
    return tile


class _Stretch(NamedTuple):
    """What the squares of a stretch of a lane have together; the fields as in `layout.Spot`."""

    holes: int
    open: int
    points: int
    cross_points: int
    word_factor: int


@inlined
def _nothing_yet() -> _Stretch:
    return _Stretch(int64(0), int64(0), int64(0), int64(0), int64(1))


@inlined
def _longer(stretch: _Stretch, spot: Spot) -> _Stretch:
    """The stretch and one square more."""
    return _Stretch(
        stretch.holes + spot.holes,
        stretch.open + spot.open,
        stretch.points + spot.points,
        stretch.cross_points + spot.cross_points,
        stretch.word_factor * spot.word_factor,
    )


@inlined
def _list_around(search: Search, lane: int, before: int, anchor: int, count: int) -> int:
    """List the places of which this is the first anchor, the one before it being on square `before`.

    Gives how many there are so far. A word is joined to other tiles just if it covers an anchor.
    """
    stretch = _nothing_yet()
    for first in range(anchor, before, -1):
        spot = search.spots[natural(first)]
        stretch = _longer(stretch, spot)
        if stretch.holes > search.most:
            break
        if spot.may_begin:
            count = _list_from(search, lane, first, anchor, stretch, count)
    return count


@inlined
def _list_from(search: Search, lane: int, first: int, anchor: int, stretch: _Stretch, count: int) -> int:
    """List the places that begin on square `first`; `stretch`: from there to the anchor.

    Every square is written down as the end of a place, then counted if it is one: that spares the processor a guess.
    """
    # A single tile that forms words both ways, that is on a crossed hole, is given as across only.
    fewest_crossed = int64(1) if lane < SIZE else int64(2)
    at = anchor
    while stretch.holes <= search.most:
        place, spot = search.places[natural(count)], search.spots[natural(at)]
        place.lane, place.first, place.last, place.holes = lane, first, at, stretch.holes
        place.bound = _bound(search, stretch)
        count += spot.may_end & (at > first) & ((stretch.open > 0) | (stretch.holes >= fewest_crossed))
        at += 1
        stretch = _longer(stretch, search.spots[natural(at)])
    return count


@inlined
def _bound(search: Search, stretch: _Stretch) -> int:
    """What a play can score at most whose word covers just this stretch."""
    points = stretch.points + search.open_worths[natural(stretch.open)]
    return points * stretch.word_factor + stretch.cross_points + search.bonuses[natural(stretch.holes)]


@inlined
def _put_on_shelves(search: Search, count: int) -> int:
    for shelf in range(SHELVES):
        search.shelves[shelf] = NOTHING
    highest = int64(NOTHING)
    for number in range(count):
        place = search.places[number]
        shelf = min(int64(place.bound), SHELVES - 1)
        place.following = search.shelves[shelf]
        search.shelves[shelf] = number
        highest = max(highest, shelf)
    return highest
