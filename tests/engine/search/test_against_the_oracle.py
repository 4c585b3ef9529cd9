"""The search finds exactly what trying every word at every place finds: moves, scores, tops; in every edition."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from engine.board import Board
from engine.scoring import STANDARD_BONUSES, score
from engine.search.solver import Solver
from engine.tiles import Tiles
from tests.engine.oracle import all_moves
from tests.engine.search.positions import (
    LANGUAGES,
    Language,
    examples,
    full_boards,
    language,
    played_boards,
    racks,
    scattered_boards,
    split_boards,
)

every_language = pytest.mark.parametrize("code", LANGUAGES)
SCORED = 12
"""So many moves of a position, from the best to the worst, are counted by `engine.scoring` as well."""


def _check(
    tongue: Language,
    board: Board,
    rack: Tiles,
    *,
    bonuses: Mapping[int, int] = STANDARD_BONUSES,
    largest_play: int = 7,
    first_word_across: bool = True,
    premiums_again: bool = False,
) -> None:
    """Ranked, best, has_move and the score of a move agree with the oracle."""
    # A failure shows the position as `python -m engine solve` reads it.
    note(json.dumps({"board": board.rows, "rack": rack.text}, ensure_ascii=False))
    expected = all_moves(
        tongue.words,
        board,
        rack,
        bonuses=bonuses,
        largest_play=largest_play,
        first_word_across=first_word_across,
        premiums_again=premiums_again,
    )
    solver = Solver(
        tongue.lexicon,
        bonuses=bonuses,
        largest_play=largest_play,
        first_word_across=first_word_across,
        premiums_again=premiums_again,
    )
    ranked = solver.ranked(board, rack)
    found = list(ranked)
    assert [move.score for move in found] == [move.score for move in expected]
    assert len(set(found)) == len(found)
    assert set(found) == set(expected)
    top = expected[0].score if expected else 0
    tops = {move for move in expected if move.score == top}
    best = solver.best(board, rack)
    assert (set(best), len(best)) == (tops, len(tops))
    assert ranked.tops == best
    assert (ranked.count, ranked.sum_of_scores, ranked.top) == (len(expected), sum(m.score for m in expected), top)
    assert solver.has_move(board, rack) == bool(expected)
    for move in expected[:: len(expected) // SCORED + 1]:
        assert score(board, move.reference, move.word, bonuses, premiums_again=premiums_again) == move.score


@every_language
@examples(30)
@given(data=st.data())
def test_racks_without_a_blank(code: str, data: st.DataObject) -> None:
    tongue = language(code)
    _check(tongue, data.draw(scattered_boards(tongue)), data.draw(racks(tongue, (1, 7), (0, 0))))


@every_language
@examples(20)
@given(data=st.data())
def test_premiums_that_count_again_by_a_house_rule(code: str, data: st.DataObject) -> None:
    """Box rules, home variants: the premiums under tiles that lie already count for later words."""
    tongue = language(code)
    board = data.draw(st.one_of(scattered_boards(tongue), played_boards(tongue)))
    _check(tongue, board, data.draw(racks(tongue, (1, 7), (0, 1))), premiums_again=True)


@every_language
@examples(20)
@given(data=st.data())
def test_racks_with_one_or_two_blanks(code: str, data: st.DataObject) -> None:
    tongue = language(code)
    _check(tongue, data.draw(scattered_boards(tongue)), data.draw(racks(tongue, (2, 7), (1, 2))))


@every_language
@examples(8)
@given(data=st.data())
def test_racks_with_three_to_five_blanks(code: str, data: st.DataObject) -> None:
    tongue = language(code, "few")
    _check(tongue, data.draw(scattered_boards(tongue, most_words=4)), data.draw(racks(tongue, (3, 7), (3, 5))))


@every_language
@examples(30)
@given(data=st.data())
def test_boards_from_games(code: str, data: st.DataObject) -> None:
    tongue = language(code)
    _check(tongue, data.draw(played_boards(tongue)), data.draw(racks(tongue, (7, 7), (0, 1))))


@every_language
@examples(30)
@given(data=st.data())
def test_the_end_of_a_game_with_one_to_three_tiles(code: str, data: st.DataObject) -> None:
    tongue = language(code)
    _check(tongue, data.draw(played_boards(tongue, turns=(10, 30))), data.draw(racks(tongue, (1, 3), (0, 2))))


@every_language
@examples(15)
@given(data=st.data())
def test_crowded_boards(code: str, data: st.DataObject) -> None:
    tongue = language(code)
    _check(tongue, data.draw(scattered_boards(tongue, most_words=25)), data.draw(racks(tongue, (1, 7), (0, 2))))


@every_language
@examples(15)
@given(data=st.data())
def test_boards_with_only_a_few_squares_left(code: str, data: st.DataObject) -> None:
    tongue = language(code)
    _check(tongue, data.draw(full_boards(tongue)), data.draw(racks(tongue, (1, 7), (0, 2))))


@every_language
@examples(25)
@given(data=st.data())
def test_boards_in_parts_that_do_not_touch(code: str, data: st.DataObject) -> None:
    tongue = language(code)
    _check(tongue, data.draw(split_boards(tongue)), data.draw(racks(tongue, (1, 7), (0, 1))))


@every_language
@examples(25)
@given(data=st.data())
def test_the_first_move_across(code: str, data: st.DataObject) -> None:
    tongue = language(code)
    _check(tongue, Board.empty(tongue.edition), data.draw(racks(tongue, (1, 7), (0, 3))))


@every_language
@examples(15)
@given(data=st.data())
def test_the_first_move_in_any_direction(code: str, data: st.DataObject) -> None:
    tongue = language(code)
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
    ids=["7 of 8", "7 and 8", "7, 8 and 9", "7 of 9", "at most 5", "single tiles"],
)
@every_language
@examples(5)
@given(data=st.data())
def test_formulas_with_other_racks_plays_and_bonuses(
    code: str, size: int, largest_play: int, bonuses: Mapping[int, int], data: st.DataObject
) -> None:
    tongue = language(code)
    board = data.draw(st.one_of(scattered_boards(tongue), played_boards(tongue)))
    _check(tongue, board, data.draw(racks(tongue, (size, size), (0, 1))), largest_play=largest_play, bonuses=bonuses)
