"""A few words more or less in a list that is there already: only the nodes on their paths are made anew.

Nodes are shared by many words, so none is changed. A ruling copies the nodes from the root to the end of the word,
behind all that is there. Each copy differs in one child, or in the end of the word; everywhere else it leads back into
the old nodes. So the old roots still tell the old list, and the new ones the new list. This is the graph of
docs/engine.md, RE ORE ORO ORSI, when ORE is struck; the copies have a dash::

    DAWG     26' -O-> 21' -R-> 18': ends O, as before -S-> 16
             26' -R-> 24, as before: RE

    GADDAG   from O:  61' -O-> 41' -|-> 21'              as before 41' -R-> 30: ORO read from its end
                      61' -R-> 48' -O-> 45' -|-> 18'     as before 48' -|-> 24: RE
             from E:  61' -E-> 32': ends R               no longer -R-> 30: nothing ends with ORE

In the GADDAG every beginning of the word (O, OR, ORE) has a path of its own, read from right to left, and behind its
separator the new copy in the DAWG. That makes 15 + 135 copies for a word of 15 letters. A copy in which nothing is
left is `NOWHERE` and goes from the node before it too, so that a struck word leaves no blind alleys.

Copies are not compared with nodes that they might equal: some hundred entries too many do no harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.anagrams import Anagrams, index_rows
from engine.lexicon.build import Rows
from engine.lexicon.nodes import AT_DAWG, AT_GADDAG, AT_WORD_COUNT, LONGEST_WORD, NOWHERE, SEPARATOR, Graph

Word = tuple[int, ...]
"""A word as letter numbers, 2 to 15 of them."""


def amend_graph(graph: Graph, more: Sequence[Word], fewer: Sequence[Word]) -> Graph:
    """A copy of the graph with the words `more`, none of which is in it, and without `fewer`, all of which are.

    Each word is given once. Behind the header the old graph stays as it is, and the new nodes follow; the checksum
    is still the old one.
    """
    amendment = _Amendment(graph)
    for word in more:
        amendment.rule(word, is_word=True)
    for word in fewer:
        amendment.rule(word, is_word=False)
    amended = amendment.graph()
    amended[AT_WORD_COUNT] = int(graph[AT_WORD_COUNT]) + len(more) - len(fewer)
    return amended


class _Amendment:
    """A graph, and the nodes that are to be put behind it."""

    def __init__(self, graph: Graph) -> None:
        self._old = graph
        self._new: list[int] = []
        self._dawg, self._gaddag = int(graph[AT_DAWG]), int(graph[AT_GADDAG])

    def graph(self) -> Graph:
        """All nodes in one array, with the new roots."""
        graph = np.concatenate([self._old, np.array(self._new, np.uint32)])
        graph[AT_DAWG], graph[AT_GADDAG] = self._dawg, self._gaddag
        return graph

    def rule(self, word: Word, *, is_word: bool) -> None:
        """Let this be a word or none, first in the DAWG, then for each of its beginnings in the GADDAG."""
        path = self._path(self._dawg, word)
        self._dawg = self._led(path[:-1], word, path[-1], is_word)
        path = self._path(self._dawg, word)
        for length in range(1, len(word) + 1):
            whole = self._ends(path[length - 1], word[length - 1])
            self._rule_beginning(word[:length], path[length], whole)

    def _rule_beginning(self, beginning: Word, behind: int, whole: bool) -> None:
        """Let this beginning, read from its end, lead to the node `behind` it in the DAWG, and be a word or none."""
        leftwards = beginning[::-1]
        path = self._path(self._gaddag, leftwards)
        goal = self._copy(path[-1], SEPARATOR, behind)
        self._gaddag = self._led(path[:-1], leftwards, goal, whole)

    def _path(self, root: int, letters: Word) -> list[int]:
        """The nodes before, between and behind these letters."""
        return list(accumulate(letters, self._child, initial=root))

    def _led(self, path: Sequence[int], letters: Word, goal: int, whole: bool) -> int:
        """Copy a path, so that its last letter leads to `goal` and completes a word or not; gives the new root."""
        goal = self._copy(path[-1], letters[-1], goal, whole)
        for node, letter in zip(path[-2::-1], letters[-2::-1], strict=True):
            goal = self._copy(node, letter, goal)
        return goal

    def _copy(self, node: int, letter: int, child: int, whole: bool | None = None) -> int:
        """A copy with this child behind a letter and an end there, or without; `NOWHERE` when nothing is left."""
        children, ends, bit = self._entry(node), self._entry(node + 1), 1 << letter
        targets = [self._entry(node + 2 + at) for at in range(children.bit_count())]
        place = (children & (bit - 1)).bit_count()
        targets[place : place + bool(children & bit)] = [child] if child != NOWHERE else []
        children = _with_bit(children, bit, child != NOWHERE)
        if whole is not None:
            ends = _with_bit(ends, bit, whole)
        if not children and not ends:
            return NOWHERE
        copy = len(self._old) + len(self._new)
        self._new += [children, ends, *targets]
        return copy

    def _child(self, node: int, letter: int) -> int:
        children, bit = self._entry(node), 1 << letter
        return self._entry(node + 2 + (children & (bit - 1)).bit_count()) if children & bit else NOWHERE

    def _ends(self, node: int, letter: int) -> bool:
        return bool(self._entry(node + 1) & (1 << letter))

    def _entry(self, at: int) -> int:
        old = len(self._old)
        return int(self._old[at]) if at < old else self._new[at - old]


def _with_bit(bits: int, bit: int, there: bool) -> int:
    return bits | bit if there else bits & ~bit


def amend_anagrams(index: Anagrams, more: Sequence[Word], fewer: Sequence[Word]) -> Anagrams:
    """The index with the words `more`, none of which is in it, and without `fewer`, all of which are; each given once.

    The few words make an index with as many buckets, so that the places of both can be added up bucket by bucket.
    A hint to a word that is gone does no harm: a hint only says "perhaps".
    """
    buckets = len(index.starts) - 1
    if fewer:
        index = _without(index, index_rows(_rows_of(fewer), buckets))
    return _joined(index, index_rows(_rows_of(more), buckets)) if more else index


def _rows_of(words: Sequence[Word]) -> Rows:
    rows = np.zeros((len(words), LONGEST_WORD), np.uint8)
    for row, word in zip(rows, words, strict=True):
        row[: len(word)] = np.array(word) + 1
    return rows


def _without(index: Anagrams, fewer: Anagrams) -> Anagrams:
    places = []
    for bucket, word in zip(_buckets(fewer), fewer.letters, strict=True):
        first, behind = index.starts[bucket], index.starts[bucket + 1]
        places.append(first + np.flatnonzero((index.letters[first:behind] == word).all(axis=1))[0])
    letters = np.delete(_whole(index.letters), places)
    starts, sums = index.starts - fewer.starts, np.delete(index.sums, places)
    return Anagrams(index.hints, index.near_hints, starts, sums, _single(letters))


def _joined(index: Anagrams, more: Anagrams) -> Anagrams:
    places = index.starts[_buckets(more)]
    letters = np.insert(_whole(index.letters), places, _whole(more.letters))
    sums = np.insert(index.sums, places, more.sums)
    hints, near_hints = index.hints | more.hints, index.near_hints | more.near_hints
    return Anagrams(hints, near_hints, index.starts + more.starts, sums, _single(letters))


def _buckets(index: Anagrams) -> NDArray[np.int64]:
    """The bucket in which each word of an index lies."""
    return np.searchsorted(index.starts, np.arange(len(index.sums)), side="right") - 1


def _whole(rows: Rows) -> NDArray[np.void]:
    """Each row as one thing: numpy then moves them ten times as fast."""
    return rows.view(f"V{rows.shape[1]}").ravel()


def _single(rows: NDArray[np.void]) -> Rows:
    return rows.view(np.uint8).reshape(len(rows), rows.itemsize)
