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

from engine.coords import SIZE
from engine.lexicon.compiling import inlined, int64
from engine.search.cross_checks import Lane
from engine.search.layout import BLANKS, EMPTY, LANES, MOST_TILES, SHELVES, Search, Square

NOTHING = -1
_TOO_MANY = MOST_TILES + 1


@inlined
def list_places(search: Search) -> int:
    """Put every place on its shelf; gives the highest shelf that is not empty, `NOTHING` when all are.

    Higher bounds than there are shelves lie on the highest one.
    """
    count = int64(0)
    for lane in range(LANES):
        last = _last_anchor(search.lanes[lane])
        if last:
            _survey(search, search.lanes[lane])
            for first in range(1, last + 1):
                if search.lanes[lane, first - 1].tile == EMPTY:
                    count = _list_from(search, lane, first, count)
    return _put_on_shelves(search, count)


@inlined
def _last_anchor(squares: Lane) -> int:
    """The last anchor of a lane, 0 when it has none. A word is joined to other tiles just if it covers an anchor."""
    last = SIZE
    while last and not squares[last].anchor:
        last -= 1
    return last


@inlined
def _survey(search: Search, squares: Lane) -> None:
    """Fill `search.spots` for one lane."""
    for at in range(1, SIZE + 1):
        square, spot = squares[at], search.spots[at]
        spot.touches = square.anchor
        spot.may_end = squares[at + 1].tile == EMPTY
        spot.open, spot.cross_points = 0, 0
        if square.tile != EMPTY:
            spot.holes, spot.points, spot.word_factor = 0, square.worth, square.word_factor
            continue
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


@inlined
def _list_from(search: Search, lane: int, first: int, count: int) -> int:
    """List the places that begin on square `first`; gives how many there are so far.

    Every square is written down as the end of a place, then counted if it is one: that spares the processor a guess.
    """
    holes, opens, points, cross_points = int64(0), int64(0), int64(0), int64(0)
    factor, touches = int64(1), int64(0)
    # A single tile that forms words both ways, that is on a crossed hole, is given as across only.
    fewest_crossed = int64(1) if lane < SIZE else int64(2)
    for at in range(first, SIZE + 1):
        spot = search.spots[at]
        holes += spot.holes
        if holes > search.most:
            break
        opens += spot.open
        points += spot.points
        cross_points += spot.cross_points
        factor *= spot.word_factor
        touches |= spot.touches
        place = search.places[count]
        place.lane, place.first, place.last, place.holes = lane, first, at, holes
        place.bound = (points + search.open_worths[opens]) * factor + cross_points + search.bonuses[holes]
        count += touches & spot.may_end & (at > first) & ((opens > 0) | (holes >= fewest_crossed))
    return count


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
