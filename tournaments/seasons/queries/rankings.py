"""Rankings of a season, computed from the stored results each time they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.seasons.ranking_rule import RankingRule, read_rule
from engine.seasons.season_ranking import RankingLine, rank_members
from tournaments.members.queries.namesakes import tell_namesakes_apart
from tournaments.models import Member, Ranking, Season
from tournaments.seasons.queries.results import EventResult, EventResults, list_counting_events, load_event_results


@dataclass(frozen=True, slots=True)
class RankedMember:
    """A member in a ranking, with the results behind the values of `line.events`, in the same order.

    `apart` tells the member from others of the same name in the ranking; empty for a name that occurs once.
    """

    member: Member
    group: str
    line: RankingLine
    results: Sequence[EventResult]
    apart: str = ""


@dataclass(frozen=True, slots=True)
class RankingView:
    """A ranking with its rule; `lines` are ordered by group, then best first. `members` is the number of all members
    in the ranking, of whom `lines` may be a part."""

    ranking: Ranking
    rule: RankingRule
    events: Sequence[EventResults]
    lines: Sequence[RankedMember]
    members: int


def load_season_results(season: Season) -> list[EventResults]:
    """Return the results of the counting events."""
    return load_event_results(list_counting_events(season))


def view_ranking(
    ranking: Ranking,
    events: Sequence[EventResults] | None = None,
    rule: RankingRule | None = None,
    part: slice = slice(None),
) -> RankingView:
    """Compute a ranking over the counting events of its season; `rule` replaces the stored one, for a preview.

    Only the lines in `part` are returned, with their members, so that a page of some of them is quick.
    """
    events = load_season_results(ranking.season) if events is None else events
    rule = rule or read_rule(ranking.rule)
    groups = get_groups(rule)
    lines = rank_members([event.for_ranking() for event in events], rule, groups)
    apart = tell_namesakes_apart([line.member for line in lines])
    return RankingView(ranking, rule, events, _with_members(lines[part], events, groups, apart), len(lines))


def view_member_in_ranking(
    ranking: Ranking, member: Member, events: Sequence[EventResults] | None = None
) -> RankedMember | None:
    """Return the line of a member; None for somebody who is not in the ranking."""
    events = load_season_results(ranking.season) if events is None else events
    rule = read_rule(ranking.rule)
    groups = get_groups(rule)
    lines = rank_members([event.for_ranking() for event in events], rule, groups)
    found = _with_members([line for line in lines if line.member == member.pk], events, groups, {})
    return found[0] if found else None


def _with_members(
    lines: Sequence[RankingLine], events: Sequence[EventResults], groups: Mapping[int, str], apart: Mapping[int, str]
) -> list[RankedMember]:
    """Return these lines with their members and results."""
    members = Member.objects.in_bulk([line.member for line in lines])
    results: dict[int, list[EventResult]] = {pk: [] for pk in members}
    for event in events:
        for result in event.results:
            if result.member in results:
                results[result.member].append(result)
    return [
        RankedMember(
            members[line.member],
            groups.get(line.member, ""),
            line,
            results[line.member],
            apart.get(line.member, ""),
        )
        for line in lines
    ]


def get_groups(rule: RankingRule) -> dict[int, str]:
    """Return the category, club or team of each member, nothing if the rule has no grouping.

    Groups that differ in capitals only are one, in the spelling of the most members.
    """
    if not rule.grouping:
        return {}
    groups = dict(Member.objects.order_by("pk").values_list("pk", rule.grouping))
    spellings = {group.casefold(): group for group, _members in reversed(Counter(groups.values()).most_common())}
    return {member: spellings[group.casefold()] for member, group in groups.items()}
