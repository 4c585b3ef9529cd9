"""Users of an event: roles, presence at the desk, and permission to act for each other."""

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
    """A user of an event as the director sees them. `may_speak_for`: the director may make links and passwords for
    them."""

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
    """All users with a role in the event, in the order in which they were added; a handful of queries."""
    places = list(Membership.objects.filter(event=event).select_related("user").order_by("pk"))
    beyond = _list_protected_users([place.user for place in places], director)
    return [_line(place, director, place.user_id not in beyond, now) for place in places]


def may_speak_for(director: User, user: User) -> bool:
    """Return True when the director may open the account of a user, which gives no access beyond the director's own."""
    return user.pk not in _list_protected_users([user], director)


def colleagues_of(director: User, event: Event) -> QuerySet[User]:
    """Users who worked in another event of this director and have no role in this one."""
    return (
        User.objects.filter(is_active=True, memberships__event__in=_events_directed(director))
        .exclude(memberships__event=event)
        .distinct()
        .order_by("username")
    )


def may_organise(user: User) -> bool:
    """Return True when a user may create events and prepare games: superusers, administrators and all directors."""
    return owns_installation(user) or Membership.objects.filter(user=user, role=Role.DIRECTOR).exists()


def owns_installation(user: User) -> bool:
    """Return True for superusers and the account of the person who starts the program."""
    return user.is_superuser or user.get_username() == FIRST_JUDGE


def name_of(user: User) -> str:
    """Displayed name of a user."""
    return user.first_name or user.get_username()


def _events_directed(director: User) -> QuerySet[Membership, int]:
    return Membership.objects.filter(user=director, role=Role.DIRECTOR).values_list("event_id", flat=True)


def _list_protected_users(users: list[User], director: User) -> set[int]:
    """Users whose account opens more than this director has given them, and the director."""
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
