"""Compare evenings of a file with those that are stored, and find the members who played in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from tournaments.members.person_match import MemberIndex, make_person
from tournaments.members.queries.member_index import load_member_index
from tournaments.models import EventSummary, PlayerResult
from tournaments.players.name_folding import fold_text
from tournaments.seasons.earlier_evenings import EarlierEvening, EarlierResult


class EveningState(StrEnum):
    """The act of an import for an evening: store it, nothing, replace the stored one, or nothing because it is an event
    of this installation; `undated` ones cannot be imported."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    OWN = "own"
    UNDATED = "undated"


@dataclass(frozen=True, slots=True)
class ComparedEvening:
    """An evening of a file, its state, the stored evening that it resembles, and the member of each result, None for
    somebody who is left for the review."""

    evening: EarlierEvening
    state: EveningState
    stored: EventSummary | None = None
    members: Sequence[int | None] = field(default_factory=tuple)

    @property
    def linked(self) -> int:
        """Number of results of members."""
        return sum(member is not None for member in self.members)


def compare_evenings(evenings: Sequence[EarlierEvening]) -> list[ComparedEvening]:
    """Compare these evenings with all stored events of their dates.

    A stored event is the same evening if it has the same date and either the same name or the points of the same
    players.
    """
    index = load_member_index()
    by_day = _load_stored({evening.date for evening in evenings if evening.date is not None})
    return [_compare(evening, by_day.get(evening.date, ()) if evening.date else (), index) for evening in evenings]


Stored = tuple[EventSummary, Sequence[PlayerResult]]


def _load_stored(days: set[date]) -> dict[date | None, list[Stored]]:
    found: dict[date | None, list[Stored]] = {}
    for summary in EventSummary.objects.filter(date__in=days).prefetch_related("results__player"):
        found.setdefault(summary.date, []).append((summary, list(summary.results.all())))
    return found


def _compare(evening: EarlierEvening, stored: Sequence[Stored], index: MemberIndex) -> ComparedEvening:
    if evening.date is None:
        return ComparedEvening(evening, EveningState.UNDATED)
    members = _find_members(evening, index)
    scores = sorted((fold_text(result.name), result.points) for result in evening.results)
    for summary, results in stored:
        is_equal = scores == sorted((fold_text(_name_of(row)), row.points) for row in results)
        if not is_equal and fold_text(summary.name) != fold_text(evening.name):
            continue
        if summary.event_id is not None:
            return ComparedEvening(evening, EveningState.OWN, summary, members)
        is_same = is_equal and _facts(evening) == _stored_facts(summary, results)
        return ComparedEvening(evening, EveningState.SAME if is_same else EveningState.CHANGED, summary, members)
    return ComparedEvening(evening, EveningState.NEW, None, members)


def _find_members(evening: EarlierEvening, index: MemberIndex) -> list[int | None]:
    """Return the member of each result, by licence or as the only one of the name. Two results of one evening are
    never those of one member."""
    found = [_find_member(result, index) for result in evening.results]
    return [member if member is not None and found.count(member) == 1 else None for member in found]


def _find_member(result: EarlierResult, index: MemberIndex) -> int | None:
    person = make_person(result.name, surname=result.surname, club=result.club, licence=result.licence)
    return index.match_listed(person)


def _name_of(row: PlayerResult) -> str:
    return row.player.name if row.player is not None else row.name


def _facts(evening: EarlierEvening) -> tuple[object, ...]:
    rows = sorted((each.name, each.points, each.rank or 0, each.licence, each.club) for each in evening.results)
    return (fold_text(evening.name), evening.tops, rows)


def _stored_facts(summary: EventSummary, results: Sequence[PlayerResult]) -> tuple[object, ...]:
    rows = sorted((row.name, row.points, row.rank or 0, row.licence, row.club) for row in results)
    return (fold_text(summary.name), summary.tops, rows)


def list_imported_evenings() -> list[EventSummary]:
    """Return all imported evenings, the newest first."""
    return list(EventSummary.objects.filter(event=None).order_by("-date", "-pk"))


def count_results(summaries: Sequence[EventSummary]) -> Mapping[int, tuple[int, int]]:
    """Return the numbers of results and of linked results of each evening."""
    counts: dict[int, tuple[int, int]] = {}
    for summary, member in PlayerResult.objects.filter(summary__in=summaries).values_list("summary", "member"):
        results, linked = counts.get(summary, (0, 0))
        counts[summary] = results + 1, linked + (member is not None)
    return counts
