"""Plays of a place, looked up by their letters instead of spelled letter by letter.

A play takes a *handful* of tiles, as many as the place has holes. Handful and tiles that lie there already are known,
so the words are known: `lexicon/anagrams.py` lists them at once. Then each word is only tried on the squares. A rack
of seven different tiles has one handful of seven, seven of six, 21 of five.

A blank is tried as every letter of which no tile is left over; else that tile would do, and be worth more. Places with
the same letters have the same words, so what was listed is kept.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.edition import BLANK_BIT
from engine.lexicon.anagrams import LETTER_SUMS, Anagrams, add_words, is_hinted
from engine.lexicon.compiling import inlined, int64, natural
from engine.search.holes import note, read_place
from engine.search.layout import ANSWERS, BLANKS, MOST_TILES, TILE_BITS, TILE_FIELD, Answer, Place, Search

MOST_BLANKS = 2
MOST_CHOICES = 4
"""So many tiles left on the rack and blanks laid, together: then there are few enough handfuls to try them all."""
_BEHIND_THE_LAST = 1 << MOST_TILES


def _handfuls() -> NDArray[np.int64]:
    """By number of tiles: the sets of so many tiles out of nine, as bits, ascending; `_BEHIND_THE_LAST` behind them."""
    table = np.full((MOST_TILES + 1, 127), _BEHIND_THE_LAST, np.int64)
    for tiles in range(MOST_TILES + 1):
        sets = [some for some in range(1 << MOST_TILES) if some.bit_count() == tiles]
        table[tiles, : len(sets)] = sets
    return table


HANDFULS = _handfuls()


@inlined
def can_be_looked_up(search: Search, holes: int, blanks: int) -> bool:
    """Whether plays that fill so many holes, with this many blanks at most, are better looked up than spelled."""
    if blanks > MOST_BLANKS or search.tiles - holes + blanks > MOST_CHOICES:
        return False
    # A blank for a letter whose tile is worthless too makes an equal play, which is not looked up.
    own = search.tiles - search.counts[BLANKS]
    return blanks == 0 or own == 0 or search.worths[own - 1] > 0


@inlined
def forget_answers(search: Search) -> None:
    """Before the first place of a rack is looked up."""
    search.listed = 0
    for slot in range(ANSWERS):
        search.answers[slot].holes = 0


@inlined
def look_up_place(
    search: Search,
    place: Place,
    blanks: int,
    index: Anagrams,
    found: NDArray[np.int64],
    plays: NDArray[np.int64],
) -> None:
    """Note the plays of a place for which just so many letters lack on the rack.

    `found`: room for the words that are listed, twice as many as there are words.
    """
    answer = _answer(search, place, blanks, index, found)
    if answer.begin == answer.end:
        return
    always = read_place(search, place)
    for i in range(answer.begin, answer.end):
        _lay_word(search, place, always, blanks, index.letters[found[i]], plays)


@inlined
def _answer(search: Search, place: Place, blanks: int, index: Anagrams, found: NDArray[np.int64]) -> Answer:
    """Where in `found` the words are that the tiles at the place and those of the rack make."""
    sums_before = search.sums_before[natural(place.lane)]
    lying_sum = sums_before[natural(place.last + 1)] - sums_before[natural(place.first)]
    answer = search.answers[(lying_sum + 3 * place.holes + blanks) & (ANSWERS - 1)]
    if answer.letter_sum != lying_sum or answer.holes != place.holes or answer.blanks != blanks:
        if search.listed * 2 > len(found):
            forget_answers(search)
        answer.letter_sum, answer.holes, answer.blanks = lying_sum, place.holes, blanks
        answer.begin = search.listed
        _list_words(search, lying_sum, place.holes - blanks, blanks, index, found)
        answer.end = search.listed
    return answer


@inlined
def _list_words(
    search: Search, lying_sum: int, tiles: int, blanks: int, index: Anagrams, found: NDArray[np.int64]
) -> None:
    """Add the words of so many tiles, so many blanks, and the tiles that lie at the place to `found`."""
    every = (int64(1) << (search.tiles - search.counts[BLANKS])) - 1
    at = 0
    handful = HANDFULS[tiles, 0]
    while handful <= every:
        # Of equal tiles the first ones are taken, so that no handful comes twice.
        if search.twins & handful & ~(handful << 1) == 0:
            letter_sum, left = lying_sum + search.sums[natural(handful)], search.letters[natural(every ^ handful)]
            if blanks == 0:
                search.listed = _add_words(index, letter_sum, found, search.listed)
            elif blanks == 1:
                _list_with_one(search, letter_sum, left, index, found)
            else:
                _list_with_two(search, letter_sum, left, index, found)
        at += 1
        handful = HANDFULS[natural(tiles), natural(at)]


@inlined
def _list_with_one(search: Search, letter_sum: int, left: int, index: Anagrams, found: NDArray[np.int64]) -> None:
    """Add the words with one letter more; `left`: the letters for which a tile is left over."""
    if is_hinted(index.near_hints, letter_sum):
        for letter in range(search.letter_count):
            if (left >> letter) & 1 == 0:
                search.listed = _add_words(index, letter_sum + LETTER_SUMS[letter], found, search.listed)


@inlined
def _list_with_two(search: Search, letter_sum: int, left: int, index: Anagrams, found: NDArray[np.int64]) -> None:
    """The same with two letters more: both must be among those behind which one letter may complete a word.

    There are few of these, so few pairs. Each letter is written down, then counted if it is one: that spares the
    processor a guess.
    """
    count = 0
    for letter in range(search.letter_count):
        search.blank_sums[natural(count)] = LETTER_SUMS[letter]
        count += is_hinted(index.near_hints, letter_sum + LETTER_SUMS[letter]) & (1 - ((left >> letter) & 1))
    listed = search.listed
    for one in range(count):
        with_one = letter_sum + search.blank_sums[one]
        for other in range(one, count):
            listed = _add_words(index, with_one + search.blank_sums[other], found, listed)
    search.listed = listed


@inlined
def _add_words(index: Anagrams, letter_sum: int, found: NDArray[np.int64], count: int) -> int:
    return add_words(index.hints, index.starts, index.sums, letter_sum, found, count)


@inlined
def _lay_word(
    search: Search, place: Place, always: int, blanks: int, word: NDArray[np.uint8], plays: NDArray[np.int64]
) -> None:
    """Note the plays that lay this word exactly at the place, if it fits there."""
    for i in range(search.lying):
        if int64(word[search.lying_at[i]]) - 1 != search.lying_letter[i]:
            return
    score, tiles = always, int64(0)
    for number in range(place.holes):
        hole = search.holes[number]
        letter = int64(word[hole.square - place.first]) - 1
        if (hole.cross_check >> letter) & 1 == 0:
            return
        score += search.values[letter] * hole.weight
        tiles |= (letter + 1) << (TILE_BITS * number)
    if score < search.floor:
        return
    if blanks == 0:
        note(search, score, place.first, tiles, plays)
    else:
        _note_with_blanks(search, place, score, tiles, blanks, plays)


@inlined
def _note_with_blanks(
    search: Search, place: Place, score: int, tiles: int, blanks: int, plays: NDArray[np.int64]
) -> None:
    """Note a play once for each choice of holes where the blanks can lie; score and tiles are those without any."""
    one, other = _lacking(search, tiles, place.holes)
    for i in range(place.holes):
        letter = _letter_at(tiles, i)
        if letter != one and letter != other:
            continue
        less = score - search.values[letter] * search.holes[i].weight
        marked = tiles | (int64(BLANK_BIT) << (TILE_BITS * i))
        if blanks == 1:
            note(search, less, place.first, marked, plays)
            continue
        for j in range(i + 1, place.holes):
            second = _letter_at(tiles, j)
            if (letter == one and second == other) or (letter == other and second == one):
                least = less - search.values[second] * search.holes[j].weight
                note(search, least, place.first, marked | (int64(BLANK_BIT) << (TILE_BITS * j)), plays)


@inlined
def _lacking(search: Search, tiles: int, holes: int) -> tuple[int, int]:
    """The letters for which blanks must stand; the same twice when there is one blank."""
    one, other = int64(-1), int64(-1)
    for number in range(holes):
        letter = _letter_at(tiles, number)
        search.counts[letter] -= 1
        if search.counts[letter] < 0:
            one, other = letter, one
    for number in range(holes):
        search.counts[_letter_at(tiles, number)] += 1
    return one, one if other < 0 else other


@inlined
def _letter_at(tiles: int, number: int) -> int:
    """The letter of a tile in a packed play without blanks."""
    return ((tiles >> (TILE_BITS * number)) & TILE_FIELD) - 1
