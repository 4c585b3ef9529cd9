"""Ranking points of the Romanian federation: what a place is worth, by the number of participants.

Source: frsc1.fortunecity.ws/arf-scari.htm and regfr-probe.htm. They print the scale for 14 participants and the first
ten places for 100, not the rule behind them. Both follow, to the last point, from one curve: a place drops along a
quarter of a circle, `drop(k) = sqrt(1 - (1 - (k - 1) / 100)^2)`; the place after the last one is worth nothing; and in
every scale a place is worth the same on average as in that for 100, whose winner has 1000. The other scales are taken
from this curve.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache

LEAST, MOST = 10, 100
WINNER_OF_MOST = 1000


@cache
def scale(participants: int) -> tuple[int, ...]:
    """The points of place 1, 2 ... among so many; fewer than 10 count as 10, more than 100 as 100."""
    size = max(LEAST, min(participants, MOST))
    with localcontext() as context:
        context.prec = 50
        shape, whole = _shape(size), _shape(MOST)
        winner = WINNER_OF_MOST * (sum(whole, Decimal(0)) / MOST) / (sum(shape, Decimal(0)) / size)
        return tuple(int((winner * part).quantize(Decimal(1), rounding=ROUND_HALF_UP)) for part in shape)


def ranking_points(ranks: Mapping[int, int]) -> dict[int, int]:
    """What everybody gets for his rank (1, 1, 3) in a game, by table; those in `ranks` are the participants.

    Shared places get the average of what they are worth. It is rounded down, as in the federation's own example:
    (606 + 438 + 370 + 317) / 4 = 432. A place after the hundredth is worth nothing.
    """
    points, shared = scale(len(ranks)), Counter(ranks.values())
    worth = {rank: sum(points[rank - 1 : rank - 1 + size]) // size for rank, size in shared.items()}
    return {table: worth[rank] for table, rank in ranks.items()}


def _shape(size: int) -> list[Decimal]:
    """The scale for so many as parts of what the winner gets."""
    lowest = _drop(size + 1)
    return [1 - _drop(place) / lowest for place in range(1, size + 1)]


def _drop(place: int) -> Decimal:
    along = Decimal(place - 1) / MOST
    return (along * (2 - along)).sqrt()
