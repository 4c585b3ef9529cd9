"""Ranking points of the Romanian federation, by rank and number of participants.

Source: frsc1.fortunecity.ws/arf-scari.htm and regfr-probe.htm. They print the scale for 14 participants and the first
ten ranks for 100, but not the variant. Both scales follow exactly from one curve, a quarter of a circle:
`drop(k) = sqrt(1 - (1 - (k - 1) / 100)^2)`; the rank after the last one has 0 points; and the average points per rank
are the same in every scale as in that for 100, whose winner has 1000. The other scales are computed from this curve.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache

LEAST, MOST = 10, 100
WINNER_OF_MOST = 1000


@cache
def points_scale(participants: int) -> tuple[int, ...]:
    """Return the points of rank 1, 2 ...; fewer than 10 participants count as 10, more than 100 as 100."""
    size = max(LEAST, min(participants, MOST))
    with localcontext() as context:
        context.prec = 50
        shape, whole = _shape(size), _shape(MOST)
        winner = WINNER_OF_MOST * (sum(whole, Decimal(0)) / MOST) / (sum(shape, Decimal(0)) / size)
        return tuple(int((winner * part).quantize(Decimal(1), rounding=ROUND_HALF_UP)) for part in shape)


def ranking_points(ranks: Mapping[int, int]) -> dict[int, int]:
    """Return the ranking points of a game by table, from the ranks (1, 1, 3) of all participants.

    Players who share a rank get the average points of the ranks that they take, rounded down as in the federation's own
    example: (606 + 438 + 370 + 317) / 4 = 432. Ranks after the hundredth have 0 points.
    """
    points, shared = points_scale(len(ranks)), Counter(ranks.values())
    averages = {rank: sum(points[rank - 1 : rank - 1 + size]) // size for rank, size in shared.items()}
    return {table: averages[rank] for table, rank in ranks.items()}


def _shape(size: int) -> list[Decimal]:
    """Return the scale for `size` participants as fractions of the winner's points."""
    lowest = _drop(size + 1)
    return [1 - _drop(place) / lowest for place in range(1, size + 1)]


def _drop(place: int) -> Decimal:
    along = Decimal(place - 1) / MOST
    return (along * (2 - along)).sqrt()
