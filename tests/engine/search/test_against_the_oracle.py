"""The search finds exactly what trying every word at every place finds: moves, scores, tops."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.board import Board
from engine.coords import SIZE
from engine.move import Move
from engine.scoring import STANDARD_BONUSES
from engine.search.solver import Solver
from engine.tiles import Tiles
from tests.engine.oracle import all_moves
from tests.engine.search.positions import Language, boards, full_but, language, racks

_LANGUAGES = [language("it"), language("ca")]
_BOTH = pytest.mark.parametrize("tongue", _LANGUAGES, ids=["it", "ca"])
_many = settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
_few = settings(_many, max_examples=12)


def _check(tongue: Language, board: Board, rack: Tiles, **rules: object) -> None:
    """Ranked, best and has_move agree with the oracle."""
    expected = all_moves(tongue.words, board, rack, **rules)  # type: ignore[arg-type]
    solver = Solver(tongue.lexicon, **rules)  # type: ignore[arg-type]
    ranked = solver.ranked(board, rack)
    found = list(ranked)
    assert [move.score for move in found] == [move.score for move in expected]
    assert sorted(found, key=_key) == sorted(expected, key=_key)
    top = expected[0].score if expected else 0
    tops = [move for move in expected if move.score == top]
    assert sorted(solver.best(board, rack), key=_key) == sorted(tops, key=_key)
    assert ranked.tops == solver.best(board, rack)
    assert (ranked.count, ranked.sum_of_scores, ranked.top) == (len(expected), sum(m.score for m in expected), top)
    assert solver.has_move(board, rack) == bool(expected)


def _key(move: Move) -> tuple[object, ...]:
    return move.reference, move.word, move.score


@_BOTH
@_many
@given(data=st.data())
def test_racks_without_a_blank(tongue: Language, data: st.DataObject) -> None:
    _check(tongue, data.draw(boards(tongue)), data.draw(racks(tongue, (1, 7), (0, 0))))


@_BOTH
@_many
@given(data=st.data())
def test_racks_with_one_or_two_blanks(tongue: Language, data: st.DataObject) -> None:
    _check(tongue, data.draw(boards(tongue)), data.draw(racks(tongue, (2, 7), (1, 2))))


@_BOTH
@_few
@given(data=st.data())
def test_racks_with_three_to_five_blanks(tongue: Language, data: st.DataObject) -> None:
    _check(tongue, data.draw(boards(tongue, most_words=4)), data.draw(racks(tongue, (3, 7), (3, 5))))


@_BOTH
@_few
@given(data=st.data())
def test_crowded_boards(tongue: Language, data: st.DataObject) -> None:
    _check(tongue, data.draw(boards(tongue, most_words=40)), data.draw(racks(tongue, (1, 7), (0, 2))))


@_BOTH
@_few
@given(data=st.data())
def test_boards_with_only_a_few_squares_left(tongue: Language, data: st.DataObject) -> None:
    holes = data.draw(st.lists(st.integers(0, SIZE * SIZE - 1), max_size=20))
    board = full_but(data.draw(boards(tongue)), holes, tongue.letters[0])
    _check(tongue, board, data.draw(racks(tongue, (1, 7), (0, 2))))


@_BOTH
@_many
@given(data=st.data())
def test_the_first_move_across(tongue: Language, data: st.DataObject) -> None:
    _check(tongue, Board.empty(tongue.edition), data.draw(racks(tongue, (1, 7), (0, 2))))


@_BOTH
@_few
@given(data=st.data())
def test_the_first_move_in_any_direction(tongue: Language, data: st.DataObject) -> None:
    rack = data.draw(racks(tongue, (1, 7), (0, 2)))
    _check(tongue, Board.empty(tongue.edition), rack, first_word_across=False)


@pytest.mark.parametrize(
    ("size", "largest_play", "bonuses"),
    [
        (8, 7, STANDARD_BONUSES),
        (8, 8, {7: 50, 8: 75}),
        (9, 9, {7: 50, 8: 75, 9: 100}),
        (9, 7, STANDARD_BONUSES),
        (7, 5, {5: 20, 3: 7}),
        (7, 1, {}),
    ],
)
@_BOTH
@_few
@given(data=st.data())
def test_formulas_with_other_racks_plays_and_bonuses(
    tongue: Language, size: int, largest_play: int, bonuses: Mapping[int, int], data: st.DataObject
) -> None:
    rack = data.draw(racks(tongue, (size, size), (0, 1)))
    _check(tongue, data.draw(boards(tongue)), rack, largest_play=largest_play, bonuses=bonuses)
