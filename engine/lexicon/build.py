"""From words to the graph: sort, then grow both automata from sorted keys, each distinct node once.

Words travel as *rows*: `uint8[n, 15]`, letter number + 1 in each place, 0 behind the end, so that rows sorted by
their bytes are words sorted by letter number. The layout of the graph is explained in `nodes.py`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.compiling import compiled, inlined, int64, lowest_bit, popcount
from engine.lexicon.nodes import (
    AT_DAWG,
    AT_GADDAG,
    AT_LAYOUT,
    AT_WORD_COUNT,
    HEADER,
    LAYOUT,
    LONGEST_WORD,
    NOWHERE,
    SEPARATOR,
    Graph,
    child,
    ends,
)

Rows = NDArray[np.uint8]

_DIGIT = 3  # letters that the radix sort takes at once
_BUCKETS = 32**_DIGIT
_LARGEST_NODE = 2 + 32


def build_graph(rows: Rows) -> Graph:
    """The graph of these words, in any order, repeated ones counted once; fingerprint and checksum are still 0."""
    words = distinct_rows(rows)
    everywhere = np.ones(len(words), np.bool_)
    no_path = np.zeros(len(words), np.int64)
    graph, nodes, used = _empty_graph(len(words))
    dawg, graph, nodes, used = _grow(words, everywhere, no_path, graph, nodes, used)
    keys, whole, behind = _beginnings(words, graph, dawg)
    order = sorted_order(keys)
    gaddag, graph, nodes, used = _grow(keys[order], whole[order], behind[order], graph, nodes, used)
    graph = graph[: used[0]].copy()
    graph[AT_LAYOUT], graph[AT_WORD_COUNT] = LAYOUT, len(words)
    graph[AT_DAWG], graph[AT_GADDAG] = dawg, gaddag
    return graph


def distinct_rows(rows: Rows) -> Rows:
    """The rows in alphabetical order, each once."""
    if len(rows) == 0:
        return rows
    ordered = rows[sorted_order(rows)]
    return ordered[_first_of_equals(ordered)]


def repeated_rows(rows: Rows) -> Rows:
    """The rows that are there more than once, in alphabetical order: of two lists without doubles those in both."""
    if len(rows) == 0:
        return rows
    ordered = rows[sorted_order(rows)]
    return distinct_rows(ordered[~_first_of_equals(ordered)])


def _empty_graph(word_count: int) -> tuple[Graph, NDArray[np.int32], NDArray[np.int64]]:
    """(graph, hash table of its nodes, [entries used, nodes]); sizes are a first guess, both grow when needed."""
    table_size = 1 << max(10, (word_count * 8).bit_length())
    graph = np.zeros(HEADER + _LARGEST_NODE + word_count * 8, np.uint32)
    return graph, np.zeros(table_size, np.int32), np.array([HEADER, 0], np.int64)


@compiled
def sorted_order(rows: Rows) -> NDArray[np.int32]:
    """Indices that sort the rows: a radix sort, three letters at a time, from the last to the first."""
    count = len(rows)
    order = np.arange(count).astype(np.int32)
    other = np.empty(count, np.int32)
    starts = np.empty(_BUCKETS, np.int64)
    for at in range(LONGEST_WORD - _DIGIT, -1, -_DIGIT):
        starts[:] = 0
        for row in range(count):
            starts[_digit(rows, row, at)] += 1
        place = 0
        for bucket in range(_BUCKETS):
            size = starts[bucket]
            starts[bucket] = place
            place += size
        for i in range(count):
            bucket = _digit(rows, order[i], at)
            other[starts[bucket]] = order[i]
            starts[bucket] += 1
        order, other = other, order
    return order


@inlined
def _digit(rows: Rows, row: int, at: int) -> int:
    return (int64(rows[row, at]) << 10) | (int64(rows[row, at + 1]) << 5) | int64(rows[row, at + 2])


@compiled
def _first_of_equals(rows: Rows) -> NDArray[np.bool_]:
    first = np.ones(len(rows), np.bool_)
    for row in range(1, len(rows)):
        first[row] = _common(rows, row) < LONGEST_WORD
    return first


@inlined
def _common(rows: Rows, row: int) -> int:
    """How many places from the front are the same in this row and the one before it."""
    at = 0
    while at < LONGEST_WORD and rows[row, at] == rows[row - 1, at]:
        at += 1
    return at


@inlined
def length_of(rows: Rows, row: int) -> int:
    """How many letters this row has."""
    length = 0
    while length < LONGEST_WORD and rows[row, length] != 0:
        length += 1
    return length


@compiled
def _beginnings(words: Rows, graph: Graph, dawg: int) -> tuple[Rows, NDArray[np.bool_], NDArray[np.int64]]:
    """Every distinct beginning of the sorted words, turned round: (rows, is it a whole word, DAWG node behind it)."""
    count = 0
    for row in range(len(words)):
        count += length_of(words, row) - (_common(words, row) if row else 0)
    keys = np.zeros((count, LONGEST_WORD), np.uint8)
    whole = np.zeros(count, np.bool_)
    behind = np.zeros(count, np.int64)
    path = np.zeros(LONGEST_WORD + 1, np.int64)
    path[0] = dawg
    key = 0
    for row in range(len(words)):
        for last in range(_common(words, row) if row else 0, length_of(words, row)):
            letter = int64(words[row, last]) - 1
            path[last + 1] = child(graph, path[last], letter)
            for i in range(last + 1):
                keys[key, i] = words[row, last - i]
            whole[key] = ends(graph, path[last], letter)
            behind[key] = path[last + 1]
            key += 1
    return keys, whole, behind


@compiled
def _grow(
    keys: Rows,
    whole: NDArray[np.bool_],
    behind: NDArray[np.int64],
    graph: Graph,
    nodes: NDArray[np.int32],
    used: NDArray[np.int64],
) -> tuple[int, Graph, NDArray[np.int32], NDArray[np.int64]]:
    """Add an automaton of sorted distinct keys; gives its root and the arrays, which may have been moved to grow.

    `whole[k]`: key k is a word; `behind[k]`: the node that the separator leads to behind key k, or `NOWHERE`.
    Open nodes, one for each letter of the key at hand, are kept aside until no later key can change them; then
    they are put into the graph, from the end of the key to its front.
    """
    children = np.zeros(LONGEST_WORD + 1, np.int64)
    word_ends = np.zeros(LONGEST_WORD + 1, np.int64)
    targets = np.zeros((LONGEST_WORD + 1, 32), np.int64)
    depth = 0
    for key in range(len(keys) + 1):
        kept = 0
        if 0 < key < len(keys):
            kept = _common(keys, key)
        while depth > kept:
            graph, nodes = _with_room(graph, nodes, used)
            node = _put(graph, nodes, used, children[depth], word_ends[depth], targets[depth])
            letter = int64(keys[key - 1, depth - 1]) - 1
            depth -= 1
            if node != NOWHERE:
                children[depth] |= int64(1) << letter
                targets[depth, letter] = node
        if key < len(keys):
            depth = length_of(keys, key)
            children[kept + 1 : depth + 1] = 0
            word_ends[kept + 1 : depth + 1] = 0
            if whole[key]:
                word_ends[depth - 1] |= int64(1) << (int64(keys[key, depth - 1]) - 1)
            if behind[key] != NOWHERE:
                children[depth] |= int64(1) << SEPARATOR
                targets[depth, SEPARATOR] = behind[key]
    graph, nodes = _with_room(graph, nodes, used)
    return _put(graph, nodes, used, children[0], word_ends[0], targets[0]), graph, nodes, used


@inlined
def _put(
    graph: Graph,
    nodes: NDArray[np.int32],
    used: NDArray[np.int64],
    children: int,
    word_ends: int,
    targets: NDArray[np.int64],
) -> int:
    """The place of a node: that of an equal one if there is one, else a new one at the end of the graph.

    The node is written behind the last one first and looked up from there, so an equal one is compared entry by
    entry; when one is found, the copy is simply forgotten.
    """
    if children == 0 and word_ends == 0:
        return int64(NOWHERE)
    new = int64(used[0])
    graph[new], graph[new + 1] = children, word_ends
    size = 2
    left = children
    while left:
        graph[new + size] = targets[lowest_bit(left)]
        left &= left - 1
        size += 1
    at = _hash(graph, new, size) & (len(nodes) - 1)
    while nodes[at] != 0:
        if _equal(graph, nodes[at], new, size):
            return int64(nodes[at])
        at = (at + 1) & (len(nodes) - 1)
    nodes[at] = new
    used[0] += size
    used[1] += 1
    return new


@inlined
def _hash(graph: Graph, node: int, size: int) -> int:
    mixed = np.uint64(0x9E3779B97F4A7C15)
    for i in range(size):
        mixed = (mixed ^ np.uint64(graph[node + i])) * np.uint64(0xFF51AFD7ED558CCD)
        mixed ^= mixed >> np.uint64(29)
    return int64(mixed >> np.uint64(2))


@inlined
def _equal(graph: Graph, one: int, other: int, size: int) -> bool:
    # The first entry tells how many follow, so `size` is right for both as soon as it agrees.
    for i in range(size):  # noqa: SIM110 - numba compiles loops, not generators
        if graph[one + i] != graph[other + i]:
            return False
    return True


@inlined
def _with_room(graph: Graph, nodes: NDArray[np.int32], used: NDArray[np.int64]) -> tuple[Graph, NDArray[np.int32]]:
    """The arrays with room for one more node, doubled if need be."""
    if used[0] + _LARGEST_NODE > len(graph):
        larger = np.zeros(len(graph) * 2, np.uint32)
        larger[: len(graph)] = graph
        graph = larger
    if used[1] * 2 > len(nodes):
        more = np.zeros(len(nodes) * 2, np.int32)
        for node in nodes:
            if node:
                at = _hash(graph, node, 2 + popcount(int64(graph[node]))) & (len(more) - 1)
                while more[at] != 0:
                    at = (at + 1) & (len(more) - 1)
                more[at] = node
        nodes = more
    return graph, nodes


@compiled
def all_rows(graph: Graph) -> Rows:
    """Every word of the graph as rows, sorted: the DAWG walked in the order of the letters."""
    rows = np.zeros((int64(graph[AT_WORD_COUNT]), LONGEST_WORD), np.uint8)
    path = np.zeros(LONGEST_WORD + 1, np.int64)
    letters = np.zeros(LONGEST_WORD + 1, np.int64)
    path[0] = graph[AT_DAWG]
    depth, row = 0, 0
    while depth >= 0:
        if letters[depth] == 30:
            depth -= 1
            continue
        letter = letters[depth]
        letters[depth] += 1
        if ends(graph, path[depth], letter):
            for i in range(depth + 1):
                rows[row, i] = letters[i]
            row += 1
        following = child(graph, path[depth], letter)
        if following != NOWHERE:
            depth += 1
            path[depth] = following
            letters[depth] = 0
    return rows
