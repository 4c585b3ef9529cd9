"""The people behind the desks of an event: their roles, who was there when, and who may act for whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import QuerySet

from tournaments.enums import Role
from tournaments.models import Event, Membership, PreparedGame

FIRST_JUDGE = "judge"
PRESENT = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class StaffLine:
    """A colleague as the director sees him. `may_speak_for`: the director may make links and passwords for him."""

    place_id: int
    name: str
    username: str
    role: Role
    has_password: bool
    seen_at: datetime | None
    is_here: bool
    is_you: bool
    is_owner: bool
    may_speak_for: bool


def staff_of(event: Event, director: User, now: datetime) -> list[StaffLine]:
    """Everybody with a role in the event, in the order in which they came; a handful of queries."""
    places = list(Membership.objects.filter(event=event).select_related("user").order_by("pk"))
    beyond = _beyond_reach([place.user for place in places], director)
    return [_line(place, director, place.user_id not in beyond, now) for place in places]


def may_speak_for(director: User, user: User) -> bool:
    """Whether a director may open the account of a colleague: it gives nothing that is not his own anyway."""
    return user.pk not in _beyond_reach([user], director)


def colleagues_of(director: User, event: Event) -> QuerySet[User]:
    """Who has worked in another event of this director and has no role in this one yet."""
    return (
        User.objects.filter(is_active=True, memberships__event__in=_events_directed(director))
        .exclude(memberships__event=event)
        .distinct()
        .order_by("username")
    )


def may_organise(user: User) -> bool:
    """Whether a user makes events and prepares games: the owner of the program, an administrator, any director."""
    if user.is_superuser or user.get_username() == FIRST_JUDGE:
        return True
    return Membership.objects.filter(user=user, role=Role.DIRECTOR).exists()


def name_of(user: User) -> str:
    """What a colleague is called."""
    return user.first_name or user.get_username()


def _events_directed(director: User) -> QuerySet[Membership, int]:
    return Membership.objects.filter(user=director, role=Role.DIRECTOR).values_list("event_id", flat=True)


def _beyond_reach(users: list[User], director: User) -> set[int]:
    """Those whose account opens more than this director has given them, and the director himself."""
    elsewhere = Membership.objects.filter(user__in=users).exclude(event__in=_events_directed(director))
    secrets = PreparedGame.objects.filter(by__in=users)
    above = {user.pk for user in users if user.is_superuser or user.is_staff or user.get_username() == FIRST_JUDGE}
    found = {director.pk, *above, *elsewhere.values_list("user_id", flat=True)}
    return found | {pk for pk in secrets.values_list("by_id", flat=True) if pk is not None}


def _line(place: Membership, director: User, may_speak: bool, now: datetime) -> StaffLine:
    user = place.user
    return StaffLine(
        place_id=place.pk,
        name=name_of(user),
        username=user.get_username(),
        role=Role(place.role),
        has_password=user.has_usable_password(),
        seen_at=place.seen_at,
        is_here=place.seen_at is not None and now - place.seen_at < PRESENT,
        is_you=user.pk == director.pk,
        is_owner=user.get_username() == FIRST_JUDGE,
        may_speak_for=may_speak,
    )
