"""One word everywhere on a board: where the rack can lay it, and where it fits whatever is on the rack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from engine.board import Board
from engine.coords import Direction
from engine.edition import LETTER_MASK
from engine.move import Move
from engine.rules.place import Position, legal_places
from engine.rules.profile import Profile
from engine.rules.words import WordList
from engine.tiles import Tiles


@dataclass(frozen=True, slots=True)
class Fitting:
    """A legal move of a word but for the rack. `lacking` are the letters that the rack has no tile for, its blanks not
    counted: none when it can be laid."""

    move: Move
    lacking: Tiles


@dataclass(frozen=True, slots=True)
class Everywhere:
    """The moves of a word, best first: those of the rack, and the others with what they lack."""

    with_rack: tuple[Move, ...]
    without_rack: tuple[Fitting, ...]


class SupposedWords:
    """A word list that has one word more: what if it were valid?"""

    def __init__(self, words: WordList, word: Sequence[int]) -> None:
        self._words = words
        self._word = tuple(code & LETTER_MASK for code in word)

    def __contains__(self, word: Sequence[int]) -> bool:
        return tuple(code & LETTER_MASK for code in word) == self._word or word in self._words


def everywhere(written: Sequence[int], position: Position, profile: Profile, words: WordList) -> Everywhere:
    """Every place for a word in a position. In `without_rack` every letter that there is a tile of is laid as a tile;
    the places of `with_rack` are not in it again."""
    letters = [code & LETTER_MASK for code in written]
    directions = tuple(Direction)
    own = [legal.move for legal in legal_places(letters, directions, position, profile, words)]
    full = replace(position, rack=_rack_for(letters, position.board), stock=None)
    taken = {move.reference for move in own}
    others = (legal.move for legal in legal_places(letters, directions, full, profile, words))
    fitting = (_fitting(move, position) for move in others if move.reference not in taken)
    return Everywhere(
        tuple(sorted(own, key=_best_first)), tuple(sorted(fitting, key=lambda each: _best_first(each.move)))
    )


def _rack_for(letters: Sequence[int], board: Board) -> Tiles:
    """Tiles to lay the whole word with: a blank for each letter that exists by blank only."""
    edition = board.edition
    known = len(edition.kinds) - 1
    return Tiles.of_kinds(edition, (letter + 1 if letter < known else 0 for letter in letters))


def _fitting(move: Move, position: Position) -> Fitting:
    return Fitting(move, move.laid(position.board).without(position.rack))


def _best_first(move: Move) -> tuple[int, ...]:
    """By score, then across, then from the top left."""
    reference = move.reference
    return -move.score, reference.direction is not Direction.ACROSS, reference.row, reference.col
