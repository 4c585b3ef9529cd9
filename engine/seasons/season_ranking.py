"""Ranking of a season from the results of its counting events. Values are exact; they are rounded for display only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from engine.seasons.ranking_rule import RankingRule, TieBreak
from engine.standings.event import assign_ranks
from engine.standings.ranking_points import ranking_points

_ABSENT = Fraction(-1_000_000_000)
"""Less than the value of any event, since penalties can make points negative."""


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
    """Value of one event for a member. `counts` is False for one that is not among the best, and for one without a
    value: in a ranking by percent, an event whose sum of tops is unknown."""

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

    A member has at most one result in an event. `groups` are the group of each member where the rule has a grouping;
    members without a group are left out, and the groups are in the order of their names.
    """
    played: dict[int, list[_Played]] = {}
    for event in events:
        scale = _scale(event) if rule.measure == "scale" else {}
        for result in event.results:
            value = _event_value(result, rule, scale)
            played.setdefault(result.member, []).append(_Played(event.event, result, value))
    last = events[-1].event if events else None
    lines, keys = {}, {}
    for member, rows in played.items():
        values = _choose_best(rows, rule)
        bonus = rule.bonus * len(rows)
        value = _combined([each.value for each in values if each.counts], rule) + bonus
        lines[member] = RankingLine(member, None, value, bonus, values)
        keys[member] = (value, *(_tie_key(tie, rows, last) for tie in rule.ties))
    return _ranked(lines, keys, rule, groups)


@dataclass(frozen=True, slots=True)
class _Played:
    """An event that a member played, and its value in the ranking."""

    event: int
    result: MemberResult
    value: Fraction


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
    order = {member: at for at, member in enumerate(sorted(listed, key=lambda each: keys[each], reverse=True))}
    listed.sort(key=lambda member: (group_of[member], member not in ranks, ranks.get(member, order[member]), member))
    return tuple(replace(lines[member], rank=ranks.get(member)) for member in listed)


def _scale(event: SeasonEventResults) -> dict[int, int]:
    """Return the ranking points of each rank of the event."""
    by_player = dict(enumerate(event.ranks))
    return {by_player[player]: points for player, points in ranking_points(by_player).items()}


def _event_value(result: MemberResult, rule: RankingRule, scale: Mapping[int, int]) -> Fraction:
    if result.rank is None:
        return Fraction(0)
    if rule.measure == "points":
        return Fraction(result.points)
    if rule.measure == "percent":
        return result.percent
    if rule.measure == "scale":
        return Fraction(scale[result.rank])
    return Fraction(rule.table[result.rank - 1] if result.rank <= len(rule.table) else 0)


def _choose_best(rows: Sequence[_Played], rule: RankingRule) -> tuple[EventValue, ...]:
    """Mark the greatest values, all without `rule.best`; of equal ones the earlier event counts."""
    valued = [at for at, row in enumerate(rows) if rule.measure != "percent" or row.result.tops]
    valued.sort(key=lambda at: -rows[at].value)
    chosen = set(valued if rule.best is None else valued[: rule.best])
    return tuple(EventValue(row.event, row.value, at in chosen) for at, row in enumerate(rows))


def _combined(values: Sequence[Fraction], rule: RankingRule) -> Fraction:
    total = sum(values, Fraction(0))
    return total / len(values) if rule.combination == "mean" and values else total


def _tie_key(tie: TieBreak, rows: Sequence[_Played], last: int | None) -> Fraction | int:
    """Return the value of a tie-break; the greater one wins."""
    if tie == "events":
        return len(rows)
    if tie == "first_places":
        return sum(row.result.rank == 1 for row in rows)
    if tie == "best_event":
        return max(row.value for row in rows)
    if tie == "solos":
        return sum(row.result.solos for row in rows)
    if tie == "last_event":
        return next((row.value for row in rows if row.event == last), _ABSENT)
    return _percent_of_all(rows)


def _percent_of_all(rows: Sequence[_Played]) -> Fraction:
    """Return the percent of the tops over all events whose sum of tops is known."""
    known = [row.result for row in rows if row.result.tops]
    tops = sum(result.tops for result in known)
    points = sum(result.points for result in known if result.rank is not None)
    return Fraction(100 * points, tops) if tops else Fraction(0)
