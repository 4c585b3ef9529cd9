"""The bounds of the best search are never too low: every legal move lies at a listed place and below its bounds."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.board import EMPTY, Board
from engine.coords import SIZE, Direction
from engine.edition import BLANK_BIT
from engine.lexicon.compiling import int64
from engine.move import Move
from engine.search.cross_checks import prepare
from engine.search.holes import most_points, rank_holes, read_place, useful_blanks
from engine.search.layout import MOST_TILES, SEARCH, SHELVES, empty_lanes
from engine.search.places import NOTHING, list_places
from engine.search.rack import rank_tiles, take_up, weigh_up
from engine.search.solver import Solver
from engine.tiles import Tiles
from tests.engine.search.positions import Language, examples, language, played_boards, racks, scattered_boards

BONUSES = {7: 50, 8: 75, 9: 100}
PlaceKey = tuple[int, int, int]


def _surveyed(tongue: Language, board: Board, rack: Tiles, largest_play: int) -> tuple[Any, int]:
    """A search that has listed its places, as a record; and its highest shelf."""
    search: Any = np.zeros(1, SEARCH)[0]
    search["values"] = tongue.edition.values
    search["bonuses"] = [BONUSES.get(laid, 0) for laid in range(MOST_TILES + 1)]
    search["empty_lanes"] = empty_lanes(tongue.edition)
    search["first_word_across"] = True
    search["squares"] = np.frombuffer(board.squares, np.uint8)
    search["rack"][: len(rack.counts)] = rack.counts
    prepare(tongue.lexicon.graph, search)
    take_up(search, largest_play)
    rank_tiles(search)
    weigh_up(search)
    return search, list_places(search)


def _places(search: Any, highest: int) -> dict[PlaceKey, Any]:
    """All places on the shelves by lane, first and last square; each must lie on one shelf, that of its bound."""
    places: dict[PlaceKey, Any] = {}
    for shelf in range(highest, NOTHING, -1):
        number = search["shelves"][shelf]
        while number != NOTHING:
            place = search["places"][number]
            key = int(place["lane"]), int(place["first"]), int(place["last"])
            assert key not in places
            assert shelf == min(place["bound"], SHELVES - 1)
            places[key] = place
            number = place["following"]
    return places


def _key(move: Move) -> PlaceKey:
    row, col, direction = move.reference
    lane, first = (row, col + 1) if direction is Direction.ACROSS else (SIZE + col, row + 1)
    return lane, first, first + len(move.word) - 1


def _check(tongue: Language, board: Board, rack: Tiles, largest_play: int) -> None:
    moves = list(Solver(tongue.lexicon, bonuses=BONUSES, largest_play=largest_play).ranked(board, rack))
    search, highest = _surveyed(tongue, board, rack, largest_play)
    places = _places(search, highest)
    for move in moves:
        place = places[_key(move)]
        assert place["holes"] == move.laid(board).total
        assert place["bound"] >= move.score
    best: dict[tuple[PlaceKey, int], int] = Counter()
    for move in moves:
        at = _key(move), move.laid(board).blanks
        best[at] = max(best[at], move.score)
    for (key, blanks), points in best.items():
        place = places[key]
        always = int64(read_place(search, place))
        rank_holes(search, place)
        everything = int64((1 << rack.total) - 1)
        assert always + most_points(search, everything, int64(0), int64(place["holes"])) >= points
        search["floor"] = points
        assert useful_blanks(search, place, always) >= blanks


@pytest.mark.parametrize("code", ["it", "ca", "invented"])
@examples(15)
@given(data=st.data())
def test_no_move_scores_more_than_the_bounds_of_its_place(code: str, data: st.DataObject) -> None:
    tongue = language(code)
    board = data.draw(st.one_of(scattered_boards(tongue), played_boards(tongue)))
    _check(tongue, board, data.draw(racks(tongue, (1, 7), (0, 3))), largest_play=7)


@examples(10)
@given(data=st.data())
def test_bounds_hold_for_plays_of_nine_tiles_and_for_some_of_the_rack(data: st.DataObject) -> None:
    tongue = language("it")
    rack = data.draw(racks(tongue, (8, 9), (0, 1)))
    _check(tongue, data.draw(scattered_boards(tongue)), rack, largest_play=data.draw(st.sampled_from([5, 7, 9])))


def test_a_place_is_joined_to_the_board_and_has_no_more_holes_than_the_play_may_fill() -> None:
    tongue = language("it")
    board = _two_tiles(tongue)
    search, highest = _surveyed(tongue, board, Tiles.parse(tongue.edition, "AEIOSTR"), 3)
    places = _places(search, highest)
    # Words of row 8 that contain H and I (squares 8 and 9) and up to three squares more.
    row = {(first, last) for lane, first, last in places if lane == 7}
    assert row == {(first, last) for first in range(5, 9) for last in range(9, 13) if 0 < 8 - first + last - 9 <= 3}


def _two_tiles(tongue: Language) -> Board:
    """Two blanks, on H8 and I8."""
    squares = bytearray([EMPTY]) * (SIZE * SIZE)
    squares[7 * SIZE + 7] = squares[7 * SIZE + 8] = tongue.edition.letter("A") | BLANK_BIT
    return Board(tongue.edition, bytes(squares))
