"""Taking up the rack: the hand that both searches lay from, and what the best search wants to know of it beforehand."""

from __future__ import annotations

from engine.edition import MAX_KINDS
from engine.lexicon.anagrams import LETTER_SUMS
from engine.lexicon.compiling import inlined, int64
from engine.search.layout import BLANKS, MOST_WORTH, Search


@inlined
def take_up(search: Search, most: int) -> None:
    """Take the tiles of `search.rack` into the hand; `most`: how many of them one play may lay."""
    search.tiles, search.hand = 0, 0
    for kind in range(MAX_KINDS + 1):
        letter = kind - 1 if kind else BLANKS
        count = int64(search.rack[kind])
        search.counts[letter] = count
        search.hand |= int64(count > 0) << letter
        search.tiles += count
    search.most = min(most, search.tiles)
    search.found = 0


@inlined
def rank_tiles(search: Search) -> None:
    """Number the tiles by their worth, the best first, blanks last; and fill all tables by tile or set of tiles."""
    count = 0
    for letter in range(BLANKS + 1):
        search.copies[letter] = 0
        for _ in range(search.counts[letter]):
            tile = count
            while tile and search.worths[tile - 1] < search.values[letter]:
                search.worths[tile], search.kinds[tile] = search.worths[tile - 1], search.kinds[tile - 1]
                tile -= 1
            search.worths[tile], search.kinds[tile] = search.values[letter], letter
            count += 1
    search.letters[0], search.sums[0], search.twins = 0, 0, 0
    for tile in range(search.tiles):
        letter = search.kinds[tile]
        search.copies[letter] |= int64(1) << tile
        search.twins |= int64(tile > 0 and letter == search.kinds[tile - 1]) << tile
        letter_sum = LETTER_SUMS[letter] if letter < BLANKS else int64(0)
        for others in range(1 << tile):
            search.letters[others | (1 << tile)] = search.letters[others] | (int64(1) << letter)
            search.sums[others | (1 << tile)] = search.sums[others] + letter_sum


@inlined
def weigh_up(search: Search) -> None:
    """Fill the tables by points: which letters are worth so much, and what the best tiles make of open squares."""
    for worth in range(MOST_WORTH + 1):
        search.worthy[worth] = 0
    for tile in range(search.tiles):
        search.worthy[min(search.worths[tile], MOST_WORTH)] |= int64(1) << search.kinds[tile]
    for worth in range(MOST_WORTH, 0, -1):
        search.worthy[worth - 1] |= search.worthy[worth]
    search.best_worths[0] = 0
    for tile in range(search.tiles):
        search.best_worths[tile + 1] = search.best_worths[tile] + search.worths[tile]
    best, most = search.best_worths, search.most
    for triples in range(most + 1):
        for doubles in range(most + 1 - triples):
            for singles in range(most + 1 - triples - doubles):
                search.open_worths[100 * triples + 10 * doubles + singles] = (
                    best[triples] + best[triples + doubles] + best[triples + doubles + singles]
                )
