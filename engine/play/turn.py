"""Transition from one turn to the next: the board after the master move, and the leave."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.board.board import EMPTY, Board
from engine.board.coordinates import SIZE
from engine.board.move import Move
from engine.rules.profile import Profile
from engine.tiles.edition import BLANK_BIT, LETTER_MASK
from engine.tiles.tiles import BLANK_KIND, Tiles
from engine.variants.variant import Variant, unseen_tiles


@dataclass(frozen=True, slots=True)
class TurnOutcome:
    """Board after a turn, the leave (`kept`), and the squares (row, col) whose blank was replaced by its letter."""

    board: Board
    kept: Tiles
    replaced: tuple[tuple[int, int], ...] = ()

    @property
    def bag(self) -> Tiles:
        """All tiles that are neither on the board nor kept, including blanks set aside."""
        return unseen_tiles(self.board, self.kept)


def apply_master_move(board: Board, rack: Tiles, move: Move | None, profile: Profile, variant: Variant) -> TurnOutcome:
    """Apply the master move `move` (None: nothing is laid) to the board and the rack.

    1. The move is laid. A tile that the rack does not have comes from the stock (completive variants).
    2. The remaining tiles are kept, or go back if the profile puts them back every turn.
    3. Joker variants: a blank of the move is replaced by its letter if there is such a tile neither on the board nor on
       the rack. It scores nothing in this turn and its full value from now on; the blank goes back. Source: FISF 3.8.1.
    4. House rule `recycle_blanks`: every blank on the board whose letter is in the leave is exchanged for it, from the
       upper left; the blank takes its place in the leave. By the box rules, the player who has the letter may do this
       in their turn. In duplicate all have the same rack, so it is done once, after the turn (our reading). If the
       leave goes back every turn, the letters come from the bag, as in 3. Source: NTSV, the blank is replaced by the
       letter it stands for while possible.
    """
    laid = Tiles.none(board.edition) if move is None else move.laid(board)
    after = TurnOutcome(board if move is None else board.with_word(move.reference, move.word), rack.without(laid))
    whole_redraw = profile.put_back == "always"
    if whole_redraw:
        after = replace(after, kept=Tiles.none(board.edition))
    if move is not None and (variant.joker or (whole_redraw and profile.recycle_blanks)):
        after = _with_letters_of_the_bag(after, board)
    if profile.recycle_blanks and not whole_redraw:
        after = _with_letters_of_the_rack(after, variant)
    return after


def _with_letters_of_the_bag(after: TurnOutcome, before: Board) -> TurnOutcome:
    """Replace each blank of the move by its letter, if the bag has it."""
    for at, code in enumerate(after.board.squares):
        if before.squares[at] == EMPTY != code and _has_letter(after.bag, code):
            after = _replace_blank(after, at)
    return after


def _with_letters_of_the_rack(after: TurnOutcome, variant: Variant) -> TurnOutcome:
    """Exchange each blank on the board for its letter in the leave. Variants with one blank set the others aside."""
    for at, code in enumerate(after.board.squares):
        if _has_letter(after.kept, code):
            letter = Tiles.of_kinds(after.kept.edition, [(code & LETTER_MASK) + 1])
            after = _replace_blank(after, at)
            left = after.kept - letter + Tiles.of_kinds(letter.edition, [BLANK_KIND])
            after = replace(after, kept=variant.drawable(left))
    return after


def _has_letter(tiles: Tiles, code: int) -> bool:
    """Return True if a tile code is a blank and the tiles include its letter; some letters exist as blanks only."""
    if code == EMPTY or not code & BLANK_BIT:
        return False
    kind = (code & LETTER_MASK) + 1
    return kind < len(tiles.counts) and tiles.counts[kind] > 0


def _replace_blank(after: TurnOutcome, at: int) -> TurnOutcome:
    squares = bytearray(after.board.squares)
    squares[at] &= LETTER_MASK
    board = Board(after.board.edition, bytes(squares))
    return replace(after, board=board, replaced=(*after.replaced, divmod(at, SIZE)))
