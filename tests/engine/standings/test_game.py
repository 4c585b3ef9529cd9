from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.rules.profile import load_profile
from engine.standings.game import Standing, TurnResult, percent, standings

BOX = load_profile("it-box")


def played(*points: int, first: int = 1) -> list[TurnResult]:
    return [TurnResult(turn, number) for turn, number in enumerate(points, first)]


def order(lines: Sequence[Standing]) -> list[tuple[int | None, int]]:
    """(rank, table) from the first to the last."""
    return [(line.rank, line.table) for line in lines]


def test_the_highest_total_wins_and_equal_totals_share_the_rank() -> None:
    lines = standings({4: played(20, 30), 9: played(50, 0), 2: played(10, 10), 7: played(60, 20)}, [60, 40], BOX)
    assert order(lines) == [(1, 7), (2, 4), (2, 9), (4, 2)]


def test_two_first_players_are_followed_by_a_third() -> None:
    lines = standings({3: played(10), 1: played(10), 2: played(5)}, [10], BOX)
    assert order(lines) == [(1, 1), (1, 3), (3, 2)]


def test_negative_and_percent_are_measured_on_the_sum_of_the_tops() -> None:
    (line,) = standings({1: played(22, 0, 74)}, [30, 50, 74], BOX)
    assert (line.total, line.negative, line.percent) == (96, -58, Decimal("62.3"))


def test_a_bonus_can_lift_a_player_above_the_top() -> None:
    (line,) = standings({1: [TurnResult(1, 84, bonus=10, solo=True)]}, [74], BOX)
    assert (line.negative, line.percent, line.solos) == (10, Decimal("113.5"), 1)


@pytest.mark.parametrize(
    ("total", "tops", "shown"),
    [
        (1, 8, "12.5"),
        (1, 16, "6.3"),
        (3, 16, "18.8"),
        (1, 2000, "0.1"),
        (1, 2001, "0.0"),
        (0, 0, "0.0"),
        (7, 7, "100.0"),
    ],
)
def test_percent_has_one_decimal_half_up(total: int, tops: int, shown: str) -> None:
    assert str(percent(total, tops)) == shown


def test_warnings_penalties_and_solos_are_counted() -> None:
    results = [
        TurnResult(1, 20, warnings=2),
        TurnResult(2, 15, warnings=1, penalty=5),
        TurnResult(3, 70, solo=True),
        TurnResult(4, 0, penalty=0),
    ]
    (line,) = standings({1: results}, [30, 30, 70, 40], BOX)
    assert (line.warnings, line.penalties, line.solos) == (3, 1, 1)


def test_a_late_comer_is_measured_on_all_tops_and_a_player_without_a_turn_has_nothing() -> None:
    lines = standings({1: played(30, first=3), 2: []}, [10, 20, 30], BOX)
    assert order(lines) == [(1, 1), (2, 2)]
    assert lines[0].percent == Decimal("50.0")
    assert (lines[1].total, lines[1].negative, lines[1].percent) == (0, -60, Decimal("0.0"))


def test_before_the_first_turn_all_are_first_with_nothing() -> None:
    lines = standings({2: [], 1: []}, [], BOX)
    assert order(lines) == [(1, 1), (1, 2)]
    assert lines[0].percent == Decimal("0.0")


@pytest.mark.parametrize("ranking", ["total", "percent", "average_percent", "ranking_points"])
def test_in_one_game_every_ranking_ranks_alike_even_where_percents_round_alike(ranking: str) -> None:
    profile = BOX.with_switches(ranking=ranking)
    lines = standings({1: played(1000), 2: played(1001)}, [9999], profile)
    assert order(lines) == [(1, 2), (2, 1)]
    assert lines[0].percent == lines[1].percent


TIED = {1: played(10, 0, 30), 2: played(0, 10, 30), 3: played(20, 20, 0), 4: played(10, 10, 20)}
TOPS = [20, 20, 30]


@pytest.mark.parametrize(
    ("ties", "ranks"),
    [
        ([], [(1, 1), (1, 2), (1, 3), (1, 4)]),
        (["last_game"], [(1, 1), (1, 2), (1, 3), (1, 4)]),
        (["last_move_backwards"], [(1, 2), (2, 1), (3, 4), (4, 3)]),
        (["tops_found"], [(1, 3), (2, 1), (2, 2), (4, 4)]),
        (["best_move"], [(1, 1), (1, 2), (3, 3), (3, 4)]),
        (["tops_found", "last_move_backwards"], [(1, 3), (2, 2), (3, 1), (4, 4)]),
        (["best_move", "tops_found"], [(1, 1), (1, 2), (3, 3), (4, 4)]),
    ],
)
def test_ties_are_broken_as_the_profile_says(ties: list[str], ranks: list[tuple[int, int]]) -> None:
    assert order(standings(TIED, TOPS, BOX.with_switches(ranking_ties=ties))) == ranks


def test_a_top_counts_as_found_whatever_penalty_and_bonus_made_of_it() -> None:
    results = {
        1: [TurnResult(1, 25, penalty=5), TurnResult(2, 10)],
        2: [TurnResult(1, 30, bonus=5), TurnResult(2, 5)],
    }
    lines = standings(results, [30, 40], BOX.with_switches(ranking_ties=["tops_found"]))
    assert order(lines) == [(1, 1), (2, 2)]


def test_the_archive_gets_percent_as_a_number() -> None:
    (line,) = standings({1: played(22, 0, 74)}, [30, 50, 74], BOX)
    assert line.as_json() == {
        "rank": 1,
        "table": 1,
        "total": 96,
        "negative": -58,
        "percent": 62.3,
        "warnings": 0,
        "penalties": 0,
        "solos": 0,
    }


@given(st.dictionaries(st.integers(1, 500), st.lists(st.integers(0, 100), min_size=3, max_size=3), min_size=1))
def test_a_rank_is_one_more_than_the_number_of_better_players(points: dict[int, list[int]]) -> None:
    lines = standings({table: played(*three) for table, three in points.items()}, [100, 100, 100], BOX)
    totals = {table: sum(three) for table, three in points.items()}
    assert {line.table for line in lines} == set(points)
    for line in lines:
        assert line.rank == 1 + sum(total > totals[line.table] for total in totals.values())
