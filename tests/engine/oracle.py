"""The slow and simple search that proves the fast one: every word at every place, checked by the rules of the game.

It shares nothing with `engine.search` but the value types and `engine.scoring`: no graph, no anchors, no cross-checks.
A few hundred words take it a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, product

from engine.board import CENTRE, EMPTY, Board, squares_of
from engine.coords import SIZE, Direction, Reference
from engine.edition import BLANK_BIT, LETTER_MASK
from engine.move import Move
from engine.scoring import STANDARD_BONUSES, formed_words, score
from engine.tiles import Tiles

Word = tuple[int, ...]
Lying = list[int]


def all_moves(
    words: Collection[Word],
    board: Board,
    rack: Tiles,
    *,
    bonuses: Mapping[int, int] = STANDARD_BONUSES,
    largest_play: int = 7,
    first_word_across: bool = True,
) -> list[Move]:
    """Every legal move, best first; `words` are letter numbers. A single tile that reads both ways is a move across."""
    known = set(words)
    moves = [
        Move(reference, laid_word, score(board, reference, laid_word, bonuses))
        for reference, lying in _places(board, {len(word) for word in words}, largest_play, first_word_across)
        for word in words
        if _fits(lying, word)
        for laid_word in _legal_ways(known, board, reference, _ways_to_lay(lying, word, rack))
    ]
    return sorted(moves, key=lambda move: -move.score)


def _places(
    board: Board, lengths: Collection[int], largest_play: int, first_word_across: bool
) -> Iterator[tuple[Reference, Lying]]:
    """Where a whole word may lie, in touch with what lies already, and the squares there as they are."""
    directions = [Direction.ACROSS] if board.is_empty and first_word_across else list(Direction)
    for direction, row, col, length in product(directions, range(SIZE), range(SIZE), lengths):
        reference = Reference(row, col, direction)
        squares = list(squares_of(reference, length))
        lying = [board.at(*square) for square in squares]
        if (
            max(squares[-1]) < SIZE
            and 1 <= lying.count(EMPTY) <= largest_play
            and _is_whole(board, reference, length)
            and _touches(board, squares)
        ):
            yield reference, lying


def _is_whole(board: Board, reference: Reference, length: int) -> bool:
    """Whether no tile stands next to the ends."""
    down, right = reference.direction.step
    before = board.at(reference.row - down, reference.col - right)
    behind = board.at(reference.row + down * length, reference.col + right * length)
    return before == EMPTY and behind == EMPTY


def _touches(board: Board, squares: Sequence[tuple[int, int]]) -> bool:
    if board.is_empty:
        return (CENTRE, CENTRE) in squares
    near = ((0, 0), (0, 1), (1, 0), (0, -1), (-1, 0))
    return any(board.at(row + down, col + right) != EMPTY for row, col in squares for down, right in near)


def _fits(lying: Lying, word: Word) -> bool:
    return len(word) == len(lying) and all(
        code == EMPTY or code & LETTER_MASK == letter for code, letter in zip(lying, word, strict=True)
    )


def _ways_to_lay(lying: Lying, word: Word, rack: Tiles) -> Iterator[Word]:
    """The word with blanks marked, once for each choice of squares on which blanks are laid."""
    free = [i for i, code in enumerate(lying) if code == EMPTY]
    for blanks in range(min(rack.blanks, len(free)) + 1):
        for chosen in combinations(free, blanks):
            if _has_tiles(rack, [word[i] for i in free if i not in chosen]):
                yield tuple(
                    lying[i] if lying[i] != EMPTY else letter | (BLANK_BIT if i in chosen else 0)
                    for i, letter in enumerate(word)
                )


def _has_tiles(rack: Tiles, letters: Sequence[int]) -> bool:
    kinds = [letter + 1 for letter in letters]
    return all(kind < len(rack.counts) and rack.counts[kind] >= kinds.count(kind) for kind in kinds)


def _legal_ways(
    known: Collection[Word], board: Board, reference: Reference, ways: Iterator[Word]
) -> Iterator[Word]:
    """All ways to lay a word, or none: which words are formed does not depend on what is a blank."""
    first = next(ways, None)
    if first is None:
        return
    formed = formed_words(board, reference, first)
    laid = sum(board.at(*square) == EMPTY for square in squares_of(reference, len(first)))
    if laid == 1 and reference.direction is Direction.DOWN and len(formed) > 1:
        return
    if all(tuple(code & LETTER_MASK for code in one.codes) in known for one in formed):
        yield first
        yield from ways
