"""The best search: the moves with the top score, without generating most of the others.

1. List all placements that a play can cover, each with an upper bound of the score of a play there. This needs no
   word list (`placements.py`).
2. Search them in descending order of their bounds. Plays that leave few tiles on the rack are looked up by their
   letters (`anagram_search.py`), others are spelled gap by gap (`gap_search.py`). The best score so far is the *floor*.
3. Stop when the next bound is below the floor.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.anagrams import Anagrams
from engine.lexicon.build import Rows
from engine.lexicon.jit import compiled, inlined, int64, without_refcount
from engine.lexicon.nodes import Graph
from engine.search.anagram_search import can_look_up_placement, clear_cache, look_up_placement
from engine.search.cross_checks import prepare_position
from engine.search.gap_search import fill_placement
from engine.search.gaps import rank_gaps, read_placement, useful_blanks
from engine.search.layout import BLANKS, BUCKETS, Placement, Search
from engine.search.placements import NO_BUCKET, list_placements
from engine.search.rack import fill_value_tables, load_rack, rank_tiles


@compiled
def find_best(
    graph: Graph,
    searches: Sequence[Search],
    hints: NDArray[np.int64],
    near_hints: NDArray[np.int64],
    starts: NDArray[np.int64],
    sums: NDArray[np.int64],
    letters: Rows,
    found: NDArray[np.int64],
    plays: NDArray[np.int64],
) -> int:
    """Write all plays with the top score into `plays` and return their number.

    Arguments as for `ranked.find_all`; `hints` to `letters`: see `lexicon/anagrams.py`; `found`: buffer of twice as
    many numbers as there are words, plus one.
    """
    search = searches[0]
    graph, plays, found = without_refcount(graph), without_refcount(plays), without_refcount(found)
    index = Anagrams(
        without_refcount(hints),
        without_refcount(near_hints),
        without_refcount(starts),
        without_refcount(sums),
        without_refcount(letters),
    )
    prepare_position(graph, search)
    load_rack(search, search.largest_play)
    rank_tiles(search)
    fill_value_tables(search)
    clear_cache(search)
    search.floor = 0
    bucket = list_placements(search)
    while bucket >= min(search.floor, BUCKETS - 1):
        number = int64(search.buckets[bucket])
        while number != NO_BUCKET:
            placement = search.placements[number]
            _search_placement(graph, search, placement, index, found, plays)
            number = int64(placement.following)
        bucket -= 1
    return search.found


@inlined
def _search_placement(
    graph: Graph,
    search: Search,
    placement: Placement,
    index: Anagrams,
    found: NDArray[np.int64],
    plays: NDArray[np.int64],
) -> None:
    """Add the plays at one placement that reach the floor."""
    gaps, blanks, fixed_points = int64(placement.gaps), int64(0), int64(0)
    if search.counts[BLANKS] or not can_look_up_placement(search, gaps, 0):
        fixed_points = read_placement(search, placement)
        rank_gaps(search, placement)
        blanks = useful_blanks(search, placement, fixed_points)
    fewest = max(int64(0), gaps - search.tiles + search.counts[BLANKS])
    if can_look_up_placement(search, gaps, blanks):
        for needed in range(fewest, blanks + 1):
            look_up_placement(search, placement, needed, index, found, plays)
    elif blanks >= fewest:
        fill_placement(graph, search, placement, fixed_points, plays)
