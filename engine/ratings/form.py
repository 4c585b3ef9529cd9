"""Form: the percent of the top of a member over the last games, and its spread. Values are exact until the last step.

The percent of a game is 100 × points / sum of tops, without handicap points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import isqrt, lcm

from engine.standings.event import round_half_up

USUAL_GAMES, MOST_GAMES = 20, 200
_DECIMALS = 1


@dataclass(frozen=True, slots=True)
class Form:
    """The mean percent of `games` games, and the standard deviation of their percents around that mean.

    Both have one decimal, half rounded up. The spread is the root of the mean squared difference (divisor `games`); it
    is None for a single game.
    """

    games: int
    mean: Fraction
    variance: Fraction

    @property
    def percent(self) -> Decimal:
        """The mean with one decimal."""
        return round_half_up(self.mean, _DECIMALS)

    @property
    def spread(self) -> Decimal | None:
        """The standard deviation with one decimal."""
        return round_root(self.variance, _DECIMALS) if self.games > 1 else None


def compute_form(games: Sequence[tuple[int, int]], last: int = USUAL_GAMES) -> Form | None:
    """Compute the form over the `last` of these games, given in their order as (points, sum of tops).

    Games without tops are left out. None without a game.
    """
    counted = [(points, tops) for points, tops in games if tops][-last:]
    if not counted:
        return None
    number, common = len(counted), lcm(*(tops for _points, tops in counted))
    parts = [points * (common // tops) for points, tops in counted]  # shares of the top, in units of 1 / common
    total, squares = sum(parts), sum(part * part for part in parts)
    mean = Fraction(100 * total, number * common)
    variance = Fraction(100**2 * (number * squares - total * total), (number * common) ** 2)
    return Form(number, mean, variance)


def round_root(square: Fraction, decimals: int) -> Decimal:
    """Return the square root with this number of decimals, half rounded up, computed with whole numbers only."""
    doubled = isqrt(4 * 10 ** (2 * decimals) * square.numerator // square.denominator)
    return Decimal((doubled + 1) // 2).scaleb(-decimals)
