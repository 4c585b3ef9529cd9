"""The ranked search: every legal move of a position, best first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.compiling import compiled, int64, lowest_bit, uncounted
from engine.lexicon.nodes import Graph
from engine.search.cross_checks import prepare
from engine.search.layout import LANES, Search
from engine.search.rack import take_up
from engine.search.walk import walk_anchor


@compiled
def find_all(
    graph: Graph, searches: Sequence[Search], most: int, first_anchor_only: bool, plays: NDArray[np.int64]
) -> int:
    """Write all plays down in the order in which they are found; gives how many there are.

    `searches`: one record, of which everything up to the question is filled in; `most`: how many tiles a play may lay.
    When there are more plays than room, only the first are written. `first_anchor_only`: stop at the first anchor
    that has plays at all.
    """
    search = searches[0]
    graph, plays = uncounted(graph), uncounted(plays)
    prepare(graph, search)
    take_up(search, most)
    for lane in range(LANES):
        search.lane = lane
        anchors, limit = search.anchors[lane], int64(0)
        while anchors:
            anchor = lowest_bit(anchors)
            anchors &= anchors - 1
            walk_anchor(graph, search, anchor, limit, plays)
            if first_anchor_only and search.found:
                return search.found
            limit = anchor + ((search.taken[lane] >> anchor) & 1)
    return search.found


@compiled
def by_score(plays: NDArray[np.int64], count: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The first `count` plays, packed, and their scores, best first: a counting sort. A play is two numbers.

    Plays with the top score are in the order of their packed numbers, that is across first, then from the top left;
    of others with equal scores the order is only the same every time.
    """
    plays, highest = uncounted(plays), int64(0)
    for i in range(count):
        highest = max(highest, plays[i, 1])
    places = np.zeros(highest + 2, np.int64)
    for i in range(count):
        places[highest - plays[i, 1] + 1] += 1
    for i in range(highest + 1):
        places[i + 1] += places[i]
    ranked, scores = np.empty(count, np.int64), np.empty(count, np.int32)
    for i in range(count):
        place = places[highest - plays[i, 1]]
        places[highest - plays[i, 1]] += 1
        ranked[place] = plays[i, 0]
        scores[place] = plays[i, 1]
    ranked[: np.count_nonzero(scores == highest)].sort()
    return ranked, scores
