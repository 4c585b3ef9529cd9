"""Series and handicaps that follow from ratings. A person decides: these are proposals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import floor

MOST_GROUPS = 26


def propose_by_limits(values: Mapping[int, Fraction], limits: Sequence[tuple[str, Fraction]]) -> dict[int, str]:
    """Return the series of each player: the first of `limits` (series, least value), best first, that they reach.

    A player below all limits gets the last series.
    """
    return {
        player: next((name for name, least in limits if value >= least), limits[-1][0])
        for player, value in values.items()
    }


def propose_equal_groups(values: Mapping[int, Fraction], names: Sequence[str]) -> dict[int, str]:
    """Return the series of each player if the players, best first, are divided into groups of equal size.

    Where that is not possible, the first groups have one player more. Players of equal value stay together, in the
    better group.
    """
    order = sorted(values, key=lambda player: (-values[player], player))
    size, larger = divmod(len(order), len(names))
    proposed: dict[int, str] = {}
    at = 0
    for number, name in enumerate(names):
        for player in order[at : at + size + (number < larger)]:
            proposed[player] = name
        at += size + (number < larger)
    first_of_value = {values[player]: proposed[player] for player in reversed(order)}
    return {player: first_of_value[values[player]] for player in order}


def propose_handicaps(percents: Mapping[str, Sequence[Fraction]], share: int) -> dict[str, int]:
    """Return the handicap of each series in percent of the tops.

    It is `share` percent of the difference between the mean percent of its players and that of the best series, half
    rounded up. Series without a known percent are left out.
    """
    means = {name: sum(each, Fraction(0)) / len(each) for name, each in percents.items() if each}
    best = max(means.values(), default=Fraction(0))
    return {name: floor((best - mean) * share / 100 + Fraction(1, 2)) for name, mean in means.items()}
