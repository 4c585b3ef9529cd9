"""Stored results of events by member."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from engine.seasons.season_ranking import MemberResult, SeasonEventResults
from tournaments.members.queries.identities import get_merged_records
from tournaments.models import EventSummary, PlayerMember, PlayerResult, Season


@dataclass(frozen=True, slots=True)
class EventResult:
    """Result of a member in an event; `players` is the number of its ranked players."""

    member: int
    summary: EventSummary
    result: PlayerResult
    players: int

    @property
    def percent(self) -> float:
        """Percent of the sum of tops."""
        return 100 * self.result.points / self.summary.tops if self.summary.tops else 0.0


@dataclass(frozen=True, slots=True)
class EventResults:
    """All results of members in an event, and the ranks of all its ranked players, members or guests."""

    summary: EventSummary
    results: Sequence[EventResult]
    ranks: Sequence[int]

    def for_ranking(self) -> SeasonEventResults:
        """Return what a ranking is computed from."""
        tops = self.summary.tops
        results = [
            MemberResult(each.member, each.result.rank, each.result.points, tops, each.result.solos)
            for each in self.results
        ]
        return SeasonEventResults(self.summary.pk, results, self.ranks)


def counts_by_rule(season: Season, summary: EventSummary) -> bool:
    """Return True if the event has the dates and the name that count for the season."""
    in_time = season.starts <= summary.date <= season.ends
    return in_time and season.name_contains.casefold() in summary.name.casefold()


def list_counting_events(season: Season) -> list[EventSummary]:
    """Return the events that count for a season, in the order of their dates."""
    exceptions = dict(season.exceptions.values_list("summary", "counts"))
    return list_events_that_would_count(season, exceptions)


def list_events_that_would_count(season: Season, exceptions: Mapping[int, bool]) -> list[EventSummary]:
    """Return the events that count with the fields of this season, stored or not, and these exceptions."""
    near = Q(date__range=(season.starts, season.ends)) | Q(pk__in=exceptions)
    events = EventSummary.objects.filter(near).select_related("event").order_by("date", "pk")
    return [event for event in events if exceptions.get(event.pk, counts_by_rule(season, event))]


def load_event_results(summaries: Iterable[EventSummary]) -> list[EventResults]:
    """Return the results of members in these events, in the given order. Four queries."""
    events = list(summaries)
    rows: dict[int, list[PlayerResult]] = {event.pk: [] for event in events}
    for row in PlayerResult.objects.filter(summary__in=rows).defer("games").order_by("rank", "pk"):
        rows[row.summary_id].append(row)
    merged = get_merged_records()
    links: dict[int, list[int]] = {}
    linked = PlayerMember.objects.filter(player__result__summary__in=rows).order_by("pk")
    for player, member in linked.values_list("player", "member"):
        links.setdefault(player, []).append(member)
    return [_results_of(event, rows[event.pk], links, merged) for event in events]


def _results_of(
    event: EventSummary, rows: Sequence[PlayerResult], links: dict[int, list[int]], merged: dict[int, int]
) -> EventResults:
    """Give each result to its members. Somebody with two results in the event has the better one."""
    ranks = [row.rank for row in rows if row.rank is not None]
    results: dict[int, EventResult] = {}
    for row in rows:
        records = links.get(row.player_id or 0, []) if row.player_id else [row.member_id] if row.member_id else []
        for record in records:
            member = merged.get(record, record)
            known = results.get(member)
            if known is None or row.points > known.result.points:
                results[member] = EventResult(member, event, row, len(ranks))
    return EventResults(event, list(results.values()), ranks)
