"""Word lists and positions made up by hypothesis: small dense languages, boards of any shape, racks of any size."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from hypothesis import strategies as st

from engine.board import EMPTY, Board, squares_of
from engine.coords import SIZE, Direction, Reference
from engine.edition import BLANK_BIT, Edition, load_edition
from engine.lexicon.graph import Lexicon
from engine.tiles import Tiles
from tests.engine.oracle import Word

# Letters that the made-up words use: often ones first. J in Italian exists by blank only, L·L NY QU are one tile.
_ALPHABETS = {"it": "A E I O S T R N J", "ca": "A E S R L·L NY QU Ç I L"}


@dataclass(frozen=True)
class Language:
    """A made-up word list of an edition."""

    edition: Edition
    letters: tuple[int, ...]
    words: tuple[Word, ...]
    lexicon: Lexicon


@cache
def language(code: str) -> Language:
    """Some 140 words of 2 to 9 letters, a few longer; so dense that parallel words are common."""
    edition = load_edition(code)
    letters = tuple(edition.letter(face) for face in _ALPHABETS[code].split())
    chooser = random.Random(f"words of {code}")  # noqa: S311 - a fixed list, not a secret
    weights = [4, 4, 3, 3, 2, 2, 2, 1, 1, 1][: len(letters)]
    lengths = [2] * 20 + [3] * 30 + [4] * 25 + [5] * 20 + [6] * 15 + [7] * 20 + [8] * 10 + [9] * 4 + [12, 15, 15]
    words = {tuple(chooser.choices(letters, weights, k=length)) for length in lengths}
    lexicon = Lexicon.build(edition, [edition.word_text(word) for word in sorted(words)])
    return Language(edition, letters, tuple(sorted(words)), lexicon)


@st.composite
def boards(draw: st.DrawFn, language: Language, most_words: int = 9) -> Board:
    """A board with words of the list and runs of any letters, scattered: crossing, crowded, in several parts."""
    board = Board.empty(language.edition)
    strange = st.lists(st.sampled_from(language.letters), min_size=1, max_size=6).map(tuple)
    for _ in range(draw(st.integers(0, most_words))):
        word: Word = draw(st.one_of(st.sampled_from(language.words), strange))
        reference = Reference(
            draw(st.integers(0, SIZE - 1)), draw(st.integers(0, SIZE - 1)), draw(st.sampled_from(list(Direction)))
        )
        blanks = draw(st.sets(st.integers(0, len(word) - 1), max_size=2))
        board = _with(board, reference, tuple(c | (BLANK_BIT if i in blanks else 0) for i, c in enumerate(word)))
    return board


def _with(board: Board, reference: Reference, word: Sequence[int]) -> Board:
    """The board with this word, cut off at the edge; what lies already stays."""
    inside = [square for square in squares_of(reference, len(word)) if max(square) < SIZE]
    return board.with_word(reference, word[: len(inside)])


@st.composite
def racks(draw: st.DrawFn, language: Language, tiles: tuple[int, int], blanks: tuple[int, int]) -> Tiles:
    """A rack of so many tiles (from, to), of which so many are blanks."""
    total = draw(st.integers(*tiles))
    blank_count = min(total, draw(st.integers(*blanks)))
    kinds = [letter + 1 for letter in language.letters if letter + 1 < len(language.edition.kinds)]
    others = draw(st.lists(st.sampled_from(kinds), min_size=total - blank_count, max_size=total - blank_count))
    return Tiles.of_kinds(language.edition, [*others, *[0] * blank_count])


def full_but(board: Board, holes: Sequence[int], letter: int) -> Board:
    """The board with every empty square filled with this letter, except the holes."""
    squares = bytearray(board.squares)
    for at, code in enumerate(squares):
        if code == EMPTY and at not in holes:
            squares[at] = letter
    return Board(board.edition, bytes(squares))
