"""Seating orders: neighbours of the same club and series."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.play.seating import ORDERS, SeatedPlayer, seat_players

CLUBS = ("Torino",) * 5 + ("Ivrea",) * 3 + ("Asti",) * 2
FIELD = [SeatedPlayer(number, "AB"[number % 2], club) for number, club in enumerate(CLUBS)]
fields = st.lists(st.sampled_from("ABCDE"), max_size=60)


def count_club_neighbours(sitters: Sequence[SeatedPlayer]) -> int:
    """Count the pairs of neighbours of the same club."""
    return sum(bool(left.club) and left.club == right.club for left, right in pairwise(sitters))


def spread(clubs: list[str] | tuple[str, ...], seed: int = 1) -> list[SeatedPlayer]:
    return seat_players([SeatedPlayer(number, "", club) for number, club in enumerate(clubs)], "spread", seed)


def test_nobody_sits_beside_somebody_of_his_club_even_if_a_club_is_half_of_the_hall() -> None:
    assert count_club_neighbours(FIELD) == 7
    assert count_club_neighbours(seat_players(FIELD, "spread", 1)) == 0


@given(fields, st.integers(0, 2**31))
def test_clubs_are_parted_whenever_that_is_possible(clubs: list[str], seed: int) -> None:
    seated = spread(clubs, seed)
    assert sorted(sitter.number for sitter in seated) == list(range(len(clubs)))
    largest = max(Counter(clubs).values(), default=0)
    if largest <= (len(clubs) + 1) // 2:
        assert count_club_neighbours(seated) == 0


def test_the_rest_of_a_club_that_is_too_large_sits_together_and_the_others_are_parted() -> None:
    seated = spread(["A"] * 8 + ["B"] * 2)
    assert count_club_neighbours(seated) == 8 - 2 - 1


def test_chance_decides_and_the_same_seed_gives_the_same_plan() -> None:
    plans = {tuple(sitter.number for sitter in seat_players(FIELD, "spread", seed)) for seed in range(20)}
    assert len(plans) > 15
    assert seat_players(FIELD, "spread", 7) == seat_players(FIELD, "spread", 7)


def test_all_clubs_are_mixed_from_the_first_table_to_the_last() -> None:
    seated = spread(["A"] * 40 + ["B"] * 40 + ["C"] * 40 + ["D"] * 40)
    assert all(len({sitter.club for sitter in seated[at : at + 20]}) == 4 for at in range(0, 160, 20))


def test_within_a_club_neighbours_are_of_different_series_where_there_is_a_choice() -> None:
    field = [SeatedPlayer(number, "AB"[number % 2], "XY"[number // 20]) for number in range(40)]
    seated = seat_players(field, "spread", 3)
    same = sum(left.series == right.series for left, right in pairwise(seated))
    assert same < 8


def test_who_has_no_club_may_sit_anywhere() -> None:
    assert len(spread([""] * 9)) == 9
    assert count_club_neighbours(spread([""] * 9)) == 0


def test_by_series_they_follow_each_other_as_listed_and_who_has_none_is_last() -> None:
    field = [SeatedPlayer(1, "B"), SeatedPlayer(2, ""), SeatedPlayer(3, "a"), SeatedPlayer(4, "B")]
    assert [sitter.number for sitter in seat_players(field, "series", 1)] == [3, 1, 4, 2]
    assert [sitter.number for sitter in seat_players(field, "list", 1)] == [1, 2, 3, 4]


@pytest.mark.parametrize("order", ORDERS)
def test_an_empty_hall_has_a_plan(order: str) -> None:
    assert seat_players([], order, 1) == []  # type: ignore[arg-type]
