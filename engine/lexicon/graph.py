"""Word list as a graph, for the search and for judging."""

from __future__ import annotations

import os
import secrets
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from engine.lexicon.anagrams import Anagrams, index_anagrams
from engine.lexicon.build import Rows, all_rows, build_graph, repeated_rows
from engine.lexicon.jit import compiled, int64
from engine.lexicon.nodes import (
    AT_CHECKSUM,
    AT_DAWG,
    AT_FINGERPRINT,
    AT_HEAD_CHECKSUM,
    AT_LAYOUT,
    AT_WORD_COUNT,
    HEADER,
    LAYOUT,
)
from engine.lexicon.nodes import child as child_of
from engine.lexicon.nodes import is_word_end as word_ends
from engine.lexicon.parsing import SHORTEST_WORD, read_rows
from engine.lexicon.patching import Word, patch_anagrams, patch_graph
from engine.tiles.edition import LETTER_MASK, Edition


class LexiconError(ValueError):
    """Unusable graph file; the message states the reason and the remedy."""


class Lexicon:
    """Words of a list for one edition. Immutable; threads may share it."""

    def __init__(self, edition: Edition, graph: NDArray[np.uint32], struck: frozenset[Word] = frozenset()) -> None:
        """Wrap a graph built for this edition; call `build` or `open` instead. `struck`: see `with_rulings`."""
        self.edition = edition
        self.graph = graph
        self.struck = struck
        self.word_count = int(graph[AT_WORD_COUNT])

    @classmethod
    def build(cls, edition: Edition, words: Iterable[str]) -> Lexicon:
        """Build the lexicon of these words: plain or tile text in any case, folded by the edition.

        Words that the edition cannot lay, or that do not have 2 to 15 tiles, are left out. `words` may be an open text
        file.
        """
        return cls._from_rows(edition, read_rows(edition, words))

    @classmethod
    def _from_rows(cls, edition: Edition, rows: Rows) -> Lexicon:
        graph = build_graph(rows)
        graph[AT_FINGERPRINT] = _fingerprint(edition)
        graph[AT_CHECKSUM] = _checksum(graph)
        graph[AT_HEAD_CHECKSUM] = _head_checksum(graph)
        graph.flags.writeable = False
        return cls(edition, graph)

    @classmethod
    def open(cls, path: Path, edition: Edition) -> Lexicon:
        """Map a graph written by `save`; `LexiconError` if it is damaged, old, or of another edition."""
        remedy = "Make it anew with `lexicon-graph`."
        try:
            # Unlike np.load, open_memmap closes the file on an error.
            # The plain view is faster: numba needs longer for each call with a np.memmap.
            graph = open_memmap(path, mode="r").view(np.ndarray)
        except FileNotFoundError:
            raise LexiconError(f"{path} does not exist. {remedy}") from None
        except Exception as error:  # a damaged head makes numpy's reader fail in many ways, TokenError among them
            raise LexiconError(f"{path} is no graph of a word list. {remedy}") from error
        if graph.dtype != np.uint32 or graph.ndim != 1 or len(graph) < HEADER:
            raise LexiconError(f"{path} is no graph of a word list. {remedy}")
        if graph[AT_LAYOUT] != LAYOUT:
            raise LexiconError(f"{path} was written by another version of this program. {remedy}")
        if graph[AT_FINGERPRINT] != _fingerprint(edition):
            raise LexiconError(f"{path} was made for other letters than those of the edition {edition.code}. {remedy}")
        if graph[AT_HEAD_CHECKSUM] != _head_checksum(graph) or graph[AT_CHECKSUM] != _checksum(graph):
            raise LexiconError(f"{path} is damaged. {remedy}")
        return cls(edition, graph)

    def save(self, path: Path) -> None:
        """Write the graph as a `.npy` file atomically: readers see the old file or the new one."""
        part = path.with_name(f"{path.name}{secrets.token_hex(8)}.part")
        try:
            with part.open("xb") as file:
                np.save(file, self.graph)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise

    def combine_with(self, other: Lexicon, *, both: bool) -> Lexicon:
        """Return the union of two lists of the same edition, or with `both` their intersection."""
        rows = np.concatenate([all_rows(self.graph), all_rows(other.graph)])
        return Lexicon._from_rows(self.edition, repeated_rows(rows) if both else rows)

    def __contains__(self, word: Sequence[int]) -> bool:
        """Return True if these tile codes are a word; blanks count as the letters they stand for."""
        if len(word) < SHORTEST_WORD:
            return False
        return bool(_is_word(self.graph, np.array([code & LETTER_MASK for code in word], np.int64)))

    def __len__(self) -> int:
        return self.word_count

    @cached_property
    def anagrams(self) -> Anagrams:
        """Anagram index; built on first access, about 0.1 s for 500,000 words."""
        return index_anagrams(self.graph)

    def words(self) -> Iterator[Word]:
        """Yield every word as letter numbers, in the order of the edition's letters."""
        return _words(all_rows(self.graph))

    def with_rulings(self, accepted: Iterable[str], struck: Iterable[str]) -> Lexicon:
        """Return the lexicon with the `accepted` words and without the `struck` ones; a word in both is struck.

        Words are written as for `build`. `struck` of the result holds the words that judges struck. The arrays of this
        lexicon are copied, or shared if no word is added or removed.
        """
        gone = frozenset(_words(read_rows(self.edition, struck)))
        wanted = set(_words(read_rows(self.edition, accepted))) - gone
        more = sorted(word for word in wanted if word not in self)
        fewer = sorted(word for word in gone if word in self)
        if more or fewer:
            return self._patch(more, fewer, gone)
        if not gone:
            return self
        same = Lexicon(self.edition, self.graph, gone)
        same.anagrams = self.anagrams
        return same

    def _patch(self, more: Sequence[Word], fewer: Sequence[Word], struck: frozenset[Word]) -> Lexicon:
        graph = patch_graph(self.graph, more, fewer)
        # Everything after the header is unchanged and followed by new nodes, so the old checksum can be continued.
        graph[AT_CHECKSUM] = zlib.crc32(graph[len(self.graph) :].data, int(self.graph[AT_CHECKSUM]))
        graph[AT_HEAD_CHECKSUM] = _head_checksum(graph)
        graph.flags.writeable = False
        patched = Lexicon(self.edition, graph, struck)
        patched.anagrams = patch_anagrams(self.anagrams, more, fewer)
        return patched


def _words(rows: Rows) -> Iterator[Word]:
    """Rows as letter numbers."""
    return (tuple(int(letter) - 1 for letter in row if letter) for row in rows)


def _fingerprint(edition: Edition) -> int:
    """Checksum of the numbering of letters; a graph fits an edition with the same one."""
    return zlib.crc32("\n".join(edition.letters).encode())


def _checksum(graph: NDArray[np.uint32]) -> int:
    return zlib.crc32(graph[HEADER:].data)


def _head_checksum(graph: NDArray[np.uint32]) -> int:
    """Checksum of the header without the entry that holds it."""
    return zlib.crc32(np.delete(graph[:HEADER], AT_HEAD_CHECKSUM).data)


@compiled
def _is_word(graph: NDArray[np.uint32], letters: NDArray[np.int64]) -> bool:
    node = int64(graph[AT_DAWG])
    for letter in letters[:-1]:
        node = child_of(graph, node, letter)
    return word_ends(graph, node, letters[-1])
