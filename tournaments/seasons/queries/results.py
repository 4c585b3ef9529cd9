"""Stored results of events by member."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Q
from django.db.models.functions import Coalesce

from engine.seasons.season_ranking import MemberResult, SeasonEventResults
from tournaments.members.queries.identities import get_merged_records
from tournaments.models import EventSummary, PlayerResult, Season


class ResultRow(NamedTuple):
    """The columns of a `PlayerResult` that rankings and their pages need; thousands of rows are read at once."""

    pk: int
    player_id: int | None
    rank: int | None
    points: int
    handicap: int
    solos: int
    tops_found: int
    best_word: str
    best_points: int


class EventResult(NamedTuple):
    """Result of a member in an event; `players` is the number of its ranked players."""

    member: int
    summary: EventSummary
    result: ResultRow
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
            MemberResult(member, row.rank, row.points, tops, row.solos)
            for member, _event, row, _players in self.results
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
    """Return the results of members in these events, in the given order. Two queries."""
    events = list(summaries)
    rows: dict[int, list[tuple[int | None, ResultRow]]] = {event.pk: [] for event in events}
    stored = (
        PlayerResult.objects.filter(summary__in=rows)
        .annotate(linked=Coalesce("player__member_links__member", "member"))
        .order_by("rank", "pk", "player__member_links__pk")
        .values_list("summary", "linked", *ResultRow._fields)
    )
    for summary, record, *columns in stored:
        rows[summary].append((record, ResultRow._make(columns)))
    merged = get_merged_records()
    return [_results_of(event, rows[event.pk], merged) for event in events]


def _results_of(
    event: EventSummary, rows: Sequence[tuple[int | None, ResultRow]], merged: Mapping[int, int]
) -> EventResults:
    """Give each result to its members: a row for each member of a pair. Somebody with two results in the event has the
    better one."""
    ranks = [row.rank for row in {row.pk: row for _, row in rows}.values() if row.rank is not None]
    results: dict[int, EventResult] = {}
    for record, row in rows:
        if record is None:
            continue
        member = merged.get(record, record)
        known = results.get(member)
        if known is None or row.points > known.result.points:
            results[member] = EventResult(member, event, row, len(ranks))
    return EventResults(event, list(results.values()), ranks)
