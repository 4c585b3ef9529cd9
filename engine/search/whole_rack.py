"""Plays of the whole rack, looked up by their letters instead of walked.

The tiles of the rack and those that already lie in the word are known, so the words are known: `lexicon/anagrams.py`
lists them at once, a blank by trying every letter. Then each word is only tried on the squares.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.edition import BLANK_BIT, LETTER_MASK
from engine.lexicon.anagrams import LETTER_SUMS, add_words
from engine.lexicon.build import Rows
from engine.lexicon.compiling import inlined, int64
from engine.lexicon.nodes import LONGEST_WORD
from engine.search.cross_checks import Lane
from engine.search.layout import BLANKS, EMPTY, TILE_BITS, Place, Play, Search
from engine.search.walk import note

FEWEST_TILES = 5
"""Smaller racks are walked: their walks are short, their words many."""
MOST_BLANKS = 2
"""With more blanks there are too many letters to try."""


@inlined
def can_be_looked_up(search: Search, tiles: int) -> bool:
    """Whether plays of the whole rack, `tiles` tiles, are allowed and better looked up than walked."""
    return tiles == search.most and tiles >= FEWEST_TILES and search.counts[BLANKS] <= MOST_BLANKS


@inlined
def list_words(
    search: Search,
    letter_sum: int,
    letter_count: int,
    hints: NDArray[np.int64],
    starts: NDArray[np.int64],
    sums: NDArray[np.int64],
    found: NDArray[np.int64],
    count: int,
) -> int:
    """Add the words of the whole rack and tiles with this sum to `found`; gives the new count."""
    for letter in range(letter_count):
        letter_sum += LETTER_SUMS[letter] * search.counts[letter]
    if search.counts[BLANKS] == 0:
        return add_words(hints, starts, sums, letter_sum, found, count)
    for one in range(letter_count):
        with_one = letter_sum + LETTER_SUMS[one]
        if search.counts[BLANKS] == 1:
            count = add_words(hints, starts, sums, with_one, found, count)
        else:
            for other in range(one, letter_count):
                count = add_words(hints, starts, sums, with_one + LETTER_SUMS[other], found, count)
    return count


@inlined
def lay_words(search: Search, place: Place, words: NDArray[np.int64], letters: Rows, plays: Sequence[Play]) -> None:
    """Note the plays that lay one of these words exactly at the place, with all tiles of the rack."""
    search.lane = place.lane
    squares = search.lanes[place.lane]
    always = _weigh(search, squares, place)
    length = place.last - place.first + 1
    for word in words:
        if letters[word, LONGEST_WORD] == length and _fits(squares, place.first, letters[word], length):
            score = always
            tiles = int64(0)
            for i in range(search.most):
                letter = int64(letters[word, search.free[i]]) - 1
                score += search.values[letter] * search.weights[i]
                tiles |= (letter + 1) << (TILE_BITS * i)
            if score >= search.floor:
                _note_with_blanks(search, place.first, letters[word], score, tiles, plays)


@inlined
def _weigh(search: Search, squares: Lane, place: Place) -> int:
    """Find the free squares (counted from the word's start) and what multiplies a tile there; the points that stay."""
    factor, lying, crossing, free = int64(1), int64(0), int64(0), 0
    for at in range(place.first, place.last + 1):
        square = squares[at]
        if square.tile == EMPTY:
            factor *= square.word_factor
            crossing += square.cross_score * square.cross_factor
            search.free[free] = at - place.first
            free += 1
        else:
            lying += search.values[square.tile]
    for i in range(free):
        square = squares[place.first + search.free[i]]
        search.weights[i] = square.letter_factor * (factor + square.cross_factor)
    return lying * factor + crossing + search.bonuses[free]


@inlined
def _fits(squares: Lane, first: int, word: NDArray[np.uint8], length: int) -> bool:
    for i in range(length):
        letter = int64(word[i]) - 1
        square = squares[first + i]
        if square.tile == EMPTY:
            if (square.cross_check >> letter) & 1 == 0:
                return False
        elif square.tile & LETTER_MASK != letter:
            return False
    return True


@inlined
def _note_with_blanks(
    search: Search, first: int, word: NDArray[np.uint8], score: int, tiles: int, plays: Sequence[Play]
) -> None:
    """Note the play, once for each choice of squares where the blanks can lie."""
    if search.counts[BLANKS] == 0:
        note(search, score, first, tiles, plays)
        return
    one, other = _lacking(search, word)
    for i in range(search.most):
        letter = int64(word[search.free[i]]) - 1
        if letter != one and letter != other:
            continue
        less = score - search.values[letter] * search.weights[i]
        marked = tiles | (int64(BLANK_BIT) << (TILE_BITS * i))
        if search.counts[BLANKS] == 1:
            note(search, less, first, marked, plays)
            continue
        for j in range(i + 1, search.most):
            second = int64(word[search.free[j]]) - 1
            if (letter == one and second == other) or (letter == other and second == one):
                least = less - search.values[second] * search.weights[j]
                note(search, least, first, marked | (int64(BLANK_BIT) << (TILE_BITS * j)), plays)


@inlined
def _lacking(search: Search, word: NDArray[np.uint8]) -> tuple[int, int]:
    """The letters for which blanks must stand; the same twice when there is one blank."""
    one, other = int64(-1), int64(-1)
    for i in range(search.most):
        letter = int64(word[search.free[i]]) - 1
        search.counts[letter] -= 1
        if search.counts[letter] < 0:
            one, other = letter, one
    for i in range(search.most):
        search.counts[int64(word[search.free[i]]) - 1] += 1
    return one, one if other < 0 else other
