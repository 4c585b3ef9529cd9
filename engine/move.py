"""A move: a word laid at a place, and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board import EMPTY, Board, squares_of
from engine.coords import Direction, Notation, Reference, format_reference
from engine.edition import Edition
from engine.tiles import Tiles, tiles_of


@dataclass(frozen=True, slots=True)
class Move:
    """The whole main word, tiles that lie already included, as tile codes (blanks marked), its place and its points.

    A single tile that forms words in both directions has two names; the search gives the one across.
    """

    reference: Reference
    word: tuple[int, ...]
    score: int

    @property
    def direction(self) -> Direction:
        return self.reference.direction

    def word_text(self, edition: Edition) -> str:
        """Tile text of the whole word: CAsA has a blank for S."""
        return edition.word_text(self.word)

    def reference_text(self, notation: Notation) -> str:
        return format_reference(self.reference, notation)

    def laid(self, board: Board) -> Tiles:
        """The tiles that leave the rack when this move is made on `board`."""
        return tiles_of(
            board.edition,
            (
                code
                for code, square in zip(self.word, squares_of(self.reference, len(self.word)), strict=True)
                if board.at(*square) == EMPTY
            ),
        )
