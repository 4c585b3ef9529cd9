"""One word everywhere on a board: where the rack can lay it, and where it fits whatever is on the rack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.board.board import Board
from engine.board.coordinates import Direction
from engine.board.move import Move
from engine.judging.lexicon_protocol import WordList
from engine.judging.placement import Position, list_legal_placements
from engine.rules.profile import Profile
from engine.tiles.edition import LETTER_MASK
from engine.tiles.tiles import Tiles


@dataclass(frozen=True, slots=True)
class PlacementWithMissingTiles:
    """A legal move of a word but for the rack. `lacking` are the letters that the rack has no tile for, its blanks not
    counted: none when it can be laid."""

    move: Move
    lacking: Tiles


@dataclass(frozen=True, slots=True)
class AllPlacements:
    """The moves of a word, best first: those of the rack, and the others with what they lack."""

    with_rack: tuple[Move, ...]
    without_rack: tuple[PlacementWithMissingTiles, ...]


class WordListWithExtraWord:
    """A word list that has one word more: what if it were valid?"""

    def __init__(self, words: WordList, word: Sequence[int]) -> None:
        self._words = words
        self._word = tuple(code & LETTER_MASK for code in word)

    def __contains__(self, word: Sequence[int]) -> bool:
        return tuple(code & LETTER_MASK for code in word) == self._word or word in self._words


def find_all_placements(written: Sequence[int], position: Position, profile: Profile, words: WordList) -> AllPlacements:
    """Every place for a word in a position. In `without_rack` every letter that there is a tile of is laid as a tile;
    the places of `with_rack` are not in it again."""
    letters = [code & LETTER_MASK for code in written]
    directions = tuple(Direction)
    own = [legal.move for legal in list_legal_placements(letters, directions, position, profile, words)]
    full = replace(position, rack=_rack_for(letters, position.board), stock=None)
    taken = {move.reference for move in own}
    others = (legal.move for legal in list_legal_placements(letters, directions, full, profile, words))
    fitting = (_placement_with_missing_tiles(move, position) for move in others if move.reference not in taken)
    return AllPlacements(
        tuple(sorted(own, key=_best_first)), tuple(sorted(fitting, key=lambda each: _best_first(each.move)))
    )


def _rack_for(letters: Sequence[int], board: Board) -> Tiles:
    """Tiles to lay the whole word with: a blank for each letter that exists by blank only."""
    edition = board.edition
    known = len(edition.kinds) - 1
    return Tiles.of_kinds(edition, (letter + 1 if letter < known else 0 for letter in letters))


def _placement_with_missing_tiles(move: Move, position: Position) -> PlacementWithMissingTiles:
    return PlacementWithMissingTiles(move, move.laid(position.board).without(position.rack))


def _best_first(move: Move) -> tuple[int, ...]:
    """By score, then across, then from the top left."""
    reference = move.reference
    return -move.score, reference.direction is not Direction.ACROSS, reference.row, reference.col
