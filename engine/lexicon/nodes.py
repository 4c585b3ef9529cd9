"""Graph of a word list: one array of 32-bit numbers, and the steps from node to node.

Two automata share the array and all their equal nodes:

* the **DAWG** spells each word from left to right;
* the **GADDAG** spells each prefix of a word from right to left, then the *separator*, and continues in the DAWG after
  that prefix. A word can so be generated from any of its letters: first leftwards, then, after the separator,
  rightwards.

A node is an index into the array::

    graph[node]      children   bit l: there is a child for letter l;  bit 31: for the separator
    graph[node + 1]  ends       bit l: letter l completes a word
    graph[node + 2]  the child of the lowest bit of `children`
    graph[node + 3]  the child of the next bit ... one entry for each bit, the separator last

The entry of letter l is found by counting the bits below bit l. Node 0 is empty and means "no node".
In the GADDAG, `ends` means that the letters read so far, reversed, are a whole word.

The array starts with a header of 16 entries, so no node but node 0 lies below 16::

    0-1  node 0      2  LAYOUT        3  fingerprint of the edition's letters     4  number of words
    5    DAWG root   6  GADDAG root   7  checksum of all that follows the header  8  checksum of the header
    9-15 unused, 0
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.jit import inlined, int64, popcount, uint64

Graph = NDArray[np.uint32]

LAYOUT = 0x4D470002  # "MG" and the version of the layout, which is increased with each change of the array
AT_LAYOUT, AT_FINGERPRINT, AT_WORD_COUNT, AT_DAWG, AT_GADDAG, AT_CHECKSUM, AT_HEAD_CHECKSUM = 2, 3, 4, 5, 6, 7, 8
HEADER = 16
NO_NODE = 0
SEPARATOR = 31
LETTERS = (1 << 30) - 1
LONGEST_WORD = 15


@inlined
def child(graph: Graph, node: int, letter: int) -> int:
    """Return the child of `node` for `letter`, `NO_NODE` if there is none."""
    children = int64(graph[uint64(node)])
    bit = int64(1) << letter
    if children & bit:
        return int64(graph[uint64(node + 2 + popcount(children & (bit - 1)))])
    return int64(NO_NODE)


@inlined
def is_word_end(graph: Graph, node: int, letter: int) -> bool:
    """Return True if `letter` at `node` completes a word."""
    return (int64(graph[uint64(node + 1)]) >> letter) & 1 != 0
