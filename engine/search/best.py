"""The best search: only the moves with the top score, without looking at most of the others.

1. All places that a play can cover are listed, each with a bound: what can a play there score at most? That needs no
   word (`places.py`).
2. They are looked at one after the other, the highest bound first. Plays that leave few tiles on the rack are looked up
   by their letters (`looking_up.py`), others are spelled hole by hole (`filling.py`). What is found raises the floor.
3. As soon as a bound is below the floor, all is found.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.anagrams import Anagrams
from engine.lexicon.build import Rows
from engine.lexicon.compiling import compiled, inlined, int64, uncounted
from engine.lexicon.nodes import Graph
from engine.search.cross_checks import prepare
from engine.search.filling import fill_place
from engine.search.holes import rank_holes, read_place, useful_blanks
from engine.search.layout import BLANKS, SHELVES, Place, Search
from engine.search.looking_up import can_be_looked_up, forget_answers, look_up_place
from engine.search.places import NOTHING, list_places
from engine.search.rack import rank_tiles, take_up, weigh_up


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
    """Write all plays with the top score down; gives how many there are.

    Arguments as for `ranked.find_all`; `hints` to `letters`: see `lexicon/anagrams.py`; `found`: room for twice as many
    numbers as there are words, and one.
    """
    search = searches[0]
    graph, plays, found = uncounted(graph), uncounted(plays), uncounted(found)
    index = Anagrams(uncounted(hints), uncounted(near_hints), uncounted(starts), uncounted(sums), uncounted(letters))
    prepare(graph, search)
    take_up(search, search.largest_play)
    rank_tiles(search)
    weigh_up(search)
    forget_answers(search)
    search.floor = 0
    shelf = list_places(search)
    while shelf >= min(search.floor, SHELVES - 1):
        number = int64(search.shelves[shelf])
        while number != NOTHING:
            place = search.places[number]
            _look_at(graph, search, place, index, found, plays)
            number = int64(place.following)
        shelf -= 1
    return search.found


@inlined
def _look_at(
    graph: Graph, search: Search, place: Place, index: Anagrams, found: NDArray[np.int64], plays: NDArray[np.int64]
) -> None:
    """Note the plays of one place that reach the floor."""
    holes, blanks, always = int64(place.holes), int64(0), int64(0)
    if search.counts[BLANKS] or not can_be_looked_up(search, holes, 0):
        always = read_place(search, place)
        rank_holes(search, place)
        blanks = useful_blanks(search, place, always)
    fewest = max(int64(0), holes - search.tiles + search.counts[BLANKS])
    if can_be_looked_up(search, holes, blanks):
        for needed in range(fewest, blanks + 1):
            look_up_place(search, place, needed, index, found, plays)
    elif blanks >= fewest:
        fill_place(graph, search, place, always, plays)
