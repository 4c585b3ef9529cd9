"""The search for the moves of a game: by its bonuses and its formula."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from engine.board import EMPTY, Board, squares_of
from engine.coords import Direction
from engine.edition import BLANK_BIT, LETTER_MASK
from engine.formulas import Formula
from engine.lexicon.graph import Lexicon
from engine.move import Move
from engine.rules.profile import Profile
from engine.search.layout import MOST_TILES
from engine.search.moves import RankedMoves
from engine.search.solver import Solver
from engine.tiles import Tiles


class MergedMoves(tuple[Move, ...]):
    """All legal moves of several racks, best first, each once."""

    __slots__ = ()

    @property
    def sum_of_scores(self) -> int:
        return sum(move.score for move in self)

    @property
    def top(self) -> int:
        """The highest score, 0 when there is no move."""
        return self[0].score if self else 0

    @property
    def tops(self) -> tuple[Move, ...]:
        """All moves with the highest score."""
        return tuple(takewhile(lambda move: move.score == self.top, self))


class GameSolver:
    """Finds moves as the rules and the formula of a game have them. Any number of threads may use one.

    Where players take one more tile out of the stock, every tile that they may take is tried; a rack is what was drawn.
    The stock is what is neither on the board nor on the rack, unless another one is handed in.
    """

    def __init__(self, lexicon: Lexicon, profile: Profile, formula: Formula, *, first_word_across: bool = True) -> None:
        self.formula = formula
        self._solver = Solver(
            lexicon,
            bonuses=profile.bonus_table,
            largest_play=min(MOST_TILES, formula.most_laid(profile)),
            first_word_across=first_word_across,
            premiums_again=profile.premiums_again,
        )

    @property
    def lexicon(self) -> Lexicon:
        """The words that count."""
        return self._solver.lexicon

    def best(self, board: Board, rack: Tiles, stock: Tiles | None = None) -> Sequence[Move]:
        """All moves with the highest score; empty when there is no move."""
        found = [self._solver.best(board, whole) for whole in self._racks(board, rack, stock)]
        if len(found) == 1:
            return found[0]
        top = max((moves[0].score for moves in found if moves), default=0)
        merged = {move for moves in found for move in moves if move.score == top}
        return tuple(sorted(merged, key=_order))

    def ranked(self, board: Board, rack: Tiles, stock: Tiles | None = None) -> RankedMoves | MergedMoves:
        """Every legal move, best first."""
        found = [self._solver.ranked(board, whole) for whole in self._racks(board, rack, stock)]
        if len(found) == 1:
            return found[0]
        merged = {move for moves in found for move in moves}
        return MergedMoves(sorted(merged, key=lambda move: (-move.score, *_order(move))))

    def has_move(self, board: Board, rack: Tiles, stock: Tiles | None = None) -> bool:
        """Whether there is any legal move at all."""
        # The rack alone nearly always has one; without this each question would be asked for every tile of the stock.
        if self.formula.completive and self._solver.has_move(board, rack):
            return True
        return any(self._solver.has_move(board, whole) for whole in self._racks(board, rack, stock))

    def letters_of_blank(self, board: Board, rack: Tiles) -> tuple[int, ...]:
        """The kinds of tiles for which blanks of the best moves stand, in the order of the edition."""
        kinds = {
            (code & LETTER_MASK) + 1
            for move in self._solver.best(board, rack)
            for code, square in zip(move.word, squares_of(move.reference, len(move.word)), strict=True)
            if code & BLANK_BIT and board.at(*square) == EMPTY
        }
        return tuple(sorted(kinds))

    def _racks(self, board: Board, rack: Tiles, stock: Tiles | None) -> Iterator[Tiles]:
        """The racks that players may have: what was drawn, or that and each tile of the stock."""
        stock = self.formula.stock(board, rack) if stock is None else stock
        if not stock:
            yield rack
            return
        for kind, number in enumerate(stock.counts):
            if number:
                yield rack + Tiles.of_kinds(rack.edition, [kind])


def _order(move: Move) -> tuple[int, ...]:
    """Across first, from the top left."""
    return move.reference.direction is not Direction.ACROSS, move.reference.row, move.reference.col, *move.word
