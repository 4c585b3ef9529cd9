"""The ranked search: every legal move of a position, best first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.compiling import compiled, int64, uncounted
from engine.lexicon.nodes import Graph
from engine.search.cross_checks import prepare
from engine.search.layout import BLANKS, EMPTY, LANES, SQUARES, Grid, Play, Search, Square
from engine.search.walk import NO_BOUND, walk_anchor


@compiled
def find_all(
    graph: Graph,
    searches: Sequence[Search],
    empty_lanes: Grid[Square],
    squares: NDArray[np.uint8],
    rack: NDArray[np.uint8],
    first_word_across: bool,
    first_anchor_only: bool,
    plays: Sequence[Play],
) -> int:
    """Write all plays down in the order in which they are found; gives how many there are.

    `searches`: one record, of which values, bonuses and most are filled in; `empty_lanes`: see `layout.empty_lanes`;
    `squares`: 225 tile codes; `rack`: tiles by kind. When there are more plays than room, only
    the first are written. `first_anchor_only`: stop at the first anchor that has plays at all.
    """
    search = searches[0]
    graph, plays = uncounted(graph), uncounted(plays)
    search.lanes[:, :] = empty_lanes
    prepare(graph, search, squares, first_word_across)
    take_up(search, rack)
    search.floor, search.only_top = 0, 0
    search.bounds[:, :] = NO_BOUND
    for lane in range(LANES):
        search.lane = lane
        limit = 0
        for anchor in range(1, SQUARES - 1):
            if search.lanes[lane, anchor].anchor:
                walk_anchor(graph, search, anchor, limit, plays)
                if first_anchor_only and search.found:
                    return search.found
                limit = anchor + (search.lanes[lane, anchor].tile != EMPTY)
    return search.found


@compiled
def take_up(search: Search, rack: NDArray[np.uint8]) -> None:
    """Take the tiles of a rack (by kind) into the hand."""
    search.counts[:] = 0
    search.counts[BLANKS] = rack[0]
    search.hand = int64(rack[0] > 0) << BLANKS
    total = int64(rack[0])
    for kind in range(1, len(rack)):
        search.counts[kind - 1] = rack[kind]
        search.hand |= int64(rack[kind] > 0) << (kind - 1)
        total += rack[kind]
    search.most = min(search.most, total)
    search.found = 0


@compiled
def by_score(plays: Sequence[Play]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Packed plays and their scores, best first: a counting sort.

    Plays with the top score are in the order of their packed numbers, that is across first, then from the top left;
    of others with equal scores the order is only the same every time.
    """
    count, highest = len(plays), int64(0)
    for i in range(count):
        highest = max(highest, plays[i].score)
    places = np.zeros(highest + 2, np.int64)
    for i in range(count):
        places[highest - plays[i].score + 1] += 1
    for i in range(highest + 1):
        places[i + 1] += places[i]
    ranked, scores = np.empty(count, np.int64), np.empty(count, np.int32)
    for i in range(count):
        place = places[highest - plays[i].score]
        places[highest - plays[i].score] += 1
        ranked[place] = plays[i].packed
        scores[place] = plays[i].score
    ranked[: np.count_nonzero(scores == highest)].sort()
    return ranked, scores
