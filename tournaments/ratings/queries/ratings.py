"""Ratings of members: form and open rating. `tournaments.ratings.services.refresh` brings them up to date first."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import F, Max, Window

from engine.ratings.form import USUAL_GAMES, Form, compute_form
from engine.ratings.open_rating import Rating
from tournaments.models import Member, OpenRating

ACTIVE_DAYS = 365


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

    @property
    def reliable(self) -> bool:
        """True if enough games count."""
        return not self.rating.is_provisional


def list_ratings(
    members: Collection[int] | None = None, games: int = USUAL_GAMES, *, active_only: bool = False
) -> list[MemberRatings]:
    """Return the ratings of these members, all by default, highest open rating first; the form is over `games` games.

    Members without a game that counts are left out, with `active_only` also those who have not played in the year
    before the last event. Two queries, which read only the events of these games.
    """
    rows = OpenRating.objects.select_related("summary").order_by("games")
    if members is not None:
        rows = rows.filter(member__in=members)
    rows = rows.annotate(latest=Window(Max("games"), partition_by=F("member"))).filter(games__gt=F("latest") - games)
    by_member: dict[int, list[OpenRating]] = {}
    for row in rows:
        by_member.setdefault(row.member_id, []).append(row)
    if active_only and by_member:
        newest = max(played[-1].summary.date for played in by_member.values())
        since = newest - timedelta(days=ACTIVE_DAYS)
        by_member = {pk: played for pk, played in by_member.items() if played[-1].summary.date >= since}
    known = Member.objects.in_bulk(list(by_member))
    listed = [_to_ratings(known[pk], played, games) for pk, played in by_member.items()]
    return sorted(listed, key=lambda each: (-each.rating.shown, each.member.surname, each.member.pk))


def find_ratings(member: Member, games: int = USUAL_GAMES) -> MemberRatings | None:
    """Return the ratings of a member; None without a game that counts."""
    return next(iter(list_ratings([member.pk], games)), None)


def _to_ratings(member: Member, rows: list[OpenRating], games: int) -> MemberRatings:
    scores = [(points, tops) for row in rows for points, tops in row.scores]
    history = tuple((row.summary.date, Rating(row.mean, row.deviation, row.games)) for row in rows)
    return MemberRatings(
        member=member,
        form=compute_form(scores, games),
        rating=history[-1][1],
        history=history,
        last_played=rows[-1].summary.date,
    )
