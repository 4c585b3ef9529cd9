"""The ranked search: every legal move of a position, best first."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.jit import compiled, int64, lowest_bit, without_refcount
from engine.lexicon.nodes import Graph
from engine.search.cross_checks import prepare_position
from engine.search.generator import find_anchor_plays
from engine.search.layout import LINES, Search
from engine.search.rack import load_rack


@compiled
def find_all(
    graph: Graph, searches: Sequence[Search], most: int, first_anchor_only: bool, plays: NDArray[np.int64]
) -> int:
    """Write all plays into `plays` in the order in which they are found and return their number.

    `searches`: one record, filled up to and including the position; `most`: highest number of tiles that a play may
    lay. If `plays` is too short, only the first plays are written. `first_anchor_only`: stop after the first anchor
    with plays.
    """
    search = searches[0]
    graph, plays = without_refcount(graph), without_refcount(plays)
    prepare_position(graph, search)
    load_rack(search, most)
    for line in range(LINES):
        search.line = line
        anchors, limit = search.anchors[line], int64(0)
        while anchors:
            anchor = lowest_bit(anchors)
            anchors &= anchors - 1
            find_anchor_plays(graph, search, anchor, limit, plays)
            if first_anchor_only and search.found:
                return search.found
            limit = anchor + ((search.taken[line] >> anchor) & 1)
    return search.found


@compiled
def sort_by_score(plays: NDArray[np.int64], count: int) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Sort the first `count` plays by score, best first (counting sort); return the packed plays and their scores.

    `plays`: rows of packed play and score. Plays with the top score are in the order of their packed numbers, that is
    across first, then from the top left; the order of other plays with equal scores is deterministic.
    """
    plays, highest = without_refcount(plays), int64(0)
    for i in range(count):
        highest = max(highest, plays[i, 1])
    starts = np.zeros(highest + 2, np.int64)
    for i in range(count):
        starts[highest - plays[i, 1] + 1] += 1
    for i in range(highest + 1):
        starts[i + 1] += starts[i]
    ranked, scores = np.empty(count, np.int64), np.empty(count, np.int32)
    for i in range(count):
        index = starts[highest - plays[i, 1]]
        starts[highest - plays[i, 1]] += 1
        ranked[index] = plays[i, 0]
        scores[index] = plays[i, 1]
    ranked[: np.count_nonzero(scores == highest)].sort()
    return ranked, scores
