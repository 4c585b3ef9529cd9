"""The rule of a season's ranking, as data. `read_rule` reads its JSON, `rule_as_json` writes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from engine.i18n import N_

Measure = Literal["points", "percent", "place", "scale"]
Combination = Literal["sum", "mean"]
TieBreak = Literal["events", "first_places", "best_event", "percent", "solos", "last_event"]
Grouping = Literal["", "category", "club", "team"]

MEASURES: tuple[Measure, ...] = get_args(Measure)
COMBINATIONS: tuple[Combination, ...] = get_args(Combination)
TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)
GROUPINGS: tuple[Grouping, ...] = get_args(Grouping)
MOST_EVENTS, MOST_POINTS, MOST_PLACES = 1_000, 1_000_000, 500


class RuleError(ValueError):
    """A rule that cannot be used; the text is one sentence for the organiser, an English template."""


@dataclass(frozen=True, slots=True)
class RankingRule:
    """Rule by which the results of the counting events become the value of a member.

    `measure` is the value of one event: "points" (the total), "percent" (of the sum of tops, 0 to 100), "place" (the
    points of `table` for the rank, 0 after its end), or "scale" (the ranking points of the Romanian federation,
    `engine.standings.ranking_points`); it is 0 for a member who was disqualified in the event. `combination` adds these
    values or takes their mean; with `best` only that many greatest values of a member count, and the mean is that of
    the values that count. `bonus` is added to the value for every event a member played. A member with fewer than
    `minimum` events is listed without a rank. `ties` are compared in their order; members who are still equal share
    the rank. With `grouping` ranks are those within the group.
    """

    measure: Measure = "points"
    combination: Combination = "sum"
    best: int | None = None
    table: tuple[int, ...] = ()
    bonus: int = 0
    minimum: int = 0
    ties: tuple[TieBreak, ...] = ("best_event",)
    grouping: Grouping = ""


def read_rule(stored: Mapping[str, object]) -> RankingRule:
    """Read a rule from JSON; missing keys have their defaults. Raises RuleError."""
    table = _numbers(stored.get("table"))
    rule = RankingRule(
        measure=cast(Measure, _one_of(stored.get("measure", "points"), MEASURES)),
        combination=cast(Combination, _one_of(stored.get("combination", "sum"), COMBINATIONS)),
        best=None if stored.get("best") is None else _number(stored["best"], 1, MOST_EVENTS),
        table=table,
        bonus=_number(stored.get("bonus", 0), 0, MOST_POINTS),
        minimum=_number(stored.get("minimum", 0), 0, MOST_EVENTS),
        ties=tuple(cast(TieBreak, _one_of(tie, TIE_BREAKS)) for tie in _list(stored.get("ties", ["best_event"]))),
        grouping=cast(Grouping, _one_of(stored.get("grouping", ""), GROUPINGS)),
    )
    if (rule.measure == "place") != bool(rule.table):
        raise RuleError(N_("Points by place need a table: write the points of the first place, the second and so on."))
    if list(rule.table) != sorted(rule.table, reverse=True):
        raise RuleError(N_("The points of a place must not be more than those of the place before it."))
    if len(set(rule.ties)) != len(rule.ties):
        raise RuleError(N_("Each tie-break can be chosen once."))
    return rule


def rule_as_json(rule: RankingRule) -> dict[str, object]:
    """Return the JSON that `read_rule` reads."""
    return {
        "measure": rule.measure,
        "combination": rule.combination,
        "best": rule.best,
        "table": list(rule.table),
        "bonus": rule.bonus,
        "minimum": rule.minimum,
        "ties": list(rule.ties),
        "grouping": rule.grouping,
    }


def _one_of(value: object, allowed: tuple[str, ...]) -> str:
    if value not in allowed:
        raise RuleError(N_("The rule of the ranking has a value that does not exist."))
    return str(value)


def _number(value: object, least: int, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
        raise RuleError(N_("A number in the rule of the ranking is too small or too large."))
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list) or len(value) > MOST_PLACES:
        raise RuleError(N_("The rule of the ranking has a value that does not exist."))
    return value


def _numbers(value: object) -> tuple[int, ...]:
    return tuple(_number(each, 0, MOST_POINTS) for each in _list(value or []))
