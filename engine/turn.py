"""The step from one turn to the next: what lies on the board once the master move is made, and what is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.board import EMPTY, Board
from engine.coords import SIZE
from engine.edition import BLANK_BIT, LETTER_MASK
from engine.formulas import Formula, left_besides
from engine.move import Move
from engine.rules.profile import Profile
from engine.tiles import BLANK_KIND, Tiles


@dataclass(frozen=True, slots=True)
class After:
    """The board after a turn, the tiles that are kept, and the squares (row, col) whose blank became its letter."""

    board: Board
    kept: Tiles
    replaced: tuple[tuple[int, int], ...] = ()

    @property
    def bag(self) -> Tiles:
        """All that is neither on the board nor kept, blanks that lie aside included."""
        return left_besides(self.board, self.kept)


def after_turn(board: Board, rack: Tiles, move: Move | None, profile: Profile, formula: Formula) -> After:
    """What follows from the master move `move` (None: nothing is laid) for everybody.

    1. The move is laid. A tile that the rack does not hold was taken out of the stock (completive).
    2. What is left is kept, or goes back where the profile puts it back every turn.
    3. Joker formulas: a blank of the move becomes its letter while what is neither on the board nor on the rack has it;
       it counted nothing in this turn, counts in full from now on, and the blank goes back. Source: FISF 3.8.1.
    4. House rule `recycle_blanks`: every blank on the board whose letter is among the tiles left on the rack is
       exchanged for it, the upper left first; the blank is kept in its place. The box rules let the player who has the
       letter do this in his turn; here all have one rack, so it is done once for all, after the turn: our reading.
       Where the leftover goes back every turn, the letters are those of the bag, and it is done as in 3. Source: NTSV,
       the blank is replaced by the letter it stands for while possible.
    """
    laid = Tiles.none(board.edition) if move is None else move.laid(board)
    after = After(board if move is None else board.with_word(move.reference, move.word), rack.without(laid))
    whole_redraw = profile.put_back == "always"
    if whole_redraw:
        after = replace(after, kept=Tiles.none(board.edition))
    if move is not None and (formula.joker or (whole_redraw and profile.recycle_blanks)):
        after = _with_letters_of_the_bag(after, board)
    if profile.recycle_blanks and not whole_redraw:
        after = _with_letters_of_the_rack(after, formula)
    return after


def _with_letters_of_the_bag(after: After, before: Board) -> After:
    """Each blank of the move replaced by its letter, while there is one."""
    for at, code in enumerate(after.board.squares):
        if before.squares[at] == EMPTY != code and _has_letter(after.bag, code):
            after = _replaced(after, at)
    return after


def _with_letters_of_the_rack(after: After, formula: Formula) -> After:
    """Each blank on the board exchanged for its letter on the rack. Where a rack holds one blank, others lie aside."""
    for at, code in enumerate(after.board.squares):
        if _has_letter(after.kept, code):
            letter = Tiles.of_kinds(after.kept.edition, [(code & LETTER_MASK) + 1])
            after = _replaced(after, at)
            left = after.kept - letter + Tiles.of_kinds(letter.edition, [BLANK_KIND])
            after = replace(after, kept=formula.drawable(left))
    return after


def _has_letter(tiles: Tiles, code: int) -> bool:
    """Whether a tile code is a blank and the tiles have the letter for which it stands; some exist by blank alone."""
    if code == EMPTY or not code & BLANK_BIT:
        return False
    kind = (code & LETTER_MASK) + 1
    return kind < len(tiles.counts) and tiles.counts[kind] > 0


def _replaced(after: After, at: int) -> After:
    squares = bytearray(after.board.squares)
    squares[at] &= LETTER_MASK
    board = Board(after.board.edition, bytes(squares))
    return replace(after, board=board, replaced=(*after.replaced, divmod(at, SIZE)))
