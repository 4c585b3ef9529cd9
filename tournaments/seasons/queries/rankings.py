"""Rankings of a season, computed from the stored results each time they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.seasons.ranking_rule import RankingRule, read_rule
from engine.seasons.season_ranking import RankingLine, rank_members
from tournaments.models import Member, Ranking, Season
from tournaments.seasons.queries.results import EventResult, EventResults, list_counting_events, load_event_results


@dataclass(frozen=True, slots=True)
class RankedMember:
    """A member in a ranking, with the results behind the values of `line.events`, in the same order."""

    member: Member
    group: str
    line: RankingLine
    results: Sequence[EventResult]


@dataclass(frozen=True, slots=True)
class RankingView:
    """A ranking with its rule; `lines` are ordered by group, then best first."""

    ranking: Ranking
    rule: RankingRule
    events: Sequence[EventResults]
    lines: Sequence[RankedMember]


def load_season_results(season: Season) -> list[EventResults]:
    """Return the results of the counting events."""
    return load_event_results(list_counting_events(season))


def view_ranking(
    ranking: Ranking, events: Sequence[EventResults] | None = None, rule: RankingRule | None = None
) -> RankingView:
    """Compute a ranking over the counting events of its season; `rule` replaces the stored one, for a preview."""
    events = load_season_results(ranking.season) if events is None else events
    rule = rule or read_rule(ranking.rule)
    by_member: dict[int, list[EventResult]] = {}
    for event in events:
        for result in event.results:
            by_member.setdefault(result.member, []).append(result)
    members = Member.objects.in_bulk(list(by_member))
    groups = {pk: str(getattr(member, rule.grouping)) for pk, member in members.items()} if rule.grouping else {}
    lines = rank_members([event.for_ranking() for event in events], rule, groups)
    return RankingView(
        ranking=ranking,
        rule=rule,
        events=events,
        lines=[
            RankedMember(members[line.member], groups.get(line.member, ""), line, by_member[line.member])
            for line in lines
        ],
    )
