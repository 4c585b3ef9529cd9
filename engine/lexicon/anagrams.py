"""Anagram index: the words that can be laid with exactly the given letters.

Every letter has a fixed random 64-bit number. The *letter sum* of some letters is the sum of their numbers in any
order, so words with equal sums are anagrams. (A collision has a probability of one in billions, and the letters of a
word are checked anyway when it is laid.) Words are sorted by bucket, that is by some bits of their sum::

    sum 0x...b  ->  hints: two bits of one entry, "there may be such a word" (nearly all look-ups end here)
                ->  near_hints: likewise, "one more letter may make a word"
                ->  starts[b] .. starts[b + 1]: the words of the bucket; compare sums[i] to find the words
                ->  letters[i]: the word, as a row;  letters[i, 15]: its length
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.build import Rows, all_rows, word_length
from engine.lexicon.jit import compiled, inlined, int64
from engine.lexicon.jit import uint64 as natural
from engine.lexicon.nodes import LONGEST_WORD, Graph

_HINT_BITS_PER_WORD, _NEAR_HINT_BITS_PER_WORD = 16, 64
_BUCKET_SHIFT, _HINT_SHIFT = 12, 32


def _random_numbers() -> Iterator[int]:
    """Yield the numbers of the splitmix64 generator, which are the same in every process."""
    state, mask = 0x4D756C7469706C6F, (1 << 64) - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & mask
        yield mixed ^ (mixed >> 31)


LETTER_SUMS = np.array([number for number, _ in zip(_random_numbers(), range(32), strict=False)], np.uint64).view(
    np.int64
)
"""Random number of each letter."""


class Anagrams(NamedTuple):
    """Arrays of the index, as described above."""

    hints: NDArray[np.int64]
    near_hints: NDArray[np.int64]
    starts: NDArray[np.int64]
    sums: NDArray[np.int64]
    letters: Rows


def index_anagrams(graph: Graph) -> Anagrams:
    """Build the index of all words of a graph; about 0.1 s for 500,000 words."""
    rows = all_rows(graph)
    return index_rows(rows, 1 << max(6, len(rows).bit_length()))


def index_rows(rows: Rows, buckets: int) -> Anagrams:
    """Build the index of these words. `buckets`: a power of two, at least 64; about one for each word is best."""
    hints = np.zeros(buckets * _HINT_BITS_PER_WORD // 64, np.int64)
    near_hints = np.zeros(buckets * _NEAR_HINT_BITS_PER_WORD // 64, np.int64)
    starts = np.zeros(buckets + 1, np.int64)
    sums = np.empty(len(rows), np.int64)
    letters = np.empty((len(rows), LONGEST_WORD + 1), np.uint8)
    _fill(rows, hints, starts, sums, letters)
    _fill_near_hints(rows, near_hints)
    return Anagrams(hints, near_hints, starts, sums, letters)


@compiled
def _fill(
    rows: Rows, hints: NDArray[np.int64], starts: NDArray[np.int64], sums: NDArray[np.int64], letters: Rows
) -> None:
    """Sort the words by bucket (counting sort)."""
    unsorted = np.zeros(len(rows), np.int64)
    for row in range(len(rows)):
        unsorted[row] = _sum_of(rows, row)
        starts[_bucket(starts, unsorted[row]) + 1] += 1
        _set_hint(hints, unsorted[row])
    for bucket in range(len(starts) - 1):
        starts[bucket + 1] += starts[bucket]
    following = starts.copy()
    for row in range(len(rows)):
        bucket = _bucket(starts, unsorted[row])
        word = following[bucket]
        following[bucket] += 1
        sums[word] = unsorted[row]
        letters[word, :LONGEST_WORD] = rows[row]
        letters[word, LONGEST_WORD] = word_length(rows, row)


@compiled
def _fill_near_hints(rows: Rows, near_hints: NDArray[np.int64]) -> None:
    """Set a hint for each word without one of its letters."""
    for row in range(len(rows)):
        letter_sum = _sum_of(rows, row)
        for letter in rows[row]:
            if letter:
                _set_hint(near_hints, letter_sum - LETTER_SUMS[letter - 1])


@inlined
def _sum_of(rows: Rows, row: int) -> int:
    letter_sum = int64(0)
    for letter in rows[row]:
        if letter:
            letter_sum += LETTER_SUMS[letter - 1]
    return letter_sum


@inlined
def _set_hint(hints: NDArray[np.int64], letter_sum: int) -> None:
    hints[_hint(hints, letter_sum)] |= _hint_bits(letter_sum)


@inlined
def is_hinted(hints: NDArray[np.int64], letter_sum: int) -> bool:
    """Return False if the hints rule out an entry with this sum."""
    bits = _hint_bits(letter_sum)
    return (int64(hints[natural(_hint(hints, letter_sum))]) & bits) == bits


@inlined
def _bucket(starts: NDArray[np.int64], letter_sum: int) -> int:
    return (letter_sum >> _BUCKET_SHIFT) & (len(starts) - 2)


@inlined
def _hint(hints: NDArray[np.int64], letter_sum: int) -> int:
    """Return the index of the hints for this sum."""
    return (letter_sum >> _HINT_SHIFT) & (len(hints) - 1)


@inlined
def _hint_bits(letter_sum: int) -> int:
    """Return the two bits for this sum in its entry of the hints."""
    return (int64(1) << (letter_sum & 63)) | (int64(1) << ((letter_sum >> 6) & 63))


@inlined
def add_words(
    hints: NDArray[np.int64],
    starts: NDArray[np.int64],
    sums: NDArray[np.int64],
    letter_sum: int,
    found: NDArray[np.int64],
    count: int,
) -> int:
    """Write the numbers of the words with this sum into `found` from `count` on; return the new count."""
    if is_hinted(hints, letter_sum):
        bucket = _bucket(starts, letter_sum)
        for word in range(starts[natural(bucket)], starts[natural(bucket + 1)]):
            if sums[natural(word)] == letter_sum:
                found[natural(count)] = word
                count += 1
    return count
