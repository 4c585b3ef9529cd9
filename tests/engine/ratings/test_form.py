from __future__ import annotations

import statistics
from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from engine.ratings.form import compute_form, round_root


def test_the_spread_is_the_root_of_the_mean_squared_difference() -> None:
    """The example of the textbooks: 2, 4, 4, 4, 5, 5, 7, 9 have the mean 5 and the standard deviation 2."""
    form = compute_form([(points, 100) for points in (2, 4, 4, 4, 5, 5, 7, 9)])
    assert form is not None
    assert (form.percent, form.spread) == (Decimal("5.0"), Decimal("2.0"))


@given(st.lists(st.tuples(st.integers(0, 1200), st.integers(1, 1200)), min_size=2, max_size=30), st.integers(2, 25))
def test_the_form_is_that_of_the_last_games(games: list[tuple[int, int]], last: int) -> None:
    percents = [Fraction(100 * points, tops) for points, tops in games][-last:]
    form = compute_form(games, last)
    assert form is not None
    assert form.spread is not None
    assert form.mean == statistics.mean(percents)
    assert abs(float(form.spread) - statistics.pstdev(map(float, percents))) < 0.0501


def test_a_single_game_has_no_spread_and_no_game_no_form() -> None:
    form = compute_form([(450, 600)])
    assert form is not None
    assert (form.percent, form.spread) == (Decimal("75.0"), None)
    assert compute_form([]) is None
    assert compute_form([(0, 0)]) is None


def test_a_root_is_rounded_half_up() -> None:
    assert round_root(Fraction(1, 400), 1) == Decimal("0.1")  # 0.05
    assert round_root(Fraction(2), 3) == Decimal("1.414")
