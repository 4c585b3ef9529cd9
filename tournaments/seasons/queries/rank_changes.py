"""Members who would move in a ranking if its rule, or the events that count, were changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.seasons.ranking_rule import RankingRule, read_rule
from engine.seasons.season_ranking import RankingLine, rank_members
from tournaments.models import Member, Ranking, Season
from tournaments.seasons.queries.rankings import get_groups, load_season_results
from tournaments.seasons.queries.results import EventResults, list_events_that_would_count, load_event_results


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a member in a ranking; `rank` is None below the minimum of events."""

    group: str
    rank: int | None
    value: Fraction


@dataclass(frozen=True, slots=True)
class RankChange:
    """Change of a member's place; None for a member who is not in that ranking."""

    member: Member
    before: Place | None
    after: Place | None


@dataclass(frozen=True, slots=True)
class RankingChange:
    """All changes in a ranking, in the order of the new places; `members` is the number of members after it."""

    ranking: Ranking
    before: RankingRule
    after: RankingRule
    changes: Sequence[RankChange]
    members: int

    @property
    def moved(self) -> int:
        """The number of members whose rank changes, without those whose value alone does."""
        return sum(_rank(change.before) != _rank(change.after) for change in self.changes)


def preview_rule(ranking: Ranking, rule: RankingRule) -> RankingChange:
    """Return what changes if the ranking gets this rule."""
    events = load_season_results(ranking.season)
    return _compare(ranking, events, events, rule)


def preview_events(season: Season, *, exceptions: Mapping[int, bool]) -> list[RankingChange]:
    """Return what changes in each ranking if these events count by hand or do not, with the dates and the name of
    `season`, which need not be stored."""
    before = load_season_results(Season.objects.get(pk=season.pk))
    after = load_event_results(list_events_that_would_count(season, exceptions))
    return [_compare(ranking, before, after, read_rule(ranking.rule)) for ranking in season.rankings.all()]


def _compare(
    ranking: Ranking, before: Sequence[EventResults], after: Sequence[EventResults], rule: RankingRule
) -> RankingChange:
    old_rule = read_rule(ranking.rule)
    old, new = _places(before, old_rule), _places(after, rule)
    moved = [pk for pk in [*new, *(old.keys() - new.keys())] if old.get(pk) != new.get(pk)]
    members = Member.objects.in_bulk(moved)
    changes = [RankChange(members[pk], old.get(pk), new.get(pk)) for pk in moved]
    return RankingChange(ranking, old_rule, rule, changes, len(new))


def _places(events: Sequence[EventResults], rule: RankingRule) -> dict[int, Place]:
    groups = get_groups(rule)
    lines: Sequence[RankingLine] = rank_members([event.for_ranking() for event in events], rule, groups)
    return {line.member: Place(groups.get(line.member, ""), line.rank, line.value) for line in lines}


def _rank(place: Place | None) -> tuple[str, int | None] | None:
    return None if place is None else (place.group, place.rank)
