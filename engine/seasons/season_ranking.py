"""Ranking of a season from the results of its counting events. Values are exact; they are rounded for display only.

Adding and comparing fractions is slow, and a season has thousands of results. So the values of the events are brought
to a common denominator once, and members are compared by whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from engine.seasons.ranking_rule import RankingRule, TieBreak
from engine.standings.event import assign_ranks
from engine.standings.ranking_points import ranking_points

_ABSENT = -1_000_000_000
"""Less than the value of any event, since penalties can make points negative."""


class MemberResult(NamedTuple):
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


class EventValue(NamedTuple):
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
    played = _list_played(events, rule)
    choices = {member: _choose_best(rows, rule) for member, rows in played.items()}
    keys = _build_keys(played, choices, rule, last=events[-1].event if events else None)
    lines: list[RankingLine] = []
    for members in _list_groups(played, rule, groups):
        ranks = assign_ranks({member: keys[member] for member in members if len(played[member]) >= rule.minimum})
        members.sort()
        members.sort(key=keys.__getitem__, reverse=True)
        members.sort(key=lambda member: member not in ranks)
        lines += (_line(member, ranks.get(member), played[member], choices[member], rule) for member in members)
    return tuple(lines)


def list_tie_values(
    events: Sequence[SeasonEventResults], rule: RankingRule, member: int
) -> list[tuple[TieBreak, Fraction | None]]:
    """Return the tie-breaks of the rule with the values of a member; None for the last event if they missed it."""
    rows = _list_played(events, rule).get(member, [])
    last = events[-1].event if events else None
    return [(tie, _tie_value(tie, rows, last)) for tie in rule.ties if rows]


def _tie_value(tie: TieBreak, rows: Sequence[_Played], last: int | None) -> Fraction | None:
    if tie == "last_event" and all(row.event != last for row in rows):
        return None
    key = Fraction(_tie_key(tie, rows, last))
    return key / rows[0].unit if tie in ("best_event", "last_event") else key


class _Played(NamedTuple):
    """An event that a member played; `amount` is its value as a whole number of the common denominator."""

    event: int
    result: MemberResult
    value: Fraction
    amount: int
    unit: int


def _list_played(events: Sequence[SeasonEventResults], rule: RankingRule) -> dict[int, list[_Played]]:
    """Return the events that each member played."""
    scales = [_scale(event) if rule.measure == "scale" else {} for event in events]
    tops = {result.tops or 1 for event in events for result in event.results}
    unit = lcm(*tops) if rule.measure == "percent" else 1
    played: dict[int, list[_Played]] = {}
    for event, scale in zip(events, scales, strict=True):
        for result in event.results:
            value = _event_value(result, rule, scale)
            amount = value.numerator * (unit // value.denominator)
            played.setdefault(result.member, []).append(_Played(event.event, result, value, amount, unit))
    return played


def _list_groups(members: Iterable[int], rule: RankingRule, groups: Mapping[int, str] | None) -> list[list[int]]:
    """Return the members of each group in the order of the groups' names; all members if the rule has no grouping."""
    if not rule.grouping:
        return [list(members)]
    found: dict[str, list[int]] = {}
    for member in members:
        if group := (groups or {}).get(member, ""):
            found.setdefault(group, []).append(member)
    return [found[group] for group in sorted(found)]


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


class _Choice(NamedTuple):
    """The events of a member that count: a mark for each event, and the sum of their amounts."""

    counts: tuple[bool, ...]
    amount: int
    divisor: int


def _choose_best(rows: Sequence[_Played], rule: RankingRule) -> _Choice:
    """Choose the greatest values, all without `rule.best`; of equal ones the earlier event counts."""
    valued = [at for at, row in enumerate(rows) if rule.measure != "percent" or row.result.tops]
    if rule.best is not None and len(valued) > rule.best:
        valued = sorted(valued, key=lambda at: -rows[at].amount)[: rule.best]
    chosen = frozenset(valued)
    return _Choice(
        counts=tuple([at in chosen for at in range(len(rows))]),
        amount=sum([rows[at].amount for at in valued]),
        divisor=max(1, len(valued)) if rule.combination == "mean" else 1,
    )


def _build_keys(
    played: Mapping[int, Sequence[_Played]], choices: Mapping[int, _Choice], rule: RankingRule, *, last: int | None
) -> dict[int, tuple[Fraction | int, ...]]:
    """Return by what each member is compared: the value in a denominator common to all, then the tie-breaks."""
    common = lcm(*{choice.divisor for choice in choices.values()})
    return {
        member: (
            choices[member].amount * (common // choices[member].divisor) + _bonus(rows, rule) * rows[0].unit * common,
            *(_tie_key(tie, rows, last) for tie in rule.ties),
        )
        for member, rows in played.items()
    }


def _line(member: int, rank: int | None, rows: Sequence[_Played], choice: _Choice, rule: RankingRule) -> RankingLine:
    bonus = _bonus(rows, rule)
    value = Fraction(choice.amount + bonus * rows[0].unit * choice.divisor, rows[0].unit * choice.divisor)
    events = tuple([EventValue(row.event, row.value, counts) for row, counts in zip(rows, choice.counts, strict=True)])
    return RankingLine(member, rank, value, bonus, events)


def _bonus(rows: Sequence[_Played], rule: RankingRule) -> int:
    return rule.bonus * len(rows)


def _tie_key(tie: TieBreak, rows: Sequence[_Played], last: int | None) -> Fraction | int:
    """Return the value of a tie-break; the greater one wins."""
    if tie == "events":
        return len(rows)
    if tie == "first_places":
        return sum(row.result.rank == 1 for row in rows)
    if tie == "best_event":
        return max(row.amount for row in rows)
    if tie == "solos":
        return sum(row.result.solos for row in rows)
    if tie == "last_event":
        return next((row.amount for row in rows if row.event == last), _ABSENT * rows[0].unit)
    return _percent_of_all(rows)


def _percent_of_all(rows: Sequence[_Played]) -> Fraction:
    """Return the percent of the tops over all events whose sum of tops is known."""
    known = [row.result for row in rows if row.result.tops]
    tops = sum(result.tops for result in known)
    points = sum(result.points for result in known if result.rank is not None)
    return Fraction(100 * points, tops) if tops else Fraction(0)
