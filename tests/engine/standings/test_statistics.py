from __future__ import annotations

from decimal import Decimal
from itertools import pairwise
from random import Random

import pytest

from engine.board.board import Board
from engine.board.coordinates import Notation, parse_reference
from engine.standings.statistics import (
    HistogramBin,
    PlayedMove,
    TurnRecord,
    TurnStatistics,
    compute_turn_statistics,
    hardest_turns,
    most_played_moves,
    percent_histogram,
    points_histogram,
    running_totals,
    tile_heat_map,
)
from engine.tiles.edition import load_edition

EMPTY = ["." * 15] * 15


def facts(
    number: int = 1, top: int = 22, points: dict[int, int] | None = None, moves: tuple[PlayedMove, ...] = ()
) -> TurnRecord:
    return TurnRecord(number, "ACNOORT", EMPTY, top, PlayedMove("CORNO", "8D", 22, 3), points or {}, moves)


def test_the_figures_of_a_turn_are_those_counted_by_hand() -> None:
    turn = compute_turn_statistics(facts(points={22: 3, 10: 1, 0: 2}))
    assert (turn.players, turn.on_top, turn.zeros) == (6, 3, 2)
    assert turn.top_share == Decimal("50.0")
    assert turn.mean == Decimal("12.7")  # 76 / 6
    assert turn.percent == Decimal("57.6")  # 76 / 132


def test_a_turn_in_which_nothing_could_be_had_has_no_percent_and_nobody_on_the_top() -> None:
    turn = compute_turn_statistics(facts(top=0, points={0: 4}))
    assert (turn.percent, turn.on_top, turn.spread) == (None, 0, ())
    assert compute_turn_statistics(facts(points={})).mean is None


@pytest.mark.parametrize("seed", range(20))
def test_every_player_is_in_exactly_one_step_of_the_spread(seed: int) -> None:
    rng = Random(seed)  # noqa: S311
    top = rng.randrange(1, 180)
    points = {rng.randrange(0, top + 1): rng.randrange(1, 9) for _ in range(30)}
    bins = points_histogram(points, top)
    assert sum(each.players for each in bins) == sum(points.values())
    assert bins[0] == HistogramBin(0, 0, points.get(0, 0))
    assert (bins[-1].low, bins[-1].players) == (top, points.get(top, 0))
    assert len(bins) <= 10
    assert all(before.high + 1 == after.low for before, after in pairwise(bins))


def test_percents_are_counted_in_steps_of_five_and_all_tops_belong_to_the_last() -> None:
    bins = percent_histogram([Decimal(percent) for percent in ("100", "97", "94.9", "80")])
    assert [(each.low, each.players) for each in bins] == [(80, 1), (85, 0), (90, 1), (95, 2)]
    assert percent_histogram([]) == ()


def figures(number: int, percent: str | None) -> TurnStatistics:
    value = None if percent is None else Decimal(percent)
    return TurnStatistics(number, "", 10, None, 2, 0, 0, value, value, (), ())


def test_the_hardest_turn_comes_first_and_the_earlier_one_of_equals() -> None:
    turns = [figures(1, "50"), figures(2, "20"), figures(3, None), figures(4, "20"), figures(5, "90")]
    assert [turn.number for turn in hardest_turns(turns, 3)] == [2, 4, 1]


def test_of_each_turn_only_its_most_played_move_counts_among_those_of_the_game() -> None:
    one = compute_turn_statistics(facts(1, moves=(PlayedMove("CORNO", "8D", 22, 5), PlayedMove("ORCO", "8D", 9, 4))))
    two = compute_turn_statistics(facts(2, moves=(PlayedMove("TRONCO", "8C", 20, 7),)))
    assert most_played_moves([one, two], 9) == ((2, two.words[0]), (1, one.words[0]))


def test_only_squares_that_a_move_fills_get_warm() -> None:
    italian = load_edition("it")
    board = Board.empty(italian).with_word(parse_reference("8D", Notation.NUMBER_FIRST), italian.parse_word("CORNO"))
    turn = TurnRecord(2, "", board.rows, 9, None, {}, (PlayedMove("CORNI", "D8", 9, 4), PlayedMove("???", "8H", 1, 9)))
    heat = tile_heat_map([turn], italian, Notation.NUMBER_FIRST)
    warm = {(row, col): heat[row][col] for row in range(15) for col in range(15) if heat[row][col]}
    assert warm == {(row, 3): 4 for row in range(8, 12)}


def test_a_turn_that_somebody_missed_adds_nothing() -> None:
    assert running_totals({1: 10, 3: 5}, (1, 2, 3)) == (10, 10, 15)
