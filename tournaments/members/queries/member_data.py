"""Everything that is stored about a member, for that person.

`RELATIONS` has a reader for each relation of the database to a member; a test fails when one is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import Model, Q

from engine.archive.schema import format_timestamp
from tournaments.members.member_fields import MEMBER_FIELDS
from tournaments.members.queries.identities import get_records_of
from tournaments.models import (
    DistinctMembers,
    Exercise,
    Member,
    MemberAct,
    OpenRating,
    PlayerMember,
    PlayerResult,
    ResultMail,
)
from tournaments.players.queries.retention import person_data

Rows = list[dict[str, Any]]
Records = Sequence[int]
SECRET_FIELDS = frozenset({"page_token"})
"""Fields of a member that are no data about the person: the secret in the address of the member's own page."""


@dataclass(frozen=True, slots=True)
class StoredPlace:
    """An event in which a person is stored, and the name there. `source` is the file of an imported one."""

    date: date
    event: str
    name: str
    source: str = ""


@dataclass(frozen=True, slots=True)
class StoredDataSummary:
    """A short form of `member_data`: the records, the events, and the number of rows of other kinds."""

    records: Sequence[Member]
    places: Sequence[StoredPlace]
    mails: int
    exercises: int
    ratings: int


def summarise_member_data(member: Member) -> StoredDataSummary:
    """Return what a page shows of the stored data. A few queries, however many events there are."""
    records = get_records_of(member)
    links = PlayerMember.objects.filter(member__in=records)
    players = links.values_list("player__event__date", "player__event__name", "player__name")
    imported = PlayerResult.objects.filter(member__in=records, player=None)
    results = imported.values_list("summary__date", "summary__name", "name", "summary__source")
    places = [*(StoredPlace(*row) for row in players), *(StoredPlace(*row) for row in results)]
    return StoredDataSummary(
        records=list(Member.objects.filter(pk__in=records).order_by("pk")),
        places=sorted(places, key=lambda place: (place.date, place.event)),
        mails=ResultMail.objects.filter(member__in=records).count(),
        exercises=Exercise.objects.filter(member__in=records).count(),
        ratings=OpenRating.objects.filter(member__in=records).count(),
    )


def member_data(member: Member) -> dict[str, Any]:
    """Return all stored data about a member and the merged records, as JSON."""
    records = get_records_of(member)
    rows = Member.objects.filter(pk__in=records).order_by("pk")
    data: dict[str, Any] = {"records": [_record(row) for row in rows]}
    for name, read in RELATIONS.items():
        data[name] = read(records)
    return data


def _record(member: Member) -> dict[str, Any]:
    return {
        "number": member.pk,
        **{name: _plain(getattr(member, name)) for name in MEMBER_FIELDS},
        "anonymised_at": _plain(member.anonymised_at),
        "merged_into": member.merged_into_id,
        "given_fields": list(member.given_fields),
    }


def _players(records: Records) -> Rows:
    links = PlayerMember.objects.filter(member__in=records).select_related("player__event")
    return [
        {"record": link.member_id, **person_data(link.player)}
        for link in links.order_by("player__event__date", "player__event")
    ]


def _results(records: Records) -> Rows:
    """Stored results: of players of events, and imported ones."""
    own = Q(member__in=records) | Q(player__member_links__member__in=records)
    results = PlayerResult.objects.filter(own).distinct().select_related("summary").order_by("summary__date", "pk")
    return [
        {
            "event": result.summary.name,
            "date": result.summary.date.isoformat(),
            "source": result.summary.source,
            **_fields(result, ("name", "licence", "club", "rank", "points", "handicap", "solos", "tops_found")),
            **_fields(result, ("best_word", "best_points", "games")),
        }
        for result in results
    ]


def _acts(records: Records) -> Rows:
    acts = MemberAct.objects.filter(member__in=records).select_related("by")
    return [
        {"record": act.member_id, "at": format_timestamp(act.at), "kind": act.kind, "by": act.by and act.by.username}
        for act in acts
    ]


def _mails(records: Records) -> Rows:
    mails = ResultMail.objects.filter(member__in=records).select_related("summary").order_by("requested_at")
    return [{"event": mail.summary.name, **_fields(mail, ("requested_at", "sent_at", "error"))} for mail in mails]


def _exercises(records: Records) -> Rows:
    exercises = Exercise.objects.filter(member__in=records).select_related("turn__game__event")
    return [
        {
            "event": exercise.turn.game.event.name,
            "game": exercise.turn.game.number,
            "turn": exercise.turn.number,
            **_fields(exercise, ("due_on", "interval_days", "tries", "started_at", "solved_at")),
        }
        for exercise in exercises
    ]


def _ratings(records: Records) -> Rows:
    ratings = OpenRating.objects.filter(member__in=records).select_related("summary").order_by("summary__date")
    return [{"event": rating.summary.name, **_fields(rating, ("version", "mean", "deviation"))} for rating in ratings]


def _told_apart(records: Records) -> list[int]:
    """The numbers of the members from whom this one was told apart."""
    pairs = DistinctMembers.objects.filter(Q(first__in=records) | Q(second__in=records))
    return sorted({pk for pair in pairs.values_list("first", "second") for pk in pair} - set(records))


RELATIONS: Mapping[str, Callable[[Records], Rows | list[int]]] = {
    "players": _players,
    "results": _results,
    "acts": _acts,
    "mails": _mails,
    "exercises": _exercises,
    "ratings": _ratings,
    "told_apart_from": _told_apart,
}
"""By key of the file the function that reads its rows."""

COVERED = {
    "duplicates": "records",
    "distinct_from_later": "told_apart_from",
    "distinct_from_earlier": "told_apart_from",
    "player_links": "players",
    "imported_results": "results",
    "acts": "acts",
    "mails": "mails",
    "exercises": "exercises",
    "ratings": "ratings",
}
"""By relation to a member (its `related_name`) the key of the file that has its rows."""


def _fields(row: Model, names: Iterable[str]) -> dict[str, Any]:
    return {name: _plain(getattr(row, name)) for name in names}


def _plain(value: object) -> object:
    """Return a value as JSON has it."""
    if isinstance(value, datetime):
        return format_timestamp(value)
    return value.isoformat() if isinstance(value, date) else value
