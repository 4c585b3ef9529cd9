"""Construction of the graph from words: sort, then build both automata from sorted keys, each distinct node once.

Words are passed as *rows*: `uint8[n, 15]`, letter number + 1 in each position, 0 after the end, so that rows sorted by
their bytes are words sorted by letter number. `nodes.py` describes the layout of the graph.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.jit import compiled, inlined, int64, lowest_bit, popcount
from engine.lexicon.nodes import (
    AT_DAWG,
    AT_GADDAG,
    AT_LAYOUT,
    AT_WORD_COUNT,
    HEADER,
    LAYOUT,
    LONGEST_WORD,
    NO_NODE,
    SEPARATOR,
    Graph,
    child,
    is_word_end,
)

Rows = NDArray[np.uint8]

_DIGIT = 3  # letters in one digit of the radix sort
_BUCKETS = 32**_DIGIT
_LARGEST_NODE = 2 + 32


def build_graph(rows: Rows) -> Graph:
    """Build the graph of these words, in any order, duplicates allowed; fingerprint and checksum are still 0."""
    words = distinct_rows(rows)
    everywhere = np.ones(len(words), np.bool_)
    no_path = np.zeros(len(words), np.int64)
    graph, nodes, used = _empty_graph(len(words))
    dawg, graph, nodes, used = _add_automaton(words, everywhere, no_path, graph, nodes, used)
    keys, whole, behind = _reversed_prefixes(words, graph, dawg)
    order = sorted_order(keys)
    gaddag, graph, nodes, used = _add_automaton(keys[order], whole[order], behind[order], graph, nodes, used)
    graph = graph[: used[0]].copy()
    graph[AT_LAYOUT], graph[AT_WORD_COUNT] = LAYOUT, len(words)
    graph[AT_DAWG], graph[AT_GADDAG] = dawg, gaddag
    return graph


def distinct_rows(rows: Rows) -> Rows:
    """Return the rows in alphabetical order, each once."""
    if len(rows) == 0:
        return rows
    ordered = rows[sorted_order(rows)]
    return ordered[_first_of_equals(ordered)]


def repeated_rows(rows: Rows) -> Rows:
    """Return the rows that occur more than once, sorted: the intersection of two lists of distinct words."""
    if len(rows) == 0:
        return rows
    ordered = rows[sorted_order(rows)]
    return distinct_rows(ordered[~_first_of_equals(ordered)])


def _empty_graph(word_count: int) -> tuple[Graph, NDArray[np.int32], NDArray[np.int64]]:
    """Return (graph, hash table of its nodes, [entries used, nodes]); the initial sizes are estimates."""
    table_size = 1 << max(10, (word_count * 8).bit_length())
    graph = np.zeros(HEADER + _LARGEST_NODE + word_count * 8, np.uint32)
    return graph, np.zeros(table_size, np.int32), np.array([HEADER, 0], np.int64)


@compiled
def sorted_order(rows: Rows) -> NDArray[np.int32]:
    """Return the indices that sort the rows (radix sort, three letters at a time, from the last to the first)."""
    count = len(rows)
    order = np.arange(count).astype(np.int32)
    other = np.empty(count, np.int32)
    starts = np.empty(_BUCKETS, np.int64)
    for at in range(LONGEST_WORD - _DIGIT, -1, -_DIGIT):
        starts[:] = 0
        for row in range(count):
            starts[_digit(rows, row, at)] += 1
        start = 0
        for bucket in range(_BUCKETS):
            size = starts[bucket]
            starts[bucket] = start
            start += size
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
        first[row] = _common_prefix_length(rows, row) < LONGEST_WORD
    return first


@inlined
def _common_prefix_length(rows: Rows, row: int) -> int:
    """Return the length of the common prefix of this row and the previous one."""
    at = 0
    while at < LONGEST_WORD and rows[row, at] == rows[row - 1, at]:
        at += 1
    return at


@inlined
def word_length(rows: Rows, row: int) -> int:
    """Return the number of letters of this row."""
    length = 0
    while length < LONGEST_WORD and rows[row, length] != 0:
        length += 1
    return length


@compiled
def _reversed_prefixes(words: Rows, graph: Graph, dawg: int) -> tuple[Rows, NDArray[np.bool_], NDArray[np.int64]]:
    """Return every distinct prefix of the sorted words, reversed: (rows, is it a whole word, DAWG node after it)."""
    count = 0
    for row in range(len(words)):
        count += word_length(words, row) - (_common_prefix_length(words, row) if row else 0)
    keys = np.zeros((count, LONGEST_WORD), np.uint8)
    whole = np.zeros(count, np.bool_)
    behind = np.zeros(count, np.int64)
    path = np.zeros(LONGEST_WORD + 1, np.int64)
    path[0] = dawg
    key = 0
    for row in range(len(words)):
        for last in range(_common_prefix_length(words, row) if row else 0, word_length(words, row)):
            letter = int64(words[row, last]) - 1
            path[last + 1] = child(graph, path[last], letter)
            for i in range(last + 1):
                keys[key, i] = words[row, last - i]
            whole[key] = is_word_end(graph, path[last], letter)
            behind[key] = path[last + 1]
            key += 1
    return keys, whole, behind


@compiled
def _add_automaton(
    keys: Rows,
    whole: NDArray[np.bool_],
    behind: NDArray[np.int64],
    graph: Graph,
    nodes: NDArray[np.int32],
    used: NDArray[np.int64],
) -> tuple[int, Graph, NDArray[np.int32], NDArray[np.int64]]:
    """Add an automaton of sorted distinct keys; return its root and the arrays, which may have been reallocated.

    `whole[k]`: key k is a word; `behind[k]`: child for the separator after key k, or `NO_NODE`. The nodes of the
    current key are open until no later key can change them. Then they are added to the graph, from the end of the key
    to its beginning.
    """
    children = np.zeros(LONGEST_WORD + 1, np.int64)
    word_ends = np.zeros(LONGEST_WORD + 1, np.int64)
    targets = np.zeros((LONGEST_WORD + 1, 32), np.int64)
    depth = 0
    for key in range(len(keys) + 1):
        common = 0
        if 0 < key < len(keys):
            common = _common_prefix_length(keys, key)
        while depth > common:
            graph, nodes = _ensure_capacity(graph, nodes, used)
            node = _add_node(graph, nodes, used, children[depth], word_ends[depth], targets[depth])
            letter = int64(keys[key - 1, depth - 1]) - 1
            depth -= 1
            if node != NO_NODE:
                children[depth] |= int64(1) << letter
                targets[depth, letter] = node
        if key < len(keys):
            depth = word_length(keys, key)
            children[common + 1 : depth + 1] = 0
            word_ends[common + 1 : depth + 1] = 0
            if whole[key]:
                word_ends[depth - 1] |= int64(1) << (int64(keys[key, depth - 1]) - 1)
            if behind[key] != NO_NODE:
                children[depth] |= int64(1) << SEPARATOR
                targets[depth, SEPARATOR] = behind[key]
    graph, nodes = _ensure_capacity(graph, nodes, used)
    return _add_node(graph, nodes, used, children[0], word_ends[0], targets[0]), graph, nodes, used


@inlined
def _add_node(
    graph: Graph,
    nodes: NDArray[np.int32],
    used: NDArray[np.int64],
    children: int,
    word_ends: int,
    targets: NDArray[np.int64],
) -> int:
    """Return the index of a node equal to this one, which is added at the end of the graph if there is none.

    The node is first written after the last one, so that it can be compared entry by entry. If an equal node exists,
    the new copy is overwritten by the next node.
    """
    if children == 0 and word_ends == 0:
        return int64(NO_NODE)
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
        if _are_nodes_equal(graph, nodes[at], new, size):
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
def _are_nodes_equal(graph: Graph, one: int, other: int, size: int) -> bool:
    # The first entry determines the number of entries, so `size` is correct for both once these are equal.
    for i in range(size):  # noqa: SIM110 - numba compiles loops, not generators
        if graph[one + i] != graph[other + i]:
            return False
    return True


@inlined
def _ensure_capacity(
    graph: Graph, nodes: NDArray[np.int32], used: NDArray[np.int64]
) -> tuple[Graph, NDArray[np.int32]]:
    """Return the arrays with room for one more node; their size is doubled if necessary."""
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
    """Return every word of the graph as sorted rows: a depth-first traversal of the DAWG."""
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
        if is_word_end(graph, path[depth], letter):
            for i in range(depth + 1):
                rows[row, i] = letters[i]
            row += 1
        following = child(graph, path[depth], letter)
        if following != NO_NODE:
            depth += 1
            path[depth] = following
            letters[depth] = 0
    return rows
