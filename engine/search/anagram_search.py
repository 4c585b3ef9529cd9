"""Plays at a placement, found in the anagram index instead of being spelled letter by letter.

A play lays a subset of the rack: as many tiles as the placement has gaps. The letters of the word are therefore known:
those of the subset and those on the board. `lexicon/anagrams.py` lists the words with these letters; each is then
checked against the squares. A rack of seven different tiles has one subset of seven, seven of six, 21 of five.

A blank is tried as every letter of which no tile is left on the rack; with such a tile the play would score at least
as much. Placements with the same letters have the same words, so the listed words are cached.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.anagrams import LETTER_SUMS, Anagrams, add_words, is_hinted
from engine.lexicon.jit import inlined, int64, uint64
from engine.search.gaps import add_play, read_placement
from engine.search.layout import BLANKS, CACHE_SLOTS, MAX_TILES, TILE_BITS, TILE_FIELD, CacheEntry, Placement, Search
from engine.tiles.edition import BLANK_BIT

MAX_BLANKS = 2
MAX_CHOICES = 4
"""Highest sum of the tiles left on the rack and the blanks laid; up to this sum, trying all subsets is fast."""
_END_OF_SUBSETS = 1 << MAX_TILES


def _list_tile_subsets() -> NDArray[np.int64]:
    """Subsets of nine tiles as bit masks, by number of tiles; ascending, followed by `_END_OF_SUBSETS`."""
    table = np.full((MAX_TILES + 1, 127), _END_OF_SUBSETS, np.int64)
    for tiles in range(MAX_TILES + 1):
        sets = [some for some in range(1 << MAX_TILES) if some.bit_count() == tiles]
        table[tiles, : len(sets)] = sets
    return table


TILE_SUBSETS = _list_tile_subsets()


@inlined
def can_look_up_placement(search: Search, gaps: int, blanks: int) -> bool:
    """Decide if plays with so many gaps and at most this many blanks are faster to look up than to spell."""
    if blanks > MAX_BLANKS or search.tiles - gaps + blanks > MAX_CHOICES:
        return False
    # A blank for a letter of value 0 makes a play with the same score, which the look-up does not find.
    own = search.tiles - search.counts[BLANKS]
    return blanks == 0 or own == 0 or search.tile_values[own - 1] > 0


@inlined
def clear_cache(search: Search) -> None:
    """Empty the cache of listed words, as needed before the first placement of a rack."""
    search.cached_count = 0
    for slot in range(CACHE_SLOTS):
        search.cache[slot].gaps = 0


@inlined
def look_up_placement(
    search: Search,
    placement: Placement,
    blanks: int,
    index: Anagrams,
    found: NDArray[np.int64],
    plays: NDArray[np.int64],
) -> None:
    """Add the plays at a placement that need exactly this many blanks.

    `found`: buffer for the numbers of the listed words, twice as long as the word list.
    """
    entry = _cached_words(search, placement, blanks, index, found)
    if entry.begin == entry.end:
        return
    fixed_points = read_placement(search, placement)
    for i in range(entry.begin, entry.end):
        _lay_word(search, placement, fixed_points, blanks, index.letters[found[i]], plays)


@inlined
def _cached_words(
    search: Search, placement: Placement, blanks: int, index: Anagrams, found: NDArray[np.int64]
) -> CacheEntry:
    """Give the cache entry for the words from the tiles at the placement and on the rack; fill it if necessary."""
    sums_before = search.sums_before[uint64(placement.line)]
    board_sum = sums_before[uint64(placement.last + 1)] - sums_before[uint64(placement.first)]
    entry = search.cache[(board_sum + 3 * placement.gaps + blanks) & (CACHE_SLOTS - 1)]
    if entry.letter_sum != board_sum or entry.gaps != placement.gaps or entry.blanks != blanks:
        if search.cached_count * 2 > len(found):
            clear_cache(search)
        entry.letter_sum, entry.gaps, entry.blanks = board_sum, placement.gaps, blanks
        entry.begin = search.cached_count
        _list_words(search, board_sum, placement.gaps - blanks, blanks, index, found)
        entry.end = search.cached_count
    return entry


@inlined
def _list_words(
    search: Search, board_sum: int, tiles: int, blanks: int, index: Anagrams, found: NDArray[np.int64]
) -> None:
    """Add to `found` the words from this many tiles and blanks of the rack and the board tiles at the placement."""
    every = (int64(1) << (search.tiles - search.counts[BLANKS])) - 1
    at = 0
    subset = TILE_SUBSETS[tiles, 0]
    while subset <= every:
        # Of equal tiles the first ones are taken, so that each subset is tried once.
        if search.repeats & subset & ~(subset << 1) == 0:
            letter_sum, left = (
                board_sum + search.subset_sums[uint64(subset)],
                search.subset_letters[uint64(every ^ subset)],
            )
            if blanks == 0:
                search.cached_count = _add_words(index, letter_sum, found, search.cached_count)
            elif blanks == 1:
                _list_with_one(search, letter_sum, left, index, found)
            else:
                _list_with_two(search, letter_sum, left, index, found)
        at += 1
        subset = TILE_SUBSETS[uint64(tiles), uint64(at)]


@inlined
def _list_with_one(search: Search, letter_sum: int, left: int, index: Anagrams, found: NDArray[np.int64]) -> None:
    """Add the words with one more letter, shown by a blank; `left`: the letters with a tile left on the rack."""
    if is_hinted(index.near_hints, letter_sum):
        for letter in range(search.letter_count):
            if (left >> letter) & 1 == 0:
                search.cached_count = _add_words(index, letter_sum + LETTER_SUMS[letter], found, search.cached_count)


@inlined
def _list_with_two(search: Search, letter_sum: int, left: int, index: Anagrams, found: NDArray[np.int64]) -> None:
    """Add the words with two more letters, shown by blanks.

    Each of the two must be a letter after which one more letter may complete a word. Few letters are, so there are few
    pairs. Each letter is written first and counted only if it is a candidate, which avoids a branch.
    """
    count = 0
    for letter in range(search.letter_count):
        search.blank_sums[uint64(count)] = LETTER_SUMS[letter]
        count += is_hinted(index.near_hints, letter_sum + LETTER_SUMS[letter]) & (1 - ((left >> letter) & 1))
    cached_count = search.cached_count
    for one in range(count):
        with_one = letter_sum + search.blank_sums[one]
        for other in range(one, count):
            cached_count = _add_words(index, with_one + search.blank_sums[other], found, cached_count)
    search.cached_count = cached_count


@inlined
def _add_words(index: Anagrams, letter_sum: int, found: NDArray[np.int64], count: int) -> int:
    return add_words(index.hints, index.starts, index.sums, letter_sum, found, count)


@inlined
def _lay_word(
    search: Search,
    placement: Placement,
    fixed_points: int,
    blanks: int,
    word: NDArray[np.uint8],
    plays: NDArray[np.int64],
) -> None:
    """Add the plays that lay this word exactly at the placement, if it fits there."""
    for i in range(search.board_tiles):
        if int64(word[search.board_tile_at[i]]) - 1 != search.board_tile_letter[i]:
            return
    score, tiles = fixed_points, int64(0)
    for number in range(placement.gaps):
        gap = search.gaps[number]
        letter = int64(word[gap.square - placement.first]) - 1
        if (gap.cross_check >> letter) & 1 == 0:
            return
        score += search.values[letter] * gap.weight
        tiles |= (letter + 1) << (TILE_BITS * number)
    if score < search.floor:
        return
    if blanks == 0:
        add_play(search, score, placement.first, tiles, plays)
    else:
        _note_with_blanks(search, placement, score, tiles, blanks, plays)


@inlined
def _note_with_blanks(
    search: Search, placement: Placement, score: int, tiles: int, blanks: int, plays: NDArray[np.int64]
) -> None:
    """Add a play for each choice of gaps for the blanks; `score` and `tiles` are those without blanks."""
    one, other = _find_missing_letters(search, tiles, placement.gaps)
    for i in range(placement.gaps):
        letter = _letter_at(tiles, i)
        if letter != one and letter != other:
            continue
        less = score - search.values[letter] * search.gaps[i].weight
        marked = tiles | (int64(BLANK_BIT) << (TILE_BITS * i))
        if blanks == 1:
            add_play(search, less, placement.first, marked, plays)
            continue
        for j in range(i + 1, placement.gaps):
            second = _letter_at(tiles, j)
            if (letter == one and second == other) or (letter == other and second == one):
                least = less - search.values[second] * search.gaps[j].weight
                add_play(search, least, placement.first, marked | (int64(BLANK_BIT) << (TILE_BITS * j)), plays)


@inlined
def _find_missing_letters(search: Search, tiles: int, gaps: int) -> tuple[int, int]:
    """Give the two letters that blanks must stand for; with one blank, the same letter twice."""
    one, other = int64(-1), int64(-1)
    for number in range(gaps):
        letter = _letter_at(tiles, number)
        search.counts[letter] -= 1
        if search.counts[letter] < 0:
            one, other = letter, one
    for number in range(gaps):
        search.counts[_letter_at(tiles, number)] += 1
    return one, one if other < 0 else other


@inlined
def _letter_at(tiles: int, number: int) -> int:
    """The letter of a tile in a packed play without blanks."""
    return ((tiles >> (TILE_BITS * number)) & TILE_FIELD) - 1
