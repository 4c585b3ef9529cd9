"""Ranking of a season from the results of its counting events. Values are exact; they are rounded for display only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.seasons.ranking_rule import RankingRule, TieBreak
from engine.standings.event import assign_ranks
from engine.standings.ranking_points import ranking_points


@dataclass(frozen=True, slots=True)
class MemberResult:
    """Result of a member in an event. `rank` is None for a disqualified player; `tops` is the sum of tops."""

    member: int
    rank: int | None
    points: int
    tops: int
    solos: int = 0

    @property
    def percent(self) -> Fraction:
        """Percent of the sum of tops, exact."""
        return Fraction(100 * self.points, self.tops) if self.tops else Fraction(0)


@dataclass(frozen=True, slots=True)
class SeasonEventResults:
    """A counting event: the results of the members who played, and the ranks of all its ranked players, members or
    not, by which the scale of ranking points is computed."""

    event: int
    results: Sequence[MemberResult]
    ranks: Sequence[int]


@dataclass(frozen=True, slots=True)
class EventValue:
    """Value of one event for a member; `counts` is False for one that is not among the best."""

    event: int
    value: Fraction
    counts: bool


@dataclass(frozen=True, slots=True)
class RankingLine:
    """A member in the ranking. `rank` is None below the minimum of events; `bonus` is part of `value`."""

    member: int
    rank: int | None
    value: Fraction
    bonus: int
    events: tuple[EventValue, ...]


def rank_members(
    events: Sequence[SeasonEventResults], rule: RankingRule, groups: Mapping[int, str] | None = None
) -> tuple[RankingLine, ...]:
    """Rank the members over events given in their order, best first, those without a rank last.

    `groups` are the group of each member where the rule has a grouping; members without a group are left out.
    """
    played: dict[int, list[tuple[SeasonEventResults, MemberResult, Fraction]]] = {}
    for event in events:
        scale = _scale(event) if rule.measure == "scale" else {}
        for result in event.results:
            played.setdefault(result.member, []).append((event, result, _event_value(result, rule, scale)))
    lines, keys = {}, {}
    last = events[-1].event if events else None
    for member, rows in played.items():
        values = _choose_best([(event.event, value) for event, _, value in rows], rule.best)
        bonus = rule.bonus * len(rows)
        value = _combined([each.value for each in values if each.counts], rule) + bonus
        lines[member] = RankingLine(member, None, value, bonus, values)
        results = [(event.event, result, value) for event, result, value in rows]
        keys[member] = (value, *(_tie_key(tie, results, last) for tie in rule.ties))
    return _ranked(lines, keys, rule, groups)


def _ranked(
    lines: Mapping[int, RankingLine],
    keys: Mapping[int, tuple[Fraction | int, ...]],
    rule: RankingRule,
    groups: Mapping[int, str] | None,
) -> tuple[RankingLine, ...]:
    """Give ranks, within each group where the rule has a grouping."""
    group_of = {member: (groups or {}).get(member, "") if rule.grouping else "all" for member in lines}
    ranks: dict[int, int] = {}
    for group in sorted(set(group_of.values()) - {""}):
        enough = {
            member: key
            for member, key in keys.items()
            if group_of[member] == group and len(lines[member].events) >= rule.minimum
        }
        ranks |= assign_ranks(enough)
    listed = [member for member in lines if group_of[member]]
    listed.sort(key=lambda member: (group_of[member], member not in ranks, ranks.get(member, 0), member))
    return tuple(replace(lines[member], rank=ranks.get(member)) for member in listed)


def _scale(event: SeasonEventResults) -> dict[int, int]:
    """Return the ranking points of each rank of the event."""
    by_player = dict(enumerate(event.ranks))
    return {by_player[player]: points for player, points in ranking_points(by_player).items()}


def _event_value(result: MemberResult, rule: RankingRule, scale: Mapping[int, int]) -> Fraction:
    if rule.measure == "points":
        return Fraction(result.points)
    if rule.measure == "percent":
        return result.percent
    if result.rank is None:
        return Fraction(0)
    if rule.measure == "scale":
        return Fraction(scale[result.rank])
    return Fraction(rule.table[result.rank - 1] if result.rank <= len(rule.table) else 0)


def _choose_best(values: Sequence[tuple[int, Fraction]], best: int | None) -> tuple[EventValue, ...]:
    """Mark the `best` greatest values; of equal ones the earlier event counts."""
    order = sorted(range(len(values)), key=lambda at: -values[at][1])
    chosen = set(order if best is None else order[:best])
    return tuple(EventValue(event, value, at in chosen) for at, (event, value) in enumerate(values))


def _combined(values: Sequence[Fraction], rule: RankingRule) -> Fraction:
    total = sum(values, Fraction(0))
    return total / len(values) if rule.combination == "mean" and values else total


def _tie_key(tie: TieBreak, rows: Sequence[tuple[int, MemberResult, Fraction]], last: int | None) -> Fraction | int:
    """Return the value of a tie-break; the greater one wins."""
    if tie == "events":
        return len(rows)
    if tie == "first_places":
        return sum(result.rank == 1 for _, result, _ in rows)
    if tie == "best_event":
        return max(value for _, _, value in rows)
    if tie == "solos":
        return sum(result.solos for _, result, _ in rows)
    if tie == "last_event":
        return next((value for event, _, value in rows if event == last), Fraction(-1))
    points, tops = sum(result.points for _, result, _ in rows), sum(result.tops for _, result, _ in rows)
    return Fraction(100 * points, tops) if tops else Fraction(0)
