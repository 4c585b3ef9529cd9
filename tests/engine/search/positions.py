"""Word lists and positions made up by hypothesis: small dense languages, boards of any shape, racks of any size."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from hypothesis import strategies as st

from engine.board.board import EMPTY, Board, squares_of
from engine.board.coordinates import SIZE, Direction, Reference
from engine.lexicon.graph import Lexicon
from engine.search.solver import Solver
from engine.tiles.edition import BLANK_BIT, MAX_KINDS, Edition, edition_codes, load_edition, read_edition
from engine.tiles.tiles import Tiles
from tests.engine.oracle import Word

INVENTED = "invented"
LANGUAGES = (*edition_codes(), INVENTED)
_COMMON = "AEIOSTRN"
_WEIGHTS = (4, 4, 3, 3, 2, 2, 2, 2)
_LENGTHS = {
    "many": [2] * 20 + [3] * 30 + [4] * 25 + [5] * 20 + [6] * 15 + [7] * 20 + [8] * 10 + [9] * 4 + [10, 12, 15, 15],
    "few": [2] * 8 + [3] * 10 + [4] * 8 + [5] * 6 + [6] * 4 + [7] * 5 + [8] * 3 + [9, 15],
}


@dataclass(frozen=True)
class Language:
    """A made-up word list of an edition."""

    edition: Edition
    letters: tuple[int, ...]
    words: tuple[Word, ...]
    lexicon: Lexicon


@cache
def language(code: str, size: str = "many") -> Language:
    """Some 140 words ("few": 45) of 2 to 15 letters; so dense that parallel words are common.

    They are of common letters and of all that is out of the ordinary in the edition: tiles of several letters,
    letters with signs, letters that exist by blank only, and the last one.
    """
    edition = invented_edition() if code == INVENTED else load_edition(code)
    odd = [face for face in edition.letters if len(face) > 1 or not face.isascii()]
    faces = list(dict.fromkeys([*_COMMON, *odd, *edition.blank_only[:2], edition.letters[-1], "Q", "L"]))
    letters = tuple(edition.letter(face) for face in faces if face in edition.letters)
    chooser = random.Random(f"words of {code}")  # noqa: S311 - a fixed list, not a secret
    weights = [*_WEIGHTS, *[1] * (len(letters) - len(_WEIGHTS))]
    words = {tuple(chooser.choices(letters, weights, k=length)) for length in _LENGTHS[size]}
    lexicon = Lexicon.build(edition, [edition.word_text(word) for word in sorted(words)])
    assert lexicon.word_count == len(words)
    return Language(edition, letters, tuple(sorted(words)), lexicon)


@cache
def invented_edition() -> Edition:
    """As many letters as an edition can hold, values up to 20, and premiums without any symmetry."""
    faces = [*"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "Ä", "Ö", "QU"][: MAX_KINDS - 1]
    chooser = random.Random("an invented edition")  # noqa: S311
    tiles = [f'"{face}" = {{ count = 4, value = {chooser.randint(0, 20)}, class = "vowel" }}' for face in faces]
    premiums = ["".join(chooser.choices(".23dt", (12, 3, 2, 2, 1), k=SIZE)) for _ in range(SIZE)]
    text = "\n".join(
        [
            'name = "Invented"\nlanguage = "x"\nacross = "8H"\nsource = "test"\nverified = false',
            f'keeps = ["Ä", "Ö", "Ü"]\nblank_only = ["Ü"]\npremiums = {premiums}\n[tiles]',
            '"?" = { count = 5, value = 0, class = "blank" }',
            *tiles,
        ]
    )
    return read_edition(INVENTED, text)


@st.composite
def scattered_boards(draw: st.DrawFn, language: Language, most_words: int = 9) -> Board:
    """Words of the list and runs of any letters, anywhere: crossing, crowded, in several parts; at times empty."""
    board = Board.empty(language.edition)
    for _ in range(draw(st.integers(0, most_words))):
        reference = Reference(draw(st.integers(0, SIZE - 1)), draw(st.integers(0, SIZE - 1)), draw(_directions))
        board = _place_word(board, reference, draw(_written(language)))
    return board


@st.composite
def split_boards(draw: st.DrawFn, language: Language) -> Board:
    """Two to five parts that do not touch: each keeps to the inside of its own sixth of the board."""
    board = Board.empty(language.edition)
    for corner in draw(st.lists(st.sampled_from(range(9)), min_size=2, max_size=5, unique=True)):
        row, col = 5 * (corner // 3) + draw(st.integers(0, 3)), 5 * (corner % 3) + draw(st.integers(0, 3))
        direction = draw(_directions)
        room = 4 - (col if direction is Direction.ACROSS else row) % 5
        board = _place_word(board, Reference(row, col, direction), draw(_written(language))[:room])
    return board


@st.composite
def played_boards(draw: st.DrawFn, language: Language, turns: tuple[int, int] = (1, 14)) -> Board:
    """A board as games make them: from so many turns on (from, to), any of the legal moves each, some with a blank."""
    chance = random.Random(draw(st.integers(0, 10**6)))  # noqa: S311
    solver, board = Solver(language.lexicon, first_word_across=False), Board.empty(language.edition)
    kinds = _kinds(language)
    for _ in range(draw(st.integers(*turns))):
        rack = Tiles.of_kinds(language.edition, [*chance.choices(kinds, k=6), chance.choice([0, *kinds])])
        moves = solver.ranked(board, rack)
        if moves.count:
            move = moves[min(int(chance.expovariate(0.1)), moves.count - 1)]
            board = board.with_word(move.reference, move.word)
    return board


@st.composite
def full_boards(draw: st.DrawFn, language: Language) -> Board:
    """Only a few squares are left."""
    holes = draw(st.lists(st.integers(0, SIZE * SIZE - 1), max_size=20))
    return almost_full_board(draw(scattered_boards(language)), holes, language.letters[0])


@st.composite
def racks(draw: st.DrawFn, language: Language, tiles: tuple[int, int], blanks: tuple[int, int]) -> Tiles:
    """A rack of so many tiles (from, to), of which so many are blanks."""
    total = draw(st.integers(*tiles))
    blank_count = min(total, draw(st.integers(*blanks)))
    size = total - blank_count
    others = draw(st.lists(st.sampled_from(_kinds(language)), min_size=size, max_size=size))
    return Tiles.of_kinds(language.edition, [*others, *[0] * blank_count])


def almost_full_board(board: Board, holes: Sequence[int], letter: int) -> Board:
    """The board with every empty square filled with this letter, except the holes."""
    squares = bytearray(board.squares)
    for at, code in enumerate(squares):
        if code == EMPTY and at not in holes:
            squares[at] = letter
    return Board(board.edition, bytes(squares))


_directions = st.sampled_from(list(Direction))


@st.composite
def _written(draw: st.DrawFn, language: Language) -> Word:
    """A word of the list, or a run of letters that is none; up to two of its tiles are blanks."""
    strange = st.lists(st.sampled_from(language.letters), min_size=1, max_size=6).map(tuple)
    word: Word = draw(st.one_of(st.sampled_from(language.words), strange))
    blanks = draw(st.sets(st.integers(0, len(word) - 1), max_size=2))
    # What exists by blank only lies as a blank.
    last = len(language.edition.kinds) - 1
    return tuple(code | (BLANK_BIT if i in blanks or code >= last else 0) for i, code in enumerate(word))


def _place_word(board: Board, reference: Reference, word: Sequence[int]) -> Board:
    """The board with this word, cut off at the edge; what lies already stays."""
    inside = [square for square in squares_of(reference, len(word)) if max(square) < SIZE]
    return board.with_word(reference, word[: len(inside)])


def _kinds(language: Language) -> list[int]:
    """The kinds of tile that show letters of the language: those that exist by blank only have none."""
    return [letter + 1 for letter in language.letters if letter + 1 < len(language.edition.kinds)]
