"""The graph of a word list, as one array of 32-bit words, and how to step from node to node.

Two automata share the array and all their equal nodes:

* the **DAWG** spells each word from left to right;
* the **GADDAG** spells each beginning of a word from right to left, then the *separator*, and goes on in the DAWG
  behind that beginning. So a word can be grown from any of its letters: leftwards first, then, behind the
  separator, rightwards.

A node is a place in the array; what it holds::

    graph[node]      children   bit l: a path goes on with letter l;  bit 31: with the separator
    graph[natural(node + 1)]  ends       bit l: taking letter l completes a word
    graph[node + 2]  the child of the lowest bit of `children`
    graph[node + 3]  the child of the next bit ... one entry a bit, the separator last

The child of letter l is found by counting the bits below bit l. Node 0 is empty: "no path goes on from here".
In the GADDAG `ends` tells that the letters read, turned round, are a whole word.

The array starts with a header of 16 entries, so no node but node 0 lies below 16::

    0-1  node 0      2  LAYOUT        3  fingerprint of the edition's letters     4  number of words
    5    DAWG root   6  GADDAG root   7  checksum of all that follows the header  8  checksum of the header
    9-15 unused, 0
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.compiling import inlined, int64, natural, popcount

Graph = NDArray[np.uint32]

LAYOUT = 0x4D470002  # "MG", then the number of the layout: one more whenever the array changes its shape
AT_LAYOUT, AT_FINGERPRINT, AT_WORD_COUNT, AT_DAWG, AT_GADDAG, AT_CHECKSUM, AT_HEAD_CHECKSUM = 2, 3, 4, 5, 6, 7, 8
HEADER = 16
NOWHERE = 0
SEPARATOR = 31
LETTERS = (1 << 30) - 1
LONGEST_WORD = 15


@inlined
def child(graph: Graph, node: int, letter: int) -> int:
    """The node behind `letter`, `NOWHERE` when no path goes on with it."""
    children = int64(graph[natural(node)])
    bit = int64(1) << letter
    if children & bit:
        return int64(graph[natural(node + 2 + popcount(children & (bit - 1)))])
    return int64(NOWHERE)


@inlined
def ends(graph: Graph, node: int, letter: int) -> bool:
    """Whether taking `letter` at `node` completes a word."""
    return (int64(graph[natural(node + 1)]) >> letter) & 1 != 0
