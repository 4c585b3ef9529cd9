"""The bounds of the best search are never too low: every legal move has a listed placement and is below its bounds."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board.board import EMPTY, Board
from engine.board.coordinates import SIZE, Direction
from engine.board.move import Move
from engine.lexicon.jit import int64
from engine.search.cross_checks import prepare_position
from engine.search.gaps import most_points, rank_gaps, read_placement, useful_blanks
from engine.search.layout import BUCKETS, MAX_TILES, SEARCH, empty_lines
from engine.search.placements import NO_BUCKET, list_placements
from engine.search.rack import fill_value_tables, load_rack, rank_tiles
from engine.search.solver import Solver
from engine.tiles.edition import BLANK_BIT
from engine.tiles.tiles import Tiles
from tests.engine.search.positions import Language, language, played_boards, racks, scattered_boards
from tests.examples import examples

pytestmark = pytest.mark.endurance

BONUSES = {7: 50, 8: 75, 9: 100}
PlaceKey = tuple[int, int, int]


def _surveyed(sample_language: Language, board: Board, rack: Tiles, largest_play: int) -> tuple[Any, int]:
    """A search that has listed its places, as a record; and its highest shelf."""
    search: Any = np.zeros(1, SEARCH)[0]
    search["values"] = sample_language.edition.values
    search["bonuses"] = [BONUSES.get(laid, 0) for laid in range(MAX_TILES + 1)]
    search["empty_lines"] = empty_lines(sample_language.edition)
    search["first_word_across"] = True
    search["squares"] = np.frombuffer(board.squares, np.uint8)
    search["rack"][: len(rack.counts)] = rack.counts
    prepare_position(sample_language.lexicon.graph, search)
    load_rack(search, largest_play)
    rank_tiles(search)
    fill_value_tables(search)
    return search, list_placements(search)


def _places(search: Any, highest: int) -> dict[PlaceKey, Any]:
    """All placements in the buckets by line, first and last square; each must be in one bucket, that of its bound."""
    placements: dict[PlaceKey, Any] = {}
    for bucket in range(highest, NO_BUCKET, -1):
        number = search["buckets"][bucket]
        while number != NO_BUCKET:
            placement = search["placements"][number]
            key = int(placement["line"]), int(placement["first"]), int(placement["last"])
            assert key not in placements
            assert bucket == min(placement["bound"], BUCKETS - 1)
            placements[key] = placement
            number = placement["following"]
    return placements


def _key(move: Move) -> PlaceKey:
    row, col, direction = move.reference
    line, first = (row, col + 1) if direction is Direction.ACROSS else (SIZE + col, row + 1)
    return line, first, first + len(move.word) - 1


def _check(sample_language: Language, board: Board, rack: Tiles, largest_play: int) -> None:
    moves = list(Solver(sample_language.lexicon, bonuses=BONUSES, largest_play=largest_play).ranked(board, rack))
    search, highest = _surveyed(sample_language, board, rack, largest_play)
    placements = _places(search, highest)
    for move in moves:
        placement = placements[_key(move)]
        assert placement["gaps"] == move.laid(board).total
        assert placement["bound"] >= move.score
    best: dict[tuple[PlaceKey, int], int] = Counter()
    for move in moves:
        at = _key(move), move.laid(board).blanks
        best[at] = max(best[at], move.score)
    for (key, blanks), points in best.items():
        placement = placements[key]
        fixed_points = int64(read_placement(search, placement))
        rank_gaps(search, placement)
        everything = int64((1 << rack.total) - 1)
        assert fixed_points + most_points(search, everything, int64(0), int64(placement["gaps"])) >= points
        search["floor"] = points
        assert useful_blanks(search, placement, fixed_points) >= blanks


@pytest.mark.parametrize("code", ["it", "ca", "invented"])
@examples(15)
@given(data=st.data())
def test_no_move_scores_more_than_the_bounds_of_its_place(code: str, data: st.DataObject) -> None:
    sample_language = language(code)
    board = data.draw(st.one_of(scattered_boards(sample_language), played_boards(sample_language)))
    _check(sample_language, board, data.draw(racks(sample_language, (1, 7), (0, 3))), largest_play=7)


@examples(10)
@given(data=st.data())
def test_bounds_hold_for_plays_of_nine_tiles_and_for_some_of_the_rack(data: st.DataObject) -> None:
    sample_language = language("it")
    rack = data.draw(racks(sample_language, (8, 9), (0, 1)))
    _check(
        sample_language,
        data.draw(scattered_boards(sample_language)),
        rack,
        largest_play=data.draw(st.sampled_from([5, 7, 9])),
    )


def test_a_place_is_joined_to_the_board_and_has_no_more_holes_than_the_play_may_fill() -> None:
    sample_language = language("it")
    board = _two_tiles(sample_language)
    search, highest = _surveyed(sample_language, board, Tiles.parse(sample_language.edition, "AEIOSTR"), 3)
    placements = _places(search, highest)
    # Words of row 8 that contain H and I (squares 8 and 9) and up to three squares more.
    row = {(first, last) for line, first, last in placements if line == 7}
    assert row == {(first, last) for first in range(5, 9) for last in range(9, 13) if 0 < 8 - first + last - 9 <= 3}


def _two_tiles(sample_language: Language) -> Board:
    """Two blanks, on H8 and I8."""
    squares = bytearray([EMPTY]) * (SIZE * SIZE)
    squares[7 * SIZE + 7] = squares[7 * SIZE + 8] = sample_language.edition.letter("A") | BLANK_BIT
    return Board(sample_language.edition, bytes(squares))
