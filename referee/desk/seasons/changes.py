"""Preview of a change: the members who would move in a ranking, before anything is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.seasons.ranking_rule import RankingRule
from referee.desk.seasons.season_rows import format_value
from tournaments.seasons.queries.rank_changes import Place, RankChange, RankingChange


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A member whose rank or value changes. `way` is "gains", "loses" or empty; an empty value is no place at all."""

    name: str
    group: str
    rank_before: int | None
    rank_after: int | None
    value_before: str
    value_after: str
    way: str


@dataclass(frozen=True, slots=True)
class ChangePreview:
    """The changes in a ranking; `others` is the number of changed members who are not listed."""

    title: str
    moved: int
    members: int
    rows: Sequence[MoveRow]
    others: int


def preview_of(change: RankingChange) -> ChangePreview:
    """Return the changes as texts."""
    return ChangePreview(
        title=change.ranking.name,
        moved=change.moved,
        members=change.members,
        rows=[_row(each, change) for each in change.changes],
        others=change.others,
    )


def _row(each: RankChange, change: RankingChange) -> MoveRow:
    before, after = each.before, each.after
    place = after or before
    return MoveRow(
        name=each.member.name,
        group=place.group if place else "",
        rank_before=before.rank if before else None,
        rank_after=after.rank if after else None,
        value_before=_value(before, change.before),
        value_after=_value(after, change.after),
        way=_way(before, after),
    )


def _value(place: Place | None, rule: RankingRule) -> str:
    return "" if place is None else format_value(place.value, rule)


def _way(before: Place | None, after: Place | None) -> str:
    """Return how a rank changes; a rank is better than none."""
    old, new = (place.rank if place and place.rank else 1_000_000 for place in (before, after))
    if old == new:
        return ""
    return "gains" if new < old else "loses"
