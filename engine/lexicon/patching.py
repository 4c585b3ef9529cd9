"""Addition and removal of a few words in an existing graph: only the nodes on their paths are copied.

Nodes are shared by many words, so none is changed. For each word, the nodes from the root to the end of the word are
copied and appended to the graph. Each copy differs in one child, or in the end of the word; its other children are old
nodes. The old roots still represent the old list, the new ones the new list. This is the graph of docs/engine.md,
RE ORE ORO ORSI, after ORE is struck; the copies have an apostrophe::

    DAWG     26' -O-> 21' -R-> 18': ends O, as before -S-> 16
             26' -R-> 24, as before: RE

    GADDAG   from O:  61' -O-> 41' -|-> 21'              as before 41' -R-> 30: ORO read from its end
                      61' -R-> 48' -O-> 45' -|-> 18'     as before 48' -|-> 24: RE
             from E:  61' -E-> 32': ends R               no longer -R-> 30: nothing ends with ORE

In the GADDAG every prefix of the word (O, OR, ORE) has its own path, read from right to left, and after its separator
the new copy in the DAWG. A word of 15 letters needs 15 + 135 copies. A copy without children and ends becomes `NO_NODE`
and is removed from its parent too, so that a struck word leaves no dead ends.

Copies are not merged with equal nodes; a few hundred additional entries do no harm.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.anagrams import Anagrams, index_rows
from engine.lexicon.build import Rows
from engine.lexicon.nodes import AT_DAWG, AT_GADDAG, AT_WORD_COUNT, LONGEST_WORD, NO_NODE, SEPARATOR, Graph

Word = tuple[int, ...]
"""A word as letter numbers, 2 to 15 of them."""


def patch_graph(graph: Graph, more: Sequence[Word], fewer: Sequence[Word]) -> Graph:
    """Return a copy of the graph with the words `more`, none of which is in it, and without `fewer`, all of which are.

    Each word is given once. After the header, the old graph is unchanged and the new nodes follow. The checksum is not
    updated.
    """
    patch = _GraphPatch(graph)
    for word in more:
        patch.set_word(word, is_word=True)
    for word in fewer:
        patch.set_word(word, is_word=False)
    patched = patch.graph()
    patched[AT_WORD_COUNT] = int(graph[AT_WORD_COUNT]) + len(more) - len(fewer)
    return patched


class _GraphPatch:
    """Graph and the nodes to append to it."""

    def __init__(self, graph: Graph) -> None:
        self._old = graph
        self._new: list[int] = []
        self._dawg, self._gaddag = int(graph[AT_DAWG]), int(graph[AT_GADDAG])

    def graph(self) -> Graph:
        """Return all nodes in one array, with the new roots."""
        graph = np.concatenate([self._old, np.array(self._new, np.uint32)])
        graph[AT_DAWG], graph[AT_GADDAG] = self._dawg, self._gaddag
        return graph

    def set_word(self, word: Word, *, is_word: bool) -> None:
        """Add or remove a word, first in the DAWG, then for each of its prefixes in the GADDAG."""
        path = self._path(self._dawg, word)
        self._dawg = self._copy_path(path[:-1], word, path[-1], is_word)
        path = self._path(self._dawg, word)
        for length in range(1, len(word) + 1):
            whole = self._ends(path[length - 1], word[length - 1])
            self._set_prefix(word[:length], path[length], whole)

    def _set_prefix(self, prefix: Word, dawg_node: int, whole: bool) -> None:
        """Make the reversed prefix lead to `dawg_node` in the DAWG; `whole`: the prefix is a word."""
        leftwards = prefix[::-1]
        path = self._path(self._gaddag, leftwards)
        goal = self._copy(path[-1], SEPARATOR, dawg_node)
        self._gaddag = self._copy_path(path[:-1], leftwards, goal, whole)

    def _path(self, root: int, letters: Word) -> list[int]:
        """Return the nodes before, between and after these letters."""
        return list(accumulate(letters, self._child, initial=root))

    def _copy_path(self, path: Sequence[int], letters: Word, goal: int, whole: bool) -> int:
        """Copy a path; its last letter leads to `goal` and, if `whole`, completes a word. Return the new root."""
        goal = self._copy(path[-1], letters[-1], goal, whole)
        for node, letter in zip(path[-2::-1], letters[-2::-1], strict=True):
            goal = self._copy(node, letter, goal)
        return goal

    def _copy(self, node: int, letter: int, child: int, whole: bool | None = None) -> int:
        """Copy a node with a new child and, unless `whole` is None, a new end; return `NO_NODE` for an empty node."""
        children, ends, bit = self._entry(node), self._entry(node + 1), 1 << letter
        targets = [self._entry(node + 2 + at) for at in range(children.bit_count())]
        index = (children & (bit - 1)).bit_count()
        targets[index : index + bool(children & bit)] = [child] if child != NO_NODE else []
        children = _with_bit(children, bit, child != NO_NODE)
        if whole is not None:
            ends = _with_bit(ends, bit, whole)
        if not children and not ends:
            return NO_NODE
        copy = len(self._old) + len(self._new)
        self._new += [children, ends, *targets]
        return copy

    def _child(self, node: int, letter: int) -> int:
        children, bit = self._entry(node), 1 << letter
        return self._entry(node + 2 + (children & (bit - 1)).bit_count()) if children & bit else NO_NODE

    def _ends(self, node: int, letter: int) -> bool:
        return bool(self._entry(node + 1) & (1 << letter))

    def _entry(self, at: int) -> int:
        old = len(self._old)
        return int(self._old[at]) if at < old else self._new[at - old]


def _with_bit(bits: int, bit: int, there: bool) -> int:
    return bits | bit if there else bits & ~bit


def patch_anagrams(index: Anagrams, more: Sequence[Word], fewer: Sequence[Word]) -> Anagrams:
    """Return the index with the words `more`, none of which is in it, and without `fewer`, all of which are.

    Each word is given once. The new words are indexed with the same number of buckets, so that the two indexes can be
    merged bucket by bucket. Hints of removed words remain; they do no harm, because a hint is not a proof.
    """
    buckets = len(index.starts) - 1
    if fewer:
        index = _remove_words(index, index_rows(_rows_of(fewer), buckets))
    return _add_words(index, index_rows(_rows_of(more), buckets)) if more else index


def _rows_of(words: Sequence[Word]) -> Rows:
    rows = np.zeros((len(words), LONGEST_WORD), np.uint8)
    for row, word in zip(rows, words, strict=True):
        row[: len(word)] = np.array(word) + 1
    return rows


def _remove_words(index: Anagrams, fewer: Anagrams) -> Anagrams:
    places = []
    for bucket, word in zip(_buckets(fewer), fewer.letters, strict=True):
        first, behind = index.starts[bucket], index.starts[bucket + 1]
        places.append(first + np.flatnonzero((index.letters[first:behind] == word).all(axis=1))[0])
    letters = np.delete(_as_records(index.letters), places)
    starts, sums = index.starts - fewer.starts, np.delete(index.sums, places)
    return Anagrams(index.hints, index.near_hints, starts, sums, _single(letters))


def _add_words(index: Anagrams, more: Anagrams) -> Anagrams:
    places = index.starts[_buckets(more)]
    letters = np.insert(_as_records(index.letters), places, _as_records(more.letters))
    sums = np.insert(index.sums, places, more.sums)
    hints, near_hints = index.hints | more.hints, index.near_hints | more.near_hints
    return Anagrams(hints, near_hints, index.starts + more.starts, sums, _single(letters))


def _buckets(index: Anagrams) -> NDArray[np.int64]:
    """Return the bucket of each word of an index."""
    return np.searchsorted(index.starts, np.arange(len(index.sums)), side="right") - 1


def _as_records(rows: Rows) -> NDArray[np.void]:
    """View each row as one record, which numpy moves ten times as fast."""
    return rows.view(f"V{rows.shape[1]}").ravel()


def _single(rows: NDArray[np.void]) -> Rows:
    return rows.view(np.uint8).reshape(len(rows), rows.itemsize)
