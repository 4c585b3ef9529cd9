"""Move: a word at a reference, and its score."""

from __future__ import annotations

from dataclasses import dataclass

from engine.board.board import EMPTY, Board, squares_of
from engine.board.coordinates import Direction, Notation, Reference, format_reference
from engine.tiles.edition import Edition
from engine.tiles.tiles import Tiles, tiles_of


@dataclass(frozen=True, slots=True)
class Move:
    """Main word as tile codes (blanks marked, board tiles included), its reference and its score.

    A single tile that forms words in both directions can be written in two ways; the search lists the one across.
    """

    reference: Reference
    word: tuple[int, ...]
    score: int

    @property
    def direction(self) -> Direction:
        return self.reference.direction

    def word_text(self, edition: Edition) -> str:
        """Return the tile text of the whole word: CAsA has a blank for S."""
        return edition.word_text(self.word)

    def reference_text(self, notation: Notation) -> str:
        return format_reference(self.reference, notation)

    def laid(self, board: Board) -> Tiles:
        """Return the tiles that leave the rack when this move is made on `board`."""
        return tiles_of(
            board.edition,
            (
                code
                for code, square in zip(self.word, squares_of(self.reference, len(self.word)), strict=True)
                if board.at(*square) == EMPTY
            ),
        )
