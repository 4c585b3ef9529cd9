from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from engine.ratings.proposals import propose_by_limits, propose_equal_groups, propose_handicaps


def test_a_limit_belongs_to_the_better_series() -> None:
    values = {1: Fraction(80), 2: Fraction(75), 3: Fraction(749, 10), 4: Fraction(10)}
    limits = [("A", Fraction(75)), ("B", Fraction(60)), ("C", Fraction(40))]
    assert propose_by_limits(values, limits) == {1: "A", 2: "A", 3: "B", 4: "C"}


def test_seven_players_in_three_groups_are_three_two_and_two() -> None:
    values = {player: Fraction(100 - player) for player in range(7)}
    assert list(propose_equal_groups(values, "ABC").values()) == list("AAABBCC")


@given(st.dictionaries(st.integers(1, 40), st.integers(0, 9).map(Fraction), max_size=40), st.integers(1, 6))
def test_nobody_is_in_a_better_group_than_somebody_with_more(values: dict[int, Fraction], groups: int) -> None:
    proposed = propose_equal_groups(values, "ABCDEF"[:groups])
    assert proposed.keys() == values.keys()
    for one in values:
        for other in values:
            if values[one] >= values[other]:
                assert proposed[one] <= proposed[other]


def test_a_handicap_is_a_share_of_the_difference_to_the_best_series() -> None:
    percents = {"A": [Fraction(80), Fraction(84)], "B": [Fraction(65)], "": [Fraction(1)], "C": []}
    assert propose_handicaps(percents, 50) == {"A": 0, "B": 9, "": 41}
