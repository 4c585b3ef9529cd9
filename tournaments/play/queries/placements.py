"""Possible placements of a word, and possible moves of a rack, on the board of a turn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.board.board import EMPTY, Board, squares_of
from engine.board.coordinates import Notation
from engine.board.move import Move
from engine.judging.all_placements import PlacementWithMissingTiles, WordListWithExtraWord, find_all_placements
from engine.lexicon.graph import Lexicon
from engine.lexicon.nodes import LONGEST_WORD
from engine.lexicon.parsing import SHORTEST_WORD
from engine.search.layout import MAX_TILES
from engine.search.survey import survey_moves
from engine.tiles.edition import LETTER_MASK, Edition, UnknownLetter
from engine.tiles.tiles import Tiles
from tournaments.lexicons import word_lists
from tournaments.models import Turn
from tournaments.play.position import board_before, edition_of, position_of, profile_of, rack_of

MOST_PLACES = 12
MOST_MOVES = 30


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A move as text. `lacking`: the letters missing from the rack, in tile text. `ghosts`: the tiles to lay as (row,
    column, face) from 0, for the board of a page."""

    word: str
    ref: str
    direction: str
    score: int
    lacking: str
    ghosts: list[tuple[int, int, str]]

    @property
    def ghosts_json(self) -> str:
        """The same for a page."""
        return json.dumps(self.ghosts)


@dataclass(frozen=True, slots=True)
class MoveList:
    """The first moves of a list, best first, and how many there are in all."""

    lines: list[MoveLine]
    total: int

    @property
    def more(self) -> int:
        """The number of lines that are not shown."""
        return self.total - len(self.lines)


@dataclass(frozen=True, slots=True)
class WordOnBoard:
    """Placements of a word on the board of a turn, with its rack; missing letters are named with each place.

    `supposed`: no list has the word, and the places are those that it would have if it were valid. `blanks`: the
    number of blanks in the rack, each of which could be one of the missing letters.
    """

    word: str
    supposed: bool
    blanks: int
    with_rack: MoveList
    without_rack: MoveList


@dataclass(frozen=True, slots=True)
class RackOnBoard:
    """Moves of some letters on the board of a turn: the best, the best of each word length, and all with seven letters
    or more."""

    rack: str
    top: int
    tops: MoveList
    by_length: list[MoveLine]
    bingos: MoveList


def word_on_board(turn: Turn, text: str) -> WordOnBoard | None:
    """Find the placements of a written word in a turn; None for text that cannot be placed as a word."""
    edition, words = edition_of(turn.game), word_lists.open_lexicon(turn.game, turn.number)
    word = _choose_reading(edition, text, words)
    if word is None:
        return None
    supposed = word not in words
    position, profile = position_of(turn), profile_of(turn.game)
    found = find_all_placements(word, position, profile, WordListWithExtraWord(words, word) if supposed else words)
    write = _MoveFormatter(position.board, profile.notation)
    return WordOnBoard(
        word=edition.word_text(word),
        supposed=supposed,
        blanks=position.rack.blanks,
        with_rack=write.lines(
            [PlacementWithMissingTiles(move, Tiles.none(edition)) for move in found.with_rack], MOST_PLACES
        ),
        without_rack=write.lines(found.without_rack, MOST_PLACES),
    )


def rack_on_board(turn: Turn, rack: Tiles) -> RackOnBoard:
    """Find the moves of these letters in a turn. Raise `ValueError` for more than nine letters."""
    board = board_before(turn)
    solver = word_lists.get_solver(turn.game, turn.number)
    found = survey_moves(solver.ranked(board, rack), board, most=MOST_MOVES)
    write = _MoveFormatter(board, profile_of(turn.game).notation)
    return RackOnBoard(
        rack=rack.text,
        top=found.tops[0].score if found.tops else 0,
        tops=write.moves(found.tops, len(found.tops)),
        by_length=write.moves(found.by_length, len(found.by_length)).lines,
        bingos=write.moves(found.bingos, found.bingo_count),
    )


def parse_rack(turn: Turn, text: str) -> Tiles | None:
    """Parse letters typed as a rack; None unless they are two to nine letters of this edition."""
    try:
        tiles = Tiles.parse(edition_of(turn.game), edition_of(turn.game).fold(text))
    except UnknownLetter:
        return None
    return tiles if SHORTEST_WORD <= tiles.total <= MAX_TILES else None


def rack_without(turn: Turn, text: str) -> Tiles:
    """The rack of a turn without the typed letters. Raise `MissingTilesError` for letters that are not in it,
    `UnknownLetter` for a character without a tile."""
    edition = edition_of(turn.game)
    return rack_of(turn) - Tiles.parse(edition, edition.fold(text))


@dataclass(frozen=True, slots=True)
class _MoveFormatter:
    board: Board
    notation: Notation

    def moves(self, moves: Iterable[Move], total: int) -> MoveList:
        return MoveList([self._line(move, "") for move in moves], total)

    def lines(self, fitting: Sequence[PlacementWithMissingTiles], most: int) -> MoveList:
        return MoveList([self._line(each.move, each.lacking.text) for each in fitting[:most]], len(fitting))

    def _line(self, move: Move, lacking: str) -> MoveLine:
        return MoveLine(
            word=move.word_text(self.board.edition),
            ref=move.reference_text(self.notation),
            direction=move.reference.direction.value,
            score=move.score,
            lacking=lacking,
            ghosts=list(self._ghosts(move)),
        )

    def _ghosts(self, move: Move) -> Iterable[tuple[int, int, str]]:
        """The tiles that are laid, a blank in lower case as a board has it."""
        for code, (row, col) in zip(move.word, squares_of(move.reference, len(move.word)), strict=True):
            if self.board.at(row, col) == EMPTY:
                yield row, col, self.board.edition.face(code)


def _choose_reading(edition: Edition, text: str, words: Lexicon) -> tuple[int, ...] | None:
    """The reading of a written word that is in the list, else the first one."""
    try:
        readings = [tuple(code & LETTER_MASK for code in codes) for codes in edition.allowed_readings(text)]
    except UnknownLetter:
        return None
    fitting = [reading for reading in readings if SHORTEST_WORD <= len(reading) <= LONGEST_WORD]
    return next((reading for reading in fitting if reading in words), fitting[0] if fitting else None)
