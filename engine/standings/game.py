"""Standings of one game: totals, negative, percent, ranks 1, 1, 3 and tie-breakers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby

from engine.rules.profile import Profile

Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnResult:
    """Result of a player in a turn. `points` include penalty (subtracted) and bonus."""

    turn: int
    points: int
    warnings: int = 0
    penalty: int = 0
    solo: bool = False
    bonus: int = 0

    @property
    def move_points(self) -> int:
        """The points of the move alone, before penalty and bonus."""
        return self.points + self.penalty - self.bonus


@dataclass(frozen=True, slots=True)
class Standing:
    """Line of a player. `negative` = total - sum of tops; `warnings`, `penalties` and `solos` are counts.

    A disqualified player has no rank.
    """

    rank: int | None
    table: int
    total: int
    negative: int
    percent: Decimal
    warnings: int
    penalties: int
    solos: int

    def as_json(self) -> dict[str, int | float | None]:
        """Return the line in the form of the archive."""
        return {
            "rank": self.rank,
            "table": self.table,
            "total": self.total,
            "negative": self.negative,
            "percent": float(self.percent),
            "warnings": self.warnings,
            "penalties": self.penalties,
            "solos": self.solos,
        }


def standings(
    results: Mapping[int, Sequence[TurnResult]],
    tops: Sequence[int],
    profile: Profile,
    disqualified: Collection[int] = (),
) -> list[Standing]:
    """Compute the standings of one game, best first; players of equal rank by table, the `disqualified` last.

    `results` by table; turns that a player missed are left out. `tops` are the tops of turn 1, 2 ... In one game all
    values of `ranking` (total, percent, average percent, ranking points) give the order of the totals; they differ
    only over several games. `ranking_ties` breaks ties in its order; players who are still equal share the rank.
    """
    keys = {table: _key(played, tops, profile) for table, played in results.items()}
    ranked = [table for table in results if table not in disqualified]
    tables = sorted(ranked, key=lambda table: ([-number for number in keys[table]], table))
    lines: list[Standing] = []
    for _, equals in groupby(tables, key=keys.__getitem__):
        rank = len(lines) + 1
        lines.extend(_line(rank, table, results[table], sum(tops)) for table in equals)
    out = sorted(table for table in results if table in disqualified)
    return lines + [_line(None, table, results[table], sum(tops)) for table in out]


def percent(total: int, sum_of_tops: int) -> Decimal:
    """Return 100 x total / sum of tops, one decimal, half up; 0.0 if the sum of tops is 0."""
    exact = Decimal(100 * total) / Decimal(sum_of_tops) if sum_of_tops else Decimal(0)
    return exact.quantize(Decimal("0.1"), rounding=ROUND_HALF_UP)


def _line(rank: int | None, table: int, played: Sequence[TurnResult], sum_of_tops: int) -> Standing:
    total = sum(result.points for result in played)
    return Standing(
        rank=rank,
        table=table,
        total=total,
        negative=total - sum_of_tops,
        percent=percent(total, sum_of_tops),
        warnings=sum(result.warnings for result in played),
        penalties=sum(result.penalty > 0 for result in played),
        solos=sum(result.solo for result in played),
    )


def _key(played: Sequence[TurnResult], tops: Sequence[int], profile: Profile) -> Key:
    """Return the sort key of a player, greatest first; equal keys share a rank."""
    total = sum(result.points for result in played)
    return (total, *(number for code in profile.ranking_ties for number in _TIE_BREAKERS[code](played, tops)))


def points_from_last_turn(played: Sequence[TurnResult], turns: int) -> list[int]:
    """Return the points of each turn, the last one first; 0 for a turn without a slip."""
    points = {result.turn: result.points for result in played}
    return [points.get(turn, 0) for turn in range(turns, 0, -1)]


def tops_found(played: Sequence[TurnResult], tops: Sequence[int]) -> int:
    """Count the tops that the player found, regardless of penalty and bonus."""
    return sum(result.move_points == tops[result.turn - 1] > 0 for result in played)


def best_move(played: Sequence[TurnResult]) -> int:
    """Return the points of the player's best move."""
    return max((result.move_points for result in played), default=0)


# In a single game the result of the last game equals the total, so it cannot break a tie.
_TIE_BREAKERS: Mapping[str, Callable[[Sequence[TurnResult], Sequence[int]], Sequence[int]]] = {
    "last_game": lambda played, tops: (),
    "last_move_backwards": lambda played, tops: points_from_last_turn(played, len(tops)),
    "tops_found": lambda played, tops: (tops_found(played, tops),),
    "best_move": lambda played, tops: (best_move(played),),
}
