"""Events by what people hold in their hands: the code, the wall's token, the judge's account."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import QuerySet

from tournaments.models import Event, Game, Membership, Room


def event_by_code(code: str) -> Event | None:
    """The event with the code that players type; case and blanks do not matter."""
    return Event.objects.filter(code="".join(code.split()).upper()).first()


def event_by_wall_token(token: str) -> Event | None:
    """The event whose wall this token opens."""
    return Event.objects.filter(wall_token=token).first()


def events_of(user: User) -> QuerySet[Event]:
    """The events that this user may see, the newest first."""
    return Event.objects.filter(memberships__user=user).order_by("-date", "-pk")


def role_in(event: Event, user: User) -> str | None:
    """The role of this user in the event, None when he has none."""
    return Membership.objects.filter(event=event, user_id=user.pk).values_list("role", flat=True).first()


def current_game(event: Event) -> Game:
    """The game of the evening: the one added last."""
    return Game.objects.filter(event=event).select_related("event").order_by("-number")[:1].get()


def first_room(event: Event) -> Room:
    """The hall; a club has only this one."""
    return Room.objects.filter(event=event).order_by("pk")[:1].get()
