"""Ranking points: the scales and the example that the Romanian federation prints, then what every scale has."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.standings.ranking_points import points_scale, ranking_points

PRINTED_FOR_14 = (606, 438, 370, 317, 273, 235, 201, 169, 141, 114, 88, 64, 42, 20)
PRINTED_HEAD_FOR_100 = (1000, 859, 801, 757, 720, 688, 659, 632, 608, 585)


def test_the_scale_for_fourteen_is_the_printed_one() -> None:
    assert points_scale(14) == PRINTED_FOR_14


def test_the_first_ten_places_of_a_hundred_are_the_printed_ones() -> None:
    assert points_scale(100)[:10] == PRINTED_HEAD_FOR_100


def test_four_winners_of_fourteen_get_the_432_of_the_printed_example() -> None:
    points = ranking_points({table: 1 if table <= 4 else table for table in range(1, 15)})
    assert [points[table] for table in (1, 2, 3, 4, 5, 14)] == [432, 432, 432, 432, 273, 20]


def test_fewer_than_ten_are_counted_as_ten_and_more_than_a_hundred_as_a_hundred() -> None:
    assert ranking_points({7: 1, 3: 2}) == {7: points_scale(10)[0], 3: points_scale(10)[1]}
    crowd = ranking_points({table: table for table in range(1, 131)})
    assert (crowd[1], crowd[10], crowd[101], crowd[130]) == (1000, 585, 0, 0)


@pytest.mark.parametrize("participants", [10, 11, 28, 47, 66, 85, 99, 100])
def test_every_scale_falls_from_place_to_place_and_is_worth_the_same_a_head(participants: int) -> None:
    points = points_scale(participants)
    assert len(points) == participants
    assert all(better >= worse + (participants < 90) for better, worse in pairwise(points))
    assert min(points) >= 0
    assert sum(points) / participants == pytest.approx(sum(points_scale(100)) / 100, abs=0.5)


@given(st.lists(st.integers(0, 12), min_size=1, max_size=40))
def test_shared_places_share_what_these_places_are_worth(totals: list[int]) -> None:
    ranks = {table: 1 + sum(other > total for other in totals) for table, total in enumerate(totals)}
    points = ranking_points(ranks)
    given_out, worth = sum(points.values()), sum(points_scale(len(totals))[: len(totals)])
    assert worth - len(totals) < given_out <= worth
    for table, rank in ranks.items():
        assert all(points[other] <= points[table] for other, theirs in ranks.items() if theirs > rank)
