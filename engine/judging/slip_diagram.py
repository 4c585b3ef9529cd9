"""A slip laid on the board, legal or not, so that a judge sees at once what is wrong: the words, tiles in the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.board.board import EMPTY, Board, squares_of
from engine.board.coordinates import SIZE, Reference
from engine.board.move import Move
from engine.judging.lexicon_protocol import WordList
from engine.judging.placement import read_word
from engine.rules.profile import Profile
from engine.slips.slip import Slip
from engine.tiles.edition import BLANK_BIT, LETTER_MASK

Square = tuple[int, int]


@dataclass(frozen=True, slots=True)
class DiagramWord:
    """A word that the slip forms with what lies: where it starts, its text, whether the list has it."""

    reference: Reference
    text: str
    is_allowed: bool
    squares: tuple[Square, ...]


@dataclass(frozen=True, slots=True)
class SlipDiagram:
    """The board with the slip laid on it.

    `new` are the squares that it covers, `in_the_way` those where another letter lies than the one written there,
    `beyond` how many letters run over the edge. `words`: the one that was written as it would stand, tiles that touch
    its ends included, then the cross words.
    """

    board: Board
    reference: Reference
    new: tuple[Square, ...]
    blanks: tuple[Square, ...]
    in_the_way: tuple[Square, ...]
    beyond: int
    words: tuple[DiagramWord, ...]


def build_slip_diagram(
    slip: Slip, move: Move | None, board: Board, profile: Profile, words: WordList
) -> SlipDiagram | None:
    """The slip on the board: its `move` where it has one, else as it is written. None when there is nothing to draw:
    no reference that can be read, or letters that the edition does not have."""
    if move is not None:
        return _drawn(board, move.reference, move.word, words)
    reference = slip.reference(profile.notation)
    allowed, others = read_word(slip.word.strip(), board.edition, profile)
    written = next(iter((*allowed, *others)), None)
    if reference is None or not written:
        return None
    return _drawn(board, reference, written, words)


def _drawn(board: Board, reference: Reference, written: Sequence[int], words: WordList) -> SlipDiagram:
    squares = [square for square in squares_of(reference, len(written)) if max(square) < SIZE]
    shown = list(written[: len(squares)])
    new = tuple(square for square in squares if board.at(*square) == EMPTY)
    after = board.with_word(reference, shown)
    pairs = list(zip(squares, shown, strict=True))
    formed = [_word(after, reference.row, reference.col, reference, words)]
    across = reference._replace(direction=reference.direction.other)
    formed += [
        _word(after, *square, across, words) for square in new if any(board.run_through(*square, across.direction))
    ]
    return SlipDiagram(
        board=after,
        reference=reference,
        new=new,
        blanks=tuple(square for square, code in pairs if square in new and code & BLANK_BIT),
        in_the_way=tuple(square for square, code in pairs if (after.at(*square) ^ code) & LETTER_MASK),
        beyond=len(written) - len(squares),
        words=tuple(formed),
    )


def _word(after: Board, row: int, col: int, along: Reference, words: WordList) -> DiagramWord:
    """The whole run through a square, as it stands on the board."""
    before, behind = after.run_through(row, col, along.direction)
    down, right = along.direction.step
    start = Reference(row - before * down, col - before * right, along.direction)
    squares = tuple(squares_of(start, before + 1 + behind))
    codes = tuple(after.at(*square) for square in squares)
    letters = tuple(code & LETTER_MASK for code in codes)
    allowed = len(letters) > 1 and letters in words
    return DiagramWord(start, after.edition.word_text(codes), allowed, squares)
