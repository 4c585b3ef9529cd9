"""Members who would move in a ranking if its rule, or the events that count, were changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.seasons.ranking_rule import RankingRule, read_rule
from engine.seasons.season_ranking import SeasonEventResults, rank_members
from tournaments.models import Member, Ranking, Season
from tournaments.seasons.queries.rankings import get_groups, load_season_results
from tournaments.seasons.queries.results import EventResults, list_events_that_would_count, load_event_results

MOST_CHANGES = 100


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
    """The changes in a ranking: at most `MOST_CHANGES`, those of ranks first, in the order of the new places.

    `moved` is the number of members who get another rank, `others` that of changed members who are not in `changes`,
    and `members` that of all members after the change.
    """

    ranking: Ranking
    before: RankingRule
    after: RankingRule
    changes: Sequence[RankChange]
    moved: int
    others: int
    members: int


def preview_rule(ranking: Ranking, rule: RankingRule) -> RankingChange:
    """Return what changes if the ranking gets this rule."""
    events = _for_ranking(load_season_results(ranking.season))
    return _compare(ranking, events, events, rule)


def preview_events(season: Season, *, exceptions: Mapping[int, bool]) -> list[RankingChange]:
    """Return what changes in each ranking if these events count by hand or do not, with the dates and the name of
    `season`, which need not be stored."""
    before = _for_ranking(load_season_results(Season.objects.get(pk=season.pk)))
    after = _for_ranking(load_event_results(list_events_that_would_count(season, exceptions)))
    return [_compare(ranking, before, after, read_rule(ranking.rule)) for ranking in season.rankings.all()]


def _for_ranking(events: Sequence[EventResults]) -> list[SeasonEventResults]:
    return [event.for_ranking() for event in events]


def _compare(
    ranking: Ranking, before: Sequence[SeasonEventResults], after: Sequence[SeasonEventResults], rule: RankingRule
) -> RankingChange:
    old_rule = read_rule(ranking.rule)
    old, new = _places(before, old_rule), _places(after, rule)
    changed = [pk for pk in [*new, *(old.keys() - new.keys())] if old.get(pk) != new.get(pk)]
    moved = [pk for pk in changed if _rank(old.get(pk)) != _rank(new.get(pk))]
    same_rank = [pk for pk in changed if _rank(old.get(pk)) == _rank(new.get(pk))]
    shown = [*moved, *same_rank][:MOST_CHANGES]
    members = Member.objects.in_bulk(shown)
    return RankingChange(
        ranking=ranking,
        before=old_rule,
        after=rule,
        changes=[RankChange(members[pk], old.get(pk), new.get(pk)) for pk in shown],
        moved=len(moved),
        others=len(changed) - len(shown),
        members=len(new),
    )


def _places(events: Sequence[SeasonEventResults], rule: RankingRule) -> dict[int, Place]:
    groups = get_groups(rule)
    return {
        line.member: Place(groups.get(line.member, ""), line.rank, line.value)
        for line in rank_members(events, rule, groups)
    }


def _rank(place: Place | None) -> tuple[str, int | None] | None:
    return None if place is None else (place.group, place.rank)
