"""Preparation of the rack: tile counts for both searches, and lookup tables for the best search."""

from __future__ import annotations

from engine.lexicon.anagrams import LETTER_SUMS
from engine.lexicon.jit import inlined, int64
from engine.search.layout import BLANKS, MAX_VALUE, Search
from engine.tiles.edition import MAX_KINDS


@inlined
def load_rack(search: Search, most: int) -> None:
    """Fill the tile counts from `search.rack`; `most`: highest number of tiles that a play may lay."""
    search.tiles, search.rack_letters = 0, 0
    for kind in range(MAX_KINDS + 1):
        letter = kind - 1 if kind else BLANKS
        count = int64(search.rack[kind])
        search.counts[letter] = count
        search.rack_letters |= int64(count > 0) << letter
        search.tiles += count
    search.most = min(most, search.tiles)
    search.found = 0


@inlined
def rank_tiles(search: Search) -> None:
    """Number the tiles by value, the highest first, blanks last; fill all tables indexed by tile or set of tiles."""
    count = 0
    for letter in range(BLANKS + 1):
        search.letter_tiles[letter] = 0
        for _ in range(search.counts[letter]):
            tile = count
            while tile and search.tile_values[tile - 1] < search.values[letter]:
                search.tile_values[tile], search.tile_letters[tile] = (
                    search.tile_values[tile - 1],
                    search.tile_letters[tile - 1],
                )
                tile -= 1
            search.tile_values[tile], search.tile_letters[tile] = search.values[letter], letter
            count += 1
    search.subset_letters[0], search.subset_sums[0], search.repeats = 0, 0, 0
    for tile in range(search.tiles):
        letter = search.tile_letters[tile]
        search.letter_tiles[letter] |= int64(1) << tile
        search.repeats |= int64(tile > 0 and letter == search.tile_letters[tile - 1]) << tile
        letter_sum = LETTER_SUMS[letter] if letter < BLANKS else int64(0)
        for others in range(1 << tile):
            search.subset_letters[others | (1 << tile)] = search.subset_letters[others] | (int64(1) << letter)
            search.subset_sums[others | (1 << tile)] = search.subset_sums[others] + letter_sum


@inlined
def fill_value_tables(search: Search) -> None:
    """Fill the tables of letters by minimum value and of the points of the best tiles on open squares."""
    for value in range(MAX_VALUE + 1):
        search.valuable_letters[value] = 0
    for tile in range(search.tiles):
        search.valuable_letters[min(search.tile_values[tile], MAX_VALUE)] |= int64(1) << search.tile_letters[tile]
    for value in range(MAX_VALUE, 0, -1):
        search.valuable_letters[value - 1] |= search.valuable_letters[value]
    search.best_values[0] = 0
    for tile in range(search.tiles):
        search.best_values[tile + 1] = search.best_values[tile] + search.tile_values[tile]
    best, most = search.best_values, search.most
    for triples in range(most + 1):
        for doubles in range(most + 1 - triples):
            for singles in range(most + 1 - triples - doubles):
                search.open_values[100 * triples + 10 * doubles + singles] = (
                    best[triples] + best[triples + doubles] + best[triples + doubles + singles]
                )
