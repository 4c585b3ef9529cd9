"""The best search: only the moves with the top score, without looking at most of the others.

1. For every anchor, bounds: how much can a play score that covers so many squares before it and behind it?
2. Plays of the whole rack, places with the highest bounds first, by looking their words up. There are many such places
   and few such plays, and they have the bonus; whatever is found raises the floor.
3. The rest by the walk of the ranked search, anchors with the highest bounds first; branches whose bound is below the
   floor are not entered, and as soon as an anchor's bound is below it, all is found.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.build import Rows
from engine.lexicon.compiling import compiled, inlined, int64, uncounted
from engine.lexicon.nodes import Graph
from engine.search.bounds import IMPOSSIBLE, bound_of, rank_hand, reach_out, set_bounds
from engine.search.cross_checks import prepare
from engine.search.layout import EMPTY, LANES, SQUARES, Grid, Place, Play, Search, Square
from engine.search.ranked import take_up
from engine.search.walk import walk_anchor
from engine.search.whole_rack import can_be_looked_up, lay_words, list_words

MOST_ANCHORS = LANES * (SQUARES - 2)
MOST_PLACES = MOST_ANCHORS * 10
MOST_ANSWERS = 256


@compiled
def find_best(
    graph: Graph,
    searches: Sequence[Search],
    empty_lanes: Grid[Square],
    squares: NDArray[np.uint8],
    rack: NDArray[np.uint8],
    first_word_across: bool,
    letter_count: int,
    hints: NDArray[np.int64],
    starts: NDArray[np.int64],
    sums: NDArray[np.int64],
    letters: Rows,
    found: NDArray[np.int64],
    anchors: Sequence[Place],
    places: Sequence[Place],
    plays: Sequence[Play],
) -> int:
    """Write all plays with the top score down; gives how many there are.

    Most arguments as for `ranked.find_all`; `hints` to `letters`: see `lexicon/anagrams.py`. Room to work in: `found`,
    at least as long as there are words; `anchors`; `places`.
    """
    search = searches[0]
    graph, plays, anchors, places = uncounted(graph), uncounted(plays), uncounted(anchors), uncounted(places)
    hints, starts, sums, letters = uncounted(hints), uncounted(starts), uncounted(sums), uncounted(letters)
    found = uncounted(found)
    search.lanes[:, :] = empty_lanes
    prepare(graph, search, squares, first_word_across)
    take_up(search, rack)
    rank_hand(search)
    search.floor, search.only_top = 0, 1
    look_up = can_be_looked_up(search, rack.sum())
    anchor_count, place_count = _find_places(search, look_up, anchors, places)
    if look_up:
        _whole_rack(search, letter_count, hints, starts, sums, letters, found, places[:place_count], plays)
        search.most -= 1
    for i in _by_bound(anchors[:anchor_count]):
        anchor = anchors[i]
        if anchor.bound < search.floor:
            break
        search.lane = anchor.lane
        set_bounds(search, search.lanes[anchor.lane], anchor.last, anchor.first)
        walk_anchor(graph, search, anchor.last, anchor.first, plays)
    return search.found


@inlined
def _find_places(search: Search, look_up: bool, anchors: Sequence[Place], places: Sequence[Place]) -> tuple[int, int]:
    """Bound everything: (number of anchors, number of places for the whole rack, if those are to be looked up)."""
    anchor_count, place_count = 0, 0
    for lane in range(LANES):
        squares = search.lanes[lane]
        limit = 0
        for at in range(1, SQUARES - 1):
            if not squares[at].anchor:
                continue
            reach_out(search, squares, at, limit)
            highest = int64(IMPOSSIBLE)
            fewest_left = 0 if squares[at].tile != EMPTY else 1
            for left in range(fewest_left, search.lefts + 1):
                for right in range(min(search.rights, search.most - left) + 1):
                    if look_up and left + right == search.most:
                        _note_place(search, lane, left, right, places[place_count])
                        place_count += 1
                    elif left + right:
                        highest = max(highest, bound_of(search, left, right))
            anchor = anchors[anchor_count]
            anchor.bound, anchor.lane, anchor.last, anchor.first = highest, lane, at, limit
            anchor_count += 1
            limit = at + (squares[at].tile != EMPTY)
    return anchor_count, place_count


@inlined
def _note_place(search: Search, lane: int, left: int, right: int, place: Place) -> None:
    before, behind = search.to_left[left], search.to_right[right]
    place.bound = bound_of(search, left, right)
    place.lane, place.first, place.last = lane, before.edge, behind.edge
    place.letter_sum = before.letter_sum + behind.letter_sum


@inlined
def _whole_rack(
    search: Search,
    letter_count: int,
    hints: NDArray[np.int64],
    starts: NDArray[np.int64],
    sums: NDArray[np.int64],
    letters: Rows,
    found: NDArray[np.int64],
    places: Sequence[Place],
    plays: Sequence[Play],
) -> None:
    """Note the plays of the whole rack. Places with the same letters have the same words, so those are kept."""
    asked = np.empty(MOST_ANSWERS, np.int64)
    begin = np.zeros(MOST_ANSWERS + 1, np.int64)
    answers = 0
    for i in _by_bound(places):
        place = places[i]
        if place.bound < search.floor:
            break
        answer = 0
        while answer < answers and asked[answer] != place.letter_sum:
            answer += 1
        if answer == answers:
            if answers == MOST_ANSWERS or begin[answers] * 2 > len(found):
                answer, answers = 0, 0
            asked[answer] = place.letter_sum
            begin[answer + 1] = list_words(
                search, place.letter_sum, letter_count, hints, starts, sums, found, begin[answer]
            )
            answers += 1
        lay_words(search, place, found[begin[answer] : begin[answer + 1]], letters, plays)


@inlined
def _by_bound(places: Sequence[Place]) -> NDArray[np.int64]:
    """Indices of the places, the highest bound first: a counting sort. Impossible ones are left out."""
    highest = int64(0)
    for i in range(len(places)):
        highest = max(highest, places[i].bound)
    following = np.zeros(highest + 2, np.int64)
    count = 0
    for i in range(len(places)):
        if places[i].bound >= 0:
            following[highest - places[i].bound + 1] += 1
            count += 1
    for bound in range(highest + 1):
        following[bound + 1] += following[bound]
    order = np.empty(count, np.int64)
    for i in range(len(places)):
        if places[i].bound >= 0:
            at = highest - places[i].bound
            order[following[at]] = i
            following[at] += 1
    return order
