"""Move search by the rules of a game: its bonuses and its variant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from engine.board.board import EMPTY, Board, squares_of
from engine.board.coordinates import Direction
from engine.board.move import Move
from engine.lexicon.graph import Lexicon
from engine.rules.profile import Profile
from engine.search.layout import MAX_TILES
from engine.search.moves import RankedMoves
from engine.search.solver import Solver
from engine.tiles.edition import BLANK_BIT, LETTER_MASK
from engine.tiles.tiles import Tiles
from engine.variants.variant import Variant


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
    """Finder of moves by the profile and the variant of a game. Threads may share it.

    In completive variants, where players add one tile from the stock to the rack that was drawn, every tile of the
    stock is tried. The stock is all tiles that are neither on the board nor on the rack, unless it is given.
    """

    def __init__(self, lexicon: Lexicon, profile: Profile, variant: Variant, *, first_word_across: bool = True) -> None:
        self.variant = variant
        self._solver = Solver(
            lexicon,
            bonuses=profile.bonus_table,
            largest_play=min(MAX_TILES, variant.most_laid(profile)),
            first_word_across=first_word_across,
            premiums_again=profile.premiums_again,
        )

    @property
    def lexicon(self) -> Lexicon:
        """The word list of the game."""
        return self._solver.lexicon

    def best(self, board: Board, rack: Tiles, stock: Tiles | None = None) -> Sequence[Move]:
        """Return all moves with the highest score; empty if there is no move."""
        found = [self._solver.best(board, whole) for whole in self._racks(board, rack, stock)]
        if len(found) == 1:
            return found[0]
        top = max((moves[0].score for moves in found if moves), default=0)
        merged = {move for moves in found for move in moves if move.score == top}
        return tuple(sorted(merged, key=_order))

    def ranked(self, board: Board, rack: Tiles, stock: Tiles | None = None) -> RankedMoves | MergedMoves:
        """Return every legal move, best first."""
        found = [self._solver.ranked(board, whole) for whole in self._racks(board, rack, stock)]
        if len(found) == 1:
            return found[0]
        merged = {move for moves in found for move in moves}
        return MergedMoves(sorted(merged, key=lambda move: (-move.score, *_order(move))))

    def has_move(self, board: Board, rack: Tiles, stock: Tiles | None = None) -> bool:
        """Return True if there is any legal move."""
        # The rack alone nearly always has a move, so the tiles of the stock are rarely searched.
        if self.variant.completive and self._solver.has_move(board, rack):
            return True
        return any(self._solver.has_move(board, whole) for whole in self._racks(board, rack, stock))

    def letters_of_blank(self, board: Board, rack: Tiles) -> tuple[int, ...]:
        """Return the kinds of the tiles that blanks stand for in the best moves, in the order of the edition."""
        kinds = {
            (code & LETTER_MASK) + 1
            for move in self._solver.best(board, rack)
            for code, square in zip(move.word, squares_of(move.reference, len(move.word)), strict=True)
            if code & BLANK_BIT and board.at(*square) == EMPTY
        }
        return tuple(sorted(kinds))

    def _racks(self, board: Board, rack: Tiles, stock: Tiles | None) -> Iterator[Tiles]:
        """Yield the possible racks of the players: the rack drawn, or with each tile of the stock added."""
        stock = self.variant.stock(board, rack) if stock is None else stock
        if not stock:
            yield rack
            return
        for kind, number in enumerate(stock.counts):
            if number:
                yield rack + Tiles.of_kinds(rack.edition, [kind])


def _order(move: Move) -> tuple[int, ...]:
    """Sort key: across first, from the top left."""
    return move.reference.direction is not Direction.ACROSS, move.reference.row, move.reference.col, *move.word
