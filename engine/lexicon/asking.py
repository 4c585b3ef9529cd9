"""Questions about words: hooks, anagrams, words that match a pattern.

The language of a question, as a judge types it: letters in any case, a tile of several letters with brackets or
without; ``?``, ``.`` and ``_`` are one letter, ``*`` any letters or none. ``?`` alone is a blank in a handful of tiles.
Where a point belongs to a letter (Catalan L.L) it is read so; write ``_`` there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.edition import LETTER_MASK, Edition
from engine.lexicon.build import Rows
from engine.lexicon.compiling import compiled, inlined, int64
from engine.lexicon.graph import Lexicon
from engine.lexicon.nodes import AT_DAWG, LONGEST_WORD, NOWHERE, Graph, child, ends
from engine.lexicon.reading import SHORTEST_WORD

Word = tuple[int, ...]
"""Letter numbers."""

ONE, ANY = -1, -2
"""The places of a pattern that are no letter: any one letter; any letters or none."""

_LETTERS = 30
_JOKER = re.compile(r"([?._*])")


class Hooks(NamedTuple):
    """The letters that make a longer word of a word when they stand before or behind it."""

    front: tuple[int, ...]
    back: tuple[int, ...]


class Found(NamedTuple):
    """The first words of an answer in the order of the edition's letters, and how many there are in all."""

    words: list[Word]
    total: int


class Handful(NamedTuple):
    """Tiles without an order: letters that are there, and blanks."""

    letters: Word
    blanks: int


def hooks(lexicon: Lexicon, word: Sequence[int]) -> Hooks:
    """The letters that a word takes in front and behind; the word itself need not be in the list."""
    letters = range(len(lexicon.edition.letters))
    if not 0 < len(word) < LONGEST_WORD:
        return Hooks((), ())
    front = tuple(letter for letter in letters if (letter, *word) in lexicon)
    return Hooks(front, tuple(letter for letter in letters if (*word, letter) in lexicon))


def anagrams(lexicon: Lexicon, handful: Handful, most: int = 100) -> Found:
    """The words that use all these tiles, a blank as any letter. At most `most` are given, all are counted."""
    size = len(handful.letters) + handful.blanks
    if not SHORTEST_WORD <= size <= LONGEST_WORD:
        return Found([], 0)
    counts = np.zeros(_LETTERS + 1, np.int64)
    for letter in handful.letters:
        counts[letter & LETTER_MASK] += 1
    counts[_LETTERS] = handful.blanks
    rows = np.zeros((most, LONGEST_WORD), np.uint8)
    return _found(rows, _walk_tiles(lexicon.graph, counts, size, rows))


def matches(lexicon: Lexicon, pattern: Sequence[int], most: int = 100) -> Found:
    """The words that match a pattern: letters, `ONE`, `ANY`. At most `most` are given, all are counted."""
    places = [place for i, place in enumerate(pattern) if place != ANY or i == 0 or pattern[i - 1] != ANY]
    if sum(place != ANY for place in places) > LONGEST_WORD:
        return Found([], 0)
    takes, stays = np.zeros(_LETTERS, np.int64), 0
    for at, place in enumerate(places):
        if place == ANY:
            stays |= 1 << at
        else:
            takes[slice(None) if place == ONE else place & LETTER_MASK] |= 1 << at
    rows = np.zeros((most, LONGEST_WORD), np.uint8)
    return _found(rows, _walk_pattern(lexicon.graph, takes, stays, len(places), rows))


def jokers(edition: Edition, text: str) -> set[str]:
    """Which of the signs `?`, `.`, `_` and `*` a question holds; none when it asks for one word."""
    return set(_JOKER.findall(edition.fold(text)))


def parse_pattern(edition: Edition, text: str) -> tuple[int, ...]:
    """The places of a written pattern; `UnknownLetter` names a sign that no tile shows."""
    places: list[int] = []
    for piece in _JOKER.split(edition.fold("".join(text.split()))):
        if _JOKER.fullmatch(piece):
            places.append(ANY if piece == "*" else ONE)
        else:
            places.extend(code & LETTER_MASK for code in edition.parse_word(piece))
    return tuple(places)


def parse_handful(edition: Edition, text: str) -> Handful:
    """Tiles in any order, ``?`` for a blank; letters that only a blank can show may be among them."""
    letters = [code & LETTER_MASK for piece in "".join(text.split()).split("?") for code in edition.parse_word(piece)]
    return Handful(tuple(letters), text.count("?"))


def blanks_needed(edition: Edition, word: Sequence[int]) -> int:
    """How many blanks it takes to lay a word from a full bag: one for each letter of which there is no tile more."""
    counts = [kind.count for kind in edition.kinds[1:]] + [0] * len(edition.blank_only)
    return sum(max(0, list(word).count(letter) - counts[letter]) for letter in set(word))


def _found(rows: Rows, total: int) -> Found:
    words = [tuple(letter - 1 for letter in row if letter) for row in rows[:total].tolist()]
    return Found(words, int(total))


@compiled
def _walk_tiles(graph: Graph, counts: NDArray[np.int64], size: int, rows: Rows) -> int:
    """Every word of `size` letters out of these tiles: writes the first ones into `rows`, gives their number.

    `counts` of each letter, the blanks last. A letter is laid as a blank only when its own tiles are used up, so
    each word is met once.
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
            found += _noted(graph, path, letters, depth, rows, found)
            continue
        following = child(graph, path[depth], letter)
        if following != NOWHERE:
            counts[laid[depth]] -= 1
            depth += 1
            path[depth] = following
            letters[depth] = 0
    return int64(found)


@inlined
def _noted(
    graph: Graph, path: NDArray[np.int64], letters: NDArray[np.int64], depth: int, rows: Rows, found: int
) -> int:
    """1 when the letters up to this depth are a word, which is then row `found` if there is room; else 0."""
    if not ends(graph, path[depth], letters[depth] - 1):
        return int64(0)
    if found < len(rows):
        for i in range(depth + 1):
            rows[found, i] = letters[i]
    return int64(1)


@compiled
def _walk_pattern(graph: Graph, takes: NDArray[np.int64], stays: int, size: int, rows: Rows) -> int:
    """Every word that matches: writes the first ones into `rows`, gives their number.

    A set of places of the pattern is a set of bits: where the next letter may stand, bit `size` when the pattern is
    done. `takes[l]` are the places that letter l fills, `stays` those that any letters fill; no two of them adjoin.
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
            found += _noted(graph, path, letters, depth, rows, found)
        following = child(graph, path[depth], letter)
        if following != NOWHERE:
            depth += 1
            path[depth] = following
            letters[depth] = 0
            places[depth] = open_places
    return int64(found)
