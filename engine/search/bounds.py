"""Upper bounds: what can a play from this anchor score at most, whatever the words of the language are?

A play from an anchor covers the nearest l empty squares up to the anchor and the nearest r behind it, so the squares
that are covered are known from l and r alone. What can be laid there at best:

* on a *crossed* square, the most valuable tile of the hand that the cross-check allows;
* on the *open* squares, the most valuable tiles of the hand, the best on the highest letter premiums.

One tile may be counted on several crossed squares: the bound may be too high, never too low.
"""

from __future__ import annotations

from engine.edition import LETTER_MASK
from engine.lexicon.anagrams import LETTER_SUMS
from engine.lexicon.compiling import inlined, int64, lowest_bit
from engine.search.cross_checks import Lane
from engine.search.layout import BLANKS, EMPTY, MOST_TILES, SQUARES, Reach, Search, Square

IMPOSSIBLE = -1


@inlined
def rank_hand(search: Search) -> None:
    """`search.best_values[n]`: what the n most valuable tiles of the hand are worth together."""
    search.best_values[:] = 0
    left = search.hand & ~(int64(1) << BLANKS)
    laid = 0
    while left:
        best = lowest_bit(left)
        others = left & (left - 1)
        while others:
            letter = lowest_bit(others)
            others &= others - 1
            if search.values[letter] > search.values[best]:
                best = letter
        left ^= int64(1) << best
        for _ in range(search.counts[best]):
            search.best_values[laid + 1] = search.best_values[laid] + search.values[best]
            laid += 1
    for more in range(laid, MOST_TILES):
        search.best_values[more + 1] = search.best_values[laid]


@inlined
def reach_out(search: Search, squares: Lane, anchor: int, limit: int) -> None:
    """Fill `search.to_left` and `search.to_right` for an anchor: what covering one more square each time adds."""
    lefts, rights = search.to_left, search.to_right
    _start(rights[0], anchor)
    _start(lefts[0], anchor + 1)
    _read_left(search, squares, lefts[0])
    search.lefts = 0
    while search.lefts < search.most and lefts[search.lefts].edge - 1 > limit:
        reach = lefts[search.lefts + 1]
        if not _cover(search, squares, lefts[search.lefts].edge - 1, lefts[search.lefts], reach):
            break
        search.lefts += 1
    search.rights = 0
    while search.rights < search.most and rights[search.rights].edge + 1 < SQUARES - 1:
        reach = rights[search.rights + 1]
        if not _cover(search, squares, rights[search.rights].edge + 1, rights[search.rights], reach):
            break
        _read_right(search, squares, reach)
        search.rights += 1


@inlined
def _start(reach: Reach, edge: int) -> None:
    reach.edge, reach.points, reach.cross_points, reach.letter_sum = edge, 0, 0, 0
    reach.singles, reach.doubles, reach.triples, reach.word_factor = 0, 0, 0, 1


@inlined
def _read_left(search: Search, squares: Lane, reach: Reach) -> None:
    """Take in the run of tiles before the edge."""
    while squares[reach.edge - 1].tile != EMPTY:
        reach.edge -= 1
        _read(search, squares[reach.edge], reach)


@inlined
def _read_right(search: Search, squares: Lane, reach: Reach) -> None:
    """Take in the run of tiles behind the edge."""
    while squares[reach.edge + 1].tile != EMPTY:
        reach.edge += 1
        _read(search, squares[reach.edge], reach)


@inlined
def _read(search: Search, square: Square, reach: Reach) -> None:
    reach.points += search.values[square.tile]
    reach.letter_sum += LETTER_SUMS[square.tile & LETTER_MASK]


@inlined
def _cover(search: Search, squares: Lane, at: int, before: Reach, reach: Reach) -> bool:
    """`reach`: what is reached when square `at` is covered as well. False when no tile of the hand may lie there."""
    square = squares[at]
    reach.edge = at
    reach.letter_sum = before.letter_sum
    reach.points, reach.cross_points = before.points, before.cross_points
    reach.singles, reach.doubles, reach.triples = before.singles, before.doubles, before.triples
    reach.word_factor = before.word_factor * square.word_factor
    if square.cross_factor:
        best = _best_value(search, square.cross_check)
        if best == IMPOSSIBLE:
            return False
        reach.points += best * square.letter_factor
        reach.cross_points += (best * square.letter_factor + square.cross_score) * square.cross_factor
    elif square.letter_factor == 1:
        reach.singles += 1
    elif square.letter_factor == 2:
        reach.doubles += 1
    else:
        reach.triples += 1
    return True


@inlined
def _best_value(search: Search, allowed: int) -> int:
    """The worth of the best tile of the hand among these letters, `IMPOSSIBLE` when there is none."""
    best = int64(IMPOSSIBLE)
    if allowed and search.hand >> BLANKS:
        best = int64(0)
    letters = allowed & search.hand
    while letters:
        best = max(best, search.values[lowest_bit(letters)])
        letters &= letters - 1
    return best


@inlined
def bound_of(search: Search, left: int, right: int) -> int:
    """What a play with so many tiles up to the anchor and behind it can score at most; after `reach_out`."""
    before, behind = search.to_left[left], search.to_right[right]
    triples = before.triples + behind.triples
    doubles = triples + before.doubles + behind.doubles
    singles = doubles + before.singles + behind.singles
    best = search.best_values
    points = before.points + behind.points + best[triples] + best[doubles] + best[singles]
    factor = before.word_factor * behind.word_factor
    return points * factor + before.cross_points + behind.cross_points + search.bonuses[left + right]


@inlined
def set_bounds(search: Search, squares: Lane, anchor: int, limit: int) -> None:
    """Fill `search.bounds` for the walk from this anchor."""
    reach_out(search, squares, anchor, limit)
    search.bounds[:, :] = IMPOSSIBLE
    for left in range(search.lefts, -1, -1):
        highest = int64(IMPOSSIBLE)
        for right in range(min(search.rights, search.most - left), -1, -1):
            highest = max(highest, bound_of(search, left, right))
            search.bounds[left, right] = highest
        search.bounds[left, 0] = max(highest, search.bounds[left + 1, 0])
