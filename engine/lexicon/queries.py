"""Queries of a word list: hooks, anagrams, words that match a pattern.

Syntax of a pattern, as typed by a judge: letters in any case, a tile of several letters with or without brackets;
``?``, ``.`` and ``_`` match one letter, ``*`` any number of letters. In a set of tiles, ``?`` is a blank. A point that
belongs to a letter (Catalan L.L) is read as part of it; use ``_`` instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.build import Rows
from engine.lexicon.graph import Lexicon
from engine.lexicon.jit import compiled, inlined, int64
from engine.lexicon.nodes import AT_DAWG, LONGEST_WORD, NO_NODE, Graph, child, is_word_end
from engine.lexicon.parsing import SHORTEST_WORD
from engine.tiles.edition import LETTER_MASK, Edition

Word = tuple[int, ...]
"""Letter numbers."""

ANY_LETTER, ANY_LETTERS = -1, -2
"""Wildcards of a pattern: exactly one letter; any number of letters."""

_LETTERS = 30
_WILDCARD = re.compile(r"([?._*])")


class Hooks(NamedTuple):
    """Letters that make a new word when placed before or after a word."""

    front: tuple[int, ...]
    back: tuple[int, ...]


class QueryResult(NamedTuple):
    """First words found, in the order of the edition's letters, and the number of all words found."""

    words: list[Word]
    total: int


class TileQuery(NamedTuple):
    """Multiset of tiles: letters and number of blanks."""

    letters: Word
    blanks: int


def find_hooks(lexicon: Lexicon, word: Sequence[int]) -> Hooks:
    """Return the front and back hooks of a word; the word itself need not be in the list."""
    letters = range(len(lexicon.edition.letters))
    if not 0 < len(word) < LONGEST_WORD:
        return Hooks((), ())
    front = tuple(letter for letter in letters if (letter, *word) in lexicon)
    return Hooks(front, tuple(letter for letter in letters if (*word, letter) in lexicon))


def find_anagrams(lexicon: Lexicon, tiles: TileQuery, most: int = 100) -> QueryResult:
    """Return the words that use all these tiles, a blank as any letter. At most `most` are listed, all are counted."""
    size = len(tiles.letters) + tiles.blanks
    if not SHORTEST_WORD <= size <= LONGEST_WORD:
        return QueryResult([], 0)
    counts = np.zeros(_LETTERS + 1, np.int64)
    for letter in tiles.letters:
        counts[letter & LETTER_MASK] += 1
    counts[_LETTERS] = tiles.blanks
    rows = np.zeros((most, LONGEST_WORD), np.uint8)
    return _build_result(rows, _walk_tiles(lexicon.graph, counts, size, rows))


def find_matches(lexicon: Lexicon, pattern: Sequence[int], most: int = 100) -> QueryResult:
    """Return the words that match a pattern of letters and wildcards. At most `most` are listed, all are counted."""
    places = [
        place for i, place in enumerate(pattern) if place != ANY_LETTERS or i == 0 or pattern[i - 1] != ANY_LETTERS
    ]
    if sum(place != ANY_LETTERS for place in places) > LONGEST_WORD:
        return QueryResult([], 0)
    takes, stays = np.zeros(_LETTERS, np.int64), 0
    for at, place in enumerate(places):
        if place == ANY_LETTERS:
            stays |= 1 << at
        else:
            takes[slice(None) if place == ANY_LETTER else place & LETTER_MASK] |= 1 << at
    rows = np.zeros((most, LONGEST_WORD), np.uint8)
    return _build_result(rows, _walk_pattern(lexicon.graph, takes, stays, len(places), rows))


def find_wildcards(edition: Edition, text: str) -> set[str]:
    """Return the wildcards `?`, `.`, `_` and `*` of a query; none if it is a single word."""
    return set(_WILDCARD.findall(edition.fold(text)))


def parse_pattern(edition: Edition, text: str) -> tuple[int, ...]:
    """Parse a pattern; `UnknownLetter` names a character that no tile shows."""
    places: list[int] = []
    for piece in _WILDCARD.split(edition.fold("".join(text.split()))):
        if _WILDCARD.fullmatch(piece):
            places.append(ANY_LETTERS if piece == "*" else ANY_LETTER)
        else:
            places.extend(code & LETTER_MASK for code in edition.parse_word(piece))
    return tuple(places)


def parse_tile_query(edition: Edition, text: str) -> TileQuery:
    """Parse tiles in any order, ``?`` for a blank; letters that exist only as blanks are allowed."""
    letters = [code & LETTER_MASK for piece in "".join(text.split()).split("?") for code in edition.parse_word(piece)]
    return TileQuery(tuple(letters), text.count("?"))


def blanks_needed(edition: Edition, word: Sequence[int]) -> int:
    """Return the number of blanks needed to lay a word from a full bag: one for each letter that has too few tiles."""
    counts = [kind.count for kind in edition.kinds[1:]] + [0] * len(edition.blank_only)
    return sum(max(0, list(word).count(letter) - counts[letter]) for letter in set(word))


def _build_result(rows: Rows, total: int) -> QueryResult:
    words = [tuple(letter - 1 for letter in row if letter) for row in rows[:total].tolist()]
    return QueryResult(words, int(total))


@compiled
def _walk_tiles(graph: Graph, counts: NDArray[np.int64], size: int, rows: Rows) -> int:
    """Find every word of `size` letters from these tiles; write the first ones into `rows`, return the number of all.

    `counts`: number of tiles of each letter, the blanks last. A blank stands for a letter only if the tiles of that
    letter are used up, so each word is found once.
    """
    path = np.zeros(LONGEST_WORD + 1, np.int64)
    letters = np.zeros(LONGEST_WORD + 1, np.int64)
    laid = np.zeros(LONGEST_WORD + 1, np.int64)
    path[0] = graph[AT_DAWG]
    depth, found = 0, 0
    while depth >= 0:
        if letters[depth] == _LETTERS:
            depth -= 1
            counts[laid[max(depth, 0)]] += 1
            continue
        letter = letters[depth]
        letters[depth] += 1
        laid[depth] = letter if counts[letter] else _LETTERS
        if counts[laid[depth]] == 0:
            continue
        if depth == size - 1:
            found += _note_word(graph, path, letters, depth, rows, found)
            continue
        following = child(graph, path[depth], letter)
        if following != NO_NODE:
            counts[laid[depth]] -= 1
            depth += 1
            path[depth] = following
            letters[depth] = 0
    return int64(found)


@inlined
def _note_word(
    graph: Graph, path: NDArray[np.int64], letters: NDArray[np.int64], depth: int, rows: Rows, found: int
) -> int:
    """Return 1 if the letters up to this depth are a word, and write it to row `found` if there is room; else 0."""
    if not is_word_end(graph, path[depth], letters[depth] - 1):
        return int64(0)
    if found < len(rows):
        for i in range(depth + 1):
            rows[found, i] = letters[i]
    return int64(1)


@compiled
def _walk_pattern(graph: Graph, takes: NDArray[np.int64], stays: int, size: int, rows: Rows) -> int:
    """Find every word that matches; write the first ones into `rows`, return the number of all.

    A set of positions in the pattern is a bit mask: where the next letter may be, bit `size` for the end of the
    pattern. `takes[l]`: positions that match letter l; `stays`: positions of ``*``, no two of which are adjacent.
    """
    path = np.zeros(LONGEST_WORD + 1, np.int64)
    letters = np.zeros(LONGEST_WORD + 1, np.int64)
    places = np.zeros(LONGEST_WORD + 1, np.int64)
    path[0] = graph[AT_DAWG]
    places[0] = 1 | ((1 & stays) << 1)
    depth, found = 0, 0
    while depth >= 0:
        if letters[depth] == _LETTERS:
            depth -= 1
            continue
        letter = letters[depth]
        letters[depth] += 1
        open_places = ((places[depth] & takes[letter]) << 1) | (places[depth] & stays)
        open_places |= (open_places & stays) << 1
        if open_places == 0:
            continue
        if (open_places >> size) & 1:
            found += _note_word(graph, path, letters, depth, rows, found)
        following = child(graph, path[depth], letter)
        if following != NO_NODE:
            depth += 1
            path[depth] = following
            letters[depth] = 0
            places[depth] = open_places
    return int64(found)
