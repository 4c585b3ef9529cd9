"""What a judge asks about a board: where a word could go there, and what a rack could do."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.board import EMPTY, Board, squares_of
from engine.coords import Notation
from engine.edition import LETTER_MASK, Edition, UnknownLetter
from engine.lexicon.graph import Lexicon
from engine.lexicon.nodes import LONGEST_WORD
from engine.lexicon.reading import SHORTEST_WORD
from engine.move import Move
from engine.rules.everywhere import Fitting, SupposedWords, everywhere
from engine.search.layout import MOST_TILES
from engine.search.survey import survey
from engine.tiles import Tiles
from tournaments import lexicons
from tournaments.models import Turn
from tournaments.position import board_before, edition_of, position_of, profile_of, rack_of

MOST_PLACES = 12
MOST_MOVES = 30


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A move for people. `lacking`: the letters that the rack has not, in tile text. `ghosts`: the tiles it lays as
    (row, column, face) from 0, as a board in a page draws them."""

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
class Lines:
    """The first moves of a list, best first, and how many there are in all."""

    lines: list[MoveLine]
    total: int

    @property
    def more(self) -> int:
        """How many are not shown."""
        return self.total - len(self.lines)


@dataclass(frozen=True, slots=True)
class WordOnBoard:
    """Where a word could go on the board of a turn: with its rack, and but for the letters named with each place.

    `supposed`: the word is in no list, and the places are those that it would have if it were valid. `blanks`: how many
    the rack has, of which each could be one of the letters that are lacking.
    """

    word: str
    supposed: bool
    blanks: int
    with_rack: Lines
    without_rack: Lines


@dataclass(frozen=True, slots=True)
class RackOnBoard:
    """What letters could do on the board of a turn: the best moves, the best of each length of the word, and all that
    lay seven letters or more."""

    rack: str
    top: int
    tops: Lines
    by_length: list[MoveLine]
    bingos: Lines


def word_on_board(turn: Turn, text: str) -> WordOnBoard | None:
    """Where a written word could go in a turn; None for what cannot be laid as a word at all."""
    edition, words = edition_of(turn.game), lexicons.open_lexicon(turn.game, turn.number)
    word = _reading(edition, text, words)
    if word is None:
        return None
    supposed = word not in words
    position, profile = position_of(turn), profile_of(turn.game)
    found = everywhere(word, position, profile, SupposedWords(words, word) if supposed else words)
    write = _Writer(position.board, profile.notation)
    return WordOnBoard(
        word=edition.word_text(word),
        supposed=supposed,
        blanks=position.rack.blanks,
        with_rack=write.lines([Fitting(move, Tiles.none(edition)) for move in found.with_rack], MOST_PLACES),
        without_rack=write.lines(found.without_rack, MOST_PLACES),
    )


def rack_on_board(turn: Turn, rack: Tiles) -> RackOnBoard:
    """What these letters could do in a turn. `ValueError` for more than nine."""
    board = board_before(turn)
    solver = lexicons.solver_for(turn.game, turn.number)
    found = survey(solver.ranked(board, rack), board, most=MOST_MOVES)
    write = _Writer(board, profile_of(turn.game).notation)
    return RackOnBoard(
        rack=rack.text,
        top=found.tops[0].score if found.tops else 0,
        tops=write.moves(found.tops, len(found.tops)),
        by_length=write.moves(found.by_length, len(found.by_length)).lines,
        bingos=write.moves(found.bingos, found.bingo_count),
    )


def tiles_asked(turn: Turn, text: str) -> Tiles | None:
    """The letters that somebody typed as a rack; None where they are none of this edition, or not two to nine."""
    try:
        tiles = Tiles.parse(edition_of(turn.game), edition_of(turn.game).fold(text))
    except UnknownLetter:
        return None
    return tiles if SHORTEST_WORD <= tiles.total <= MOST_TILES else None


def rack_without(turn: Turn, text: str) -> Tiles:
    """The rack of a turn without the letters that somebody typed. `NotThere` names what it has not, `UnknownLetter` a
    sign that no tile has."""
    edition = edition_of(turn.game)
    return rack_of(turn) - Tiles.parse(edition, edition.fold(text))


@dataclass(frozen=True, slots=True)
class _Writer:
    board: Board
    notation: Notation

    def moves(self, moves: Iterable[Move], total: int) -> Lines:
        return Lines([self._line(move, "") for move in moves], total)

    def lines(self, fitting: Sequence[Fitting], most: int) -> Lines:
        return Lines([self._line(each.move, each.lacking.text) for each in fitting[:most]], len(fitting))

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


def _reading(edition: Edition, text: str, words: Lexicon) -> tuple[int, ...] | None:
    """The reading of a written word that is in the list, else the first one."""
    try:
        readings = [tuple(code & LETTER_MASK for code in codes) for codes in edition.allowed_readings(text)]
    except UnknownLetter:
        return None
    fitting = [reading for reading in readings if SHORTEST_WORD <= len(reading) <= LONGEST_WORD]
    return next((reading for reading in fitting if reading in words), fitting[0] if fitting else None)
