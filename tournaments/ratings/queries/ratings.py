"""Ratings of members: form and open rating. `tournaments.ratings.services.refresh` brings them up to date first."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from django.db.models import F, Max, QuerySet, Window

from engine.ratings.form import USUAL_GAMES, Form, compute_form
from engine.ratings.open_rating import Rating
from tournaments.models import Member, OpenRating

_ACTIVE = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class MemberRatings:
    """Ratings of a member: `form` over the last games, the open `rating`, and its values after each of their events.

    `last_played` is the date of the last of them.
    """

    member: Member
    form: Form | None
    rating: Rating
    history: tuple[tuple[date, Rating], ...]
    last_played: date

    @property
    def trend(self) -> int:
        """Change of the open rating, as it is shown, since the first of these events."""
        return self.rating.shown - self.history[0][1].shown


def list_ratings(
    members: Collection[int] | None = None, games: int = USUAL_GAMES, *, active_only: bool = False
) -> list[MemberRatings]:
    """Return the ratings of these members, all by default, highest open rating first; the form is over `games` games.

    Members without a game that counts are left out, with `active_only` also those who have not played in the year
    before the last event. Three queries, which read only the events of these games.
    """
    rows = OpenRating.objects.order_by("games")
    if members is not None:
        rows = rows.filter(member__in=members)
    if active_only:
        rows = rows.filter(member__in=_active_members())
    rows = rows.annotate(latest=Window(Max("games"), partition_by=F("member"))).filter(games__gt=F("latest") - games)
    played: dict[int, list[_Row]] = {}
    for row in rows.values_list("member", "summary__date", "mean", "deviation", "games", "scores"):
        played.setdefault(row[0], []).append(_Row(*row))
    known = Member.objects.in_bulk(list(played))
    listed = [_to_ratings(known[pk], those, games) for pk, those in played.items()]
    return sorted(listed, key=lambda each: (-each.rating.shown, each.member.surname, each.member.pk))


def find_ratings(member: Member, games: int = USUAL_GAMES) -> MemberRatings | None:
    """Return the ratings of a member; None without a game that counts."""
    return next(iter(list_ratings([member.pk], games)), None)


class _Row(NamedTuple):
    """The fields of `OpenRating` that are read; of thousands of rows, instances would take most of the time."""

    member: int
    date: date
    mean: float
    deviation: float
    games: int
    scores: list[list[int]]


def _active_members() -> QuerySet[OpenRating, int]:
    newest = OpenRating.objects.aggregate(newest=Max("summary__date"))["newest"] or date.min
    since = max(newest, date.min + _ACTIVE) - _ACTIVE
    return OpenRating.objects.filter(summary__date__gte=since).values_list("member", flat=True)


def _to_ratings(member: Member, rows: Sequence[_Row], games: int) -> MemberRatings:
    scores = [(points, tops) for row in rows for points, tops in row.scores]
    history = tuple((row.date, Rating(row.mean, row.deviation, row.games)) for row in rows)
    return MemberRatings(
        member=member,
        form=compute_form(scores, games),
        rating=history[-1][1],
        history=history,
        last_played=rows[-1].date,
    )
