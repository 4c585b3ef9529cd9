"""Score of a move, and the words that it forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.board.board import EMPTY, Board, squares_of
from engine.board.coordinates import SIZE, Reference

STANDARD_BONUSES: Mapping[int, int] = {7: 50}


@dataclass(frozen=True, slots=True)
class FormedWord:
    """Word formed by a move: its reference, tile codes (blanks marked) and points without a bonus."""

    reference: Reference
    codes: tuple[int, ...]
    points: int


def formed_words(
    board: Board, reference: Reference, word: Sequence[int], *, premiums_again: bool = False
) -> tuple[FormedWord, ...]:
    """Return the words formed by laying `word` from `reference` on: the main word first, then each cross word.

    `premiums_again`: house rule by which the premiums under board tiles count too. Source: box rules, home variants.

    The caller guarantees that the word fits (on the board, consistent with the tiles there) and is whole (no tile
    touches its ends). Board tiles count as they are: a blank scores nothing, even if `word` has a tile there.
    """
    placed = [
        (square, code)
        for code, square in zip(word, squares_of(reference, len(word)), strict=True)
        if board.at(*square) == EMPTY
    ]
    after = board.with_word(reference, word)
    words = [_form_word(board, after, reference, len(word), premiums_again)]
    for (row, col), _ in placed:
        crossing = reference.direction.other
        before, after_it = board.run_through(row, col, crossing)
        if before or after_it:
            down, right = crossing.step
            start = Reference(row - before * down, col - before * right, crossing)
            words.append(_form_word(board, after, start, before + 1 + after_it, premiums_again))
    return tuple(words)


def score_move(
    board: Board,
    reference: Reference,
    word: Sequence[int],
    bonuses: Mapping[int, int] = STANDARD_BONUSES,
    *,
    premiums_again: bool = False,
) -> int:
    """Return the points of a move: every word that it forms, and the bonus for the number of tiles laid.

    Premiums count for newly covered squares only, in both words of such a square, unless `premiums_again`. The caller
    guarantees the same as for `formed_words`. Source: Italian tournament rules 1999, 3 and 4.
    """
    laid = sum(board.at(*square) == EMPTY for square in squares_of(reference, len(word)))
    formed = formed_words(board, reference, word, premiums_again=premiums_again)
    return sum(each.points for each in formed) + bonuses.get(laid, 0)


def _form_word(board: Board, after: Board, reference: Reference, length: int, premiums_again: bool) -> FormedWord:
    letters, multiplier = 0, 1
    codes: list[int] = []
    for row, col in squares_of(reference, length):
        code = after.at(row, col)
        value = board.edition.values[code]
        if premiums_again or board.at(row, col) == EMPTY:
            premium = board.edition.premiums[row * SIZE + col]
            value *= premium.letter
            multiplier *= premium.word
        letters += value
        codes.append(code)
    return FormedWord(reference, tuple(codes), letters * multiplier)
