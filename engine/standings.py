"""Who stands where: totals, negative, percent, ranks 1, 1, 3 and what breaks a tie."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from itertools import groupby

from engine.rules.profile import Profile

Key = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TurnResult:
    """What a player got in a turn. `points` are what counts: penalty taken off, bonus added."""

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
    """A player's line. `negative` = total - sum of tops; `warnings`, `penalties`, `solos` are counts. A disqualified
    player has no rank."""

    rank: int | None
    table: int
    total: int
    negative: int
    percent: Decimal
    warnings: int
    penalties: int
    solos: int

    def as_json(self) -> dict[str, int | float | None]:
        """The line as the archive holds it."""
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
    """The standings of one game, best first; players of equal rank by table. The `disqualified` come last, without a
    rank, by table.

    `results` by table, a late-comer without the turns that he missed; `tops` are the tops of turn 1, 2 ... In one game
    total, percent, average percent and ranking points (the values of `ranking`) all rank alike, by the exact total;
    they part over several games. `ranking_ties` breaks ties in its order; what is still equal shares the rank.
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
    """100 x total / sum of tops, one decimal, half up; 0.0 where nothing could be had."""
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
    """What ranks a player, greatest first; equal keys share a rank."""
    total = sum(result.points for result in played)
    return (total, *(number for code in profile.ranking_ties for number in _TIE_BREAKERS[code](played, tops)))


def points_backwards(played: Sequence[TurnResult], turns: int) -> list[int]:
    """The points of each of so many turns, the last one first; nothing for a turn without a slip."""
    points = {result.turn: result.points for result in played}
    return [points.get(turn, 0) for turn in range(turns, 0, -1)]


def tops_found(played: Sequence[TurnResult], tops: Sequence[int]) -> int:
    """How often the player had the top, whatever penalty and bonus made of it."""
    return sum(result.move_points == tops[result.turn - 1] > 0 for result in played)


def best_move(played: Sequence[TurnResult]) -> int:
    """What the player's best move was worth."""
    return max((result.move_points for result in played), default=0)


# In a single game the result of the last game says what the total says.
_TIE_BREAKERS: Mapping[str, Callable[[Sequence[TurnResult], Sequence[int]], Sequence[int]]] = {
    "last_game": lambda played, tops: (),
    "last_move_backwards": lambda played, tops: points_backwards(played, len(tops)),
    "tops_found": lambda played, tops: (tops_found(played, tops),),
    "best_move": lambda played, tops: (best_move(played),),
}
